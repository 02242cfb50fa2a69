"""Settlement: a player's finished hands, the dealer's finished hand, and the result of each wager.

The order is that of the table: main wager, insurance, then the side bet. Every split hand is settled by its
own row; the result of the main wager is their sum, and the findings say what became of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from daemon.frozen import replace
from daemon.rules.blackjack.bad_beat import bad_beat_case
from daemon.rules.blackjack.bets import SPOTS
from daemon.rules.blackjack.dealer import dealer_irregularity, found_by_peeking, has_blackjack
from daemon.rules.blackjack.house import HOUSE, BlackjackHouse
from daemon.rules.blackjack.paytables import INSURANCE, BadBeatCase, InsuranceCase, MainCase
from daemon.rules.blackjack.play import Hand, HandState, Play
from daemon.rules.blackjack.totals import Total, total_of
from daemon.rules.dealt import Dealt, irregularity, named
from daemon.rules.money import NO_ROUNDING, Cents
from daemon.rules.results import DecidedBy, Irregularity, Outcome, Settled, Voided, VoidReason, WagerResult, voided
from daemon.rules.settlement import settle_wager
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import Card, Face
from protocols.frozen import dataclass

_PLACES: Final = {name: place for place, name in enumerate(SPOTS)}

UNTOUCHED: Final = frozenset({HandState.DECIDING, HandState.STANDING, HandState.NATURAL, HandState.EVEN_MONEY})
"""Where a hand of two cards can be when the dealer looks for a blackjack: not hit, doubled, split or given up."""


@dataclass(frozen=True, slots=True)
class HandFinding:
    """One of the player's hands: what it is, what became of it, and its part of the main wager, if there is one."""

    cards: tuple[Card, ...]
    total: Total
    case: MainCase
    result: WagerResult


@dataclass(frozen=True, slots=True)
class BlackjackFindings:
    """What the cards are, as far as any of the wagers cares."""

    hands: tuple[HandFinding, ...]
    dealer: tuple[Card, ...]
    dealer_total: Total
    dealer_blackjack: bool
    bad_beat: BadBeatCase


def settle(
    play: Play, dealer: Sequence[Face], wagers: Sequence[Wager], house: BlackjackHouse = HOUSE
) -> Settled[BlackjackFindings] | Voided:
    """Return one player's round. The wagers have passed `check_wager` under the same options."""
    wrong = irregularity_of(play, dealer, house)
    if wrong is not None:
        return voided(wagers, wrong)
    findings = _findings(play, named(dealer), wagers, house)
    by_place = sorted(wagers, key=lambda wager: _PLACES.get(wager.name, len(_PLACES)))
    return Settled(tuple(_settle_one(wager, play, findings, house) for wager in by_place), findings)


def irregularity_of(play: Play, dealer: Sequence[Face], house: BlackjackHouse) -> Irregularity | None:
    """Return what is wrong with the cards of this round, or None when they can be settled."""
    hands = [Dealt(f"hand {at}", hand.cards, len(hand.cards)) for at, hand in enumerate(play.hands, start=1)]
    return irregularity(*hands, Dealt("dealer", dealer, len(dealer)), decks=house.decks) or _misplayed(
        play, named(dealer), house
    )


def _misplayed(play: Play, dealer: tuple[Card, ...], house: BlackjackHouse) -> Irregularity | None:
    if dealer and dealer[0] is not play.up:
        return Irregularity(VoidReason.IMPOSSIBLE_PLAY, "dealer: the first card is not the one the player saw")
    if found_by_peeking(dealer, house):
        if play.was_split or len(play.hands[0].cards) > 2 or play.hands[0].state not in UNTOUCHED:
            return Irregularity(VoidReason.HAND_PLAYED_ON, "player: acted after the dealer's blackjack was found")
    elif play.turn is not None:
        return Irregularity(VoidReason.HAND_UNFINISHED, f"hand {play.turn + 1}: a decision or a card is missing")
    return dealer_irregularity(dealer, play.contested, house)


def _findings(
    play: Play, dealer: tuple[Card, ...], wagers: Sequence[Wager], house: BlackjackHouse
) -> BlackjackFindings:
    stake = sum(wager.stake for wager in wagers if wager.name is WagerName.BLACKJACK)
    cases = main_cases(play, dealer, house)
    return BlackjackFindings(
        hands=tuple(
            HandFinding(hand.cards, hand.total, case, _settle_hand(hand, case, dealer, Cents(stake), house))
            for hand, case in zip(play.hands, cases, strict=True)
        ),
        dealer=dealer,
        dealer_total=total_of(dealer),
        dealer_blackjack=has_blackjack(dealer),
        bad_beat=bad_beat_case(play, dealer, house),
    )


