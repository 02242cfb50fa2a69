"""Blackjack and its side bet at the command line."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

import msgspec

from daemon.rules.audit.auditor import Watch
from daemon.rules.blackjack.assumptions import AS_PRINTED, as_printed, expected
from daemon.rules.blackjack.bets import GAME as RULES
from daemon.rules.blackjack.house import DECKS_MAX, DECKS_MIN, BadBeatOption, BlackjackHouse
from daemon.rules.blackjack.paytables import PAYTABLES
from daemon.rules.blackjack.play import Action
from daemon.rules.blackjack.record import HandRecord, RoundRecord, settle_record
from daemon.rules.blackjack.returns import case_odds
from daemon.rules.blackjack.settle import BlackjackFindings, HandFinding
from daemon.rules.blackjack.strategy import FOR_THE_SIDE_BET
from daemon.rules.results import Settled
from daemon.rules.wagers import Wager, WagerName
from daemon.tools.rules.game import CommandGame
from daemon.tools.rules.lines import JsonLine, Judged, LineError, faces, refused_or_void, texts, within
from daemon.tools.rules.options import read_house
from daemon.tools.rules.printed import Figure, Figures, PrintedFigures

_DECKS_AND_PAYTABLE: Final = re.compile(r"([1-8]) decks?, ([PL][1-5])")
OTHER_KEYS: Final = MappingProxyType({"paytable": "bad_beat_pays"})


class HandText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One final hand: its cards as they came, and what was decided for it."""

    cards: list[str]
    actions: tuple[Action, ...] = ()

    @property
    def record(self) -> HandRecord:
        """Return the same for the rules."""
        return HandRecord(faces(self.cards), self.actions)


class BlackjackLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One player's round. The dealer's up card comes first, and so does the first split hand.

    `option` and `paytable` are the side bet's and may as well be the house's; a line with a stake on the side
    bet has to say both, because no house has a side bet without them and a guess would pay by the wrong one.
    """

    player: list[str]
    dealer: list[str]
    hands: tuple[HandText, ...] = ()
    option: BadBeatOption | None = None
    paytable: str | dict[str, object] | None = None

    @property
    def record(self) -> RoundRecord:
        """Return the round for the rules."""
        return RoundRecord(faces(self.player), faces(self.dealer), tuple(hand.record for hand in self.hands))

    def played_in(self, bets: tuple[Wager, ...]) -> BlackjackHouse:
        """Return the house under which the line is to be judged, else raise LineError."""
        names = {bet.name for bet in bets}
        if WagerName.BAD_BEAT in names:
            self._say_which_side_bet()
        said = {"option": None if self.option is None else self.option.value, "paytable": self.paytable}
        own = within("", lambda: read_house(said, RULES, OTHER_KEYS))
        house = within("house", lambda: read_house(self.house, RULES, OTHER_KEYS))
        if self.option is not None:
            house = replace(house, option=own.option)
        if self.paytable is not None:
            house = replace(house, paytable=own.paytable, bad_beat_pays=own.bad_beat_pays)
        # A line about the side bet alone leaves the other stake out. That it was there is not in doubt.
        return house if WagerName.BLACKJACK in names else replace(house, bad_beat_alone=True)

    def _say_which_side_bet(self) -> None:
        in_house = {OTHER_KEYS.get(key, key) for key, value in self.house.items() if value is not None}
        for name in ("option", "paytable"):
            if getattr(self, name) is None and OTHER_KEYS.get(name, name) not in in_house:
                raise LineError("malformed", f"a stake on bad_beat needs the side bet's {name}", name)


def judge_blackjack(line: BlackjackLine) -> Judged:
    """Judge the bets as placed, then the round as it was written down."""
    bets = line.bets()
    house = line.played_in(bets)
    refused = RULES.check_wagers(bets, house, line.limits_in_force())
    result = refused or settle_record(line.record, bets, house)
    if not isinstance(result, Settled):
        return refused_or_void(result)
    return Judged(result, _decided(result.findings), house)


def _decided(found: BlackjackFindings) -> dict[str, object]:
    return {
        "total": found.hands[0].total.points,
        "dealer_total": found.dealer_total.points,
        "dealer_blackjack": found.dealer_blackjack,
        "result": " + ".join(hand.case.value for hand in found.hands),
        "hands": [_hand(hand) for hand in found.hands],
        "bad_beat": found.bad_beat.value,
    }


def _hand(hand: HandFinding) -> dict[str, object]:
    return {
        "cards": texts(hand.cards),
        "total": hand.total.points,
        "result": hand.case.value,
        "stake": hand.result.stake,
        "pays": hand.result.pays,
        "returned": hand.result.returned,
    }


def _figures(watch: Watch) -> Figures:
    """Return the house edge of the side bet as its document reckons it, by decks and paytable."""
    odds = cache(lambda decks, option: case_odds(as_printed(decks, option), FOR_THE_SIDE_BET))

    def edge(decks: int, option: BadBeatOption, paytable: str) -> Fraction:
        return -expected(odds(decks, option), PAYTABLES[paytable])

    def figure(named: Figure) -> Fraction:
        _, of, _ = named
        if found := _DECKS_AND_PAYTABLE.fullmatch(of):
            return edge(int(found[1]), BadBeatOption.FIRST_SPLIT_HAND, found[2])
        decks = watch.each(range(DECKS_MIN, DECKS_MAX + 1), "both options of the side bet")
        less = [
            edge(each, BadBeatOption.FIRST_TWO_CARDS, paytable) - edge(each, BadBeatOption.FIRST_SPLIT_HAND, paytable)
            for each in decks
            for paytable in PAYTABLES
        ]
        return sum(less, Fraction(0)) / len(less)

    return figure


GAME: Final = CommandGame(BlackjackLine, judge_blackjack, printed=PrintedFigures(_figures, AS_PRINTED))
