"""The order of one user's commands, while the subscriptions change in a flood of another: what holds at any broker.

The table refuses what it is asked at some moments, and the process dies at others.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from dataclasses import dataclass, field
from typing import cast

import aiomqtt
import pytest

from daemon.clock import stamp
from daemon.journal.journal import Journal
from daemon.mqtt.client import QOS, Connection
from daemon.mqtt.delivery import Delivered, Delivery
from daemon.mqtt.hearing import UNHEARD_S
from daemon.mqtt.order import AT_ONCE_S, LEFTOVERS_S
from daemon.mqtt.session import MqttSession, Table
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.waiting import WaitingCommands
from daemon.table.inputs import Request
from daemon.table.step import Answer
from sim_hardware.loop import run
from tests.journal.values import ACCEPTED
from tests.mqtt.running import PEOPLE, TOPICS, VIEW
from tests.mqtt.test_answering import command, written

USERS = ("app", "ana", "bob")
FLOODS = "app"
PUBLISHES = {"app": 1, "ana": 1, "bob": 0}  # at which QoS
MOMENTS = 400
PAUSE_S_MAX = 3.0
NATS_AGAIN_S = 30.0

REFUSED = Answer(accepted=False, code="not-now", message="Not now.")


@dataclass
class Taken:
    """The table, and the journal of what it took."""

    first: list[Request] = field(default_factory=list)
    takes: bool = True
    marks: set[str] = field(default_factory=set)

    def answered(self, who: str, request: str) -> tuple[Request, Answer] | None:
        known = [each for each in self.first if (each.who, each.id) == (who, request)]
        return (known[0], ACCEPTED) if known else None

    def has_mark(self, name: str) -> bool:
        return name in self.marks

    def last_sequence(self) -> int:
        return 0

    def set_mark(self, name: str, is_set: bool) -> None:
        assert is_set != self.has_mark(name), "a mark is written to the disk, so only when it changes"
        (self.marks.add if is_set else self.marks.remove)(name)

    async def submit(self, request: Request) -> Answer:
        await asyncio.sleep(0)
        if self.answered(request.who, request.id) is None:
            if not self.takes:
                return REFUSED
            self.first.append(request)
        return ACCEPTED

    def numbers(self, user: str) -> list[int]:
        return [int(each.id.removeprefix("request-")) for each in self.first if each.who == user]

    def session(self) -> MqttSession:
        people = {**PEOPLE, "bob": PEOPLE["ana"]}
        told = Table(cast("Journal", self), lambda: VIEW, self.submit, people.get, stamp, "0.1", users=lambda: USERS)
        return MqttSession(MqttSettings(), TOPICS, told)


@dataclass
class Line:
    """A broker and the connection to it: what it has at each QoS comes in order, and QoS 0 passes the other.

    With `lag` what it has at QoS 0 waits, too, and may come after what was sent later at QoS 1. With `late` what was
    under way when a connection ended does not come first on the next one, but half a minute after it came before, as
    NATS has it. It does not come in the first moments of a connection: there nothing tells it from what other brokers
    begin with.
    """

    session: MqttSession
    lag: bool
    late: bool
    filters: dict[str, int] = field(default_factory=dict)
    asked: deque[tuple[dict[str, int | None], asyncio.Future[None]]] = field(default_factory=deque)
    kept: deque[aiomqtt.Message] = field(default_factory=deque)
    quick: deque[aiomqtt.Message] = field(default_factory=deque)
    unacknowledged: dict[int, aiomqtt.Message] = field(default_factory=dict)
    left: deque[aiomqtt.Message] = field(default_factory=deque)
    came_s: dict[int, float] = field(default_factory=dict)  # when a message came last
    connected_s: float = 0.0
    sent_again: set[int] = field(default_factory=set)
    replies: list[dict[str, str]] = field(default_factory=list)
    sent: int = 0
    turns: int = 0
    brought_s: float = 0.0

    async def listen(self, *topics: str, qos: int = QOS, retained: bool, answer_s_max: float | None = None) -> None:
        assert not retained
        if topics:
            await self._ask(dict.fromkeys(topics, qos))

    async def stop_listening(self, topics: set[str]) -> None:
        if topics:
            await self._ask(dict.fromkeys(topics))

    async def _ask(self, wanted: dict[str, int | None]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.asked.append((wanted, done))
        await done

    def hear_one(self) -> None:
        """Take the oldest change of the subscriptions that is on its way."""
        wanted, done = self.asked.popleft()
        held = {**self.filters, **wanted}
        self.filters = {topic: qos for topic, qos in held.items() if qos is not None}
        if not done.done():
            done.set_result(None)

    def publish(self, user: str) -> None:
        self.sent += 1
        topic, payload = TOPICS.command(user, "bet"), written(command(self.sent))
        for wanted, most in self.filters.items():
            if aiomqtt.Topic(topic).matches(wanted):
                qos = min(most, PUBLISHES[user])
                one = aiomqtt.Message(topic, payload, qos, False, self.sent, None)
                (self.kept if qos else self.quick).append(one)
        while self.quick and not self.lag:
            self.bring(self.quick)

    def bring_due(self) -> None:
        """Bring what was left, once it is time."""
        now_s = asyncio.get_running_loop().time()
        while self.left and now_s > max(self.came_s[self.left[0].mid] + NATS_AGAIN_S, self.connected_s + AT_ONCE_S):
            self.bring(self.left)

    def go_on(self) -> None:
        """Bring what waited for long: a broker does not stop for `LEFTOVERS_S` between two messages that it has."""
        self.bring_due()
        if asyncio.get_running_loop().time() > self.brought_s + LEFTOVERS_S - PAUSE_S_MAX:
            while self.quick:
                self.bring(self.quick)
            if self.kept:
                self.bring(self.kept)
            self.brought_s = asyncio.get_running_loop().time()

    def bring(self, waiting: deque[aiomqtt.Message]) -> None:
        message = waiting.popleft()
        if message.qos:
            if f"/{FLOODS}/" in str(message.topic):  # what is refused of a flood takes longer than any lag
                while self.quick:
                    self.bring(self.quick)
            self.unacknowledged[message.mid] = message
            self.came_s[message.mid] = asyncio.get_running_loop().time()
        if self.serving is None:
            return  # the table is not connected, and the broker keeps nothing at QoS 0
        self.session._take_message(self.connection, message, self.commands, self.resends)

    def post(self, _topic: str, payload: bytes, **_: object) -> asyncio.Future[Delivery]:
        self.replies.append(json.loads(payload))
        delivery: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
        delivery.set_result(Delivered(heard=True))
        return delivery

    def acknowledge(self, message: aiomqtt.Message) -> None:
        if message.qos:
            self.unacknowledged.pop(message.mid, None)

    @property
    def connection(self) -> Connection:
        return cast("Connection", self)

    serving: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Serve, until everybody is subscribed and what a session before had is ended."""
        now_s = asyncio.get_running_loop().time
        self.connected_s = now_s()
        self.commands, self.resends = WaitingCommands(now_s), WaitingCommands(now_s)
        self.serving = asyncio.create_task(self.serve())
        for _ in range(2):
            await asyncio.sleep(0.001)
            self.hear_one()

    async def end(self) -> None:
        """End the connection. The broker has again what was not acknowledged."""
        assert self.serving is not None
        self.serving.cancel()
        await asyncio.gather(self.serving, return_exceptions=True)
        self.serving = None
        while self.asked:  # all that was written comes to the broker
            self.hear_one()
        self.quick.clear()
        self.sent_again |= self.unacknowledged.keys()
        if self.late:
            self.left.extend(self.unacknowledged.values())
        else:
            self.kept.extendleft(reversed(self.unacknowledged.values()))
        self.unacknowledged.clear()

    async def die(self, table: Taken, dice: random.Random) -> None:
        """End the connection, and with luck the process. Some is sent meanwhile. It can happen again soon."""
        if self.late:
            self.publish("ana")
            while self.kept:
                self.bring(self.kept)
        await self.end()
        for _ in range(dice.randrange(4)):
            self.publish(dice.choice(USERS))
            self.quick.clear()
        if dice.random() < 0.7:
            self.session = table.session()
        await self.connect()
        if self.late and dice.random() < 0.7:
            await asyncio.sleep(dice.uniform(0, PAUSE_S_MAX))
            await self.die(table, dice)

    async def serve(self) -> None:
        await self.session._hearing.begin(self.connection)
        await asyncio.gather(
            self.session._hearing.keep(self.connection), self.session._answer(self.connection, self.commands)
        )

    async def settle(self) -> None:
        """Bring everything that is on its way, and let the minute pass."""
        for _ in range(5):
            while self.left or self.kept or self.asked or self.quick:
                if self.asked:
                    self.hear_one()
                self.bring_due()
                for waiting in (self.kept, self.quick):
                    if waiting:
                        self.bring(waiting)
                await asyncio.sleep(0.01 if self.kept or self.asked or self.quick else 1)
            await asyncio.sleep(UNHEARD_S + LEFTOVERS_S)

    async def play(self, table: Taken, dice: random.Random) -> None:
        for _ in range(MOMENTS):
            throw = dice.random()
            if throw < 0.1:
                for _ in range(dice.randrange(30)):
                    self.publish(FLOODS)
            elif throw < 0.5:
                self.publish(dice.choice(USERS[1:]))
            elif throw < 0.75 and (self.kept or self.quick):
                waiting = dice.choice((self.kept, self.quick))
                for _ in range(min(len(waiting), dice.randrange(20))):
                    self.bring(waiting)
            elif throw < 0.9 and self.asked:
                self.turns += 1
                self.hear_one()
            elif throw < 0.95:
                table.takes = dice.random() < 0.7
            elif throw < 0.96:
                await self.die(table, dice)
            await asyncio.sleep(dice.choice((0, 0, 0.01, 0.5, PAUSE_S_MAX)))
            self.go_on()


