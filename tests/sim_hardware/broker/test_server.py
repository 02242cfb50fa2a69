"""The broker on a real socket, byte by byte: refusals, keepalive, leave-taking, faults, close and start again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import mqtt5 as m
import pytest

from sim_hardware.broker import Broker, Limits, Verdict
from sim_hardware.broker.framing import read_packet_bytes
from tests.sim_hardware.free_port import free_port


class RawClient:
    """A socket that speaks packets, and says when the broker closed it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, packet: m.Packet | bytes) -> None:
        self._writer.write(packet if isinstance(packet, bytes) else packet.write())

    async def next(self) -> m.Packet | None:
        """The next packet, None when the broker has closed."""
        try:
            return m.read(memoryview(await read_packet_bytes(self._reader, 1 << 20)))[0]
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def rest(self) -> bytes:
        return await self._reader.read()

    def stop_reading(self) -> None:
        self._reader._transport.pause_reading()  # type: ignore[attr-defined]

    async def close(self) -> None:
        self._writer.transport.abort()
        await asyncio.gather(self._writer.wait_closed(), return_exceptions=True)


@asynccontextmanager
async def raw_client(broker: Broker) -> AsyncIterator[RawClient]:
    client = RawClient(*await asyncio.open_connection("127.0.0.1", broker.port))
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def client_of(broker: Broker, connect: m.ConnectPacket) -> AsyncIterator[RawClient]:
    async with raw_client(broker) as client:
        client.send(connect)
        answer = await client.next()
        assert isinstance(answer, m.ConnAckPacket)
        assert answer.reason_code == m.ConnAckReasonCode.SUCCESS
        yield client


@pytest.fixture
async def broker() -> AsyncIterator[Broker]:
    running = Broker(Limits(packet_bytes_max=10_000))
    await running.start(free_port())
    yield running
    await running.close()


async def ask(client: RawClient, packet: m.Packet) -> m.Packet | None:
    client.send(packet)
    return await client.next()


def word(payload: str, topic: str = "t", **options: object) -> m.PublishPacket:
    return m.PublishPacket(topic, payload.encode(), qos=m.QoS.AT_LEAST_ONCE, packet_id=7, **options)  # type: ignore[arg-type]


async def subscribe(client: RawClient, pattern: str = "#") -> None:
    answer = await ask(client, m.SubscribePacket(1, [m.TopicFilter(pattern, max_qos=m.QoS.AT_LEAST_ONCE)]))
    assert isinstance(answer, m.SubAckPacket)


async def test_the_welcome_says_what_there_is_not(broker: Broker) -> None:
    async with raw_client(broker) as client:
        answer = await ask(client, m.ConnectPacket(""))
        assert isinstance(answer, m.ConnAckPacket)
        assert answer.assigned_client_id == "bench-1"
        assert answer.max_qos == m.QoS.AT_LEAST_ONCE
        assert not answer.shared_subscription_available
        assert not answer.subscription_id_available
        assert answer.max_packet_size == 10_000


