"""The straight line: journal before everybody else, nothing taken twice, and a start that continues."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw
import pytest

from daemon.intake import CARRY_OVER_INPUTS, Intake
from daemon.journal.journal import Committed, Journal
from daemon.recovery import PROGRESS_INPUTS, recover, replayed
from daemon.rules.limits import Day
from daemon.rules.wagers import WagerName
from daemon.table.inputs import Bet, Configured, Request, VoidRound
from daemon.table.reducer import blank
from daemon.table.state import Phase, TableState
from daemon.table.vocabulary import Actor, RequestId, RoundId, SeatNumber
from drivers.commands import CommandDue, SetMode
from drivers.events import Button as Key
from drivers.events import (
    ButtonPressed,
    DeviceEvent,
    DeviceReport,
    LinkUp,
    ModeChanged,
    Receipt,
    ShuffleFinished,
    Stamp,
)
from tests.table.playing import IDENTITY, SETTINGS, SHUFFLER

AT = Stamp(1_795_000_000_000_000_000, 1)
CONFIGURED = Configured(AT, Day(20_775), "j", "rules", SETTINGS)


@dataclass
class Recorder:
    """Stands where a device does, and writes down what it is told and when."""

    journal: Journal
    acknowledged: list[tuple[Receipt, int]] = field(default_factory=list)
    orders: list[CommandDue] = field(default_factory=list)

    def acknowledge(self, receipt: Receipt) -> None:
        self.acknowledged.append((receipt, self.journal.last_offset()))

    def send(self, due: CommandDue) -> None:
        self.orders.append(due)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "table.journal", create=True)
    yield opened
    opened.close()


def line(journal: Journal) -> tuple[Intake, Recorder]:
    """An intake as the daemon starts it."""
    recorder = Recorder(journal)
    intake = Intake(journal, recover(journal) or blank(CONFIGURED), {SHUFFLER: recorder})
    intake.take_input(CONFIGURED)
    return intake, recorder


def report(event: DeviceEvent, seq: int, boot: str = "b1") -> DeviceReport:
    return DeviceReport(SHUFFLER, AT, event, Receipt(boot, seq))


def bet(request: str = "r1", stake: int = 500) -> Request:
    action = Bet(SeatNumber(1), WagerName.RANGE, stake)
    return Request(AT, RequestId(request), "kim", Actor.PLAYER, None, action, RoundId("t7-1"))


def opened(intake: Intake) -> None:
    intake.take_input(report(LinkUp(IDENTITY, "b1", resumed=True), 1))
    intake.take_input(DeviceReport(SHUFFLER, AT, ModeChanged(5), None))
    intake.take_input(report(ShuffleFinished(52), 2))


@asynccontextmanager
async def running(intake: Intake) -> AsyncIterator[None]:
    task = asyncio.create_task(intake.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def test_an_event_is_acknowledged_only_when_the_journal_has_it(journal: Journal) -> None:
    intake, device = line(journal)
    before = journal.last_offset()
    intake.take_input(report(ShuffleFinished(52), 1))
    assert device.acknowledged == [(Receipt("b1", 1), before + 1)]


def test_facts_are_heard_after_the_commit_and_orders_given(journal: Journal) -> None:
    intake, device = line(journal)
    heard: list[tuple[int, int]] = []

    def hear(committed: Committed, _: TableState) -> None:
        heard.append((committed.offset, journal.last_offset()))

    intake.listen(hear)
    intake.take_input(report(LinkUp(IDENTITY, "b1", resumed=True), 1))
    assert heard == [(2, 2)]
    assert [due.command for due in device.orders] == [SetMode(5)]


def test_people_hear_of_an_event_before_its_device(journal: Journal) -> None:
    intake, device = line(journal)
    acknowledged: list[int] = []
    intake.listen(lambda _committed, _state: acknowledged.append(len(device.acknowledged)))
    intake.take_input(report(ShuffleFinished(52), 1))
    assert (acknowledged, len(device.acknowledged)) == ([0], 1)


def test_where_a_listener_fails_the_process_ends_and_the_next_start_acknowledges_and_orders(journal: Journal) -> None:
    intake, device = line(journal)

    def fail(_committed: Committed, _state: TableState) -> None:
        raise RuntimeError("a defect")

    intake.listen(fail)
    with pytest.raises(RuntimeError):  # nobody catches it: see `app.run_graph`
        intake.take_input(report(LinkUp(IDENTITY, "b1", resumed=True), 1))
    assert (device.acknowledged, device.orders) == ([], [])
    again, device = line(journal)
    again.resend_commands()
    assert again.take_input(report(LinkUp(IDENTITY, "b1", resumed=True), 1)) is None
    assert [receipt for receipt, _ in device.acknowledged] == [Receipt("b1", 1)]
    assert [due.command for due in device.orders] == [SetMode(5)]


def test_a_device_event_that_the_journal_has_is_acknowledged_again_and_not_taken_again(journal: Journal) -> None:
    intake, device = line(journal)
    opened(intake)
    offset = journal.last_offset()
    assert intake.take_input(report(ShuffleFinished(52), 2)) is None
    assert journal.last_offset() == offset
    assert [receipt.seq for receipt, _ in device.acknowledged] == [1, 2, 2]


def test_the_same_number_after_a_reboot_is_another_event(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    assert intake.take_input(report(ShuffleFinished(52), 2, boot="b2")) is not None


def test_a_failed_commit_tells_nobody(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    intake, device = line(journal)
    before = intake.state
    heard: list[Committed] = []
    intake.listen(lambda committed, _: heard.append(committed))

    def full(*_: object) -> Committed:
        raise apsw.FullError("disk")

    monkeypatch.setattr(journal, "append", full)
    with pytest.raises(apsw.FullError):
        intake.take_input(report(LinkUp(IDENTITY, "b1", resumed=True), 1))
    assert (device.acknowledged, device.orders, heard, intake.state) == ([], [], [], before)


async def test_a_repeated_request_is_answered_and_not_done_again(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    async with running(intake):
        first = await intake.submit_request(bet(stake=500))
        offset = journal.last_offset()
        again = await intake.submit_request(bet(stake=500))
    assert first.accepted
    assert (again, journal.last_offset()) == (first, offset)
    assert intake.state.round is not None
    assert [stake.stake_cents for stake in intake.state.round.stakes] == [500]


async def test_a_probe_comes_back_when_everything_before_it_was_taken(journal: Journal) -> None:
    intake, _ = line(journal)
    intake.queue_input(report(LinkUp(IDENTITY, "b1", resumed=True), 1))
    intake.queue_input(DeviceReport(SHUFFLER, AT, ModeChanged(5), None))
    async with running(intake):
        await intake.probe()
        assert intake.state.phase is Phase.BETTING


async def test_an_asker_who_gave_up_stops_nothing(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    waiting = asyncio.create_task(intake.submit_request(bet()))
    await asyncio.sleep(0)
    waiting.cancel()
    async with running(intake):
        await intake.probe()
        assert (await intake.submit_request(bet("r2"))).accepted


def test_a_start_continues_where_the_journal_ends(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    intake.take_input(bet())
    intake.take_input(report(ButtonPressed(Key.GREEN), 3))
    left = intake.state
    again, device = line(journal)
    assert again.state.phase is Phase.DEALING
    assert again.state.round == left.round
    again.resend_commands()
    assert device.orders == list(left.outstanding)


def test_what_is_carried_over_and_the_inputs_after_it_make_the_same_table(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    carried = journal.last_carried()
    assert carried is not None
    assert carried[0] == journal.last_offset() - 1, "the round opened with the packet size, before the shuffle"
    intake.take_input(bet())
    assert recover(journal) == replayed(journal, None, 0) == intake.state


def test_a_table_on_which_nobody_plays_carries_over_now_and_then(journal: Journal) -> None:
    intake, _ = line(journal)
    for number in range(1, CARRY_OVER_INPUTS + 10):
        intake.take_input(report(ShuffleFinished(52), number))
    last = journal.last_carried()
    assert last is not None
    assert last[0] == CARRY_OVER_INPUTS + 1
    assert recover(journal) == intake.state


def test_a_long_replay_says_that_it_is_at_work(journal: Journal) -> None:
    """As after a night in which a round stood still. systemd would end a start that says nothing."""
    intake, _ = line(journal)
    opened(intake)
    intake.take_input(bet())
    for number in range(3, 2 * PROGRESS_INPUTS):
        intake.take_input(report(ShuffleFinished(52), number))
    journal.close()
    words: list[str] = []
    with closing(Journal.open(journal.path, create=False, on_progress=lambda: words.append("read"))) as again:
        assert recover(again, lambda: words.append("replayed")) == intake.state
    assert words.count("read") >= 2
    assert words.count("replayed") >= 1


def test_while_a_round_is_played_nothing_is_carried_over_however_long_it_takes(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    intake.take_input(bet())
    for number in range(3, CARRY_OVER_INPUTS + 10):
        intake.take_input(report(ShuffleFinished(52), number))
    last = journal.last_carried()
    assert last is not None
    assert last[0] < 10
    assert recover(journal) == intake.state


async def test_an_id_that_was_given_to_another_command_is_refused(journal: Journal) -> None:
    intake, _ = line(journal)
    opened(intake)
    async with running(intake):
        assert (await intake.submit_request(bet("r1", 500))).accepted
        last = journal.last_offset()
        answer = await intake.submit_request(bet("r1", 600))
        other_round = replace(bet("r1", 500), round_id=RoundId("t7-2"))
        assert [answer.code, (await intake.submit_request(other_round)).code] == ["id-reused", "id-reused"]
        assert (await intake.submit_request(bet("r1", 500))).accepted
        assert (await intake.submit_request(replace(bet("r1", 600), who="lee", role=Actor.DEALER))).accepted
        assert journal.last_offset() == last + 1


async def test_a_refusal_that_changes_nothing_leaves_no_record(journal: Journal) -> None:
    """300 of them with long reasons were 15.7 MB permanently."""
    intake, _ = line(journal)
    opened(intake)
    async with running(intake):
        before, offset = intake.state, journal.last_offset()
        for number in range(300):
            asked = Request(AT, RequestId(f"r{number}"), "kim", Actor.PLAYER, None, VoidRound("x" * 500))
            assert (await intake.submit_request(asked)).code == "not-permitted"
        assert (intake.state, journal.last_offset()) == (before, offset)