@pytest.mark.parametrize(("lag", "late"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("seed", range(20))
def test_of_one_user_no_later_command_is_taken_before_an_earlier_one(
    seed: int, lag: bool, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.mqtt.waiting.BURST_MAX", 3.0)
    monkeypatch.setattr("daemon.mqtt.hearing.REFUSED_MAX", 3.0)
    monkeypatch.setattr("daemon.mqtt.hearing.SINGLE_ENDS_MAX", MOMENTS)  # this broker allows single users

    async def played() -> None:
        table, dice = Taken(), random.Random(seed + 20 * late)
        line = Line(table.session(), lag, late)
        await line.connect()
        await line.play(table, dice)
        assert line.turns > 4, "the subscriptions changed meanwhile"
        table.takes = True
        await line.settle()
        assert not table.marks, "after the flood nothing of it is remembered"
        before = line.sent
        for user in USERS:
            line.publish(user)
        await line.settle()
        await line.end()
        for user in USERS:
            numbers = table.numbers(user)
            assert numbers == sorted(numbers), user
            assert numbers[-1] > before, "after the flood all are heard, and nothing is refused"
        refused = [reply for reply in line.replies if reply["code"] == "overtaken"]
        assert {reply["user"] for reply in refused} <= {"app", "ana"}, "who publishes at QoS 0 has nothing to overtake"
        taken = {(each.who, each.id): number for number, each in enumerate(table.first)}
        assert not taken.keys() & {(reply["user"], reply["id"]) for reply in refused}, "what was taken keeps its answer"

    run(played())
