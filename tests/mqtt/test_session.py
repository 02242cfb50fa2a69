"""The table's presence on a real broker: birth, last will, the retained picture, commands and their answers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from mqtt5 import PublishPacket
from structlog.testing import capture_logs

from daemon.mqtt.client import Connection
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.session import LOOKING_S_MAX, MqttSession
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.table.picture import AlertView, DeviceView
from daemon.table.state import Presence
from daemon.table.vocabulary import Actor, AlertName
from drivers.events import DeviceName
from sim_hardware.broker import Verdict
from sim_hardware.loop import run
from tests.mqtt.conftest import bench_broker, reach
from tests.mqtt.listening import PATIENCE_S, Heard, listening
from tests.mqtt.running import TOPICS, HandTable, WatchedJournal, running
from tests.support.mosquitto import Mosquitto
from tests.support.sentences import Says

JAM = AlertView(AlertName("jam-shuffler"), True, "The shuffler is jammed.", "Open it.", (Actor.DEALER,))
DOOR = AlertView(AlertName("door-open-shuffler"), True, "The door is open.", "Close it.", (Actor.DEALER,))
SHUFFLER = DeviceView(DeviceName("shuffler"), Presence.UP, ())


def is_status(status: str) -> Any:  # noqa: ANN401
    return lambda one: one.topic == TOPICS.status and one.json["status"] == status


def is_reply(one: Heard) -> bool:
    return "/reply/" in one.topic


async def test_every_connection_begins_with_a_birth(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    async with running(session):
        for _ in range(2):
            async with listening(broker.port) as watcher:
                birth = await watcher.first(is_status("running"))
                assert birth.json["journal"] == journal.id
                assert birth.json["problems"] == []
                await watcher.first(lambda one: one.topic == TOPICS.state)
            broker.kill()
            await asyncio.wait_for(session.away.wait(), PATIENCE_S)
            broker.start()


async def test_the_birth_comes_before_the_rest(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    table.show(devices=(SHUFFLER,), alerts=(JAM,))
    async with listening(broker.port) as watcher, running(table.session(reach(broker.port))):
        heard = await watcher.until(lambda heard: len(heard) == 4)
    assert heard[0].topic == TOPICS.status
    assert {one.topic for one in heard[1:]} == {
        TOPICS.state,
        TOPICS.device("shuffler"),
        TOPICS.alert("jam-shuffler"),
    }


async def test_a_daemon_that_ends_in_good_order_says_so(broker: Mosquitto, journal: WatchedJournal) -> None:
    async with listening(broker.port) as watcher:
        async with running(HandTable(journal).session(reach(broker.port))):
            await watcher.first(is_status("running"))
        await watcher.first(is_status("stopped"))
    assert not any(is_status("lost")(one) for one in watcher.heard)


async def test_of_a_daemon_that_was_killed_the_broker_says_so(
    broker: Mosquitto, tmp_path: Path, version: MqttVersion
) -> None:
    program = [sys.executable, "-m", "tests.mqtt.run_a_session", str(tmp_path / "killed.journal")]
    async with listening(broker.port) as watcher:
        daemon = await asyncio.create_subprocess_exec(*program, str(broker.port), version.value)
        try:
            await watcher.first(is_status("running"))
        finally:
            daemon.kill()
            await daemon.wait()
        await watcher.first(is_status("lost"))
    async with listening(broker.port) as late:
        assert (await late.first(is_status("lost"))).retain


async def test_the_log_has_one_line_down_and_one_up(broker: Mosquitto, journal: WatchedJournal) -> None:
    session = HandTable(journal).session(reach(broker.port, backoff_s_max=0.02))
    with capture_logs() as lines:
        async with running(session):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            broker.stop()
            await asyncio.wait_for(session.away.wait(), PATIENCE_S)
            await asyncio.sleep(0.2)  # about ten attempts
            broker.start()
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
    assert [line["event"] for line in lines] == ["broker-there", "broker-away", "broker-there"]


async def test_it_ends_although_the_broker_goes_away_at_that_moment(
    broker: Mosquitto, journal: WatchedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = HandTable(journal).session(reach(broker.port))
    ended = asyncio.Event()

    async def lost_while_it_ends(connection: Connection) -> None:
        await ended.wait()
        task.cancel()
        raise BrokerAwayError(reach(broker.port), "both at once")

    monkeypatch.setattr(Connection, "until_lost", lost_while_it_ends)
    async with running(session) as task:
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        ended.set()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asyncio.shield(task), PATIENCE_S)
        assert task.done()


async def test_the_state_says_after_which_event_it_holds(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    table.commit(7)
    async with listening(broker.port, TOPICS.state) as watcher, running(table.session(reach(broker.port))):
        state = await watcher.first(lambda _: True)
    assert state.json["sequence"] == "000000000007"
    assert state.json["table"]["phase"] == "idle"


async def test_a_slow_broker_gets_the_latest_state_and_not_each(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    async with listening(broker.port, TOPICS.state) as watcher, running(session):
        await watcher.first(lambda _: True)
        broker.pause()
        for number in range(1, 201):
            table.show(round_number=number)
            session.wake()
            await asyncio.sleep(0)
        broker.resume()
        heard = await watcher.until(lambda heard: heard[-1].json["table"]["round_number"] == 200)
    rounds = [one.json["table"]["round_number"] for one in heard]
    assert rounds == sorted(rounds)
    assert len(rounds) <= 4


async def test_an_alert_stands_until_it_is_cleared(broker: Mosquitto, journal: WatchedJournal) -> None:
    table = HandTable(journal)
    session = table.session(reach(broker.port))
    async with listening(broker.port, TOPICS.alerts) as watcher, running(session):
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
        table.show(alerts=(JAM, DOOR))
        session.wake()
        raised = await watcher.until(lambda heard: len(heard) == 2)
        assert raised[0].json["remedy"] == "Open it."
        table.show(alerts=(DOOR,))
        session.wake()
        cleared = await watcher.until(lambda heard: len(heard) == 3)
        assert (cleared[2].topic, cleared[2].payload) == (TOPICS.alert("jam-shuffler"), b"")
        async with listening(broker.port, TOPICS.alerts) as late:
            await late.first(lambda one: one.retain)
            assert [one.topic for one in late.heard] == [TOPICS.alert("door-open-shuffler")]


async def test_what_was_cleared_while_we_were_away_goes_when_we_are_back(
    broker: Mosquitto, journal: WatchedJournal, version: MqttVersion
) -> None:
    table = HandTable(journal)
    table.show(alerts=(JAM, DOOR), devices=(SHUFFLER,))
    async with listening(broker.port) as watcher:
        async with running(table.session(reach(broker.port, version))):
            await watcher.until(lambda _: len(watcher.about("/alert/")) == 2 and watcher.about("/device/"))
        table.show(alerts=(DOOR,), devices=())
        async with running(table.session(reach(broker.port, version))):
            heard = await watcher.until(lambda heard: sum(not one.payload for one in heard) == 2)
    emptied = {one.topic for one in heard if not one.payload}
    assert emptied == {TOPICS.alert("jam-shuffler"), TOPICS.device("shuffler")}


async def test_a_broker_that_pings_and_acknowledges_nothing_is_left(journal: WatchedJournal, says: Says) -> None:
    def swallow(_client_id: str, _packet: PublishPacket) -> Verdict:
        return Verdict.SWALLOW

    async with bench_broker(swallow) as bench:
        session = HandTable(journal).session(reach(bench.port, ack_s_max=0.1))
        async with running(session):
            await asyncio.wait_for(session.away.wait(), PATIENCE_S)
            says(str(session.down))


async def test_two_daemons_under_one_name_throw_each_other_out_ever_more_slowly(
    broker: Mosquitto, journal: WatchedJournal
) -> None:
    session = HandTable(journal).session(reach(broker.port, backoff_s_min=0.05, backoff_s_max=60.0))
    now_s = asyncio.get_running_loop().time
    began_s = now_s()
    async with running(session):
        for _ in range(4):
            await asyncio.wait_for(session.there.wait(), PATIENCE_S)
            async with aiomqtt.Client("127.0.0.1", broker.port, identifier="feltd-north-7"):
                await asyncio.wait_for(session.away.wait(), PATIENCE_S)
        await asyncio.wait_for(session.there.wait(), PATIENCE_S)
    assert now_s() - began_s >= (0.05 + 0.1 + 0.2 + 0.4) / 2


@pytest.mark.parametrize(
    ("lets_in", "pauses_s_max"),
    [((False,), LOOKING_S_MAX), ((True,), 30.0), ((True, False, False, False, False), LOOKING_S_MAX)],
    ids=["away", "hangs-up", "restarts"],
)
def test_a_broker_that_is_not_there_is_looked_for_every_few_seconds(
    journal: WatchedJournal, monkeypatch: pytest.MonkeyPatch, lets_in: tuple[bool, ...], pauses_s_max: float
) -> None:
    """A table came back up to half a minute after its broker. One that hangs up on us each time is left more time."""
    tried_s: list[float] = []

    @asynccontextmanager
    async def ends(settings: MqttSettings, *_: object) -> AsyncIterator[None]:
        tried_s.append(asyncio.get_running_loop().time())
        if lets_in[len(tried_s) % len(lets_in) - 1]:
            yield
        raise BrokerAwayError(settings, "nobody is there")

    async def hangs_up(*_: object) -> None:
        raise BrokerAwayError(reach(1), "it hung up")

    async def half_an_hour() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(session.run(), 1_800.0)

    monkeypatch.setattr("daemon.mqtt.session.connected", ends)
    monkeypatch.setattr(MqttSession, "_look", hangs_up)
    session = HandTable(journal).session(MqttSettings())
    run(half_an_hour())
    pauses_s = [later - sooner for sooner, later in pairwise(tried_s)]
    assert pauses_s_max / 2 <= max(pauses_s) <= pauses_s_max
    assert max(pauses_s[:3]) <= 2.0
