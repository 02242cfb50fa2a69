"""Whom the table hears: everybody, and in a flood of one user everybody else, by the broker's subscriptions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

import aiomqtt
import pytest

from daemon.mqtt.client import QOS, Connection
from daemon.mqtt.delivery import BrokerAwayError, BrokerRefusesError
from daemon.mqtt.hearing import (
    REFUSED_MAX,
    REFUSED_PER_S,
    SINGLE_AGAIN_S,
    SINGLE_ENDS_MAX,
    TURN_S_MAX,
    UNHEARD_S,
    Hearing,
)
from daemon.mqtt.order import COPIES_S, LEFTOVERS_S
from daemon.mqtt.settings import MqttSettings
from sim_hardware.loop import run
from tests.mqtt.running import TOPICS

USERS = ("ana", "app", "bob")
ACK_S_MAX = MqttSettings().ack_s_max
EVERYBODY = frozenset({TOPICS.commands})


def of(*users: str) -> frozenset[str]:
    return frozenset(map(TOPICS.commands_of, users))


@dataclass
class Subscriptions:
    """A connection that notes what it is asked for, and acknowledges it."""

    asked: list[tuple[str, frozenset[str]]] = field(default_factory=list)

    async def listen(self, *topics: str, retained: bool, qos: int = QOS, answer_s_max: float | None = None) -> None:
        assert not retained
        if topics:
            self.asked.append((f"begin {qos}", frozenset(topics)))

    async def stop_listening(self, topics: set[str]) -> None:
        if topics:
            self.asked.append(("end", frozenset(topics)))


@dataclass
class Marks:
    """The marks of a journal, which outlive a process."""

    set: set[str] = field(default_factory=set)

    def has_mark(self, name: str) -> bool:
        return name in self.set

    def set_mark(self, name: str, is_set: bool) -> None:
        (self.set.add if is_set else self.set.discard)(name)


async def keep(hearing: Hearing, subscriptions: Subscriptions) -> None:
    connection = cast("Connection", subscriptions)
    await hearing.begin(connection)
    await hearing.keep(connection)


def heard(
    play: Callable[[Hearing], Awaitable[object]], users: Sequence[str] = USERS, marks: Marks | None = None
) -> list[tuple[str, frozenset[str]]]:
    """Return what was asked of the connection while `play` ran, in virtual time."""
    connection = Subscriptions()

    async def kept() -> None:
        hearing = Hearing(TOPICS, lambda: users, marks or Marks())
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
        assert ("end", of("ana", "app", "bob")) in again.asked

    heard(play, users)


class Refusing(Subscriptions):
    """A broker whose list allows everybody's filter, and no single user's."""

    async def listen(self, *topics: str, retained: bool, qos: int = QOS, answer_s_max: float | None = None) -> None:
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


class Closing(Subscriptions):
    """A broker that closes the connection where others refuse the subscription."""

    async def listen(self, *topics: str, retained: bool, qos: int = QOS, answer_s_max: float | None = None) -> None:
        await super().listen(*topics, retained=retained, qos=qos)
        if qos == 0:
            raise BrokerAwayError(MqttSettings(), "it closed the connection")


async def connections(hearing: Hearing, *, ends_max: int) -> int:
    """Return how many connections ended, one after the other, until one lasted."""
    for ended in range(ends_max):
        keeping = asyncio.create_task(keep(hearing, Closing()))
        await asyncio.wait({keeping}, timeout=1)
        if not keeping.done():
            keeping.cancel()
            return ended
        assert isinstance(keeping.exception(), BrokerAwayError)
    raise AssertionError("the connection ended again and again")


def test_a_broker_that_ends_the_connection_for_a_single_user_does_it_twice_and_not_for_ever() -> None:
    async def play(_: Hearing) -> None:
        marks = Marks()
        hearing = Hearing(TOPICS, lambda: USERS, marks)
        flood(hearing, "app")
        assert await connections(hearing, ends_max=9) == SINGLE_ENDS_MAX
        flood(hearing, "bob")
        assert await connections(hearing, ends_max=9) == 0
        await asyncio.sleep(SINGLE_AGAIN_S)
        flood(hearing, "bob")
        assert await connections(hearing, ends_max=9) == 1, "the list may be another one by now"

    heard(play)


def test_a_connection_that_ends_in_a_flood_says_nothing_of_a_broker_that_allowed_single_users_before() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(1)
        for _ in range(SINGLE_ENDS_MAX + 1):
            with suppress(BrokerAwayError):
                await keep(hearing, Closing())
        again = Subscriptions()
        keeping = asyncio.create_task(keep(hearing, again))
        await asyncio.sleep(1)
        keeping.cancel()
        assert ("begin 0", of("ana", "bob")) in again.asked

    heard(play)


class Silent(Subscriptions):
    """A broker whose answers wait behind a flood, longer than anybody waits for them."""

    async def listen(self, *topics: str, retained: bool, qos: int = QOS, answer_s_max: float | None = None) -> None:
        await super().listen(*topics, retained=retained, qos=qos)
        await asyncio.sleep(ACK_S_MAX if answer_s_max is None else answer_s_max)
        raise BrokerAwayError(MqttSettings(), "no answer")


def test_a_connection_within_a_flood_asks_for_its_end_before_any_answer() -> None:
    """At NATS the session brings the flood again at once, and one answer after the other came behind it."""

    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(1)
        again = Silent()
        beginning = asyncio.create_task(hearing.begin(cast("Connection", again)))
        await asyncio.sleep(0.1)
        assert again.asked == [*BEGUN, ("begin 0", of("ana", "bob")), ("end", EVERYBODY)]
        beginning.cancel()

    heard(play)


def test_a_table_that_hears_no_answer_within_a_flood_connects_again_once() -> None:
    """NATS had 30 MB of it for a starved table, which read those for half a minute."""

    async def lasted_s(work: Awaitable[None]) -> float:
        began_s = asyncio.get_running_loop().time()
        with suppress(BrokerAwayError):
            await work
        return asyncio.get_running_loop().time() - began_s

    async def play(_: Hearing) -> None:
        hearing = Hearing(TOPICS, lambda: USERS, Marks())
        flood(hearing, "app")
        silent = cast("Connection", Silent())
        assert await lasted_s(hearing.keep(silent)) == pytest.approx(TURN_S_MAX)
        assert await lasted_s(hearing.begin(silent)) == pytest.approx(ACK_S_MAX)
        assert hearing._single_ends == 0, "the flood was counted as a refusal"

    heard(play)


def bet(user: str, number: int, qos: int) -> aiomqtt.Message:
    return aiomqtt.Message(TOPICS.command(user, "bet"), b"%d" % number, qos, False, number, None)


def test_a_process_that_dies_in_a_flood_leaves_word_that_somebody_may_be_overtaken() -> None:
    marks = Marks()

    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(1)

    heard(play, marks=marks)
    assert marks.set

    async def after(hearing: Hearing) -> None:
        assert hearing.is_overtaken("ana", bet("ana", 1, 1)), "the process before may have taken a later one"
        assert hearing.is_overtaken("bob", bet("bob", 1, 1))
        assert not hearing.is_overtaken("ana", bet("ana", 2, 0))
        await asyncio.sleep(LEFTOVERS_S + 1)
        assert not hearing.is_overtaken("ana", bet("ana", 3, 1))
        assert marks.set, "a copy may still come"
        await asyncio.sleep(LEFTOVERS_S + COPIES_S)
        assert not marks.set

    everybody = [(f"begin {QOS}", EVERYBODY), ("end", of(*USERS))]
    assert heard(after, marks=marks) == [*BEGUN, ("begin 0", of(*USERS)), ("end", EVERYBODY), *everybody]


def test_without_a_flood_the_next_process_refuses_nothing() -> None:
    marks = Marks()

    async def play(hearing: Hearing) -> None:
        for number, qos in enumerate((1, 0, 1, 0, 0, 1)):
            assert not hearing.is_overtaken("ana", bet("ana", number // 2, qos))
        await asyncio.sleep(1)

    for _ in range(2):
        assert heard(play, marks=marks) == BEGUN
        assert not marks.set


def test_of_a_command_that_comes_twice_at_a_change_the_second_copy_is_refused_however_late_it_comes() -> None:
    """If the first was refused, a later command may have been taken since."""

    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(UNHEARD_S + 1)  # everybody is subscribed again
        assert not hearing.is_overtaken("ana", bet("ana", 1, 0))
        assert not hearing.is_overtaken("ana", bet("ana", 1, 0)), "sent again, and not a copy"
        assert not hearing.is_overtaken("ana", bet("ana", 2, 0))
        assert hearing.is_overtaken("ana", bet("ana", 1, 1))
        await asyncio.sleep(COPIES_S - 2)
        assert hearing.is_overtaken("ana", bet("ana", 2, 1))
        assert not hearing.is_overtaken("ana", bet("ana", 3, 1))

    heard(play)


def test_what_comes_late_at_qos_0_after_the_return_is_refused_behind_a_later_one() -> None:
    async def play(hearing: Hearing) -> None:
        flood(hearing, "app")
        await asyncio.sleep(UNHEARD_S + 1)
        assert not hearing.is_overtaken("ana", bet("ana", 2, 1))
        assert hearing.is_overtaken("ana", bet("ana", 1, 0))
        assert not hearing.is_overtaken("bob", bet("bob", 3, 0)), "they publish at QoS 0"
        await asyncio.sleep(LEFTOVERS_S + 1)
        assert not hearing.is_overtaken("ana", bet("ana", 4, 0))

    heard(play)
