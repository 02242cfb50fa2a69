"""What can be said to an emulated pad's control interface."""

from __future__ import annotations

from collections.abc import Sequence

from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.faults import BUTTONS_FAULTS
from sim_hardware.rig_words import RigWords
from sim_hardware.words import Vocabulary, Word, nothing_follows


def buttons_vocabulary(rig: ButtonsRig) -> Vocabulary:
    """The words for this rig."""

    def standing() -> str:
        return f"presses={rig.pad.presses} unacknowledged={rig.end.unacknowledged}"

    def status(rest: Sequence[str]) -> str:
        nothing_follows("status", rest)
        return f"{standing()} boot={rig.end.boot or '-'} keys={','.join(rig.settings.keys)}"

    hands = RigWords(rig, standing)
    return Vocabulary(
        [
            hands.press("press a key", rig.settings.keys),
            *hands.line(),
            *hands.faults(BUTTONS_FAULTS, "press"),
            Word("status", "status", "what was pressed, and what the host has of it", status),
        ]
    )