@pytest.mark.parametrize("level", [3, 4])
async def test_an_older_protocol_is_refused_in_its_own_words(broker: Broker, level: int) -> None:
    name = b"\x00\x06MQIsdp" if level == 3 else b"\x00\x04MQTT"
    body = name + bytes((level, 2, 0, 60)) + b"\x00\x01c"
    async with raw_client(broker) as client:
        client.send(bytes((0x10, len(body))) + body)
        assert await client.rest() == b"\x20\x02\x00\x01"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (m.PingReqPacket().write(), m.DisconnectReasonCode.PROTOCOL_ERROR),
        (b"\x10\x00", m.DisconnectReasonCode.MALFORMED_PACKET),
        (b"\x10\xff\xff\xff\xff\x01", m.DisconnectReasonCode.MALFORMED_PACKET),
        (b"\xff\x00", m.DisconnectReasonCode.MALFORMED_PACKET),
        (b"\x10\x91\x4e", m.DisconnectReasonCode.PACKET_TOO_LARGE),
    ],
)
async def test_rubbish_instead_of_a_connect_is_answered_and_ended(
    broker: Broker, data: bytes, reason: m.DisconnectReasonCode
) -> None:
    async with raw_client(broker) as client:
        client.send(data)
        answer = await client.next()
        assert isinstance(answer, m.DisconnectPacket)
        assert answer.reason_code == reason
        assert await client.next() is None


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (m.ConnectPacket("c"), m.DisconnectReasonCode.PROTOCOL_ERROR),
        (m.PublishPacket("t", b"", qos=m.QoS.EXACTLY_ONCE, packet_id=1), m.DisconnectReasonCode.QOS_NOT_SUPPORTED),
        (m.PublishPacket("t", b"", topic_alias=1), m.DisconnectReasonCode.TOPIC_ALIAS_INVALID),
        (
            m.SubscribePacket(1, [m.TopicFilter("t")], subscription_id=1),
            m.DisconnectReasonCode.SUBSCRIPTION_IDS_NOT_SUPPORTED,
        ),
        (m.DisconnectPacket(session_expiry_interval=5), m.DisconnectReasonCode.PROTOCOL_ERROR),
        (m.PublishPacket("t", bytes(10_000)), m.DisconnectReasonCode.PACKET_TOO_LARGE),
    ],
)
async def test_what_is_not_supported_ends_the_connection_with_its_code(
    broker: Broker, packet: m.Packet, reason: m.DisconnectReasonCode
) -> None:
    async with client_of(broker, m.ConnectPacket("c")) as client:
        answer = await ask(client, packet)
        assert isinstance(answer, m.DisconnectPacket)
        assert answer.reason_code == reason
        assert await client.next() is None


async def test_a_silent_client_is_ended_after_one_and_a_half_keepalives_and_its_will_goes_out(broker: Broker) -> None:
    will = m.Will("status", payload=b"lost", retain=True)
    async with (
        client_of(broker, m.ConnectPacket("watcher")) as watcher,
        client_of(broker, m.ConnectPacket("c", keep_alive=1, will=will)) as silent,
    ):
        await subscribe(watcher)
        began = asyncio.get_running_loop().time()
        answer = await silent.next()
        assert isinstance(answer, m.DisconnectPacket)
        assert answer.reason_code == m.DisconnectReasonCode.KEEP_ALIVE_TIMEOUT
        assert asyncio.get_running_loop().time() - began >= 1.5
        seen = await watcher.next()
        assert isinstance(seen, m.PublishPacket)
        assert seen.payload == b"lost"


async def test_a_ping_is_answered(broker: Broker) -> None:
    async with client_of(broker, m.ConnectPacket("c")) as client:
        assert isinstance(await ask(client, m.PingReqPacket()), m.PingRespPacket)


async def test_a_client_that_takes_leave_has_no_will(broker: Broker) -> None:
    async with client_of(broker, m.ConnectPacket("watcher")) as watcher:
        await subscribe(watcher)
        for code in (m.DisconnectReasonCode.NORMAL_DISCONNECTION, m.DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE):
            will = m.Will("t", payload=code.name.encode())
            async with client_of(broker, m.ConnectPacket("c", will=will)) as client:
                client.send(m.DisconnectPacket(reason_code=code))
                assert await client.next() is None
        seen = await watcher.next()
        assert isinstance(seen, m.PublishPacket)
        assert seen.payload == b"DISCONNECT_WITH_WILL_MESSAGE"


async def test_a_delayed_will_goes_out_by_the_broker_s_own_clock(broker: Broker) -> None:
    async with client_of(broker, m.ConnectPacket("watcher")) as watcher:
        await subscribe(watcher)
        will = m.Will("t", payload=b"gone", will_delay_interval=1)
        async with client_of(broker, m.ConnectPacket("c", session_expiry_interval=60, will=will)):
            pass
        seen = await watcher.next()
        assert isinstance(seen, m.PublishPacket)
        assert seen.payload == b"gone"


