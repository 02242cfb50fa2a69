"""The words by which faults are switched, the same for every emulated device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, assert_never

from sim_hardware.faults import FAULTS, LINE_PERCENT, Always, Arming, FaultBoard, FaultName, NextTime, OnPacket
from sim_hardware.words import Word, WordError, did_you_mean, nothing_follows


class Switches(Protocol):
    """A rig, as far as its faults go."""

    @property
    def faults(self) -> FaultBoard:
        """What is switched on."""

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
        """The two words."""
        return (
            Word("fault", self._usage, "switch a named misbehaviour; `fault NAME` alone describes it", self.fault),
            Word("faults", "faults", "which misbehaviours are switched on", self.faults),
        )

    def fault(self, rest: Sequence[str]) -> str:
        """Describe one, or switch it."""
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
        """Those that are on."""
        nothing_follows("faults", rest)
        armed = self._rig.faults.armed
        return " ".join(f"{name}={self._text(arming)}" for name, arming in armed.items()) or "none"

    def _name(self, text: str) -> FaultName:
        if text not in self._names:
            hint = did_you_mean(text, list(self._names))
            raise WordError(f"{text!r} is no fault{hint}; the names are {', '.join(self._names)}")
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
    """A word that stands alone."""

    def do(rest: Sequence[str]) -> str:
        nothing_follows(name, rest)
        return act()

    return Word(name, name, meaning, do)
