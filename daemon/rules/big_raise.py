"""Big Raise Hold'em: two cards and three in common, against a dealer who must give up their lowest.

Bets come in two steps. The Ante and the bonuses are placed before any card (`check_wager`); the Play bet is a
decision on two cards and the dealer's up card, and `play_range` says what it may be (`check_play`). `settle`
then takes the whole deal. Where only the player has seen the two cards, a bet that only a pair may make is
taken on the player's word, and `beyond_range` says what of it was too much once they are shown.

The Ante Bonus is not staked. It is paid on the Ante, so its result has a stake of 0 and pays what the row gives on the
Ante, or 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, assert_never

from daemon.frozen import replace
from daemon.rules import big_raise_limits
from daemon.rules.big_raise_limits import PlayRange, followed_in, most_refused, range_of_play, right_to_play
from daemon.rules.big_raise_pays import (
    ANTE_BONUS,
    FIVE_CARD_BONUSES,
    MAIN,
    TWO_CARD_BONUS,
    FiveCardBonus,
    Published,
    Showdown,
    TwoCards,
    two_cards,
)
from daemon.rules.dealers_discard import DealersChoice, dealers_choice
from daemon.rules.dealt import Dealt, irregularity, named
from daemon.rules.evaluator import CLASS_OF, PokerHand, strength
from daemon.rules.game import GameSpec
from daemon.rules.house import RULING, SCALE, House
from daemon.rules.limits import NO_LIMITS, Limits, check_stake
from daemon.rules.money import IN_JOURNALS, NOTHING, Cents
from daemon.rules.paytable import Paytable, net_exact
from daemon.rules.results import Irregularity, Outcome, RefusalCode, Refused, Settled, Voided, WagerResult, voided
from daemon.rules.scales import POKER
from daemon.rules.settlement import decided_by, outcome_of, settle_wager
from daemon.rules.wagers import GameName, Wager, WagerName
from protocols.cards import Card, Face
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

PLAYER_CARDS: Final = 2
DEALER_CARDS: Final = 3
COMMUNITY_CARDS: Final = 3
POSITIONS_MAX: Final = 23  # (52 - 6) / 2; a layout has fewer, and the table's configuration says how many
BEFORE_CARDS: Final = (WagerName.ANTE, WagerName.TWO_CARD_BONUS, WagerName.FIVE_CARD_BONUS)
SPOTS: Final = (
    WagerName.ANTE,
    WagerName.PLAY,
    WagerName.ANTE_BONUS,
    WagerName.TWO_CARD_BONUS,
    WagerName.FIVE_CARD_BONUS,
)


class Action(Enum):
    """What a player did."""

    FOLD = "fold"
    PLAY = "play"


@dataclass(frozen=True, slots=True, kw_only=True)
class BigRaiseHouse(House):
    """The house's options for Big Raise Hold'em. Without a five-card paytable there is no such side bet.

    `paytable` names the Ante Bonus and the 2 Card Bonus at once. `five_card_bonus_on_fold` says whether that bet stays
    in play when its player folds: only so are the edges true that the paper prints for it. Under an earlier ruling an
    Ante was taken also where the limits refused every Play bet after it: `ante_can_be_followed` is not set then.
    """

    paytable: Published = Published.BRH_40
    ante_bonus_pays: Paytable[PokerHand] = ANTE_BONUS
    two_card_bonus_pays: Paytable[TwoCards] = TWO_CARD_BONUS
    five_card_bonus: FiveCardBonus | None = None
    five_card_bonus_pays: Paytable[PokerHand] | None = field(default=None, metadata={SCALE: POKER})
    five_card_bonus_on_fold: bool = field(default=True, metadata={IN_JOURNALS: False})
    play_in_whole_antes: bool = False
    ante_can_be_followed: bool = field(default=True, metadata={IN_JOURNALS: False, RULING: True})

    @property
    def five_card_paytable(self) -> Paytable[PokerHand] | None:
        """Return the house's own five-card bonus, else the published one that it names, if any."""
        named = None if self.five_card_bonus is None else self.five_card_bonus.value
        published = next((paytable for paytable in FIVE_CARD_BONUSES if paytable.name == named), None)
        return self.five_card_bonus_pays or published


HOUSE: Final = BigRaiseHouse()


@dataclass(frozen=True, slots=True)
class Deal:
    """All the cards that one player's result depends on; the dealer's up card first."""

    player: Sequence[Face]
    dealer: Sequence[Face]
    community: Sequence[Face]


