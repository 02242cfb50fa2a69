"""The return of Big Raise's best play under the published Ante Bonus. It is stored because counting it takes a minute.

Provenance: `audit_big_raise` over all 1,264,264,092,000 deals, published house (BRH-40). `feltd audit --game
big-raise-holdem` computes it anew, and `make bench` fails when it finds other numbers than these.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from daemon.rules.audit.big_raise import TOTAL
from daemon.rules.evaluator import PokerHand

ANTE_AND_PLAY: Final = Fraction(-80_033_643_136, TOTAL)
"""The mean net of Ante and Play to an Ante of one, without the Ante Bonus."""

PLAYED: Final[Mapping[PokerHand, int]] = MappingProxyType(
    {
        PokerHand.ROYAL_FLUSH: 1_821_600,
        PokerHand.STRAIGHT_FLUSH: 7_808_040,
        PokerHand.FOUR_OF_A_KIND: 255_835_440,
        PokerHand.FULL_HOUSE: 1_391_884_560,
        PokerHand.FLUSH: 1_519_644_960,
        PokerHand.STRAIGHT: 2_367_922_680,
        PokerHand.THREE_OF_A_KIND: 19_313_207_640,
        PokerHand.TWO_PAIR: 41_054_483_880,
        PokerHand.PAIR_OF_ACES: 35_094_200_400,
        PokerHand.PAIR_OF_KINGS: 33_345_464_400,
        PokerHand.PAIR_OF_QUEENS: 31_755_704_400,
        PokerHand.PAIR_OF_JACKS: 30_324_920_400,
        PokerHand.PAIR_OF_TENS: 29_053_112_400,
        PokerHand.PAIR_OF_NINES: 27_869_734_800,
        PokerHand.PAIR_OF_EIGHTS: 24_476_094_000,
        PokerHand.PAIR_OF_SEVENS: 23_037_535_080,
        PokerHand.PAIR_OF_SIXES: 22_421_453_400,
        PokerHand.PAIR_OF_FIVES: 22_077_146_160,
        PokerHand.PAIR_OF_FOURS: 21_409_074_360,
        PokerHand.PAIR_OF_THREES: 21_114_298_080,
        PokerHand.PAIR_OF_TWOS: 20_928_022_920,
        PokerHand.HIGH_CARD: 381_164_533_920,
    }
)
"""Deals that are not folded, by the player's hand."""
