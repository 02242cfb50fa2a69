"""The bench's people: players who bet and decide by habit, a dealer with hands on the device, and a supervisor.

Theory of operation. The people know only what MQTT says, and the cards that each of them may see. Each event that calls
for a person is queued, and one task does what it calls for, at a pace. When a round opens players bet, and the dealer
presses green. At each seat the dealer presses next. Between the two come the duties at the device (`ShufflerHands`,
`BatchHands`, `ShoeHands`) and those of the game's own players. If several duties belong to one event, the device's come
first and the players' last. A key that the table refuses is pressed again when the event comes that the table waited
for. In trouble the supervisor frees what is stuck, voids a round that cannot go on and clears the alerts.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import Final

from daemon.rules.wagers import GameName
from daemon.table.said import SaidId
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor
from daemon.tools.bench.batch_hands import BatchHands
from daemon.tools.bench.client import GUEST, EventHeard, TableClient
from daemon.tools.bench.dealing import Dealing, DealingPace, Duties, Duty
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.guests import Guests
from daemon.tools.bench.keys import Keys, Source
from daemon.tools.bench.lying_cards import LyingCards
from daemon.tools.bench.shoe_hands import DrawHands, ShoeHands
from daemon.tools.bench.shuffler_hands import ShufflerHands
from drivers.events import Button
from protocols.cards import Card, Face
from protocols.frozen import dataclass
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig

THEN_NEXT: Final = "Then next."
PRESSED_UNHEARD: Final = "pressed-unheard"
BETS_ARE_DOWN: Final = "guests-have-bet"
"""What the dealer hears from guests themselves, queued among the table's events as if it were one."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How these people play and deal."""

    seed: int
    seats: int
    pace: DealingPace
    game: GameName = GameName.BIG_50


@dataclass(frozen=True, slots=True)
class LyingHand:
    """The cards of one place that can be looked at, and those that were given up for others."""

    cards: tuple[Face, ...]
    given_up: tuple[Face, ...]


