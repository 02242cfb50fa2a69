"""A flood at a broker: one user sends commands far faster than a table can refuse them, until it is told to end.

As fast as a socket takes them would be a trial of the machine: NATS takes in 50,000 a second, and beside seven other
tests the table's process then has no processor time to read anything. `make soak` does that, alone on the machine.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import uuid4

from tests.brokers.running import Guarded
from tests.brokers.site import TABLE, password

FLOOD_PER_S = float("inf") if os.environ.get("FELTD_SOAK") else 30_000.0
"""A table that went on hearing all of it would keep a dealer waiting, as at 50,000; at 10,000 it would not."""

SUBSCRIBE: Final = 0x82  # MQTT 3.1.1, 3.8.1
_CONNECT, _PUBLISH = 0x10, 0x30
_LAST = 0x7FFF  # the number of what is published last, which no command of the flood has
_LAST_TAKEN = b"\x40\x02" + _LAST.to_bytes(2)  # MQTT 3.1.1, 3.4
_PASSED_ON = b"all of the flood is passed on"


def text(value: bytes) -> bytes:
    return len(value).to_bytes(2) + value


def packet(kind: int, body: bytes) -> bytes:
    rest, length = len(body), b""
    while rest > 127:
        length += bytes([rest % 128 | 128])
        rest //= 128
    return bytes([kind]) + length + bytes([rest]) + body


def published(topic: bytes, payload: bytes, qos: int, number: int = 1) -> bytes:
    return packet(_PUBLISH | qos << 1, text(topic) + (number.to_bytes(2) if qos else b"") + payload)


def log_in(broker: Guarded, user: str) -> socket.socket:
    """Connect over MQTT 3.1.1, with no library between that would wait for anything.

    Each time under another client id: NATS takes an id that comes back before it has seen the last one go, twice in a
    second, for two clients that throw each other out.
    """
    caller = socket.create_connection(("127.0.0.1", broker.port), timeout=180)
    login = text(b"MQTT") + b"\x04\xc2\x00\x3c" + text(f"{user}:{uuid4().hex}".encode()) + text(user.encode())
    caller.sendall(packet(_CONNECT, login + text(password(user).encode())))
    assert caller.recv(4) == b"\x20\x02\x00\x00"
    return caller


@contextmanager
def flooding(broker: Guarded, user: str, topic: str, commands: list[bytes], qos: int) -> Iterator[None]:
    """Publish these commands again and again meanwhile, and take no acknowledgement or answer into account.

    It is over when the broker acknowledges a command at QoS 1 that was sent behind it. What the broker still had would
    reach the next test. RabbitMQ ends a connection, and answers a ping, before it has passed on what it read.
    """
    whole = b"".join(published(topic.encode(), each, qos, number) for number, each in enumerate(commands, start=1))
    assert len(commands) < _LAST
    over, taken = threading.Event(), threading.Event()

    def send(caller: socket.socket) -> None:
        due_s = time.monotonic()
        with suppress(OSError):
            while not over.wait(due_s - time.monotonic()):
                caller.sendall(whole)
                due_s += len(commands) / FLOOD_PER_S
            caller.sendall(published(topic.encode(), commands[0], 1, _LAST))

    def read(caller: socket.socket) -> None:  # or the broker would stop taking the flood
        said = b""
        with suppress(OSError):
            while _LAST_TAKEN not in said:
                came = caller.recv(1 << 16)
                if not came:
                    return
                said = said[1 - len(_LAST_TAKEN) :] + came
            taken.set()

    with log_in(broker, user) as caller:
        threads = [threading.Thread(target=each, args=(caller,)) for each in (send, read)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()
        assert taken.is_set(), "the broker hung up on the flood: what it had read of it may reach the next test"
        if broker.name == "rabbitmq" and qos == 0:
            _wait_until_passed_on(broker, caller, topic.encode())


def _wait_until_passed_on(broker: Guarded, caller: socket.socket, topic: bytes) -> None:
    """Wait for a message behind the flood: RabbitMQ 3 passes on QoS 0 and QoS 1 on two ways that wait for nothing."""
    with log_in(broker, TABLE) as table:
        table.sendall(packet(SUBSCRIBE, b"\0\1" + text(topic) + b"\0"))
        assert table.recv(5) == b"\x90\x03\0\1\0"  # granted, before anything is sent that has to be heard
        caller.sendall(published(topic, _PASSED_ON, 0))
        said = b""
        while _PASSED_ON not in said:
            came = table.recv(1 << 16)
            assert came, "RabbitMQ hung up on the table"
            said = said[-len(_PASSED_ON) :] + came
