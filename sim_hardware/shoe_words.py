"""What can be said to an emulated shoe's control interface."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from sim_hardware.fault_words import FaultWords, plain
from sim_hardware.faults import SHOE_FAULTS
from sim_hardware.shoe_rig import ShoeProtocol, ShoeRig
from sim_hardware.shuffler_states import Refused
from sim_hardware.shuffler_words import stacked
from sim_hardware.words import Vocabulary, Word, WordError, nothing_follows

_KEY: Final = re.compile(r"[a-z0-9-]{1,32}")
_DRAWS_MAX: Final = 416


def shoe_vocabulary(rig: ShoeRig) -> Vocabulary:
    """The words for this rig."""
    hands = _Hands(rig)
    return Vocabulary(
        [
            Word("draw", "draw [N]", "draw the next card, or so many; the cut card counts as one", hands.draw),
            hands.plain("back", "push the last card back into the exit", rig.put_back),
            hands.plain("end", "end the deal, as the shoe's own button does", rig.end_deal),
            Word(
                "load", "load [CARDS …]", "put shuffled decks in, or one stacked as written (Ah Kd … ...)", hands.load
            ),
            hands.plain("lock", "turn the key: the shoe has no game on", lambda: rig.turn_lock(is_locked=True)),
            hands.plain("unlock", "turn it back", lambda: rig.turn_lock(is_locked=False)),
            Word("setting", "setting on | off", "go into the setting mode, or leave it", hands.setting),
            hands.plain("cancel", "the error is put right", rig.cancel_error),
            Word("press", "press KEY", "press a key beside the shoe (felt-link only)", hands.press),
            hands.plain("unplug", "pull the plug of the line", rig.unplug),
            hands.plain("replug", "put it back", rig.replug),
            hands.plain("reboot", "fail the power and bring it back", rig.reboot),
            *FaultWords(rig, SHOE_FAULTS, "card").words(),
            Word("status", "status", "what lies where", hands.status),
        ]
    )


class _Hands:
    """Words turned into what a rig can do."""

    def __init__(self, rig: ShoeRig) -> None:
        self._rig: Final = rig

    def plain(self, name: str, meaning: str, act: Callable[[], Refused | None]) -> Word:
        """A word that stands alone."""
        return plain(name, meaning, lambda: self._done(act()))

    def draw(self, rest: Sequence[str]) -> str:
        """One card, or several."""
        text = rest[0] if rest else "1"
        if len(rest) > 1 or not text.isdecimal() or not 1 <= int(text) <= _DRAWS_MAX:
            raise WordError(f"draw [N], with N from 1 to {_DRAWS_MAX}")
        told = ""
        for _ in range(int(text)):
            told = self._done(self._rig.draw())
        return told

    def load(self, rest: Sequence[str]) -> str:
        """Decks in."""
        return self._done(self._rig.load(stacked(rest) if rest else None))

    def setting(self, rest: Sequence[str]) -> str:
        """The mode in which the shoe is set up."""
        if list(rest) not in (["on"], ["off"]):
            raise WordError("setting on | off")
        return self._done(self._rig.set_setting(rest[0] == "on"))

    def press(self, rest: Sequence[str]) -> str:
        """A key beside the shoe."""
        if self._rig.protocol is not ShoeProtocol.FELT_LINK:
            raise WordError(f"no key is on the line of {self._rig.protocol}; felt-link has them")
        if len(rest) != 1 or not _KEY.fullmatch(rest[0]):
            raise WordError("press KEY; keys are small letters, digits and hyphens")
        return self._done(self._rig.press(rest[0]))

    def status(self, rest: Sequence[str]) -> str:
        """Counts, and never a card."""
        nothing_follows("status", rest)
        shoe = self._rig.shoe
        error = "none" if shoe.error is None else shoe.error.value.replace(" ", "-")
        return (
            f"inside={len(shoe.inside)} drawn={len(shoe.drawn)} number={shoe.number} loads={shoe.loads}"
            f" cut={'out' if shoe.is_cut_card_out else 'in'} locked={'yes' if shoe.is_locked else 'no'}"
            f" setting={'on' if shoe.is_setting else 'off'} error={error}"
        )

    def _done(self, refused: Refused | None) -> str:
        if refused is not None:
            raise WordError(refused.reason)
        return f"inside={len(self._rig.shoe.inside)} number={self._rig.shoe.number}"
