"""Whom the table hears: everybody, and in a flood of one user everybody else, by the broker's subscriptions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from daemon.mqtt.client import QOS, Connection
from daemon.mqtt.delivery import BrokerRefusesError
from daemon.mqtt.hearing import REFUSED_MAX, REFUSED_PER_S, UNHEARD_S, Hearing
from daemon.mqtt.settings import MqttSettings
from sim_hardware.loop import run
from tests.mqtt.running import TOPICS

USERS = ("ana", "app", "bob")
EVERYBODY = frozenset({TOPICS.commands})


def of(*users: str) -> frozenset[str]:
    return frozenset(map(TOPICS.commands_of, users))


@dataclass
class Subscriptions:
    """A connection that notes what it is asked for, and acknowledges it."""

    asked: list[tuple[str, frozenset[str]]] = field(default_factory=list)

    async def listen(self, *topics: str, retained: bool, qos: int = QOS) -> None:
        assert not retained
        if topics:
            self.asked.append((f"begin {qos}", frozenset(topics)))

    async def stop_listening(self, topics: set[str]) -> None:
        if topics:
            self.asked.append(("end", frozenset(topics)))


async def keep(hearing: Hearing, subscriptions: Subscriptions) -> None:
    connection = cast("Connection", subscriptions)
    await hearing.begin(connection)
    await hearing.keep(connection)


def heard(
    play: Callable[[Hearing], Awaitable[object]], users: Sequence[str] = USERS
) -> list[tuple[str, frozenset[str]]]:
    """Return what was asked of the connection while `play` ran, in virtual time."""
    connection = Subscriptions()

    async def kept() -> None:
        hearing = Hearing(TOPICS, lambda: users)
        keeping = asyncio.create_task(keep(hearing, connection))
        await asyncio.sleep(0.1)
        await play(hearing)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    run(kept())
    return connection.asked


def flood(hearing: Hearing, user: str) -> None:
    for _ in range(int(REFUSED_MAX) + 1):
        hearing.note_refused(user)


BEGUN = [(f"begin {QOS}", EVERYBODY), ("end", of(*USERS))]


def test_as_long_as_nobody_floods_one_subscription_hears_everybody() -> None:
    async def play(hearing: Hearing) -> None:
        for _ in range(100):
            for _ in range(int(REFUSED_PER_S)):
                hearing.note_refused("app")
            await asyncio.sleep(1)
        assert hearing.hears("app")

    assert heard(play) == BEGUN


def test_who_floods_is_left_out_for_a_while_and_others_are_subscribed_before_that() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        assert not hearing.hears("app")
        assert hearing.hears("ana")
        await asyncio.sleep(UNHEARD_S + 1)
        assert hearing.hears("app")

    asked = heard(play)
    assert asked[:2] == BEGUN
    others = of("ana", "bob")
    assert asked[2:] == [("begin 0", others), ("end", EVERYBODY), (f"begin {QOS}", EVERYBODY), ("end", others)]


def test_a_second_one_is_left_out_too_and_each_comes_back_in_their_own_time() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(UNHEARD_S / 2)
        flood(hearing, "bob")
        await asyncio.sleep(UNHEARD_S / 2 + 1)
        assert hearing.hears("app")
        assert not hearing.hears("bob")

    *_, second, returned = heard(play)
    assert second == ("end", of("bob"))
    assert returned == ("begin 0", of("app"))


def test_strangers_are_left_out_together() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "")
        await asyncio.sleep(1)

    assert heard(play)[2:] == [("begin 0", of(*USERS)), ("end", EVERYBODY)]


def test_a_new_connection_leaves_out_who_still_floods() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(1)
        again = Subscriptions()
        keeping = asyncio.create_task(keep(hearing, again))
        await asyncio.sleep(1)
        keeping.cancel()
        assert again.asked == [*BEGUN, ("begin 0", of("ana", "bob")), ("end", EVERYBODY)]

    heard(play)


def test_who_is_new_in_the_file_of_people_is_heard_at_once() -> None:
    users = [*USERS]

    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(1)
        users.append("cleo")
        hearing.wake()
        await asyncio.sleep(1)

    assert heard(play, users)[-1] == ("begin 0", of("cleo"))


def test_a_new_connection_ends_the_filter_of_a_user_who_has_left_the_file_too() -> None:
    users = [*USERS]

    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(1)
        users.remove("bob")
        again = Subscriptions()
        await hearing.begin(cast("Connection", again))
        assert again.asked[-1] == ("end", of("ana", "app", "bob"))

    heard(play, users)


class Refusing(Subscriptions):
    """A broker whose list allows everybody's filter, and no single user's."""

    async def listen(self, *topics: str, retained: bool, qos: int = QOS) -> None:
        await super().listen(*topics, retained=retained, qos=qos)
        if qos == 0:
            raise BrokerRefusesError(MqttSettings(), "it refuses the subscription")


def test_a_broker_that_allows_no_single_user_keeps_the_table_with_everybody() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        refusing = Refusing()
        keeping = asyncio.create_task(keep(hearing, refusing))
        await asyncio.sleep(1)
        flood(hearing, "bob")
        await asyncio.sleep(1)
        assert not keeping.done()
        keeping.cancel()
        others = of("ana", "bob")
        asked = [("begin 0", others), ("end", EVERYBODY), (f"begin {QOS}", EVERYBODY), ("end", others)]
        assert refusing.asked == [*BEGUN, *asked]

    heard(play)
