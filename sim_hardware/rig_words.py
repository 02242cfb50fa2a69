"""The words of every emulated device, and the part of a rig that each of them uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol, assert_never

from sim_hardware.faults import FAULTS, LINE_PERCENT, Always, Arming, FaultBoard, FaultName, NextTime, OnPacket
from sim_hardware.mechanism import Refused
from sim_hardware.words import Word, WordError, did_you_mean, nothing_follows

KEY: Final = re.compile(r"[a-z0-9-]{1,32}")
"""What felt-link lets a key be called: a word."""


class Switches(Protocol):
    """The part of a rig that switches faults."""

    @property
    def faults(self) -> FaultBoard:
        """Return what is switched on."""

    def arm(self, name: FaultName, arming: Arming) -> None:
        """Switch a fault on."""

    def disarm(self, name: FaultName) -> None:
        """Switch a fault off."""


class FaultWords:
    """`fault` and `faults` for one rig."""

    def __init__(self, rig: Switches, names: Sequence[FaultName], piece: str) -> None:
        """`piece` is what N counts at this device: packets, or cards."""
        self._rig: Final = rig
        self._names: Final = names
        self._piece: Final = piece
        self._usage: Final = f"fault NAME on [PERCENT] | off | next | {piece} N"

    def words(self) -> tuple[Word, Word]:
        """Return the two words."""
        return (
            Word("fault", self._usage, "switch a named misbehaviour; `fault NAME` alone describes it", self.fault),
            Word("faults", "faults", "which misbehaviours are switched on", self.faults),
        )

    def fault(self, rest: Sequence[str]) -> str:
        """Describe a fault, or switch it."""
        if not rest:
            raise WordError(f"{self._usage}; the names are {', '.join(self._names)}")
        name = self._name(rest[0])
        if len(rest) == 1:
            sheet = FAULTS[name]
            return f"{name} ({sheet.where.value}; strikes when: {sheet.strikes}): {sheet.seen}"
        if list(rest[1:]) == ["off"]:
            self._rig.disarm(name)
        else:
            self._rig.arm(name, self._arming(rest[1:]))
        return self.faults(())

    def faults(self, rest: Sequence[str]) -> str:
        """Return the faults that are on."""
        nothing_follows("faults", rest)
        armed = self._rig.faults.armed
        return " ".join(f"{name}={self._text(arming)}" for name, arming in armed.items()) or "none"

    def _name(self, text: str) -> FaultName:
        if text not in self._names:
            hint = did_you_mean(text, list(self._names))
            raise WordError(f"{text!r} is not a fault{hint}; the names are {', '.join(self._names)}")
        return FaultName(text)

    def _arming(self, words: Sequence[str]) -> Arming:
        match list(words):
            case ["on"]:
                return Always()
            case ["on", percent] if percent.isdecimal() and 1 <= int(percent) <= 100:
                return Always(int(percent))
            case ["next"]:
                return NextTime()
            case [piece, number] if piece == self._piece and number.isdecimal() and 1 <= int(number) <= 999:
                return OnPacket(int(number))
            case _:
                raise WordError(f"{self._usage}; PERCENT of the frames (1 to 100, else {LINE_PERCENT}), N from 1")

    def _text(self, arming: Arming) -> str:
        match arming:
            case Always(percent):
                return f"on:{percent}"
            case NextTime():
                return "next"
            case OnPacket(position):
                return f"{self._piece}:{position}"
            case _:
                assert_never(arming)


def plain(name: str, meaning: str, act: Callable[[], str]) -> Word:
    """Return a word that stands alone."""

    def do(rest: Sequence[str]) -> str:
        nothing_follows(name, rest)
        return act()

    return Word(name, name, meaning, do)


class OnALine(Switches, Protocol):
    """The part of a rig that the words for its line use."""

    def press(self, key: str) -> Refused | None:
        """Press a key."""

    def reboot(self) -> None:
        """Fail its power and bring it back."""

    def unplug(self) -> None:
        """Pull its line."""

    def replug(self) -> None:
        """Put it back."""


class RigWords:
    """The words that all devices have, for one rig. `standing` returns what each word answers."""

    def __init__(self, rig: OnALine, standing: Callable[[], str]) -> None:
        self._rig: Final = rig
        self._standing: Final = standing

    def plain(self, name: str, meaning: str, act: Callable[[], Refused | None]) -> Word:
        """Return a word that stands alone."""
        return plain(name, meaning, lambda: self.done(act()))

    def line(self) -> tuple[Word, ...]:
        """Return the words for its plug and its power."""
        return (
            self.plain("unplug", "pull the plug of the line", self._rig.unplug),
            self.plain("replug", "put it back", self._rig.replug),
            self.plain("reboot", "fail the power and bring it back", self._rig.reboot),
        )

    def faults(self, names: Sequence[FaultName], piece: str) -> tuple[Word, ...]:
        """Return the words for the faults that it can have. `piece` is what their N counts."""
        return FaultWords(self._rig, names, piece).words()

    def press(self, meaning: str, keys: Sequence[str]) -> Word:
        """Return the word for its keys. `keys` are those that are printed on it."""
        any_key = "keys are small letters, digits and hyphens"
        known = f"the keys are {', '.join(keys)}; {any_key}" if keys else any_key

        def act(rest: Sequence[str]) -> str:
            if len(rest) != 1 or not KEY.fullmatch(rest[0]):
                raise WordError(f"press KEY; {known}")
            return self.done(self._rig.press(rest[0]))

        return Word("press", "press KEY", meaning, act)

    def done(self, refused: Refused | None) -> str:
        """Return the answer to a word that was done. Raise WordError if the machine refused it."""
        if refused is not None:
            raise WordError(refused.reason)
        return self._standing()