@pytest.mark.parametrize("topic", ["a/#", "a\0"])
async def test_a_malformed_topic_is_refused_by_code(broker: Broker, topic: str) -> None:
    text = topic.encode()
    body = len(text).to_bytes(2, "big") + text + b"\x00\x07\x00x"
    async with client_of(broker, m.ConnectPacket("c")) as client:
        client.send(bytes((0x32, len(body))) + body)
        answer = await client.next()
        assert isinstance(answer, m.PubAckPacket)
        assert answer.reason_code == m.PubAckReasonCode.TOPIC_NAME_INVALID


@pytest.mark.parametrize("split", range(1, 12))
async def test_a_packet_in_pieces_is_one_packet(broker: Broker, split: int) -> None:
    async with client_of(broker, m.ConnectPacket("c")) as client:
        data = word("payload").write()
        client.send(data[:split])
        await asyncio.sleep(0)
        client.send(data[split:])
        assert isinstance(await client.next(), m.PubAckPacket)


async def test_a_judge_denies_swallows_and_cuts() -> None:
    verdicts = iter((Verdict.DENY, Verdict.SWALLOW, Verdict.ACCEPT, Verdict.CUT))
    broker = Broker(judge=lambda _client, _packet: next(verdicts))
    await broker.start(free_port())
    async with broker_closed(broker), client_of(broker, m.ConnectPacket("w")) as watcher:
        await subscribe(watcher)
        async with client_of(broker, m.ConnectPacket("c")) as client:
            denied = await ask(client, word("denied"))
            assert isinstance(denied, m.PubAckPacket)
            assert denied.reason_code == m.PubAckReasonCode.NOT_AUTHORIZED
            client.send(word("swallowed"))
            accepted = await ask(client, m.PublishPacket("t", b"accepted", qos=m.QoS.AT_LEAST_ONCE, packet_id=9))
            assert isinstance(accepted, m.PubAckPacket)
            assert accepted.packet_id == 9
            assert await ask(client, word("cut")) is None
        seen = [await watcher.next(), await watcher.next()]
        assert [getattr(packet, "payload", None) for packet in seen] == [b"swallowed", b"accepted"]


@asynccontextmanager
async def broker_closed(broker: Broker) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await broker.close()


@pytest.mark.parametrize("talks", [False, True])
async def test_a_client_that_takes_nothing_does_not_hold_the_broker_s_end_up(talks: bool) -> None:
    broker = Broker()
    await broker.start(free_port())
    connect = m.ConnectPacket("deaf", session_expiry_interval=60)
    async with client_of(broker, connect) as deaf, client_of(broker, m.ConnectPacket("p")) as publisher:
        await subscribe(deaf)
        deaf.stop_reading()
        while broker.exchange.sessions["deaf"].line_backlog() < 1 << 20:
            assert isinstance(await ask(publisher, word("x" * 100_000)), m.PubAckPacket)
        if talks:
            deaf.send(m.PingReqPacket())
            assert isinstance(await ask(publisher, m.PingReqPacket()), m.PingRespPacket)
        async with asyncio.timeout(60):
            await broker.close()
        assert broker.exchange.sessions["deaf"].under_way


async def test_sessions_and_retained_messages_outlive_a_close() -> None:
    broker = Broker()
    port = await broker.start(free_port())
    async with client_of(broker, m.ConnectPacket("c", session_expiry_interval=60)) as client:
        await subscribe(client)
        await broker.close()
        answer = await client.next()
        assert isinstance(answer, m.DisconnectPacket)
        assert answer.reason_code == m.DisconnectReasonCode.SERVER_SHUTTING_DOWN
    await broker.start(port)
    async with broker_closed(broker), client_of(broker, m.ConnectPacket("p")) as publisher:
        assert isinstance(await ask(publisher, word("kept")), m.PubAckPacket)
        async with client_of(broker, m.ConnectPacket("c", session_expiry_interval=60)) as client:
            seen = await client.next()
            assert isinstance(seen, m.PublishPacket)
            assert seen.payload == b"kept"
