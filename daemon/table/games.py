"""The games that can be dealt: one `Procedure` a game, from the module `procedure` of the game's own package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.rules.registry import parts
from daemon.rules.wagers import GameName
from daemon.table.procedure import Procedure

PROCEDURES: Final[Mapping[GameName, Procedure]] = parts("daemon.table", Procedure, inner="procedure")
