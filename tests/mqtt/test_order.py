"""The order of one user's commands, while the subscriptions change in a flood of another: what holds at any broker."""

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
from daemon.mqtt.hearing import LEFTOVERS_S, UNHEARD_S
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


@dataclass
class Taken:
    """The table, and the journal of what it took."""

    first: list[Request] = field(default_factory=list)

    def answered(self, who: str, request: str) -> tuple[Request, Answer] | None:
        known = [each for each in self.first if (each.who, each.id) == (who, request)]
        return (known[0], ACCEPTED) if known else None

    async def submit(self, request: Request) -> Answer:
        await asyncio.sleep(0)
        if self.answered(request.who, request.id) is None:
            self.first.append(request)
        return ACCEPTED

    def numbers(self, user: str) -> list[int]:
        return [int(each.id.removeprefix("request-")) for each in self.first if each.who == user]


@dataclass
class Line:
    """A broker and the connection to it: what it has at QoS 1 comes in order, and QoS 0 passes that."""

    session: MqttSession
    filters: dict[str, int] = field(default_factory=dict)
    asked: deque[tuple[dict[str, int | None], asyncio.Future[None]]] = field(default_factory=deque)
    kept: deque[aiomqtt.Message] = field(default_factory=deque)
    replies: list[dict[str, str]] = field(default_factory=list)
    sent: int = 0
    turns: int = 0

    def __post_init__(self) -> None:
        now_s = asyncio.get_running_loop().time
        self.commands, self.resends = WaitingCommands(now_s), WaitingCommands(now_s)

    async def listen(self, *topics: str, qos: int = QOS, retained: bool) -> None:
        assert not retained
        await self._ask(dict.fromkeys(topics, qos))

    async def stop_listening(self, topics: set[str]) -> None:
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
        done.set_result(None)

    def publish(self, user: str) -> None:
        self.sent += 1
        topic = TOPICS.command(user, "bet")
        for wanted, most in self.filters.items():
            if aiomqtt.Topic(topic).matches(wanted):
                qos = min(most, PUBLISHES[user])
                one = aiomqtt.Message(topic, written(command(self.sent)), qos, False, self.sent, None)
                if qos:
                    self.kept.append(one)
                else:
                    self.bring(one)

    def bring(self, message: aiomqtt.Message) -> None:
        self.session._take_message(self.connection, message, self.commands, self.resends)

    def post(self, _topic: str, payload: bytes, **_: object) -> asyncio.Future[Delivery]:
        self.replies.append(json.loads(payload))
        delivery: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
        delivery.set_result(Delivered(heard=True))
        return delivery

    def acknowledge(self, message: aiomqtt.Message) -> None:
        """Do nothing: how much may be unacknowledged only changes when it comes."""

    @property
    def connection(self) -> Connection:
        return cast("Connection", self)

    async def serve(self) -> None:
        await self.session._hearing.begin(self.connection)
        await asyncio.gather(
            self.session._hearing.keep(self.connection), self.session._answer(self.connection, self.commands)
        )

    async def settle(self) -> None:
        """Bring everything that is on its way, and let the minute pass."""
        for _ in range(3):
            while self.kept or self.asked:
                if self.asked:
                    self.hear_one()
                if self.kept:
                    self.bring(self.kept.popleft())
                await asyncio.sleep(0.01)
            await asyncio.sleep(UNHEARD_S + LEFTOVERS_S)

    async def play(self, dice: random.Random) -> None:
        for _ in range(MOMENTS):
            throw = dice.random()
            if throw < 0.1:
                for _ in range(dice.randrange(30)):
                    self.publish(FLOODS)
            elif throw < 0.5:
                self.publish(dice.choice(USERS[1:]))
            elif throw < 0.75 and self.kept:
                for _ in range(min(len(self.kept), dice.randrange(20))):
                    self.bring(self.kept.popleft())
            elif throw < 0.95 and self.asked:
                self.turns += 1
                self.hear_one()
            await asyncio.sleep(dice.choice((0, 0, 0.01, 0.5, 4.0)))


@pytest.mark.parametrize("seed", range(40))
def test_of_one_user_no_later_command_is_taken_before_an_earlier_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.mqtt.waiting.BURST_MAX", 3.0)
    monkeypatch.setattr("daemon.mqtt.hearing.REFUSED_MAX", 3.0)

    async def played() -> None:
        table = Taken()
        people = {**PEOPLE, "bob": PEOPLE["ana"]}
        told = Table(cast("Journal", table), lambda: VIEW, table.submit, people.get, stamp, "0.1", users=lambda: USERS)
        line = Line(MqttSession(MqttSettings(), TOPICS, told))
        serving = asyncio.create_task(line.serve())
        for _ in range(2):  # everybody is subscribed, and what a session before had is ended
            await asyncio.sleep(0)
            line.hear_one()
        await line.play(random.Random(seed))
        assert line.turns > 4, "the subscriptions changed meanwhile"
        await line.settle()
        before = line.sent
        for user in USERS:
            line.publish(user)
        await line.settle()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        for user in USERS:
            numbers = table.numbers(user)
            assert numbers == sorted(numbers), user
            assert numbers[-1] > before, "after the flood all are heard, and nothing is refused"
        refused = [reply for reply in line.replies if reply["code"] == "overtaken"]
        assert {reply["user"] for reply in refused} <= {"app", "ana"}, "who publishes at QoS 0 has nothing to overtake"
        taken = {(each.who, each.id) for each in table.first}
        assert not taken & {(reply["user"], reply["id"]) for reply in refused}, "what was taken keeps its answer"

    run(played())
