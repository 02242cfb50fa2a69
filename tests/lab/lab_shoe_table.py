"""The installed daemon under its own unit, dealing blackjack from the emulated shoe on the guest's USB bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from daemon.mqtt.topics import Topics
from daemon.table.vocabulary import Actor, Decision
from daemon.tools.bench.client import EventHeard, TableClient, connected
from daemon.tools.bench.world import SITE, TABLE
from drivers.events import Button
from sim_hardware.shoe_kinds import SHOE_KINDS
from tests.lab.machine import Machine
from tests.lab.shoe import Shoe, shoe
from tests.lab.table import JOURNAL, running

WAIT_S_MAX = 120.0
STAKE = 1000
CONFIGURATION = f"""\
[table]
site = "{SITE}"
name = "{TABLE}"
seats = 1
game = "bad-beat-blackjack"
deals_from = "shoe"

[games.bad-beat-blackjack]
decks = 1
burn_cards = 0

[[limits]]
first_day = 2020-01-01
authorised_most_cents = 40000

[mqtt]
host = "127.0.0.1"

[people]
file = "people.toml"

[journal]
path = "{JOURNAL}"

"""


class People:
    """The player, the dealer and a subscriber."""

    def __init__(self, client: TableClient) -> None:
        self._client = client
        self._heard: list[EventHeard] = []
        self._news = asyncio.Event()
        self._there = asyncio.Event()
        client.listen(self._hear)
        client.listen_to_state(self._there.set)

    async def at_a_table(self) -> None:
        """Wait until the table listens. Its unit has started before; a command that nobody listens for is lost."""
        async with asyncio.timeout(WAIT_S_MAX):
            await self._there.wait()

    def _hear(self, heard: EventHeard) -> None:
        self._heard.append(heard)
        self._news.set()

    async def heard(self, kind: str, times: int = 1) -> list[dict[str, Any]]:
        """Wait until it was said so often; what was said."""
        async with asyncio.timeout(WAIT_S_MAX):
            while len(said := [heard.data for heard in self._heard if heard.kind == kind]) < times:
                self._news.clear()
                await self._news.wait()
        return said

    async def says(self, command: str, role: Actor, **data: Any) -> None:  # noqa: ANN401
        running = next((heard.round_id for heard in reversed(self._heard) if heard.round_id), None)
        answer = await self._client.ask(command, role, running, **data)
        assert answer["accepted"], answer

    async def press(self, button: Button) -> None:
        await self.says("press", Actor.DEALER, button=button.value)


@asynccontextmanager
async def dealing(guest: Machine, directory: Path) -> AsyncIterator[tuple[People, Shoe]]:
    await guest.run("systemctl restart lab-mosquitto")
    async with (
        connected(guest.mqtt_port, Topics(SITE, TABLE)) as client,
        shoe(guest, SHOE_KINDS["felt-link"], directory) as there,
    ):
        people = People(client)
        async with running(guest, CONFIGURATION + there.in_configuration()):
            await people.at_a_table()
            yield people, there


async def test_a_round_goes_on_when_the_shoe_is_unplugged_in_its_middle_and_plugged_in_elsewhere(
    guest: Machine, tmp_path: Path
) -> None:
    """20 against 16, on which the dealer draws a ten. One card is drawn while the cable is out."""
    async with dealing(guest, tmp_path) as (people, there):
        await there.tell("load", "Tc", "9c", "Td", "7s", "Th", "...")
        await people.says("load-shoe", Actor.DEALER, decks=1)
        await people.heard("round-opened")
        await people.says("bet", Actor.PLAYER, seat=1, wager="blackjack", stake_cents=STAKE)
        await people.press(Button.GREEN)
        await there.tell("draw", "2")
        await people.heard("card-dealt", 2)
        socket = await there.unplug()
        await people.heard("device-lost")
        await there.tell("draw")
        async with there.plugged_in_elsewhere(socket):
            await there.tell("draw")
            dealt = await people.heard("card-dealt", 4)
            assert [(card["seat"], card["card"]) for card in dealt] == [(1, "Tc"), (0, "9c"), (1, "Td"), (0, None)]
            await people.says("decide", Actor.PLAYER, seat=1, decision=Decision.STAND.value)
            await there.tell("draw")
            (hand,) = await people.heard("hand-settled")
            await people.press(Button.NEXT)
            (settled,) = await people.heard("round-settled")
    assert hand["cards"] == ["Tc", "Td"]
    del settled["journal_hash"]  # another one each time: the journal has the time in it
    assert settled == {"stakes_cents": STAKE, "returned_cents": 2 * STAKE, "take_cents": -STAKE, "hands": 1}
