"""One connection to a real broker: every publish ends with a delivery, and nothing is left open."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiomqtt
import pytest
from mqtt5 import PublishPacket
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.delivery import BrokerAwayError, Delivered, Lost, Refused, unless_ended
from daemon.mqtt.settings import MqttVersion
from sim_hardware.broker import Verdict
from tests.mqtt.conftest import bench_broker, reach
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import Mosquitto, mosquitto
from tests.support.sentences import Says

WILL = Will("felt/will", b"gone")
STUCK_S = 60.0


async def test_a_publish_is_delivered_when_the_broker_says_so(broker: Mosquitto, version: MqttVersion) -> None:
    async with connected(reach(broker.port, version), "c", WILL) as connection:
        await connection.listen("felt/#")
        assert await connection.post("felt/x", b"1") == Delivered(heard=True)


def test_an_answer_to_a_message_that_came_while_we_disconnect_stops_nothing(broker: Mosquitto) -> None:
    """It deadlocked: a write in paho's callback found the connection at its end, and asked for the callback's lock."""

    async def answer_while_leaving() -> None:
        taken = asyncio.Event()

        def take(_: object) -> None:
            connection._client.disconnect()  # as `close` does; this message was already on its way
            connection.post("felt/y", b"answer")
            taken.set()

        async with connected(reach(broker.port), "c", WILL) as connection:
            connection.deliver_to(take)
            await connection.listen("felt/x")
            connection.post("felt/x", b"1")
            await asyncio.wait_for(taken.wait(), STUCK_S)

    # In a thread of its own: a process that stands still could not say that it does.
    leaving = threading.Thread(target=asyncio.run, args=(answer_while_leaving(),), daemon=True)
    leaving.start()
    leaving.join(2 * STUCK_S)
    assert not leaving.is_alive()


async def test_a_publish_leaves_at_once_whatever_the_loop_does_next(broker: Mosquitto) -> None:
    """The loop is blocked on purpose, so what a subscriber in another thread receives was sent before."""
    async with connected(reach(broker.port), "c", WILL) as connection:
        with subscribed(broker.port, "felt/x") as came:
            connection.post("felt/x", b"1")
            assert came.wait(STUCK_S)


async def test_what_is_posted_with_more_behind_it_is_written_with_the_last(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(reach(broker.port), "c", WILL) as connection:
        written: list[bytes] = []
        send = connection._wire.send

        def write(packets: bytes) -> None:
            written.append(packets)
            send(packets)

        monkeypatch.setattr(connection._wire, "send", write)
        posted = [connection.post("felt/x", b"1", more=True), connection.post("felt/x", b"2", more=True)]
        assert not written
        posted.append(connection.post("felt/x", b"3"))
        assert len(written) == 1
        assert await asyncio.gather(*posted) == [Delivered(heard=False)] * 3


@contextmanager
def subscribed(port: int, topic: str) -> Iterator[threading.Event]:
    """Subscribe in a thread. The event is set when a message comes."""
    there, came = threading.Event(), threading.Event()
    client = paho.Client(CallbackAPIVersion.VERSION2)
    client.on_subscribe = lambda *_: there.set()
    client.on_message = lambda *_: came.set()
    client.connect("127.0.0.1", port)
    client.subscribe(topic)
    client.loop_start()
    try:
        assert there.wait(STUCK_S)
        yield came
    finally:
        client.disconnect()
        client.loop_stop()


async def test_only_mqtt_5_tells_that_nobody_listens(broker: Mosquitto, version: MqttVersion) -> None:
    async with connected(reach(broker.port, version), "c", WILL) as connection:
        delivered = await connection.post("felt/x", b"1")
    assert delivered == Delivered(heard=version is MqttVersion.V3_1_1)


async def test_a_denial_by_the_access_list_is_seen_in_mqtt_5_and_cannot_be_in_3_1_1(
    broker: Mosquitto, version: MqttVersion
) -> None:
    broker.set_access("topic readwrite felt/#\n")
    async with connected(reach(broker.port, version), "c", WILL) as connection:
        denied = await connection.post("other/x", b"1")
    assert denied == (Refused(135, "Not authorized") if version is MqttVersion.V5 else Delivered(heard=True))


async def test_what_is_in_flight_when_the_broker_dies_is_lost_at_once(broker: Mosquitto) -> None:
    async with connected(reach(broker.port), "c", WILL) as connection:
        broker.pause()
        in_flight = [connection.post("felt/x", b"1") for _ in range(100)]
        broker.kill()
        async with asyncio.timeout(STUCK_S):
            assert set(await asyncio.gather(*in_flight)) == {Lost()}
        assert await connection.post("felt/x", b"1") == Lost()
        with pytest.raises(BrokerAwayError, match=f"127.0.0.1:{broker.port}"):
            await connection.until_lost()


async def test_no_more_is_in_flight_than_was_agreed() -> None:
    seen = 0

    def swallow(_client_id: str, packet: PublishPacket) -> Verdict:
        nonlocal seen
        seen += 1
        return Verdict.SWALLOW if packet.topic == "felt/x" else Verdict.ACCEPT

    async with (
        bench_broker(swallow) as bench,
        connected(reach(bench.port, in_flight_max=5), "c", WILL) as connection,
    ):
        posted = [connection.post("felt/x", b"1") for _ in range(20)]
        await connection.listen("felt/answered-after-those-five")
        assert seen == 5
        assert not any(delivery.done() for delivery in posted)
    assert set(await asyncio.gather(*posted)) == {Lost()}


async def test_the_brokers_own_bound_is_kept(tmp_path: Path) -> None:
    with mosquitto(tmp_path, options=("max_inflight_messages 3",)) as broker:
        async with connected(reach(broker.port), "c", WILL) as connection:
            broker.pause()
            posted = [connection.post("felt/x", b"1") for _ in range(10)]
            assert len(connection._awaited) == 3
            broker.resume()
            await asyncio.gather(*posted)


async def test_nobody_waits_for_nagle(broker: Mosquitto) -> None:
    async with connected(reach(broker.port), "c", WILL) as connection:
        own = connection._client.socket()
        assert isinstance(own, socket.socket)
        assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_a_closed_port_is_an_outage_that_says_where(says: Says) -> None:
    port = free_port()
    with pytest.raises(BrokerAwayError) as raised:
        async with connected(reach(port), "c", WILL):
            pass
    says(raised.value)


async def test_a_broker_that_accepts_and_says_nothing_is_an_outage(broker: Mosquitto) -> None:
    broker.pause()
    with pytest.raises(BrokerAwayError, match="timed out"):
        async with connected(reach(broker.port, connect_s_max=0.2), "c", WILL):
            pass


async def test_a_cancel_while_connecting_leaves_nothing_open(broker: Mosquitto) -> None:
    connection = Connection(reach(broker.port), "c", WILL, None)
    opening = asyncio.create_task(connection.open())
    await asyncio.sleep(0)  # the thread has begun, and it cannot be stopped
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await connection.close()
    assert connection._client.socket() is None


async def test_a_goodbye_that_nobody_takes_is_given_up(broker: Mosquitto) -> None:
    async with connected(reach(broker.port, connect_s_max=2.0), "c", WILL) as connection:  # it connects in time, too
        broker.pause()
    assert connection._client.socket() is None


async def test_a_subscription_at_which_the_broker_hangs_up_ends_with_the_connection() -> None:
    """RabbitMQ closes the connection where others refuse: doctor waited out two minutes there."""
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    asking = asyncio.Event()

    async def asked() -> None:
        asking.set()
        await asyncio.Event().wait()

    waiting = asyncio.ensure_future(unless_ended(asked(), ended))
    await asking.wait()
    ended.set_result(None)
    with pytest.raises(aiomqtt.MqttError, match="closed the connection"):
        await waiting
