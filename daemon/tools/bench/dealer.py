"""The bench's people: players who bet and decide by habit, a dealer with his hands on the device, a supervisor.

Theory of operation. They know only what MQTT says, and the cards that each of them may look at. Each event that calls
for hands is queued, and one task does what it calls for, at a pace: bets and then green when a round opens, next at
each seat, and between the two what the device and the game ask for, which `ShufflerHands` and the game's own players
know. Where several of them mind the same event, the device comes first and the players last. What the table refuses
is tried again when the thing that it waits for is reported. In trouble the supervisor is called, who frees what is
stuck, voids what cannot go on and clears the alerts.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.table.vocabulary import Actor
from daemon.tools.bench.batch_hands import BatchHands
from daemon.tools.bench.client import EventHeard, TableClient
from daemon.tools.bench.dealing import Dealing, DealingPace, Duties, Duty
from daemon.tools.bench.draw_hands import DrawHands
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.keys import Keys, Source
from daemon.tools.bench.shoe_hands import ShoeHands
from daemon.tools.bench.shuffler_hands import ShufflerHands
from drivers.events import Button
from protocols.cards import Card
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig

THEN_NEXT: Final = "Then next."
PRESSED_UNHEARD: Final = "pressed-unheard"


@dataclass(frozen=True, slots=True)
class Habits:
    """How these people play and deal."""

    seed: int
    seats: int
    pace: DealingPace
    reconciling: Reconciling
    game: GameName = GameName.BIG_50


class People:
    """Everybody at the bench's table."""

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
        self._reconciling = habits.reconciling
        self._pace = habits.pace
        self._keys = Keys(client, pad, rig)
        self._dealing = Dealing(client, self._keys, habits.pace, habits.seed, habits.seats)
        self._hands = _hands_at(rig, self._dealing, self._game)
        self._draw_hands = _draw_hands_at(rig, draws_rig, self._dealing, self._game)
        self._todo: asyncio.Queue[EventHeard] = asyncio.Queue()
        self._last_heard = 0
        self._bets_are_down = False
        self._alerts: dict[str, None] = {}  # that stand, in order
        self._playing = asyncio.Event()
        self._playing.set()
        self._duties = _in_order(
            self._hands.duties, self._duties_beside(), self._own_duties(), self._game.duties(self._dealing)
        )
        client.listen(self._hear)

    def _own_duties(self) -> Duties:
        """What is the same with every device and in every game."""
        return {
            "round-opened": self._bet,
            "bet-placed": self._see_chips,
            "bets-cleared": self._see_chips_go,
            "betting-closed": self._note_that_bets_stand,
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

    def _duties_beside(self) -> Duties:
        """With a shoe beside the shuffler. Green is refused until that is there, and then tried again."""
        if self._draw_hands is None:
            return {}
        return {**self._draw_hands.duties, "device-up": self._green_if_bets_are_down}

    @property
    def is_paused(self) -> bool:
        """Whether everybody holds still."""
        return not self._playing.is_set()

    def pause_or_go_on(self) -> None:
        """Hold still, or go on; what happens meanwhile is done afterwards."""
        if self.is_paused:
            self._playing.set()
        else:
            self._playing.clear()

    def _hear(self, heard: EventHeard) -> None:
        """At least once on the wire: after a crash an event can come again, and is done once."""
        if heard.sequence <= self._last_heard:
            return
        self._last_heard = heard.sequence
        if heard.kind in self._duties:
            self._todo.put_nowait(heard)

    async def run(self) -> None:
        """Be at the table until cancelled."""
        async with asyncio.TaskGroup() as at_the_table:
            at_the_table.create_task(self._do_duties())
            at_the_table.create_task(self._hands.run())

    async def _do_duties(self) -> None:
        """What events call for, one after the other."""
        while True:
            heard = await self._todo.get()
            await self._playing.wait()
            for duty in self._duties[heard.kind]:
                await duty(heard)

    async def _bet(self, heard: EventHeard) -> None:
        self._bets_are_down = False
        self._dealing.staked.clear()
        await self._pace.wait(self._pace.bets_s)
        for bet in self._game.bets(self._dealing.seed, heard.data["number"], self._dealing.seats):
            data = {"seat": bet.seat, "wager": bet.wager.value, "stake_cents": bet.stake_cents}
            answer = await self._client.ask("bet", Actor.PLAYER, heard.round_id, **data)
            if answer["accepted"]:
                self._dealing.staked.add(bet.seat)
        self._bets_are_down = True
        await self._green_if_bets_are_down(heard)

    async def _see_chips(self, heard: EventHeard) -> None:
        self._dealing.staked.add(heard.data["seat"])

    async def _see_chips_go(self, heard: EventHeard) -> None:
        self._dealing.staked.discard(heard.data["seat"])

    async def _green_if_bets_are_down(self, _: EventHeard) -> None:
        if self._bets_are_down and self._hands.is_ready:
            await self._pace.wait(self._pace.green_s)
            await self._hands.green()

    async def _note_that_bets_stand(self, _: EventHeard) -> None:
        self._bets_are_down = False

    async def _next_when_prompted(self, heard: EventHeard) -> None:
        """A prompt is a sentence for a person, and this is the person who reads it."""
        if self._reconciling is Reconciling.STEP and heard.data["sentence"].endswith(THEN_NEXT):
            await self._pace.wait(self._pace.seat_s)
            await self._keys.press(Button.NEXT)

    async def _enter_cards(self, heard: EventHeard) -> None:
        """No device read them: the dealer turns the hand over. What cannot be entered is the supervisor's."""
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
        """Whatever stands by what was heard: the table's picture comes after its events."""
        for alert in tuple(self._alerts):
            await self._client.ask("clear-alert", Actor.SUPERVISOR, alert=alert)

    async def _press_again_if_unheard(self, heard: EventHeard) -> None:
        """A key that was pressed before the table listened to it."""
        if heard.data["code"] == PRESSED_UNHEARD:
            await self._pace.wait(self._pace.green_s)
            await self._keys.press(Button(heard.data["button"]))

    async def _go_on_without_alert(self, heard: EventHeard) -> None:
        self._alerts.pop(heard.data["alert"], None)
        await self._green_if_bets_are_down(heard)

    async def _call_supervisor(self, heard: EventHeard) -> None:
        """Only this round: by the time that the word is heard it may be over."""
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
    """Everybody's duties at an event, in this order."""
    together: dict[str, list[Duty]] = defaultdict(list)
    for duties in of_each:
        for kind, duty in duties.items():
            together[kind].append(duty)
    return together
