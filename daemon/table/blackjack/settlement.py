"""Bad Beat Blackjack: from the rules' results to the table's facts, and what is taken before the rest is settled.

Every wager, and of a stake on several hands every part, is said once: what was taken early is not said again at the
end, so what is said adds up to the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from daemon.frozen import replace
from daemon.rules.blackjack import bets
from daemon.rules.blackjack.bad_beat import taken_for
from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.paytables import INSURANCE, BadBeatCase, InsuranceCase, MainCase
from daemon.rules.blackjack.play import HandState, Play
from daemon.rules.blackjack.settle import BlackjackFindings, settle
from daemon.rules.money import Cents
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.rules.settlement import settle_wager
from daemon.rules.wagers import Wager, WagerName
from daemon.table import lifecycle
from daemon.table.blackjack.house import house, house_of
from daemon.table.blackjack.state import SeatPlay, deal_of, played_hands, stakes_on
from daemon.table.draft import Draft
from daemon.table.round_facts import HandSettled, PromptStep, SeatStake, SettledWager, WagerTaken
from daemon.table.stakes import as_wager, limits_left, said_wager, within_aggregates
from daemon.table.state import Hand, Round, TableState
from daemon.table.vocabulary import DEALER, Evidence, PromptAction, SeatNumber


def base_stake(played: Round, player: SeatPlay) -> int:
    """Return the stake that lay on the hand before it was doubled or split; 0 where there is only a side bet."""
    lies = sum(stake.stake_cents for stake in played.stakes_of(player.seat) if stake.wager is WagerName.BLACKJACK)
    return lies // stakes_on(player.play.hands) if player.play is not None else lies


def least_on_spot(played: Round, stake: SeatStake) -> int:
    """Return what lies on the spot at the least: chips of a double or a split are laid there or beside it."""
    player = deal_of(played).at(stake.seat)
    return stake.stake_cents if player is None or stake.wager is not WagerName.BLACKJACK else base_stake(played, player)


def place_hands(draft: Draft, players: Sequence[SeatPlay]) -> None:
    """Lay the hands of these players where reconciling looks for them.

    A result rests on the dealer's cards as well, so it is a person's word if a card of either was one.
    """
    deal = deal_of(draft.round)
    for player in players:
        person = player.seat in deal.entered or DEALER in deal.entered
        evidence = Evidence.ENTERED_BY_PERSON if person else Evidence.SEEN_BY_DEVICE
        position = deal.places.index(player.seat) + 1
        hand = Hand(player.seat, position, None, player.hands[0], evidence, delivered=True)
        draft.round = replace(draft.round, hands=draft.round.with_hand(hand))


def settle_hands(state: TableState, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
    """Settle these players' hands against the dealer's. They share what one deal may pay."""
    assert state.round is not None
    options, played = house_of(state.settings), state.round
    results = [(hand, _settle(hand.seat, played, options)) for hand in hands]
    shared = within_aggregates(
        [tuple(_parts(result)) for _, result in results],
        limits_left(played, lambda wager: bets.paytables_of(wager, options)),
        lambda wager: next(iter(bets.paytables_of(wager, options)), None),
        options.money.chip,
    )
    return tuple(_said(hand, played, result, parts) for (hand, result), parts in zip(results, shared, strict=True))


def _settle(seat: SeatNumber, played: Round, options: BlackjackHouse) -> Settled[BlackjackFindings] | Voided:
    deal = deal_of(played)
    player = deal.at(seat)
    assert player is not None
    assert player.play is not None
    return settle(player.play, deal.dealer, list(_wagers(played, player)), options)


def _wagers(played: Round, player: SeatPlay) -> Iterator[Wager]:
    """Yield the wagers. The rules are told the stake of one hand, and know how many of it there are."""
    for stake in played.stakes_of(player.seat):
        wager = as_wager(stake)
        is_main = stake.wager is WagerName.BLACKJACK
        yield replace(wager, stake=Cents(base_stake(played, player))) if is_main else wager


def _parts(result: Settled[BlackjackFindings] | Voided) -> Iterator[WagerResult]:
    """Yield the results wager by wager, and the main wager's hand by hand."""
    for wager in result.wagers:
        if wager.name is WagerName.BLACKJACK and isinstance(result, Settled):
            yield from (hand.result for hand in result.findings.hands)
        else:
            yield wager


