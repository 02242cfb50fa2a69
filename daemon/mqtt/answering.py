"""Answers commands: reads the message, asks the table, and publishes the reply.

The reply goes to the request's response topic with its correlation data (MQTT 5), otherwise to `reply/<client>`. A
response topic inside `felt/` is ignored unless it is under `reply/`. The requester may not publish there and feltd
may, so a reply there could be taken for an event of the table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, assert_never

import aiomqtt
import structlog

from daemon.clock import Clock
from daemon.journal.reading import JournaledFact
from daemon.mqtt.commands import RESEND_EVENTS_MAX, Malformed, Resend, Sender, read
from daemon.mqtt.delivery import Delivery, Lost, Publisher, Refused
from daemon.mqtt.documents import REPLY, Reply
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.topics import Topics
from daemon.table.inputs import Request
from daemon.table.step import Answer

_log = structlog.get_logger(__name__)

Submit: TypeAlias = Callable[[Request], Awaitable[Answer]]


class FactRange(Protocol):
    """The journal, as a resend uses it."""

    def facts_between(self, first: int, last: int) -> tuple[JournaledFact, ...]:
        """Return the facts of this range that exist, both ends included."""

    def last_sequence(self) -> int:
        """Return the sequence of the newest fact, 0 if there is none."""


@dataclass(frozen=True, slots=True)
class ReturnAddress:
    """The topic of an answer, and the correlation data by which the requester recognises it."""

    topic: str
    correlation: bytes | None


class Answering:
    """Answers one command at a time."""

    def __init__(self, topics: Topics, facts: FactRange, submit: Submit, clock: Clock) -> None:
        self._topics = topics
        self._facts = facts
        self._submit = submit
        self._clock = clock

    async def answer(self, publisher: Publisher, message: aiomqtt.Message) -> None:
        """Do what the message asks, and publish the answer. Return when the broker accepted or refused the answer."""
        name = str(message.topic).rpartition("/")[2]
        command = self._read(name, message)
        address = self._return_address(message, _client_of(command))
        reply = await self._reply(publisher, name, command, address)
        if address is None:
            _log.info("mqtt-command-without-return-address", command=name, accepted=reply.accepted, code=reply.code)
            return
        delivery = await publisher.post(address.topic, REPLY.encode(reply), correlation=address.correlation)
        if isinstance(delivery, Refused):
            _log.info("mqtt-reply-refused", topic=address.topic, reason=delivery.reason)

    def _read(self, name: str, message: aiomqtt.Message) -> Request | Resend | Malformed:
        if message.retain:  # the broker would deliver it again on every connection
            return Malformed(
                Sender(), "retained", "A command must not be retained. Send it again without the retain flag.", "retain"
            )
        return read(name, bytes(message.payload), self._clock())

    async def _reply(
        self, publisher: Publisher, name: str, command: Request | Resend | Malformed, address: ReturnAddress | None
    ) -> Reply:
        match command:
            case Request():
                answer = await self._submit(command)
                return Reply(command.id, name, answer.accepted, answer.code, answer.message)
            case Resend():
                return await self._resend(publisher, name, command, address)
            case Malformed(sender=sender):
                return Reply(
                    sender.id, name, accepted=False, code=command.code, message=command.message, where=command.where
                )
            case _:
                assert_never(command)

    async def _resend(self, publisher: Publisher, name: str, asked: Resend, address: ReturnAddress | None) -> Reply:
        last = min(asked.last, asked.first + RESEND_EVENTS_MAX - 1, self._facts.last_sequence())
        if asked.first > last or address is None:
            message = f"Events 1 to {self._facts.last_sequence()} exist, and from must not be greater than to."
            return Reply(asked.id, name, accepted=False, code="no-such-events", message=message, where="$.data")
        sent = [
            publisher.post(address.topic, envelope(self._topics.base, fact), content_type=CONTENT_TYPE)
            for fact in self._facts.facts_between(asked.first, last)
        ]
        deliveries: list[Delivery] = await asyncio.gather(*sent)
        if any(isinstance(delivery, Refused | Lost) for delivery in deliveries):
            message = "The broker did not accept all of them. Ask again."
            return Reply(asked.id, name, accepted=False, code="not-delivered", message=message)
        message = f"Sent {asked.first} to {last}." + (
            f" Ask for the rest from {last + 1}." if last < asked.last else ""
        )
        return Reply(asked.id, name, accepted=True, code="resent", message=message)

    def _return_address(self, message: aiomqtt.Message, client: str | None) -> ReturnAddress | None:
        topic = getattr(message.properties, "ResponseTopic", None)
        correlation = getattr(message.properties, "CorrelationData", None)
        if isinstance(topic, str) and self._topics.may_carry_a_reply(topic):
            return ReturnAddress(topic, correlation)
        return None if client is None else ReturnAddress(self._topics.reply(client), correlation)


def _client_of(command: Request | Resend | Malformed) -> str | None:
    return command.sender.client if isinstance(command, Malformed) else command.client