class People:
    """Everybody at the bench's table: players, dealer and supervisor."""

    def __init__(
        self,
        client: TableClient,
        rig: Source,
        habits: Habits,
        pad: ButtonsRig | None = None,
        draws_rig: ShoeRig | None = None,
    ) -> None:
        self._client = client
        self._game: Final[BenchGame] = GAMES[habits.game]
        self._pace = habits.pace
        self._keys = Keys(client, pad, rig)
        self._dealing = Dealing(client, self._keys, habits.pace, habits.seed, habits.seats)
        LyingCards(self._dealing, rig, draws_rig, self._game)
        self._hands = _hands_at(rig, self._dealing, self._game)
        self._draw_hands = _draw_hands_at(rig, draws_rig, self._dealing, self._game)
        self._due: asyncio.Queue[EventHeard] = asyncio.Queue()
        self._last_heard = 0
        self._bets_are_down = False
        self._betting_on: str | None = None  # the round for which bets are taken
        self._number = 0
        standing = client.state.get("table", {}).get("alerts", ())  # who takes over sees what stands
        self._alerts: dict[str, None] = dict.fromkeys(each["alert"] for each in standing)  # not yet cleared, in order
        self._playing = asyncio.Event()
        self._playing.set()
        self._duties = _in_order(
            self._hands.duties,
            self._duties_at_draws_shoe(),
            self._own_duties(),
            {self._game.bets_after: self._bet},
            self._game.duties(self._dealing),
        )
        client.listen(self._queue_event)

    def _own_duties(self) -> Duties:
        """Return the duties that are the same with each device and in each game."""
        return {
            "round-opened": self._begin,
            "bet-placed": self._see_chips,
            "bets-cleared": self._see_chips_go,
            BETS_ARE_DOWN: self._note_that_guests_have_bet,
            "player-decided": self._note_answer,
            "game-chosen": self._note_answer,
            "button-moved": self._note_pass,
            "betting-closed": self._note_that_betting_is_over,
            "round-voided": self._note_that_betting_is_over,
            "deck-shuffled": self._green_if_bets_are_down,
            "card-burned": self._green_if_bets_are_down,
            "batch-out": self._green_if_bets_are_down,
            "alert-raised": self._see_to_alert,
            "alert-cleared": self._go_on_without_alert,
            "button-refused": self._press_again_if_unheard,
            "device-fault-cleared": self._clear_alerts,
            "device-up": self._clear_alerts,
            "device-came-back": self._clear_alerts,
            "device-mode-changed": self._clear_alerts,
            "dealer-prompted": self._next_when_prompted,
            "cards-asked": self._enter_cards,
            "round-held": self._call_supervisor,
            "round-interrupted": self._call_supervisor,
        }

    def _duties_at_draws_shoe(self) -> Duties:
        """Return the duties at a shoe beside the shuffler. Until it is connected, the table refuses green."""
        if self._draw_hands is None:
            return {}
        return {**self._draw_hands.duties, "device-up": self._green_if_bets_are_down}

    @property
    def guests(self) -> Guests:
        """The people at the table who are not of the bench."""
        return self._dealing.guests

    def cards_of(self, seat: int) -> tuple[Face, ...]:
        """Return what the player at this seat holds."""
        return () if self._dealing.is_between_rounds else self._dealing.hands.get(seat, ())

    def lying(self) -> dict[int, LyingHand]:
        """Return what lies at each place, face up, for the person who deals at the bench."""
        if self._dealing.is_between_rounds:
            return {}
        dealt = self._dealing
        return {place: LyingHand(dealt.lying_open(place), dealt.given_up(place)) for place in dealt.hands}

    def rest(self) -> int | None:
        """Return how many cards of the deck nobody got, while the table asks for their count."""
        is_asked = self._client.state.get("table", {}).get("phase") == Phase.COUNTING.value
        return self._dealing.rest if is_asked else None

    def sit(self, seat: int) -> None:
        """Give a guest this seat: who sits down where their own chips lie goes on with them."""
        self._dealing.guests.sit(seat, is_played=seat in self._dealing.staked - self._dealing.staked_by_guests)

    def keep(self, seat: int, cards: tuple[Face, ...]) -> None:
        """Take a guest's word for which of their cards they keep."""
        self._dealing.hands[seat] = cards

    def play_for(self, seat: int) -> None:
        """Have somebody of the bench play here again: answer what the guest was asked, and did not."""
        question = self._dealing.guests.leave(seat)
        if question is not None:
            self._due.put_nowait(question)

    @property
    def is_paused(self) -> bool:
        """Return whether nobody does anything."""
        return not self._playing.is_set()

    def pause_or_go_on(self) -> None:
        """Pause, or continue. Duties of events that came meanwhile are done afterwards."""
        if self.is_paused:
            self._playing.set()
            self._dealing.guests.be_patient()
        else:
            self._playing.clear()
            self._dealing.guests.wait_for_ever()

    def _queue_event(self, heard: EventHeard) -> None:
        """Queue an event once: after a crash of the daemon the same event can come again."""
        if heard.sequence <= self._last_heard:
            return
        self._last_heard = heard.sequence
        if heard.kind == "dealer-prompted":
            self._dealing.newest_prompt = heard.sequence
        if heard.kind in self._duties:
            self._due.put_nowait(heard)

    async def run(self) -> None:
        """Do everybody's duties until cancelled."""
        async with asyncio.TaskGroup() as at_the_table:
            at_the_table.create_task(self._do_duties())
            at_the_table.create_task(self._hands.run())

    async def _do_duties(self) -> None:
        while True:
            heard = await self._due.get()
            await self._playing.wait()
            for duty in self._duties[heard.kind]:
                await duty(heard)

    async def _begin(self, heard: EventHeard) -> None:
        self._bets_are_down = False
        self._betting_on = heard.round_id
        self._dealing.guests.begin_round()
        self._dealing.staked.clear()
        self._dealing.staked_by_guests.clear()
        self._number = heard.data["number"]

    async def _bet(self, heard: EventHeard) -> None:
        """Bet, and have the dealer wait for guests, if there are any: chips of theirs may come meanwhile."""
        await self._pace.wait(self._pace.bets_s)
        staked, guests = self._dealing.staked, self._dealing.guests
        bets = self._game.bets(self._dealing.seed, self._number, self._dealing.seats)
        for bet in (bet for bet in bets if bet.seat not in guests.seats):
            data = {"seat": bet.seat, "wager": bet.wager.value, "stake_cents": bet.stake_cents}
            had_chips = bet.seat in staked
            staked.add(bet.seat)  # from now on: a guest who sits down before the table answers gets the next round
            answer = await self._client.ask("bet", Actor.PLAYER, heard.round_id, **data)
            if not answer["accepted"] and not had_chips:
                staked.discard(bet.seat)
        if guests.seats:
            guests.expect_bets(lambda: self._due.put_nowait(replace(heard, kind=BETS_ARE_DOWN)))
        else:
            await self._note_that_bets_are_down(heard)

    async def _note_that_guests_have_bet(self, heard: EventHeard) -> None:
        """Go on, but not without any chips on the table: then somebody of the bench bets in a guest's place."""
        if heard.round_id != self._betting_on:
            return
        if self._dealing.staked:
            await self._note_that_bets_are_down(heard)
        else:
            self._dealing.guests.stand_up()
            await self._bet(heard)

    async def _note_that_bets_are_down(self, heard: EventHeard) -> None:
        self._bets_are_down = True
        await self._green_if_bets_are_down(heard)

    async def _see_chips(self, heard: EventHeard) -> None:
        self._dealing.staked.add(heard.data["seat"])
        if heard.data["who"] == GUEST:
            self._dealing.staked_by_guests.add(heard.data["seat"])
            self._dealing.guests.be_patient()

    async def _see_chips_go(self, heard: EventHeard) -> None:
        self._dealing.staked.discard(heard.data["seat"])

    async def _note_answer(self, heard: EventHeard) -> None:
        self._dealing.guests.answered(heard.data["seat"])

    async def _note_pass(self, _: EventHeard) -> None:
        """Note that the one who was asked to choose passed the button on."""
        self._dealing.guests.all_answered()

    async def _green_if_bets_are_down(self, _: EventHeard) -> None:
        if self._bets_are_down and self._hands.is_ready:
            await self._pace.wait(self._pace.green_s)
            await self._hands.green()

    async def _note_that_betting_is_over(self, _: EventHeard) -> None:
        """Note that green is not due: of a round that is void in the betting, the bets lie there no longer."""
        self._bets_are_down = False
        self._betting_on = None
        self._dealing.guests.expect_no_bets()

    async def _next_when_prompted(self, heard: EventHeard) -> None:
        """Press next where the prompt asks for it. A prompt is a sentence for a person, and the dealer is one."""
        if any(said["id"] == SaidId.ROUND_VOID.value for said in heard.data["said"]):
            # The cards go back. The machine may be starting up, so a screen and no key says that all is done.
            await self._pace.wait(self._pace.supervisor_s)
            await self._client.ask("press", Actor.DEALER, heard.round_id, button=Button.NEXT.value)
        elif heard.data["sentence"].endswith(THEN_NEXT):
            await self._pace.wait(self._pace.seat_s)
            await self._keys.press(Button.NEXT)

    async def _enter_cards(self, heard: EventHeard) -> None:
        """Enter the cards of a hand that no device read. If the table refuses them, call the supervisor."""
        await self._pace.wait(self._pace.seat_s)
        seat = heard.data["seat"]
        cards = [str(face) for face in self._dealing.lying_open(seat) if isinstance(face, Card)]
        answer = await self._client.ask("enter-cards", Actor.DEALER, heard.round_id, seat=seat, cards=cards)
        if not answer["accepted"]:
            await self._call_supervisor(heard)

    async def _see_to_alert(self, heard: EventHeard) -> None:
        self._alerts[heard.data["alert"]] = None
        await self._pace.wait(self._pace.supervisor_s)
        self._hands.mend()
        if self._draw_hands is not None:
            self._draw_hands.mend()
        await self._clear_alerts(heard)

    async def _clear_alerts(self, _: EventHeard) -> None:
        """Clear all alerts that were heard of. The table's retained state may be older than its events."""
        for alert in tuple(self._alerts):
            await self._client.ask("clear-alert", Actor.SUPERVISOR, alert=alert)

    async def _press_again_if_unheard(self, heard: EventHeard) -> None:
        if heard.data["code"] == PRESSED_UNHEARD:
            await self._pace.wait(self._pace.green_s)
            await self._keys.press(Button(heard.data["button"]))

    async def _go_on_without_alert(self, heard: EventHeard) -> None:
        """Continue with what the alert blocked: the same question gets the same answer."""
        self._alerts.pop(heard.data["alert"], None)
        if (question := self._dealing.unanswered) is not None:
            self._dealing.unanswered = None
            self._due.put_nowait(question)
        await self._green_if_bets_are_down(heard)

    async def _call_supervisor(self, heard: EventHeard) -> None:
        """Void this round and no other: it may be over by the time that the table hears the command."""
        await self._pace.wait(self._pace.supervisor_s)
        reason = "the bench's supervisor voids what stands still"
        await self._client.ask("void-round", Actor.SUPERVISOR, heard.round_id, reason=reason)


def _hands_at(rig: Source, dealing: Dealing, game: BenchGame) -> ShufflerHands | BatchHands | ShoeHands:
    if isinstance(rig, ShoeRig):
        return ShoeHands(dealing, rig, game)
    return BatchHands(dealing, rig, game) if rig.settings.batch else ShufflerHands(dealing, rig, game)


def _draw_hands_at(rig: Source, draws_rig: ShoeRig | None, dealing: Dealing, game: BenchGame) -> DrawHands | None:
    if draws_rig is None:
        return None
    assert isinstance(rig, ShufflerRig), "what is dealt from a shoe is drawn from it as well"
    return DrawHands(dealing, rig, draws_rig, game)


def _in_order(*of_each: Duties) -> dict[str, list[Duty]]:
    """Return everybody's duties at each kind of event, in this order."""
    together: dict[str, list[Duty]] = defaultdict(list)
    for duties in of_each:
        for kind, duty in duties.items():
            together[kind].append(duty)
    return together