@dataclass(frozen=True, slots=True)
class BigRaiseFindings:
    """What decided: the two hands, the dealer's discard, and the player's two cards."""

    showdown: Showdown
    player_hand: PokerHand
    dealer_hand: PokerHand
    dealer: DealersChoice
    two_cards: TwoCards


def paytable_of(wager: WagerName, house: BigRaiseHouse = HOUSE) -> Paytable[Any] | None:
    """Return the paytable that the house pays a spot by; None when it has no such spot."""
    match wager:
        case WagerName.ANTE | WagerName.PLAY:
            return MAIN
        case WagerName.ANTE_BONUS:
            return house.ante_bonus_pays
        case WagerName.TWO_CARD_BONUS:
            return house.two_card_bonus_pays
        case WagerName.FIVE_CARD_BONUS:
            return house.five_card_paytable
        case _:
            return None


def paytables_of(wager: WagerName, house: BigRaiseHouse = HOUSE) -> tuple[Paytable[Any], ...]:
    """Return the same for the catalogue, in which a spot may have several."""
    paytable = paytable_of(wager, house)
    return () if paytable is None else (paytable,)


def check_wager(
    wager: Wager, placed: Sequence[Wager], house: BigRaiseHouse = HOUSE, limits: Limits = NO_LIMITS
) -> Refused | None:
    """Return why a bet before the cards is not accepted beside the hand's other bets, or None."""
    paytable = paytable_of(wager.name, house)
    if wager.name not in BEFORE_CARDS or paytable is None:
        offered = ", ".join(name.value for name in BEFORE_CARDS if paytable_of(name, house) is not None)
        message = f"{wager.name.value}: before the cards there is {offered}"
        return Refused(RefusalCode.NOT_OFFERED, message, wager.name)
    if wager.colour is not None:
        return Refused(
            RefusalCode.COLOUR_NOT_NAMED_HERE, f"{wager.name.value}: no colour is named in this game", wager.name
        )
    if wager.name is not WagerName.ANTE and not any(bet.name is WagerName.ANTE for bet in placed):
        message = f"{wager.name.value}: the Ante comes first"
        return Refused(RefusalCode.NEEDS_ANOTHER_WAGER, message, wager.name, needs=WagerName.ANTE)
    antes = (MAIN, house.ante_bonus_pays)
    refused = check_stake(wager, placed, antes if wager.name is WagerName.ANTE else (paytable,), house.money, limits)
    if refused is not None or not house.ante_can_be_followed:
        return refused
    return right_to_play(wager, placed, antes, house.money, limits)


def play_range(
    ante: Cents,
    player: Sequence[Card] | None,
    house: BigRaiseHouse = HOUSE,
    limits: Limits = NO_LIMITS,
    beside: Sequence[Wager] = (),
) -> PlayRange:
    """Return what the Play bet may be on these two cards, beside the hand's other bets. None may be a pair."""
    with_pair = player is None or player[0].rank == player[1].rank
    return range_of_play(ante, house, limits, beside, with_pair=with_pair)


def check_play(
    play: Wager,
    player: Sequence[Card] | None,
    placed: Sequence[Wager],
    house: BigRaiseHouse = HOUSE,
    limits: Limits = NO_LIMITS,
) -> Refused | None:
    """Return why the Play bet is not accepted on these two cards beside the bets that are placed, or None.

    The cards are looked at last, and in no sentence: what no hand may bet is refused alike with a pair and without.
    """
    ante = next(bet.stake for bet in placed if bet.name is WagerName.ANTE)
    by_rules = play_range(ante, None, house)
    plain, paired = (range_of_play(ante, house, limits, placed, with_pair=with_pair) for with_pair in (False, True))
    beyond = big_raise_limits.out_of_range(play, ante, plain, paired)
    if play.stake < by_rules.least:
        return replace(beyond, code=RefusalCode.BELOW_LEAST)
    if play.stake > by_rules.most:
        return beyond
    if house.play_in_whole_antes and play.stake % ante:
        return big_raise_limits.out_of_range(play, ante, plain, paired, in_whole_antes=True)
    refused = check_stake(play, placed, (MAIN,), house.money, limits)
    return beyond if refused is None and play.stake > play_range(ante, player, house).most else refused


