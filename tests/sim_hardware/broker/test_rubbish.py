"""Any bytes after a CONNECT end one connection at most, never the broker."""

from __future__ import annotations

import asyncio

import mqtt5 as m
from hypothesis import given
from hypothesis import strategies as st

from sim_hardware.broker import Broker, Limits
from tests.sim_hardware.free_port import free_port


async def feed(data: bytes) -> None:
    crashes: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: crashes.append(context))
    broker = Broker(Limits(packet_bytes_max=1000))
    broker.port = free_port()
    async with broker:
        reader, writer = await asyncio.open_connection("127.0.0.1", broker.port)
        writer.write(m.ConnectPacket("c").write() + data)
        writer.write_eof()
        await reader.read()
        writer.close()
        await writer.wait_closed()
        assert not broker.exchange.sessions
    assert not crashes


packets = st.sampled_from(
    [
        m.SubscribePacket(1, [m.TopicFilter("a/#")]).write(),
        m.PublishPacket("a", b"x", qos=m.QoS.AT_LEAST_ONCE, packet_id=1, retain=True).write(),
        m.PubAckPacket(1).write(),
        m.UnsubscribePacket(1, ["a"]).write(),
        m.DisconnectPacket(session_expiry_interval=0).write(),
    ]
)


@given(st.lists(st.one_of(packets, st.binary(max_size=30)), max_size=8).map(b"".join))
def test_any_bytes_end_the_connection_and_nothing_else(data: bytes) -> None:
    asyncio.run(feed(data))
