"""A browser's flood costs the table nothing: the page is another process, and nothing of it gets to the table."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.page.flooded import cost
from tests.support.mosquitto import Mosquitto

COMMANDS: Final = 60


async def test_every_command_of_a_table_is_answered_while_the_page_is_flooded(
    broker: Mosquitto, tmp_path: Path
) -> None:
    found = await cost(broker, tmp_path, COMMANDS, flooded=True)
    assert found.requests > COMMANDS
    assert found.answered == found.taken == COMMANDS, "all of its own, and nothing of the flood"