def beyond_range(
    wagers: Sequence[Wager], player: Sequence[Card], house: BigRaiseHouse = HOUSE, limits: Limits = NO_LIMITS
) -> Cents:
    """Return how much of a Play bet that was taken on the player's word is more than these two cards allow.

    What stands of it is a bet that the limits take. Under the earlier ruling not every Ante leaves such a bet.
    """
    stakes = {bet.name: bet.stake for bet in wagers}
    if WagerName.PLAY not in stakes:
        return NOTHING
    most = play_range(stakes[WagerName.ANTE], player, house).most
    if stakes[WagerName.PLAY] <= most:
        return NOTHING
    if house.ante_can_be_followed:
        before = [bet for bet in wagers if bet.name is not WagerName.PLAY]
        most = play_range(stakes[WagerName.ANTE], player, house, limits, before).most
    return Cents(stakes[WagerName.PLAY] - most)


def check_before_cards(
    wagers: Sequence[Wager], house: BigRaiseHouse = HOUSE, limits: Limits = NO_LIMITS
) -> Refused | None:
    """Return why the bets before the cards are not accepted together, or None. A Play bet is not asked."""
    before = [bet for bet in wagers if bet.name is not WagerName.PLAY]
    for number, bet in enumerate(before):
        refused = check_wager(bet, [*before[:number], *before[number + 1 :]], house, limits)
        if refused is not None:
            return refused
    return None if before else Refused(RefusalCode.NEEDS_ANOTHER_WAGER, "ante: a hand needs one", WagerName.ANTE)


def check_action(
    action: Action,
    wagers: Sequence[Wager],
    player: Sequence[Card] | None,
    house: BigRaiseHouse = HOUSE,
    limits: Limits = NO_LIMITS,
) -> Refused | None:
    """Return why the action, with its Play bet among the wagers, is not allowed on these two cards, or None.

    Cards that only their player has seen are None.
    """
    before = [bet for bet in wagers if bet.name is not WagerName.PLAY]
    plays = [bet for bet in wagers if bet.name is WagerName.PLAY]
    match action:
        case Action.FOLD if plays:
            return big_raise_limits.FOLD_PLAYS_NOTHING
        case Action.FOLD:
            return None
        case Action.PLAY if plays:
            return check_play(plays[0], player, [*before, *plays[1:]], house, limits)
        case Action.PLAY:
            return big_raise_limits.PLAY_NEEDS_STAKE
        case _:
            assert_never(action)


def irregularity_of(deal: Deal) -> Irregularity | None:
    """Return what is wrong with the cards of a deal, if anything."""
    return irregularity(
        Dealt("player", deal.player, PLAYER_CARDS),
        Dealt("dealer", deal.dealer, DEALER_CARDS),
        Dealt("community", deal.community, COMMUNITY_CARDS),
    )


def settle(
    deal: Deal, action: Action, wagers: Sequence[Wager], house: BigRaiseHouse = HOUSE
) -> Settled[BigRaiseFindings] | Voided:
    """Return one player's result. The wagers and the action have passed their checks under the same options."""
    wrong = irregularity_of(deal)
    if wrong is not None:
        return voided(wagers, wrong)
    player, community = named(deal.player), named(deal.community)
    findings = _find(player, named(deal.dealer), community, action)
    hand = (*player, *community)
    spots = [_settle_spot(bet, findings, hand, house) for bet in wagers]
    spots += [_ante_bonus(bet, findings, hand, house) for bet in wagers if bet.name is WagerName.ANTE]
    return Settled(tuple(sorted(spots, key=lambda result: SPOTS.index(result.name))), findings)


def settle_fold(
    player: Sequence[Card] | None, wagers: Sequence[Wager], house: BigRaiseHouse = HOUSE
) -> tuple[WagerResult, ...]:
    """Return what is over with a fold, at the player's turn: all but a five-card bonus that stays in play.

    Cards that nobody turned over are None: the 2 Card Bonus is given up then.
    """
    over = [bet for bet in wagers if not (bet.name is WagerName.FIVE_CARD_BONUS and house.five_card_bonus_on_fold)]
    bonus = next((bet for bet in over if bet.name is WagerName.TWO_CARD_BONUS), None)
    if bonus is None or player is None:
        return settle_unseen_fold(over, house)
    paid = settle_wager(bonus, house.two_card_bonus_pays, two_cards(player), tuple(player), house.money)
    others = settle_unseen_fold([bet for bet in over if bet is not bonus], house)
    return tuple(sorted((paid, *others), key=lambda result: SPOTS.index(result.name)))


def settle_unseen_fold(wagers: Sequence[Wager], house: BigRaiseHouse = HOUSE) -> tuple[WagerResult, ...]:
    """Return the result of a fold on whose cards nothing rides: everything is given up, and no card is looked at."""
    ante = next(bet for bet in wagers if bet.name is WagerName.ANTE)
    others = [_given_up(bet.name, bet.stake) for bet in wagers if bet is not ante]
    results = [
        settle_wager(ante, MAIN, Showdown.FOLDED, (), house.money),
        _given_up(WagerName.ANTE_BONUS, NOTHING),
        *others,
    ]
    return tuple(sorted(results, key=lambda result: SPOTS.index(result.name)))