def _settle_one(wager: Wager, play: Play, findings: BlackjackFindings, house: BlackjackHouse) -> WagerResult:
    dealer = findings.dealer
    match wager.name:
        case WagerName.BLACKJACK:
            return _sum(findings, play)
        case WagerName.INSURANCE:
            seen = InsuranceCase.BLACKJACK if findings.dealer_blackjack else InsuranceCase.NO_BLACKJACK
            return settle_wager(wager, INSURANCE, seen, dealer[:2], house.money)
        case WagerName.BAD_BEAT:
            cards = play.hands[0].cards + dealer
            return settle_wager(wager, house.bad_beat_paytable, findings.bad_beat, cards, house.money)
        case _:
            raise ValueError(f"{wager.name.value} is not a wager of blackjack: check_wager refuses it")


def _settle_hand(
    hand: Hand, case: MainCase, dealer: tuple[Card, ...], stake: Cents, house: BlackjackHouse
) -> WagerResult:
    wager = Wager(WagerName.BLACKJACK, Cents(stake * hand.stakes))
    return settle_wager(wager, house.main_pays, case, hand.cards + dealer, house.money)


def _sum(findings: BlackjackFindings, play: Play) -> WagerResult:
    """Return the main wager as one result: all that lay on its hands, and all that they come to."""
    results = tuple(hand.result for hand in findings.hands)
    if len(results) == 1:
        return results[0]
    stake, pays = sum(hand.stake for hand in results), sum(hand.pays for hand in results)
    return WagerResult(
        name=results[0].name,
        stake=Cents(stake),
        outcome=_outcome_of(results, pays),
        pays=Cents(pays),
        returned=Cents(stake + pays),
        decided_by=_decided_by(results),
        cards=tuple(card for hand in play.hands for card in hand.cards) + findings.dealer,
        rounding=sum((hand.rounding for hand in results), NO_ROUNDING),
    )


def _outcome_of(hands: tuple[WagerResult, ...], pays: int) -> Outcome:
    """Return what several hands come to together: theirs where they agree, else by the money."""
    outcomes = {hand.outcome for hand in hands}
    if len(outcomes) == 1:
        return outcomes.pop()
    if pays < 0:
        return Outcome.PARTIAL  # they differ, so not all of it is lost
    return Outcome.WIN if pays else Outcome.PUSH


def _decided_by(hands: tuple[WagerResult, ...]) -> DecidedBy:
    """Return what decided: all hands are paid by one paytable, and its rows are named in the order of the hands."""
    deciders = [hand.decided_by for hand in hands if hand.decided_by is not None]
    return replace(deciders[0], row=" + ".join(str(decider.row) for decider in deciders))


def main_cases(play: Play, dealer: tuple[Card, ...], house: BlackjackHouse) -> Iterator[MainCase]:
    """Yield what became of each hand of the main game, in their order."""
    if has_blackjack(dealer):
        yield from _against_blackjack(play.hands, house)
        return
    total = total_of(dealer)
    for hand in play.hands:
        yield _against(hand, total)


def _against(hand: Hand, dealer: Total) -> MainCase:
    match hand.state:
        case HandState.NATURAL:
            return MainCase.NATURAL
        case HandState.EVEN_MONEY:
            return MainCase.EVEN_MONEY
        case HandState.SURRENDERED:
            return MainCase.SURRENDER
        case HandState.BUST:
            return MainCase.LOSE
        case _ if dealer.is_bust or hand.total.points > dealer.points:
            return MainCase.WIN
        case _:
            return MainCase.PUSH if hand.total.points == dealer.points else MainCase.LOSE


def _against_blackjack(hands: tuple[Hand, ...], house: BlackjackHouse) -> Iterator[MainCase]:
    """Late surrender is worth nothing here: it is late because the dealer's blackjack comes first.

    Where the dealer blackjack takes the original stake only, it takes it from the first hand that still
    stands, unless a hand that went bust has cost it already.
    """
    original_gone = any(hand.state is HandState.BUST for hand in hands)
    for hand in hands:
        if hand.state is HandState.NATURAL:
            yield MainCase.PUSH
        elif hand.state is HandState.EVEN_MONEY:
            yield MainCase.EVEN_MONEY
        elif not house.spares or hand.state is HandState.BUST:
            yield MainCase.LOSE
        else:
            yield _spared(hand, original_gone)
            original_gone = True


def _spared(hand: Hand, original_gone: bool) -> MainCase:
    if original_gone:
        return MainCase.STAKE_SPARED
    return MainCase.DOUBLE_SPARED if hand.doubled else MainCase.LOSE
