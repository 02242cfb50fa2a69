"""A whole bench under test: real tty, Mosquitto and journal, and a witness of every packet that left the tray."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, Protocol

import pytest

from daemon.journal.reading import JournalReader
from daemon.journal.start import read_start
from daemon.mqtt.outbox import CURSOR
from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.tools.bench import broker as bench_broker
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.client import EventHeard, TableClient
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.keys import Source
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.tally import Tally
from daemon.tools.bench.world import World, world
from protocols.cards import spell
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.mechanism import Refused
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from tests.sim_hardware.free_port import free_port

WAIT_S_MAX = 180.0
LOG_TOLD_MAX = 2_000
SEED = 11
SEATS = 3


class Running(Protocol):
    """What the people need: hands on the emulated machine, and the table's messages."""

    @property
    def rig(self) -> Source: ...

    @property
    def client(self) -> TableClient: ...


class Table:
    """The bench's people at work, everything that was heard, and what really lay in the tray."""

    patience_s = WAIT_S_MAX

    def __init__(
        self,
        running: Running,
        game: GameName = GameName.BIG_50,
        pad: ButtonsRig | None = None,
        draws_rig: ShoeRig | None = None,
    ) -> None:
        self.rig = running.rig
        self.client = running.client
        self.tally = Tally()
        self.heard: list[EventHeard] = []
        self.packets: list[str] = []
        self._news = asyncio.Event()
        if isinstance(running.rig, ShufflerRig):
            self._witness_the_tray(running.rig)
        running.client.listen(self._hear)
        habits = Habits(SEED, SEATS, DealingPace(0), game)
        self.people = People(running.client, running.rig, habits, pad, draws_rig)

    def _hear(self, heard: EventHeard) -> None:
        if self.tally.note(heard):
            self.heard.append(heard)
            self._news.set()

    def _witness_the_tray(self, rig: ShufflerRig) -> None:
        """Note what the dealer's hands take, from the pasteboard itself."""
        take = rig.take_packet

        def noted() -> Refused | None:
            faces = tuple(piece.face for piece in rig.machine.places.tray)
            refused = take()
            if refused is None:
                self.packets.append(spell(faces))
            return refused

        rig.take_packet = noted  # type: ignore[method-assign]

    def kinds(self) -> list[str]:
        return [heard.kind for heard in self.heard]

    def all_of(self, kind: str) -> list[dict[str, Any]]:
        return [heard.data for heard in self.heard if heard.kind == kind]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until what was heard makes it so."""
        try:
            async with asyncio.timeout(self.patience_s):
                while not condition():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            late = f"it did not come to that within {self.patience_s:.0f} s.\n{self.standing()}"
            raise AssertionError(late) from None

    def standing(self) -> str:
        """Say what was heard last, for who wants to know why nothing comes."""
        return "\n".join(f"{heard.sequence} {heard.kind} {heard.data}" for heard in self.heard[-25:])

    async def rounds(self, number: int) -> None:
        """Wait until so many rounds are over."""
        await self.until(lambda: self.tally.rounds >= number)

    def settled_hands(self) -> list[str]:
        return [" ".join(data["cards"]) for data in self.all_of("hand-settled")]

    def loses_and_invents_no_card(self) -> None:
        """Every hand that was settled lay in the tray just so, and every seat with a stake in its round had one."""
        invented = Counter(self.settled_hands()) - Counter(self.packets)
        assert not invented, f"hands that never lay in the tray: {invented}; the tray gave {self.packets}"
        for round_id, staked in self._staked_seats().items():
            of_round = [heard for heard in self.heard if heard.round_id == round_id]
            hands = [heard.data["seat"] for heard in of_round if heard.kind == "hand-settled"]
            if any(heard.kind == "round-settled" for heard in of_round):
                assert sorted(hands) == sorted(staked), f"{round_id}: seats {staked} staked and {hands} were settled"

    def _staked_seats(self) -> dict[str | None, set[int]]:
        closed = [heard for heard in self.heard if heard.kind == "betting-closed"]
        return {heard.round_id: {stake["seat"] for stake in heard.data["stakes"]} for heard in closed}

    def sequence_is_whole(self) -> None:
        """A subscriber that was there before the start heard every event once, in order."""
        numbers = [heard.sequence for heard in self.heard]
        assert numbers == list(range(1, len(numbers) + 1))

    def every_round_balances(self) -> None:
        assert self.tally.unbalanced == 0


class BenchTable(Table):
    """The table of a whole bench, with the daemon's process."""

    def __init__(self, running: World) -> None:
        asked = running.settings
        super().__init__(running, asked.game, running.pad, draws_rig=running.draws_rig)
        self.world = running

    def standing(self) -> str:
        """Say besides how far journal and outbox are, what the daemon's processes do, and what its log ends with."""
        daemon = self.world.daemon
        with closing(JournalReader.open_read_only(self.world.settings.directory / "journal.db")) as journal:
            published = read_start(journal).noted.notes.cursors.get(CURSOR, 0)
            ends = f"the journal ends with event {journal.last_sequence()}, and at least {published} are published"
        heard = f"heard up to {self.tally.last_sequence}; state: {self.client.state}; status: {self.client.status}"
        processes = "\n".join(_processes(daemon.pid)) or "the daemon has no process"
        logged = daemon.log.read_text(encoding="utf-8", errors="replace")[-LOG_TOLD_MAX:]
        return "\n".join((super().standing(), ends, heard, processes, logged))