def _find(
    player: tuple[Card, ...], dealer: tuple[Card, ...], community: tuple[Card, ...], action: Action
) -> BigRaiseFindings:
    choice = dealers_choice(dealer)
    ours, theirs = strength((*player, *community)), strength((*choice.keeps, *community))
    showdown = Showdown.TIE if ours == theirs else Showdown.PLAYER_BEATS if ours > theirs else Showdown.DEALER_BEATS
    return BigRaiseFindings(
        showdown=Showdown.FOLDED if action is Action.FOLD else showdown,
        player_hand=CLASS_OF[ours],
        dealer_hand=CLASS_OF[theirs],
        dealer=choice,
        two_cards=two_cards(player),
    )


def _settle_spot(bet: Wager, findings: BigRaiseFindings, hand: tuple[Card, ...], house: BigRaiseHouse) -> WagerResult:
    match bet.name:
        case WagerName.ANTE | WagerName.PLAY:
            return settle_wager(bet, MAIN, findings.showdown, hand, house.money)
        case WagerName.TWO_CARD_BONUS:
            return settle_wager(bet, house.two_card_bonus_pays, findings.two_cards, hand[:PLAYER_CARDS], house.money)
        case WagerName.FIVE_CARD_BONUS if house.five_card_paytable is not None:
            if findings.showdown is Showdown.FOLDED and not house.five_card_bonus_on_fold:
                return _given_up(bet.name, bet.stake)
            return settle_wager(bet, house.five_card_paytable, findings.player_hand, hand, house.money)
        case _:
            raise ValueError(f"{bet.name.value} is not a wager of this table: check_wager refuses it")


def _ante_bonus(ante: Wager, findings: BigRaiseFindings, hand: tuple[Card, ...], house: BigRaiseHouse) -> WagerResult:
    """Paid on the Ante beside whatever became of it; a fold gives it up.

    Nothing is staked on it. So a row of a house's own that loses takes nothing, as a hand without a row.
    """
    row = house.ante_bonus_pays.row_for(findings.player_hand)
    if findings.showdown is Showdown.FOLDED:
        return _given_up(WagerName.ANTE_BONUS, NOTHING)
    if row is None or net_exact(row.award, ante.stake) < 0:
        by = replace(decided_by(house.ante_bonus_pays, findings.player_hand), row=None)
        return WagerResult(WagerName.ANTE_BONUS, NOTHING, Outcome.LOSE, NOTHING, NOTHING, by, hand)
    net = house.money.round(net_exact(row.award, ante.stake))
    return WagerResult(
        name=WagerName.ANTE_BONUS,
        stake=NOTHING,
        outcome=outcome_of(row.award),
        pays=net.cents,
        returned=net.cents,
        decided_by=decided_by(house.ante_bonus_pays, findings.player_hand),
        cards=hand,
        rounding=net.rounding,
    )


def _given_up(name: WagerName, stake: Cents) -> WagerResult:
    """Lost with the fold, whatever the cards are; no paytable is asked."""
    return WagerResult(name, stake, Outcome.LOSE, Cents(-stake), NOTHING, decided_by=None, cards=())


def cautions(house: BigRaiseHouse, limits: Limits) -> Iterator[str]:
    """Yield what these limits refuse a player although a wager's own limits allow it."""
    refused = most_refused((MAIN, house.ante_bonus_pays), house.money, limits)
    if refused is not None:
        yield refused
    spots = [name.value for name in (*BEFORE_CARDS, WagerName.PLAY) if paytable_of(name, house) is not None]
    for allowed, what in ((limits.wagers_max, "wagers"), (limits.large_wagers_max, "wagers over 5.00")):
        if allowed is not None and allowed < len(spots):
            names = ", ".join(spots)
            yield f"a hand may have {allowed} {what}; of {names} a bonus is refused where it leaves none for play"


def _auditor() -> Auditor[BigRaiseHouse]:
    from daemon.rules.audit.big_raise_edges import AUDITOR

    return AUDITOR


GAME: Final = GameSpec(
    name=GameName.BIG_RAISE,
    title="Big Raise Hold'em",
    spots=SPOTS,
    positions_max=POSITIONS_MAX,
    house=HOUSE,
    paytables_of=paytables_of,
    check_wager=check_wager,
    cautions=cautions,
    followed_in=followed_in,
    auditor=_auditor,
)
