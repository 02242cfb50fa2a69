"""What can be said to an emulated shuffler's control interface."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from sim_hardware.deck import Deck, parse_script
from sim_hardware.fault_words import FaultWords, plain
from sim_hardware.faults import SHUFFLER_FAULTS
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_states import Refused
from sim_hardware.words import Vocabulary, Word, WordError, nothing_follows

KEYS: Final = ("green", "next", "void", "count", "supervisor")
"""What is printed on this model's keys; any other name can be pressed too, as on a pad of keys."""
_KEY: Final = re.compile(r"[a-z0-9-]{1,32}")


def shuffler_vocabulary(rig: ShufflerRig) -> Vocabulary:
    """The words for this rig."""
    hands = _Hands(rig)
    return Vocabulary(
        [
            Word("press", "press KEY", f"press a key: {', '.join(KEYS)}, or another name", hands.press),
            hands.plain("take", "take the packet out of the tray", rig.take),
            Word("load", "load [CARDS …]", "put the next deck in, or one stacked as written (Ah Kd … ...)", hands.load),
            hands.plain("open", "open the door", rig.open_door),
            hands.plain("close", "close the door", rig.close_door),
            hands.plain("clear", "free what is jammed", rig.clear_jam),
            hands.plain("unplug", "pull the plug of the line", rig.unplug),
            hands.plain("replug", "put it back", rig.replug),
            hands.plain("reboot", "fail the power and bring it back", rig.reboot),
            *FaultWords(rig, SHUFFLER_FAULTS, "packet").words(),
            Word("status", "status", "what the machine is doing", hands.status),
        ]
    )


class _Hands:
    """Words turned into what a rig can do."""

    def __init__(self, rig: ShufflerRig) -> None:
        self._rig: Final = rig

    def plain(self, name: str, meaning: str, act: Callable[[], Refused | None]) -> Word:
        """A word that stands alone."""
        return plain(name, meaning, lambda: self._done(act()))

    def press(self, rest: Sequence[str]) -> str:
        if len(rest) != 1 or not _KEY.fullmatch(rest[0]):
            raise WordError(f"press KEY; the keys are {', '.join(KEYS)}, or small letters, digits and hyphens")
        return self._done(self._rig.press(rest[0]))

    def load(self, rest: Sequence[str]) -> str:
        return self._done(self._rig.load(stacked(rest) if rest else None))

    def status(self, rest: Sequence[str]) -> str:
        nothing_follows("status", rest)
        machine, end = self._rig.machine, self._rig.end
        places = machine.places
        counts = {"rack": places.rack, "tray": places.tray, "taken": places.taken, "ejected": places.ejected}
        return (
            f"state={machine.state.name.lower()} mode={machine.mode.cards} packets={machine.packets_given} "
            + " ".join(f"{name}={len(pieces)}" for name, pieces in counts.items())
            + f" locked={_yes(machine.is_locked)} door={'open' if machine.is_door_open else 'closed'}"
            + f" lamp={'on' if machine.is_lit else 'off'} boot={end.boot or '-'} unacknowledged={end.unacknowledged}"
        )

    def _done(self, refused: Refused | None) -> str:
        if refused is not None:
            raise WordError(refused.reason)
        return f"state={self._rig.machine.state.name.lower()}"


def _yes(condition: bool) -> str:
    return "yes" if condition else "no"


def stacked(words: Sequence[str]) -> Deck:
    """One stacked deck, as somebody types it."""
    try:
        (deck,) = parse_script(" ".join(words))
    except ValueError as error:
        raise WordError(str(error)) from None
    return deck
