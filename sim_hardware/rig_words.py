"""What can be said to every emulated device, and how words become what its rig can do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from sim_hardware.fault_words import FaultWords, Switches, plain
from sim_hardware.faults import FaultName
from sim_hardware.shuffler_states import Refused
from sim_hardware.words import Word, WordError

KEY: Final = re.compile(r"[a-z0-9-]{1,32}")
"""What felt-link lets a key be called: a word."""


class OnALine(Switches, Protocol):
    """A rig, as far as every one of them can be spoken to."""

    def press(self, key: str) -> Refused | None:
        """A key of it."""

    def reboot(self) -> None:
        """Fail its power and bring it back."""

    def unplug(self) -> None:
        """Pull its line."""

    def replug(self) -> None:
        """Put it back."""


class RigWords:
    """The words that all devices have, for one rig. `standing` is what is said of it after each."""

    def __init__(self, rig: OnALine, standing: Callable[[], str]) -> None:
        self._rig: Final = rig
        self._standing: Final = standing

    def plain(self, name: str, meaning: str, act: Callable[[], Refused | None]) -> Word:
        """A word that stands alone."""
        return plain(name, meaning, lambda: self.done(act()))

    def line(self) -> tuple[Word, ...]:
        """Those for its plug and its power."""
        return (
            self.plain("unplug", "pull the plug of the line", self._rig.unplug),
            self.plain("replug", "put it back", self._rig.replug),
            self.plain("reboot", "fail the power and bring it back", self._rig.reboot),
        )

    def faults(self, names: Sequence[FaultName], piece: str) -> tuple[Word, ...]:
        """Those for the faults that it can have; `piece` is what their N counts."""
        return FaultWords(self._rig, names, piece).words()

    def press(self, meaning: str, keys: Sequence[str]) -> Word:
        """The word for its keys; `keys` are those that are printed on it."""
        any_key = "keys are small letters, digits and hyphens"
        known = f"the keys are {', '.join(keys)}; {any_key}" if keys else any_key

        def act(rest: Sequence[str]) -> str:
            if len(rest) != 1 or not KEY.fullmatch(rest[0]):
                raise WordError(f"press KEY; {known}")
            return self.done(self._rig.press(rest[0]))

        return Word("press", "press KEY", meaning, act)

    def done(self, refused: Refused | None) -> str:
        """What is answered once the hand has done it, or was not let."""
        if refused is not None:
            raise WordError(refused.reason)
        return self._standing()
