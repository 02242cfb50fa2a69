"""The bench's dealer at a shoe goes by the prompt that stands on the screen, as a person does."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from daemon.rules.wagers import GameName
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from sim_hardware.loop import run
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from tests.support.virtual_client import VirtualClient
from tests.support.virtual_table import stamp

BURN = "Burn 1 card."
WAIT = "No new round yet: shoe cannot prove that no card left it while it was away."


def drawn_for(*heard_before: str, then: str) -> int:
    """How many cards a dealer draws who was busy while the first prompts came, and who sees the last one come."""

    async def drawn() -> int:
        rig = ShoeRig(ShoeSettings(pace=Pace(0)), MemoryPort(), SHOE_KINDS["angel-eye-iiex"])
        client = VirtualClient(stamp)
        people = People(client, rig, Habits(1, 3, DealingPace(0), GameName.BLACKJACK))  # type: ignore[arg-type]
        await rig.start()
        for number, sentence in enumerate(heard_before, 1):
            client._tell(prompt(number, sentence))
        playing = asyncio.create_task(people.run())
        await asyncio.sleep(1)
        client._tell(EventHeard("alert-cleared", 8, None, {"alert": "unwatched-shoe"}, 0))
        client._tell(prompt(9, then))
        await asyncio.sleep(1)
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing
        out = len(rig.shoe.drawn)
        await rig.stop()
        return out

    return run(drawn())


def prompt(sequence: int, sentence: str) -> EventHeard:
    return EventHeard("dealer-prompted", sequence, None, {"sentence": sentence, "said": [], "seat": None}, 0)


def test_a_card_of_a_prompt_that_another_has_replaced_is_not_drawn() -> None:
    """The daemon was killed, and its prompt stood in the queue of a dealer who still waited for an answer.

    They drew the card while the new one blocked play, and once more when it asked again: the card out of turn voided
    a round in which nothing had been lost.
    """
    assert drawn_for(BURN, WAIT, then=BURN) == 1


def test_a_card_that_was_lost_is_drawn_again_when_the_alert_is_cleared() -> None:
    assert drawn_for(BURN, then=BURN) == 2
