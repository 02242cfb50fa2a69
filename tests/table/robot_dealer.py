"""A dealer, a supervisor and machines in good order: they bring any table to a settled round, or say where it stands.

Theory of operation. At each step the robot looks at nothing but the table's state, and does the one thing that people
with a sound machine would do there: plug it in, let it obey, clear an alert, bet, press green, deal the next card, show
a hand, void what stands still. It remembers nothing, so it can go on from any state. A table on which it does not
settle a round in so many steps is one that its people could not open again either, whatever they did.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import GameName, WagerName
from daemon.table import may
from daemon.table.big_draw.inputs import ChooseGame
from daemon.table.draft import Draft
from daemon.table.games import PROCEDURES
from daemon.table.inputs import (
    Bet,
    ClearAlert,
    ClearBets,
    Configured,
    Decide,
    EnterCards,
    Input,
    LoadShoe,
    OpenTable,
    Request,
)
from daemon.table.offers import Command
from daemon.table.orders import cards_wanted
from daemon.table.round_facts import RoundSettled
from daemon.table.seen_stakes import dispute
from daemon.table.settings import TableSettings
from daemon.table.state import AWAITS_RULING, Deck, Phase, Presence, Round
from daemon.table.vocabulary import Actor, Decision, SeatNumber, SourceKind
from drivers.commands import Reshuffle, SetMode
from drivers.events import (
    Button,
    CardDrawn,
    CommandAnswered,
    Confidence,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    FaultCleared,
    LinkUp,
    ModeChanged,
    PacketDispensed,
    PacketRemoved,
    RemainderEjected,
    ShuffleFinished,
    ShuffleStarted,
)
from protocols.cards import DECK, Card, Rank
from tests.table.playing import IDENTITY, Table
from tests.table.probes import cards_of

STEPS_MAX: Final = 400
"""For one round. The longest of a hundred took 114."""
LAST_INPUTS: Final = 20
STAKE_CENTS: Final = 1_000
PLAYS: Final = {game: procedure.play for game, procedure in PROCEDURES.items()}
BETS_ON: Final = {
    GameName.BIG_50: WagerName.POKER_HAND,
    GameName.BIG_RAISE: WagerName.ANTE,
    GameName.BIG_DRAW: WagerName.BIG_DRAW,
    GameName.BLACKJACK: WagerName.BLACKJACK,
}
"""The wager that a hand is dealt for."""
BETS_BESIDE: Final = {GameName.BIG_DRAW: WagerName.FIRST_5}
"""One that has a phase of its own."""


class StuckError(Exception):
    """The robot knows nothing more to do, or did it in vain: this table never settles a round again."""


class RobotDealer(Table):
    """A table with people and machines in good order. `take` gives it anything else that happens."""

    def __init__(self, settings: TableSettings, chance: Random) -> None:
        super().__init__(settings)
        self.chance = chance
        self.quiet_since = 0

    def play_round(self) -> None:
        """Bring the table to a settled round, whatever stands in the way."""
        before, self.quiet_since = len(self.facts), len(self.inputs)
        for _ in range(STEPS_MAX):
            self.step()
            if any(isinstance(fact, RoundSettled) for fact in self.facts[before:]):
                return
        raise StuckError(f"no round was settled in {STEPS_MAX} steps")

    def stands(self) -> str:
        """Say where the table stands, what blocks it, and how it came there."""
        state = self.state
        what = (
            f"{state.settings.game.value} from {state.settings.source}, {state.phase}, prompt {state.prompt!r}, "
            f"blocked by {state.blocked_by}, alerts {[alert.alert for alert in state.alerts]}, answer {self.answer}"
        )
        before, since = self.inputs[: self.quiet_since][-LAST_INPUTS:], self.inputs[self.quiet_since :][-LAST_INPUTS:]
        return "\n  ".join([what, *map(_in_short, before), "then the robot alone:", *map(_in_short, since)])

    def says(self, device: DeviceName, event: DeviceEvent) -> None:
        """That device reports something."""
        self.take(DeviceReport(device, self._now(), event))

    def step(self) -> None:
        """Do what is next."""
        if any(each() for each in (self._plugs_in, self._obeys, self._mends, self._sets_packets, self._clears)):
            return
        if not self.state.opened:
            self.ask(OpenTable())
        elif self.state.phase in AWAITS_RULING:
            self.void()
        elif not self._loads_shoe():
            self._deals()

    # --- what the machines do before anything else ---

    def _machines(self) -> list[DeviceName]:
        settings = self.state.settings
        dealing = (settings.source, *([settings.shoe] if settings.shoe is not None else []))
        return list(dict.fromkeys(source.device for source in dealing))

    def _plugs_in(self) -> bool:
        for name in self._machines():
            if self.state.device(name).presence is not Presence.UP:
                self.says(name, LinkUp(IDENTITY, "boot-r", resumed=self.chance.random() < 0.5))
                return True
        return False

    def _obeys(self) -> bool:
        for due in self.state.outstanding:
            if due.device in self._machines():
                self.says(due.device, CommandAnswered(due.id, None))
                if isinstance(due.command, SetMode):
                    self.says(due.device, ModeChanged(due.command.cards_a_packet))
                if isinstance(due.command, Reshuffle):
                    self._shuffles()
                return True
        return False

    def _mends(self) -> bool:
        """A device that the file no longer names is gone: nobody mends it, and it says nothing more."""
        for device in self.state.devices:
            for fault in device.faults if self.state.is_named(device.name) else ():
                self.says(device.name, FaultCleared(fault))
                return True
        return False

    def _sets_packets(self) -> bool:
        """A person sets a machine that takes no orders. The table says of how many cards the packets have to be."""
        source, wanted = self.state.settings.source, cards_wanted(Draft(self.state, PLAYS))
        is_wrong = self.state.device(source.device).cards_a_packet not in (None, wanted)
        if source.kind is SourceKind.SHUFFLER and is_wrong:
            self.says(source.device, ModeChanged(wanted))
            return True
        return False

    def _shuffles(self) -> None:
        source = self.state.settings.source
        self.says(source.device, ShuffleStarted())
        self.says(source.device, ShuffleFinished(len(DECK) if source.counts else None))
        self.deck = self.chance.sample(DECK, len(DECK))

    def _drawn(self) -> None:
        """A card that the shoe can still hold leaves it: more aces than chance gives, or few players could insure."""
        settings, shoe = self.state.settings, self.state.shoe
        left = [card for card in DECK if shoe is None or not shoe.has_no_more(card)]
        device = (settings.shoe or settings.source).device
        aces = [card for card in left if card.rank is Rank.ACE]
        drawn = self.chance.choice(aces if aces and self.chance.random() < 0.1 else left)
        self.says(device, CardDrawn(drawn, Confidence.CHECKED))

    # --- what people do ---

    def _clears(self) -> bool:
        """The first person who may clears an alert. That of a void is cleared by its end."""
        for alert in self.state.alerts:
            if alert.alert.startswith("void-"):
                continue
            if self.ask(ClearAlert(alert.alert), alert.cleared_by[0]).accepted:
                return True
            if self.state.round is None and alert.alert in self.state.blocked_by:
                raise StuckError(f"{alert.alert} keeps every round from opening, and cannot be cleared")
        return False

    def _loads_shoe(self) -> bool:
        state = self.state
        if state.settings.source.kind is not SourceKind.SHOE or state.phase not in (Phase.IDLE, Phase.BETTING):
            return False
        if state.shoe is None:
            self.ask(LoadShoe(PLAYS[state.settings.game].shoe(state.settings).decks))
        elif state.shoe.burn_due:
            self._drawn()
        return state.shoe is None or state.shoe.burn_due > 0

    def _deals(self) -> None:
        match self.state.phase:
            case Phase.IDLE:
                self._wakes()
            case Phase.CHOOSING:
                self.ask(ChooseGame(self.state.button, self.chance.choice(list(Variant))))
            case Phase.BETTING:
                self._bets()
            case Phase.DEALING:
                self._gives()
            case Phase.COLLECTING:
                self._ejects(len(DECK) - self._out())
            case Phase.COUNTING:
                self.stub(len(DECK) - (self.state.shoe.gone if self.state.shoe is not None else self._out()))
            case Phase.INSURING | Phase.DEALER_DRAWING:
                self.command_press(Button.NEXT)
                self._drawn()
            case Phase.DECIDING:
                self._decides()
            case Phase.DEALT:
                self.command_press(Button.GREEN)
            case _:
                self._goes_on()

    def _wakes(self) -> None:
        """Nothing blocks, and no round is open: the next word of the machine, whatever it is, opens one."""
        settings = self.state.settings
        self.says(settings.source.device, ModeChanged(PLAYS[settings.game].first_packet_cards))

    def _bets(self) -> None:
        state, played = self.state, self._played()
        if dispute(state) is not None:
            for seat in range(1, state.settings.seats + 1):
                self.ask(ClearBets(SeatNumber(seat)), Actor.DEALER)
            if (still := dispute(self.state)) is not None:
                raise StuckError(still.message({}))
        elif not played.stakes:
            for seat in self.chance.sample(range(1, state.settings.seats + 1), min(2, state.settings.seats)):
                self._bets_at(SeatNumber(seat))
        elif not self._has_deck() and not self.command_press(Button.GREEN).accepted:
            raise StuckError("no bets can be closed")

    def _bets_at(self, seat: SeatNumber) -> None:
        game = self.state.settings.game
        self.ask(Bet(seat, BETS_ON[game], STAKE_CENTS), Actor.DEALER)
        if game in BETS_BESIDE and self.chance.random() < 0.5:
            self.ask(Bet(seat, BETS_BESIDE[game], STAKE_CENTS), Actor.DEALER)

    def _has_deck(self) -> bool:
        """The machine shuffles, if it has to. Return whether that is what was done."""
        state = self.state
        if state.settings.source.kind is SourceKind.SHUFFLER and state.deck is not Deck.READY:
            self._shuffles()
            return True
        if state.settings.source.kind is SourceKind.BATCH and state.batch is None:
            self._shuffles()
            self._ejects(len(DECK))
            return True
        return False

    def _gives(self) -> None:
        """The next card or packet comes, or is taken to its seat."""
        source, played = self.state.settings.source, self._played()
        position = played.undelivered
        if source.kind is SourceKind.BATCH:
            self.command_press(Button.GREEN)
        elif source.kind is SourceKind.SHOE or played.accounted:
            self._drawn()
        elif position is None:
            raise StuckError("cards are dealt, and none is due")
        elif played.hand_at(position) is not None:
            self.says(source.device, PacketRemoved(position))
        else:
            self._dispenses(position)

    def _dispenses(self, position: int) -> None:
        source, cards = self.state.settings.source, self.planned(position)
        if len(self.deck) < cards:
            self.deck = self.chance.sample(DECK, len(DECK))
        faces = tuple(self.draw(cards))
        count = cards if source.counts else None
        self.says(source.device, PacketDispensed(position, count, faces if source.reads_faces else None))

    def _ejects(self, left: int) -> None:
        source, rest = self.state.settings.source, self.draw(left)
        faces = tuple(rest) if source.reads_faces and len(rest) == left else None
        self.says(source.device, RemainderEjected(left if source.counts else None, faces))

    def _decides(self) -> None:
        """The seat that is asked stands, draws, plays or folds: one of these ends a hand in each game."""
        seat = PLAYS[self.state.settings.game].asked(self.state) or SeatNumber(1)
        draws = Decide(seat, Decision.DRAW, None, self.chance.choice([0, 1, 5]))
        raises = [Decide(seat, Decision.PLAY, 2 * STAKE_CENTS)] if self.chance.random() < 0.5 else []
        for decision in (Decide(seat, Decision.STAND), draws, *raises, Decide(seat, Decision.FOLD)):
            if self.ask(decision, Actor.DEALER).accepted:
                return
        self._goes_on()

    def _goes_on(self) -> None:
        """Next; or else a hand is turned over and entered; or else a card is due, that a player took."""
        if self.command_press(Button.NEXT).accepted or any(self.ask(entry).accepted for entry in self._entries()):
            return
        if self.state.shoe is not None:
            self._drawn()

    def _entries(self) -> Iterator[EnterCards]:
        """What a person may enter: what a machine read of the hand, and other cards in place of what nobody read."""
        played = self._played()
        used = {face for hand in played.hands for face in hand.faces or ()}
        others = [card for card in DECK if card not in used]
        for seat, cards in self._asked_for():
            read = _read(played, seat, cards)
            yield EnterCards(seat, (*read, *self.chance.sample(others, cards - len(read))))

    def _asked_for(self) -> list[tuple[SeatNumber, int]]:
        """The places where a number of cards can be entered: first the one of the prompt, the others by chance.

        What a place has already may be entered there again, so the same order each time could come to nothing.
        """
        entries = [offer for offer in may.offers(self.state) if offer.command is Command.ENTER_CARDS]
        places = [(seat, offer.amount.least) for offer in entries if offer.amount is not None for seat in offer.seats]
        self.chance.shuffle(places)
        return sorted(places, key=lambda place: place[0] != self.state.prompted.seat)

    def _played(self) -> Round:
        assert self.state.round is not None, "the robot plays a round, and there is none"
        return self.state.round

    def _out(self) -> int:
        """How many cards the packets took out of the deck."""
        played = self._played()
        return sum(played.plan[hand.position - 1].cards for hand in played.hands)


def _read(played: Round, seat: SeatNumber, cards: int) -> list[Card]:
    """What is known of this many cards at a place: of those that were dealt as many as were kept, and the draw."""
    dealt, drawn = played.hand_of(seat), played.drawn_by(seat)
    new = 0 if drawn is None else played.plan[drawn.position - 1].cards
    known = [cards_of(hand.faces or ()) if hand is not None else [] for hand in (dealt, drawn)]
    return [*known[0][: max(0, cards - new)], *known[1]][:cards]


def _in_short(happened: Input) -> str:
    """An input as a line of a failure's message."""
    match happened:
        case DeviceReport(device, _, event):
            return f"{device}: {event}"
        case Request():
            return f"{happened.role.value} {happened.who}: {happened.action}"
        case Configured():
            return f"start: {happened.settings}, devices {happened.devices}"
        case _:
            return str(happened)
