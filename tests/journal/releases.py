"""Journals that daemons of releases wrote, each stopped by a kill while a round was dealt: `tests/journals/releases`.

`python -m tests.journal.releases` writes those of this tree's version, once for each release and before it is made. A
file that is there is never written again: it stands for the journals that are in casinos.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import tempfile
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from daemon.journal.checking import check_piece, first_place
from daemon.journal.reading import JournalReader
from daemon.mqtt.documents import STATE, State
from daemon.mqtt.envelope import sequence_text
from daemon.recovery import recover
from daemon.rules.wagers import GameName
from daemon.table import view
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.process import DaemonEndedError
from daemon.tools.journal.backup import back_up
from tests.line.at_the_bench import bench

KEPT: Final = Path(__file__).parent.parent / "journals" / "releases"
ROUNDS: Final = 3
DEALT: Final = ("hand-dealt", "card-dealt")


def releases() -> list[Path]:
    """Return every journal that is kept."""
    return sorted(KEPT.glob("*/*.db"))


def picture_of(journal: JournalReader) -> dict[str, Any]:
    """Return what a table that starts on this journal shows."""
    state = recover(journal)
    assert state is not None
    shown = State(journal.id, sequence_text(journal.last_sequence()), view.public(state))
    decoded: dict[str, Any] = json.loads(STATE.encode(shown))
    return decoded


async def _play(game: GameName, directory: Path) -> None:
    """Play some rounds and kill the daemon in the middle of the next."""
    with suppress(DaemonEndedError):  # as it should
        async with bench(directory, game=game, profile=GAMES[game].profiles[0]) as table:
            await table.rounds(ROUNDS)
            opened = table.kinds().count("betting-closed")
            await table.until(lambda: table.kinds().count("betting-closed") > opened)
            dealt = sum(table.kinds().count(kind) for kind in DEALT)
            await table.until(lambda: sum(table.kinds().count(kind) for kind in DEALT) > dealt)
            await table.world.daemon.end(signal.SIGKILL)


def keep(game: GameName, folder: Path) -> Path:
    """Write the journal of a game, and the picture that its table showed when it was killed."""
    kept = folder / f"{game.value}.db"
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(_play(game, Path(scratch)))
        back_up(Path(scratch) / "journal.db", kept)
        text = (Path(scratch) / "feltd.toml").read_text(encoding="utf-8").replace(scratch, "/run/feltd-bench")
    kept.with_suffix(".toml").write_text(text, encoding="utf-8")
    kept.chmod(0o644)
    with closing(JournalReader.open_read_only(kept)) as journal:
        _, faults = check_piece(journal, first_place(journal), journal.last_offset())
        assert not faults, faults
        text = json.dumps(picture_of(journal), indent=1)
    kept.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    return kept


if __name__ == "__main__":
    here = KEPT / version("feltd")
    here.mkdir(parents=True)
    for each in GAMES:
        sys.stdout.write(f"{keep(each, here)}\n")