def _said(
    hand: Hand, played: Round, result: Settled[BlackjackFindings] | Voided, parts: Sequence[WagerResult]
) -> HandSettled:
    player = deal_of(played).at(hand.seat)
    assert player is not None
    assert player.play is not None
    before = {(said.wager.wager, said.wager.hand) for said in played.said if said.seat == hand.seat}
    said = tuple(part for part in _numbered(parts, player.play) if (part.wager, part.hand) not in before)
    hands = played_hands(player)
    case = result.findings.hands[0].case.value if isinstance(result, Settled) else None
    return HandSettled(hand.seat, hands[0].cards, hand.evidence, case, hands[0].total, said, hands)


def _numbered(parts: Sequence[WagerResult], play: Play) -> Iterator[SettledWager]:
    """Yield the steps. They say which hand a part of the main wager lies on, where there is more than one."""
    number = 0
    for part in parts:
        is_main = part.name is WagerName.BLACKJACK
        number += is_main
        yield replace(said_wager(part), hand=number if is_main and play.was_split else None)


def take_what_is_lost(draft: Draft) -> tuple[PromptStep, ...]:
    """Take at once the wagers that can no longer win: side bets by the paytable's steps, hands gone bust."""
    players = deal_of(draft.round).seats
    return tuple(step for player in players if player.play for step in _take_from(draft, player, player.play))


def _take_from(draft: Draft, player: SeatPlay, play: Play) -> Iterator[PromptStep]:
    options = house(draft)
    why = taken_for(play, options.option)
    if why is not None:
        lost = _side_bet(draft.round, player.seat, options)
        yield from _take(draft, player.seat, lost, why.value)
    for number, hand in enumerate(play.hands, start=1):
        stake = base_stake(draft.round, player) * hand.stakes
        if hand.state is HandState.BUST and stake:
            wager = Wager(WagerName.BLACKJACK, Cents(stake))
            result = settle_wager(wager, options.main_pays, MainCase.LOSE, hand.cards, options.money)
            yield from _take(draft, player.seat, result, "bust", number if play.was_split else None)


def take_insurance(draft: Draft) -> tuple[PromptStep, ...]:
    """Take all insurance: the dealer has no blackjack."""
    return tuple(
        step
        for stake in draft.round.stakes
        if stake.wager is WagerName.INSURANCE
        for step in _take(
            draft,
            stake.seat,
            settle_wager(as_wager(stake), INSURANCE, InsuranceCase.NO_BLACKJACK, (), house(draft).money),
            InsuranceCase.NO_BLACKJACK.value,
        )
    )


def _side_bet(played: Round, seat: SeatNumber, options: BlackjackHouse) -> WagerResult | None:
    bet = next((stake for stake in played.stakes_of(seat) if stake.wager is WagerName.BAD_BEAT), None)
    if bet is None:
        return None
    return settle_wager(as_wager(bet), options.bad_beat_paytable, BadBeatCase.NO_ROW, (), options.money)


def _take(
    draft: Draft, seat: SeatNumber, lost: WagerResult | None, why: str, hand: int | None = None
) -> Iterator[PromptStep]:
    """Say it and book it, unless that was done before. A house's own paytable may pay what others take."""
    before = {(said.seat, said.wager.wager, said.wager.hand) for said in draft.round.said}
    if lost is None or lost.returned or (seat, lost.name, hand) in before:
        return
    wager = replace(said_wager(lost), hand=hand)
    draft.say(WagerTaken(seat, wager, why))
    lifecycle.book(draft, seat, (wager,))
    yield PromptStep(wager.wager, PromptAction.TAKE, wager.stake_cents, seat, hand)
