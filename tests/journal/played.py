"""Journals of tables that were played: the pure tables' players, with what they did taken by a real intake."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from daemon.intake import Intake
from daemon.journal.journal import Journal
from daemon.recovery import recover
from daemon.rules.wagers import GameName
from daemon.table.inputs import Configured, Input, Request
from daemon.table.reducer import blank
from daemon.table.vocabulary import RequestId
from drivers.commands import CommandDue
from drivers.events import DeviceReport, Receipt, Stamp
from tests.shift.blackjack_player import BlackjackPlayer
from tests.shift.player import Player

if TYPE_CHECKING:
    from daemon.journal.signing import Signer

START_NS = 1_795_000_000_000_000_000
S = 1_000_000_000


class Silent:
    """A device that is told everything and says nothing by itself."""

    def acknowledge(self, receipt: Receipt) -> None:
        pass

    def send(self, due: CommandDue) -> None:
        pass


class _Recorded(Player):
    def __init__(self, seed: int) -> None:
        self.inputs: list[Input] = []
        super().__init__(seed)

    def _forget(self) -> None:
        self.inputs += self._table.inputs
        super()._forget()


class _RecordedBlackjack(BlackjackPlayer):
    def __init__(self, seed: int) -> None:
        self.inputs: list[Input] = []
        super().__init__(seed)

    def _write_down(self) -> None:
        self.inputs += self._table.inputs
        super()._write_down()


def shuffled_games(seed: int, rounds: int) -> list[Input]:
    """What happened at a table with a shuffler in so many rounds of each of its games."""
    player = _Recorded(seed)
    for game in (GameName.BIG_50, GameName.BIG_RAISE, GameName.BIG_DRAW):
        player.change_to(game)
        player.play(rounds)
    return player.inputs


def blackjack(seed: int, rounds: int) -> list[Input]:
    """What happened at a table with a shoe in so many rounds."""
    player = _RecordedBlackjack(seed)
    player.play(rounds)
    return player.inputs


def journal_of(path: Path, inputs: Iterable[Input], signer: Signer | None = None) -> Path:
    """Take these inputs at the journal at `path`, a second apart, each under an id of its own."""
    with closing(Journal.open(path, create=True, signer=signer)) as journal:
        intake: Intake | None = None
        for happened in inputs:
            number = journal.last_offset() + 1
            moved = replace(happened, at=Stamp(START_NS + number * S, number * S))
            if isinstance(moved, Request):
                moved = replace(moved, id=RequestId(f"r{number}"))
            if isinstance(moved, DeviceReport):
                moved = replace(moved, receipt=None if moved.receipt is None else Receipt("boot-1", number))
            if intake is None:  # devices answer commands by ids with the journal of then: it stays in the configuration
                assert isinstance(moved, Configured)
                intake = Intake(journal, recover(journal) or blank(moved), defaultdict(Silent))
            intake.take_input(moved)
        journal.checkpoint(START_NS)
    return path
