"""The words of an emulated shoe's control interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from sim_hardware.faults import SHOE_FAULTS
from sim_hardware.rig_words import RigWords
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_words import stacked
from sim_hardware.words import Vocabulary, Word, WordError, nothing_follows

_DRAWS_MAX: Final = 416


def shoe_vocabulary(rig: ShoeRig) -> Vocabulary:
    """Return the words for this rig."""
    hands = _Hands(rig)
    return Vocabulary(
        [
            Word("draw", "draw [N]", "draw the next card, or so many; the cut card counts as one", hands.draw),
            hands.plain("back", "push the last card back into the exit", rig.put_back),
            hands.plain("end", "end the deal, as the shoe's own button does", rig.end_deal),
            Word(
                "load", "load [CARDS …]", "put shuffled decks in, or one stacked as written (Ah Kd … ...)", hands.load
            ),
            Word("next", "next CARDS …", "stack the deck that is put in next (Ah Kd … ...)", hands.next_deck),
            hands.plain("lock", "turn the key: the shoe has no game on", lambda: rig.turn_lock(is_locked=True)),
            hands.plain("unlock", "turn it back", lambda: rig.turn_lock(is_locked=False)),
            Word("setting", "setting on | off", "go into the setting mode, or leave it", hands.setting),
            hands.plain("cancel", "the error is put right", rig.cancel_error),
            hands.key(),
            *hands.line(),
            *hands.faults(SHOE_FAULTS, "card"),
            Word("status", "status", "what lies where", hands.status),
        ]
    )


class _Hands(RigWords):
    """Words turned into what a shoe's rig can do."""

    def __init__(self, rig: ShoeRig) -> None:
        super().__init__(rig, lambda: f"inside={len(rig.shoe.inside)} number={rig.shoe.number}")
        self._shoe: Final = rig

    def draw(self, rest: Sequence[str]) -> str:
        """Draw one card, or several."""
        text = rest[0] if rest else "1"
        if len(rest) > 1 or not text.isdecimal() or not 1 <= int(text) <= _DRAWS_MAX:
            raise WordError(f"draw [N], with N from 1 to {_DRAWS_MAX}")
        told = ""
        for _ in range(int(text)):
            told = self.done(self._shoe.draw())
        return told

    def load(self, rest: Sequence[str]) -> str:
        """Put decks in."""
        return self.done(self._shoe.load(stacked(rest) if rest else None))

    def next_deck(self, rest: Sequence[str]) -> str:
        """Stack the deck that hands put in next."""
        if not rest:
            raise WordError("next CARDS …, as Ah Kd …; three points stand for the rest in a random order")
        self._shoe.stack_next(stacked(rest))
        return self._standing()

    def setting(self, rest: Sequence[str]) -> str:
        """Enter or leave the mode in which the shoe is set up."""
        if list(rest) not in (["on"], ["off"]):
            raise WordError("setting on | off")
        return self.done(self._shoe.set_setting(rest[0] == "on"))

    def key(self) -> Word:
        """Return the word for the keys beside it. It refuses if the line has no words for keys."""
        word = self.press("press a key beside the shoe (felt-link only)", ())
        if self._shoe.kind.has_keys:
            return word

        def refuse(rest: Sequence[str]) -> str:
            raise WordError(f"no key is on the line of {self._shoe.kind.protocol}; felt-link has them")

        return replace(word, act=refuse)

    def status(self, rest: Sequence[str]) -> str:
        """Return counts, and never a card."""
        nothing_follows("status", rest)
        shoe = self._shoe.shoe
        error = "none" if shoe.error is None else shoe.error.value.replace(" ", "-")
        return (
            f"inside={len(shoe.inside)} drawn={len(shoe.drawn)} number={shoe.number} loads={shoe.loads}"
            f" cut={'out' if shoe.is_cut_card_out else 'in'} locked={'yes' if shoe.is_locked else 'no'}"
            f" setting={'on' if shoe.is_setting else 'off'} error={error}"
        )
