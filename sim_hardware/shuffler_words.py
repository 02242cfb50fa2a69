"""The words of an emulated shuffler's control interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sim_hardware.deck import Deck, parse_script
from sim_hardware.faults import SHUFFLER_FAULTS
from sim_hardware.rig_words import RigWords
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.words import Vocabulary, Word, WordError, nothing_follows

KEYS: Final = ("green", "next", "void", "count", "supervisor")
"""What is printed on this model's keys. Any other name can be pressed too, as on a pad of keys."""


def shuffler_vocabulary(rig: ShufflerRig) -> Vocabulary:
    """Return the words for this rig."""
    hands = _Hands(rig)
    return Vocabulary(
        [
            hands.press(f"press a key: {', '.join(KEYS)}, or another name", KEYS),
            hands.plain("take", "take the packet out of the tray", rig.take_packet),
            Word("load", "load [CARDS …]", "put the next deck in, or one stacked as written (Ah Kd … ...)", hands.load),
            Word("next", "next CARDS …", "stack the deck that is put in next (Ah Kd … ...)", hands.next_deck),
            hands.plain("open", "open the door", rig.open_door),
            hands.plain("close", "close the door", rig.close_door),
            hands.plain("clear", "free what is jammed", rig.clear_jam),
            *hands.line(),
            *hands.faults(SHUFFLER_FAULTS, "packet"),
            Word("status", "status", "what the machine is doing", hands.status),
        ]
    )


class _Hands(RigWords):
    """Words turned into what a shuffler's rig can do."""

    def __init__(self, rig: ShufflerRig) -> None:
        super().__init__(rig, lambda: f"state={rig.machine.state.name.lower()}")
        self._shuffler: Final = rig

    def load(self, rest: Sequence[str]) -> str:
        return self.done(self._shuffler.load(stacked(rest) if rest else None))

    def next_deck(self, rest: Sequence[str]) -> str:
        """Stack the deck that hands put in next."""
        if not rest:
            raise WordError("next CARDS …, as Ah Kd …; three points stand for the rest in a random order")
        self._shuffler.stack_next(stacked(rest))
        return self._standing()

    def status(self, rest: Sequence[str]) -> str:
        nothing_follows("status", rest)
        machine, end = self._shuffler.machine, self._shuffler.end
        places = machine.places
        counts = {"rack": places.rack, "tray": places.tray, "taken": places.taken, "ejected": places.ejected}
        return (
            f"state={machine.state.name.lower()} mode={machine.mode.cards} packets={machine.packets_given} "
            + " ".join(f"{name}={len(pieces)}" for name, pieces in counts.items())
            + f" locked={_yes(machine.is_locked)} door={'open' if machine.is_door_open else 'closed'}"
            + f" lamp={'on' if machine.is_lit else 'off'} boot={end.boot or '-'} unacknowledged={end.unacknowledged}"
        )


def _yes(condition: bool) -> str:
    return "yes" if condition else "no"


def stacked(words: Sequence[str]) -> Deck:
    """Return one stacked deck, as a technician types it."""
    try:
        (deck,) = parse_script(" ".join(words))
    except ValueError as error:
        raise WordError(str(error)) from None
    return deck