def _processes(group: int) -> Iterator[str]:
    """Say of each process of the group what it does: a daemon under strace is one of two."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            if os.getpgid(int(path.name)) == group:
                stat, waits_in = (path / "stat").read_text(), (path / "wchan").read_text()
                yield f"process {stat.rpartition(')')[0]}) {stat.rpartition(')')[2].split()[0]}, in {waits_in}"


def settings(directory: Path, **changes: Any) -> BenchSettings:  # noqa: ANN401
    usual: dict[str, Any] = {
        "directory": directory,
        "seed": SEED,
        "seats": SEATS,
        "speed": 0.0,
        "reconciling": Reconciling.THROUGH,
        "broker": BrokerKind.MOSQUITTO,
        "mqtt": "5",
        "verify_over_cents": 300_000,  # the law's: a win that is held is an alert, and is a test's own matter
    }
    return BenchSettings(**usual | changes)


@asynccontextmanager
async def bench(directory: Path, **changes: Any) -> AsyncIterator[BenchTable]:  # noqa: ANN401
    """A bench that plays as fast as it can until the test is done with it.

    The port that a bench takes first is the same for all: a daemon of another run that has lost its broker there would
    find this one's, under the same name of site and table.
    """
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bench_broker, "free_port", free_port)
            running = await stack.enter_async_context(world(settings(directory, **changes)))
        table = BenchTable(running)
        playing = asyncio.create_task(table.people.run())
        try:
            yield table
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing


def results(table: Table, rounds: Iterable[int]) -> list[tuple[str, list[str]]]:
    """Round by round, the hands that were settled."""
    wanted = {f"table1-{number}" for number in rounds}
    per_round: dict[str, list[str]] = {}
    for heard in table.heard:
        if heard.kind == "hand-settled" and heard.round_id in wanted:
            hand = f"{heard.data['seat']}: {' '.join(heard.data['cards'])}"
            per_round.setdefault(str(heard.round_id), []).append(hand)
    return sorted(per_round.items())


def nothing_settled_twice(table: Table) -> None:
    hands = Counter((heard.round_id, heard.data["seat"]) for heard in table.heard if heard.kind == "hand-settled")
    rounds = Counter(heard.round_id for heard in table.heard if heard.kind in ("round-settled", "round-voided"))
    assert max(hands.values()) == 1, hands
    assert max(rounds.values()) == 1, rounds


def is_whole(table: Table) -> None:
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()
    table.loses_and_invents_no_card()
