"""Bad Beat Blackjack's line: how somebody writes a round down, how the house's options are spelled, the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

import msgspec

from daemon.rules.blackjack.bets import GAME
from daemon.rules.blackjack.house import (
    DECKS_MAX,
    DECKS_MIN,
    HANDS_MAX,
    HANDS_MIN,
    HOUSE,
    BadBeatOption,
    BlackjackHouse,
    BlackjackPays,
    DoubleOn,
    Insurance,
    SplitAces,
    UnpeekedTakes,
)
from daemon.rules.blackjack.paytables import PAYTABLES, BadBeatCase
from daemon.rules.blackjack.play import Action
from daemon.rules.blackjack.record import HandRecord, RoundRecord, settle_record
from daemon.rules.blackjack.settle import BlackjackFindings, HandFinding
from daemon.rules.paytable import Paytable
from daemon.rules.results import Settled
from daemon.rules.wagers import Wager, WagerName
from daemon.tools.rules.hands import texts
from daemon.tools.rules.lines import JsonLine, Judged, LineError, faces, refused_or_void, within
from daemon.tools.rules.options import MoneyOptions, OptionError, PaytableText

_PUBLISHED: Final = PAYTABLES["P1"]


class BlackjackOptions(MoneyOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house's options for blackjack; `option` and `paytable` are the side bet's."""

    option: BadBeatOption | None = None
    paytable: str | PaytableText | None = None
    decks: Annotated[int, msgspec.Meta(ge=DECKS_MIN, le=DECKS_MAX)] = HOUSE.decks
    dealer_hits_soft_17: bool = HOUSE.dealer_hits_soft_17
    blackjack_pays: BlackjackPays = HOUSE.blackjack_pays
    peek: bool = HOUSE.peek
    unpeeked_blackjack_takes: UnpeekedTakes = HOUSE.unpeeked_blackjack_takes
    double_on: DoubleOn = HOUSE.double_on
    double_after_split: bool = HOUSE.double_after_split
    hands_max: Annotated[int, msgspec.Meta(ge=HANDS_MIN, le=HANDS_MAX)] = HOUSE.hands_max
    split_aces: SplitAces = HOUSE.split_aces
    late_surrender: bool = HOUSE.late_surrender
    insurance: Insurance = HOUSE.insurance
    bad_beat_alone: bool = HOUSE.bad_beat_alone

    def house(self) -> BlackjackHouse:
        """The house that these options make, else OptionError."""
        return BlackjackHouse(
            money=self.money,
            option=self.option or HOUSE.option,
            bad_beat_pays=HOUSE.bad_beat_pays if self.paytable is None else bad_beat_pays(self.paytable),
            bad_beat_alone=self.bad_beat_alone,
            decks=self.decks,
            dealer_hits_soft_17=self.dealer_hits_soft_17,
            blackjack_pays=self.blackjack_pays,
            peek=self.peek,
            unpeeked_blackjack_takes=self.unpeeked_blackjack_takes,
            double_on=self.double_on,
            double_after_split=self.double_after_split,
            hands_max=self.hands_max,
            split_aces=self.split_aces,
            late_surrender=self.late_surrender,
            insurance=self.insurance,
        )


def bad_beat_pays(text: str | PaytableText) -> Paytable[BadBeatCase]:
    """A published paytable by its name, or the house's own."""
    if isinstance(text, PaytableText):
        return text.like(_PUBLISHED, "paytable")
    if text not in PAYTABLES:
        raise OptionError("paytable", f"{text!r} is not published; {', '.join(PAYTABLES)} are")
    return PAYTABLES[text]


class HandText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One final hand: its cards as they came, and what was decided for it."""

    cards: list[str]
    actions: tuple[Action, ...] = ()

    @property
    def record(self) -> HandRecord:
        """The same for the rules."""
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
    paytable: str | PaytableText | None = None
    house: BlackjackOptions = BlackjackOptions()

    @property
    def record(self) -> RoundRecord:
        """The round for the rules."""
        return RoundRecord(faces(self.player), faces(self.dealer), tuple(hand.record for hand in self.hands))

    def played_in(self, bets: tuple[Wager, ...]) -> BlackjackHouse:
        """The house under which the line is to be judged, else LineError."""
        names = {bet.name for bet in bets}
        if WagerName.BAD_BEAT in names:
            self._say_which_side_bet()
        house = within("house", self.house.house)
        if self.option is not None:
            house = replace(house, option=self.option)
        if self.paytable is not None:
            house = replace(house, bad_beat_pays=_of_the_line(self.paytable))
        # Whoever asks about the side bet alone leaves the other stake out; that it was there is not in doubt.
        return house if WagerName.BLACKJACK in names else replace(house, bad_beat_alone=True)

    def _say_which_side_bet(self) -> None:
        for name in ("option", "paytable"):
            if getattr(self, name) is None and getattr(self.house, name) is None:
                raise LineError("malformed", f"a stake on bad_beat needs the side bet's {name}", name)


def _of_the_line(text: str | PaytableText) -> Paytable[BadBeatCase]:
    try:
        return bad_beat_pays(text)
    except OptionError as error:
        raise LineError("bad-option", str(error), error.where) from error


def judge_blackjack(line: BlackjackLine) -> Judged:
    """The bets as placed, then the round as it was written down."""
    bets, limits = line.bets(), within("limits", line.limits.limits)
    house = line.played_in(bets)
    refused = GAME.check_wagers(bets, house, limits)
    result = refused or settle_record(line.record, bets, house)
    return Judged(result, _decided(result.findings)) if isinstance(result, Settled) else refused_or_void(result)


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
