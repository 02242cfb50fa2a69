"""A table to play on in tests: says what happens and keeps every fact. `apply` asserts the invariants in every step."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from daemon.rules.big_50 import Big50House
from daemon.rules.limits import Day
from daemon.rules.wagers import Colour, GameName, WagerName
from daemon.table.big_draw.inputs import ChooseGame, Claim, PassButton
from daemon.table.facts import Fact, FactData
from daemon.table.inputs import (
    Action,
    Bet,
    ClearAlert,
    ClearBets,
    Configured,
    Decide,
    EnterCards,
    Input,
    Press,
    Request,
    Rule,
    StubCount,
    VoidRound,
)
from daemon.table.reducer import apply, blank
from daemon.table.settings import SourceSettings, TableSettings
from daemon.table.state import Deck, Phase, TableState
from daemon.table.step import Answer, Step
from daemon.table.vocabulary import Actor, AlertName, RequestId, RoundId, Ruling, SeatNumber
from drivers.commands import DeviceCommand, SetMode
from drivers.events import (
    Button,
    ButtonPressed,
    CommandAnswered,
    DeckLoaded,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    Identity,
    LinkUp,
    ModeChanged,
    PacketDispensed,
    PacketRemoved,
    Receipt,
    RemainderEjected,
    ShuffleFinished,
    ShuffleStarted,
    Stamp,
)
from protocols.cards import DECK, Card, Face

FactT = TypeVar("FactT")

SHUFFLER = DeviceName("shuffler")
SEES_ALL = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=True, counts=True)
SETTINGS = TableSettings(site="north", table="t7", game=GameName.BIG_50, seats=6, source=SEES_ALL, options=Big50House())
IDENTITY = Identity("FS-1", "0001", "1.0", ("faces", "counts", "commands"))
TODAY = Day(20_775)
OF_A_PLAYER = (Bet, ClearBets, Decide, ChooseGame, PassButton, Claim)


class Table:
    """One table under test. `deck` is the order in which its shuffler will deal."""

    def __init__(self, settings: TableSettings = SETTINGS, deck: tuple[Card, ...] = DECK) -> None:
        self.whole_deck = deck
        self.deck: list[Face] = list(deck)
        self.inputs: list[Input] = []
        self.facts: list[FactData] = []
        self.record: list[Fact] = []
        self.steps: list[Step[TableState]] = []
        self.commands: list[DeviceCommand] = []
        self.answer: Answer | None = None
        configured = Configured(self._now(), TODAY, "journal-under-test", "rules-1", settings)
        self.inputs.append(configured)
        self._took(apply(blank(configured), configured))

    def _now(self) -> Stamp:
        number = len(self.inputs)
        return Stamp(1_795_000_000_000_000_000 + number, number)

    def _took(self, step: Step[TableState]) -> None:
        self.state = step.state
        self.new = [fact.data for fact in step.facts]
        self.facts += self.new
        self.record += step.facts
        self.steps.append(step)
        self.commands += [due.command for due in step.commands]
        self.answer = step.answer

    def take(self, happened: Input) -> list[FactData]:
        """Apply one input and give the facts that it made."""
        self.inputs.append(happened)
        self._took(apply(self.state, happened))
        return self.new

    def device(self, event: DeviceEvent) -> list[FactData]:
        """The shuffler reports something."""
        number = len(self.inputs)
        return self.take(DeviceReport(SHUFFLER, self._now(), event, Receipt("boot-1", number)))

    def ask(
        self,
        action: Action,
        role: Actor = Actor.SUPERVISOR,
        expires_utc_ns: int | None = None,
        round_id: RoundId | None = None,
        who: str = "kim",
    ) -> Answer:
        """Somebody asks; the answer. What a player does names the round that runs."""
        if round_id is None and isinstance(action, OF_A_PLAYER) and self.state.round is not None:
            round_id = self.state.round.id
        request_id = RequestId(f"r{len(self.inputs)}")
        self.take(Request(self._now(), request_id, who, role, expires_utc_ns, action, round_id))
        assert self.answer is not None
        return self.answer

    # --- what people do ---

    def bet(self, seat: int, wager: WagerName = WagerName.POKER_HAND, stake: int = 500, **more: Colour) -> Answer:
        return self.ask(Bet(SeatNumber(seat), wager, stake, more.get("colour")), Actor.PLAYER)

    def press(self, button: Button = Button.GREEN) -> list[FactData]:
        return self.device(ButtonPressed(button))

    def command_press(self, button: Button) -> Answer:
        return self.ask(Press(button), Actor.DEALER)

    def rule(self, ruling: Ruling) -> Answer:
        return self.ask(Rule(ruling, "seen on camera", self.revision()), round_id=self.running())

    def revision(self) -> int:
        """What a supervisor sees now, by its number."""
        return 0 if self.state.round is None else self.state.round.revision

    def enter(self, seat: int, cards: tuple[Card, ...]) -> Answer:
        return self.ask(EnterCards(SeatNumber(seat), cards))

    def stub(self, count: int) -> Answer:
        return self.ask(StubCount(count), Actor.DEALER)

    def void(self) -> Answer:
        return self.ask(VoidRound("spilled drink"), round_id=self.running())

    def put_back(self) -> Table:
        """The dealer has done the steps of a void, and says so."""
        assert self.state.phase is Phase.VOIDING, self.state.phase
        assert self.command_press(Button.NEXT).accepted, self.answer
        return self

    def clear(self, alert: str, role: Actor = Actor.SUPERVISOR) -> Answer:
        return self.ask(ClearAlert(AlertName(alert)), role)

    # --- what the shuffler does ---

    def link_up(self, *, resumed: bool = True) -> list[FactData]:
        return self.device(LinkUp(IDENTITY, "boot-1", resumed))

    def set_mode(self, cards: int = 5) -> None:
        for due in self.state.outstanding:
            self.device(CommandAnswered(due.id, None))
        self.device(ModeChanged(cards))

    def shuffle(self, count: int | None = 52) -> None:
        self.device(DeckLoaded())
        self.device(ShuffleStarted())
        self.device(ShuffleFinished(count))

    def dispense(self, position: int, faces: list[Face] | None = None, *, count: int | None = None) -> list[FactData]:
        """Packet `position` with the next cards of the deck, or with these."""
        shown = tuple(faces if faces is not None else self.draw(self.planned(position)))
        counted = len(shown) if count is None else count
        self.answer_orders()
        shuffler = self.state.settings.source
        return self.device(
            PacketDispensed(position, counted if shuffler.counts else None, shown if shuffler.reads_faces else None)
        )

    def planned(self, position: int) -> int:
        """How many cards this packet is to have."""
        plan = self.state.round.plan if self.state.round else ()
        return plan[position - 1].cards if 0 < position <= len(plan) else 5

    def draw(self, count: int) -> list[Face]:
        drawn, self.deck = self.deck[:count], self.deck[count:]
        return drawn

    def answer_orders(self) -> None:
        for due in self.state.outstanding:
            self.device(CommandAnswered(due.id, None))
            if isinstance(due.command, SetMode):
                self.device(ModeChanged(due.command.cards_a_packet))

    def deliver(self, position: int) -> list[FactData]:
        return self.device(PacketRemoved(position))

    def eject(self, *, count: int | None = None, faces: list[Face] | None = None) -> list[FactData]:
        """The rest of the deck, or this."""
        rest = self.draw(52) if faces is None else faces
        self.answer_orders()
        shuffler = self.state.settings.source
        counted = (len(rest) if count is None else count) if shuffler.counts else None
        return self.device(RemainderEjected(counted, tuple(rest) if shuffler.reads_faces else None))

    # --- a round's stages ---

    def ready(self) -> Table:
        """Shuffler there, set and shuffled; a round is open."""
        self.link_up()
        self.set_mode()
        self.shuffle()
        assert self.state.phase in (Phase.BETTING, Phase.CHOOSING), self.state.phase
        return self

    def staked(self, *seats: int) -> Table:
        for seat in seats:
            assert self.bet(seat).accepted, self.answer
        return self

    def dealt(self, *seats: int) -> Table:
        """Every hand at its seat; the dealer's green is waited for."""
        self.ready().staked(*seats).press()
        for position in range(1, len(seats) + 1):
            self.dispense(position)
            self.deliver(position)
        return self

    def reconciling(self, *seats: int) -> Table:
        """The rest collected and the deck proven."""
        self.dealt(*seats).press()
        self.eject()
        return self

    # --- what is so now; methods, so that no checker takes an earlier answer for the present one ---

    def running(self) -> RoundId:
        return self.state.round.id if self.state.round else RoundId("none")

    def phase(self) -> Phase:
        return self.state.phase

    def deck_state(self) -> Deck:
        return self.state.deck

    # --- what was said ---

    def said(self, kind: type[FactT]) -> list[FactT]:
        """Every fact of a kind so far."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def of_this_round(self) -> list[Fact]:
        """The running round's facts."""
        running = self.state.round
        return [fact for fact in self.record if running is not None and fact.round_id == running.id]

    def last(self, kind: type[FactT]) -> FactT:
        return self.said(kind)[-1]


def settings(**changes: object) -> TableSettings:
    """The usual settings but for these."""
    return replace(SETTINGS, **changes)  # type: ignore[arg-type]
