"""Answers commands: reads the message, asks the table, and publishes the reply.

The reply goes to `reply/<user>`, or to the request's response topic below that (MQTT 5), with its correlation data. No
other topic gets a reply. The broker does not let the requester publish or read elsewhere, and feltd may publish
everything of its table: a reply on another topic could be taken for an event, or be read by another user.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias, assert_never

import aiomqtt
import structlog

from daemon.clock import Clock
from daemon.config.people import Person
from daemon.journal.reading import JournaledFact
from daemon.mqtt.commands import RESEND_EVENTS_MAX, Malformed, Resend, ResendCode, id_of, read
from daemon.mqtt.delivery import Delivery, Lost, Publisher, Refused
from daemon.mqtt.documents import REPLY, Reply
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.properties import bytes_beside
from daemon.mqtt.topics import Topics, is_level
from daemon.table.inputs import Request
from daemon.table.step import Answer
from daemon.table.vocabulary import RequestId
from protocols.frozen import dataclass

COMMAND_BYTES_MAX: Final = 65_536  # as it waits here, with what MQTT 5 carries beside it
TOO_LONG: Final = f"A command has at most {COMMAND_BYTES_MAX} bytes."
REFUSALS_MAX: Final = 64
OVERTAKEN: Final = (
    "A later command of yours came first, so this one is not taken. "
    "Look at the table. If you still want it, send it again."
)
RESEND_AT_ONCE: Final = 32
FLOOD_TOLD_AGAIN_NS: Final = 60 * 10**9
FLOODING_MAX: Final = 100  # users who are remembered as told of

_log = structlog.get_logger(__name__)

Submit: TypeAlias = Callable[[Request], Awaitable[Answer]]
PersonOf: TypeAlias = Callable[[str], Person | None]


class Records(Protocol):
    """The journal, as commands use it."""

    def answered(self, who: str, request: RequestId) -> tuple[Request, Answer] | None:
        """Return the request that this user gave under this id, and its answer, if it was committed."""

    def facts_between(self, first: int, last: int) -> tuple[JournaledFact, ...]:
        """Return the facts of this range that exist, both ends included."""

    def last_sequence(self) -> int:
        """Return the sequence of the newest fact, 0 if there is none."""


@dataclass(frozen=True, slots=True)
class _Command:
    """One message: who sent it, as the broker vouches, and where its answer goes."""

    user: str
    name: str
    reply_topic: str
    is_topic_allowed: bool  # the response topic that the message names, if it names one
    correlation: bytes | None


class Answering:
    """Answers one command at a time."""

    def __init__(self, topics: Topics, facts: Records, submit: Submit, person_of: PersonOf, clock: Clock) -> None:
        self._topics = topics
        self._facts = facts
        self._submit = submit
        self._person_of = person_of
        self._clock = clock
        self._refusals = 0  # of too many commands, which the broker has not acknowledged
        self._flood_told_ns: dict[str, int] = {}  # by user

    async def answer(self, publisher: Publisher, message: aiomqtt.Message, overtaken: bool = False) -> None:
        """Do what the message asks, and publish the answer. Return when the broker accepted or refused the answer.

        What was overtaken by a later command of its user is refused, unless the journal has its answer already.
        """
        asked = self._asked(message)
        if asked is None:
            return
        command = self._read(asked, message)
        # It is looked up in its turn: the same command may have come twice, and waited here for its first answer.
        if overtaken and isinstance(command, Request) and self._facts.answered(asked.user, command.id) is None:
            command = Malformed(command.id, "overtaken", OVERTAKEN)
        reply = await self._reply(publisher, asked, command)
        delivery = await publisher.post(asked.reply_topic, REPLY.encode(reply), correlation=asked.correlation)
        if isinstance(delivery, Refused):
            _log.info("mqtt-reply-refused", topic=asked.reply_topic, reason=delivery.reason)

    def refuse_too_many(self, publisher: Publisher, message: aiomqtt.Message) -> None:
        """Refuse a command of a user who does not wait for answers."""
        asked = self._asked(message)
        if asked is None:
            return
        self._tell_of_flood(asked.user)
        refusal = "Too many of your commands wait for their answers. Wait for these answers, and send this one again."
        self._refuse_at_once(publisher, asked, Malformed(id_of(bytes(message.payload)), "too-many", refusal))

    def _tell_of_flood(self, user: str) -> None:
        """Name who floods in the log, once a minute for each user: others wait longer, and nothing else says why."""
        now_ns = self._clock().mono_ns
        told_ns = self._flood_told_ns.get(user)
        if told_ns is None or now_ns >= told_ns + FLOOD_TOLD_AGAIN_NS:
            if len(self._flood_told_ns) >= FLOODING_MAX:
                self._flood_told_ns.clear()
            self._flood_told_ns[user] = now_ns
            _log.warning("mqtt-too-many-commands", user=user)

    def refuse_too_long(self, publisher: Publisher, message: aiomqtt.Message) -> None:
        """Refuse a message that is too long to wait here. Nothing of it is read or given back."""
        message.properties = None
        asked = self._asked(message)
        if asked is not None:
            self._refuse_at_once(publisher, asked, Malformed(None, "too-long", TOO_LONG, "$"))

    def _refuse_at_once(self, publisher: Publisher, asked: _Command, refusal: Malformed) -> None:
        """Answer out of turn. While many of these refusals are on their way, do nothing: the sender asks again."""
        if self._refusals >= REFUSALS_MAX:
            return
        reply = Reply(asked.user, refusal.id, asked.name, False, refusal.code, refusal.message, refusal.where)
        self._refusals += 1
        publisher.post(asked.reply_topic, REPLY.encode(reply), correlation=asked.correlation).add_done_callback(
            self._end_refusal
        )

    def _end_refusal(self, _: asyncio.Future[Delivery]) -> None:
        self._refusals -= 1

    def _asked(self, message: aiomqtt.Message) -> _Command | None:
        *_, user, name = str(message.topic).split("/")
        if not is_level(user):
            # No access list of ours has such a user, and a reply topic with this name could mean another user.
            _log.warning("mqtt-command-of-unknown-user", command=name)
            return None
        own = self._topics.reply(user)
        wanted: str = getattr(message.properties, "ResponseTopic", own)
        is_own = self._topics.is_own_reply(wanted, user)
        correlation = getattr(message.properties, "CorrelationData", None)
        return _Command(user, name, wanted if is_own else own, is_own, correlation)

    def _read(self, asked: _Command, message: aiomqtt.Message) -> Request | Resend | Malformed:
        command = read(asked.user, self._person_of(asked.user), asked.name, bytes(message.payload), self._clock())
        if message.retain:  # the broker would deliver it again on every connection
            refusal = "A command must not be retained. Send it again without the retain flag."
            return Malformed(command.id, "retained", refusal, "retain")
        if not asked.is_topic_allowed:
            refusal = (
                f"Answers go to {self._topics.reply(asked.user)} or below it. Name such a response topic, or none."
            )
            return Malformed(command.id, "bad-response-topic", refusal, "response-topic")
        return command

    async def _reply(self, publisher: Publisher, asked: _Command, command: Request | Resend | Malformed) -> Reply:
        match command:
            case Request():
                answer = await self._submit(command)
                return Reply(
                    asked.user,
                    command.id,
                    asked.name,
                    answer.accepted,
                    answer.code,
                    answer.message,
                    said=answer.said,
                )
            case Resend():
                return await self._resend(publisher, asked, command)
            case Malformed(code=code, message=message, where=where):
                return Reply(
                    asked.user, command.id, asked.name, accepted=False, code=code, message=message, where=where
                )
            case _:
                assert_never(command)

    async def _resend(self, publisher: Publisher, asked: _Command, wanted: Resend) -> Reply:
        def reply(code: ResendCode, message: str, where: str | None = None) -> Reply:
            return Reply(asked.user, wanted.id, asked.name, code == "resent", code, message, where)

        newest = self._facts.last_sequence()
        last = min(wanted.last, wanted.first + RESEND_EVENTS_MAX - 1, newest)
        if wanted.first > last:
            return reply(
                "no-such-events", f"Events 1 to {newest} exist, and from must not be greater than to.", "$.data"
            )
        facts = self._facts.facts_between(wanted.first, last)
        for begin in range(0, len(facts), RESEND_AT_ONCE):  # the answers to other commands go between them
            sent = [
                publisher.post(asked.reply_topic, envelope(self._topics.base, fact), content_type=CONTENT_TYPE)
                for fact in facts[begin : begin + RESEND_AT_ONCE]
            ]
            deliveries: list[Delivery] = await asyncio.gather(*sent)
            if any(isinstance(delivery, Refused | Lost) for delivery in deliveries):
                return reply("not-delivered", "The broker did not accept all of them. Ask again.")
        rest = f" Ask for the rest from {last + 1}." if last < wanted.last else ""
        return reply("resent", f"Sent {wanted.first} to {last}.{rest}")


def is_too_long(message: aiomqtt.Message) -> bool:
    """Return whether the message, with what MQTT 5 carries beside it, exceeds what a command may have."""
    return len(message.payload) + bytes_beside(message.properties) > COMMAND_BYTES_MAX
