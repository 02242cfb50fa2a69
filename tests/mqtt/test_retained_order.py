"""The retained picture waits for what people wait for: an input that came with the broker's answer goes first."""

from __future__ import annotations

import asyncio

from daemon.mqtt.delivery import Delivered, Delivery
from daemon.mqtt.problems import Problems
from daemon.mqtt.retained import RetainedPicture
from daemon.mqtt.settings import MqttSettings

TOPIC = "felt/v1/north/7/state"
TURNS = 3  # of the loop: the bytes are read, a device's task takes them, and the line takes the report


class Broker:
    """Acknowledges at once what is retained."""

    def __init__(self) -> None:
        self.retained: list[bytes] = []

    def post(self, topic: str, payload: bytes, **_: object) -> asyncio.Future[Delivery]:
        self.retained.append(payload)
        delivery: asyncio.Future[Delivery] = asyncio.get_running_loop().create_future()
        delivery.set_result(Delivered(heard=True))
        return delivery


class Table:
    """A table whose events the broker answers when a test says so."""

    def __init__(self) -> None:
        self.state = b"at the start"
        self.answered = asyncio.Event()
        self.answered.set()
        self.broker = Broker()
        self.picture = RetainedPicture(
            MqttSettings(), lambda: {TOPIC: self.state}, self._until_answered, Problems(lambda: None)
        )

    async def _until_answered(self) -> None:
        await self.answered.wait()

    def take(self, state: bytes) -> None:
        """Take an input, as the line does: its events are on their way when the picture is woken."""
        self.state = state
        self.answered.clear()
        self.picture.wake()

    def take_after_turns(self, state: bytes, turns: int) -> None:
        if turns == 0:
            self.take(state)
        else:
            asyncio.get_running_loop().call_soon(self.take_after_turns, state, turns - 1)

    async def settle(self) -> None:
        for _ in range(10 * TURNS):
            await asyncio.sleep(0)


async def test_one_picture_is_of_an_input_and_of_one_that_came_with_its_answer() -> None:
    table = Table()
    keeping = asyncio.create_task(table.picture.keep(table.broker))
    await table.settle()
    table.take(b"a hand is dealt")
    await table.settle()
    table.take_after_turns(b"the dealer took it", TURNS - 1)  # the bytes are read beside the broker's answer
    table.answered.set()
    await table.settle()
    assert table.broker.retained[1:] == [], "a picture was made before the events of the second input were answered"
    table.answered.set()
    await table.settle()
    assert table.broker.retained[1:] == [b"the dealer took it"]
    keeping.cancel()


async def test_inputs_that_come_all_the_time_hold_no_picture_back() -> None:
    table = Table()
    keeping = asyncio.create_task(table.picture.keep(table.broker))
    await table.settle()
    for number in range(50):
        table.take(b"%d" % number)
        await asyncio.sleep(0)
        table.answered.set()
        table.take_after_turns(b"%d, and at once another" % number, 0)
        table.answered.set()
        await table.settle()
    assert len(table.broker.retained) > 50
    keeping.cancel()
