"""Bad Beat Blackjack, step by step: what the round needs next, from what it holds.

Theory of operation. `continue_round` is asked after every card and every decision. It looks only at what lies on the
felt and what was settled, so it is also how a round goes on after it stood still, or after a restart:

    first cards -> side bets that cannot win are taken -> insurance, if the dealer shows an ace -> the dealer peeks
    -> naturals are paid -> players decide, each hand to its end -> the dealer shows, and draws by the house's rule
    -> the rest is settled; where all have naturals, the dealer shows before they are paid

A dealer blackjack that is found by peeking leads from there to the last step. A card goes where the rules made one due
(`BlackjackRound.due`); where none is due it is out of turn. Who has what in hand is public, but for the dealer's second
card: until it is shown, nothing that is said depends on it but whether the dealer has a blackjack, and that only after
the peek.
"""

from __future__ import annotations

from collections.abc import Sequence

from daemon.frozen import replace
from daemon.rules.blackjack.bets import insurance_refusal
from daemon.rules.blackjack.totals import total_of
from daemon.rules.wagers import WagerName
from daemon.table import drawing, lifecycle, reconciling
from daemon.table.blackjack import settlement
from daemon.table.blackjack.facts import DealerCardsShown, DealerPeeked
from daemon.table.blackjack.house import house
from daemon.table.blackjack.state import BlackjackRound, Due, SeatPlay, deal_of, own_of
from daemon.table.blackjack.wording import choices, which_hand
from daemon.table.draft import Draft, Refusal
from daemon.table.round_facts import CardDealt, PromptStep
from daemon.table.said import Said, SaidId
from daemon.table.settings import Reconciling
from daemon.table.state import Phase, Round
from daemon.table.vocabulary import DEALER, Evidence, SeatNumber
from drivers.events import DeviceReport
from protocols.cards import Card


def begin(draft: Draft) -> None:
    """Have the first cards dealt, when no more bets are taken."""
    draft.round = replace(draft.round, own=BlackjackRound(tuple(SeatPlay(seat) for seat in draft.round.players)))
    continue_round(draft)


def card_drawn(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Put a card that left the shoe where one is due."""
    due = deal_of(draft.round).due(house(draft))
    if due is None:
        return drawing.out_of_turn(draft, report)
    card = drawing.take_card(draft, report, due.seat)
    if card is not None:
        put(draft, due, card, Evidence.SEEN_BY_DEVICE)
        continue_round(draft)
    return None


def put(draft: Draft, due: Due, card: Card, evidence: Evidence) -> None:
    """Lay a card where it is due, and say so."""
    deal = deal_of(draft.round).with_card(due, card, house(draft))
    if evidence is Evidence.ENTERED_BY_PERSON:
        deal = replace(deal, entered=(*deal.entered, due.seat))
    draft.round = replace(draft.round, own=deal)
    position = len(deal.hands_of(due.seat)[due.hand - 1])
    hidden = due.seat == DEALER and position > 1 and not deal.is_dealer_shown
    draft.say(CardDealt(due.seat, due.hand, position, None if hidden else card, evidence))


def continue_round(draft: Draft) -> None:
    """Do whatever the round needs next."""
    deal = own_of(draft.round)
    if deal is None:
        draft.move_to(Phase.BETTING)
    elif draft.round.showing is not None:
        reconciling.resume(draft)
    elif not deal.is_dealt:
        draft.move_to(Phase.DEALING)
        place = deal.due(house(draft))
        assert place is not None
        is_hidden = place.seat == DEALER and bool(deal.dealer)
        draft.prompt(Said(SaidId.DRAW_FACE_DOWN if is_hidden else SaidId.DRAW_CARD_FOR, place.seat), seat=place.seat)
    else:
        _after_first_cards(draft, settlement.take_what_is_lost(draft))


def _after_first_cards(draft: Draft, taken: tuple[PromptStep, ...]) -> None:
    deal = deal_of(draft.round)
    if not deal.is_insurance_closed and _is_insurance_offered(draft, deal):
        draft.move_to(Phase.INSURING)
        _ask(draft, taken, Said(SaidId.INSURANCE))
        return
    was_peeked = deal.is_peeked
    taken += _peek(draft)
    deal = deal_of(draft.round)
    looked = (Said(SaidId.NO_DEALER_21),) if deal.is_peeked and not (was_peeked or deal.has_blackjack) else ()
    paid = draft.round.reconciled
    naturals = [player for player in deal.seats if player.is_natural and player.seat not in paid]
    is_over = deal.is_dealer_shown or (deal.is_peeked and deal.has_blackjack)
    if is_over or (deal.is_blackjack_excluded and len(naturals) == len(deal.seats)):
        _finish(draft, taken, *looked)
    elif deal.is_blackjack_excluded and naturals:
        settlement.place_hands(draft, naturals)
        _reconcile(draft, taken, *looked)
    else:
        _ask_players(draft, taken, looked)


def _is_insurance_offered(draft: Draft, deal: BlackjackRound) -> bool:
    someone_can = any(stake.wager is WagerName.BLACKJACK for stake in draft.round.stakes)
    return someone_can and insurance_refusal(deal.dealer[0], house(draft)) is None


def _peek(draft: Draft) -> tuple[PromptStep, ...]:
    """Have the dealer look once under an ace or a ten, where the house peeks. Without a blackjack take insurance."""
    deal = deal_of(draft.round)
    if deal.is_peeked or not (house(draft).peek and deal.may_hide_blackjack):
        return ()
    draft.round = replace(draft.round, own=replace(deal, is_peeked=True))
    draft.say(DealerPeeked(deal.has_blackjack))
    return () if deal.has_blackjack else settlement.take_insurance(draft)


def _ask_players(draft: Draft, taken: tuple[PromptStep, ...], looked: tuple[Said, ...]) -> None:
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), is_deciding=True))
    player = deal_of(draft.round).to_act
    if player is None:
        _finish(draft, taken, *looked)
        return
    draft.move_to(Phase.DECIDING)
    assert player.play is not None
    seat, (hand, hands) = player.seat, which_hand(player)
    if player.play.card_due:
        said = Said(SaidId.DRAW_CARD_FOR, seat, hand=hand, hands=hands)
    else:
        said = Said(SaidId.CHOOSE, seat, hand=hand, hands=hands, names=choices(player.play, house(draft)))
    _ask(draft, taken, *looked, said, seat=seat)


def _finish(draft: Draft, taken: tuple[PromptStep, ...], *looked: Said) -> None:
    """Show the dealer's cards after all have decided, draw by the house's rule, and settle everything that is left.

    Where all players have naturals nobody decides: the dealer shows before they are paid, or nobody would be told to.
    """
    turned = (*looked, *_show(draft))
    deal = deal_of(draft.round)
    if deal.dealer_draws(house(draft)):
        draft.move_to(Phase.DEALER_DRAWING)
        total = total_of(deal.dealer)
        # Hard and soft are told apart: said alike, the next card would be asked for in silence.
        said = Said(SaidId.DEALER_DRAWS_SOFT if total.soft else SaidId.DEALER_DRAWS, count=total.points)
        _ask(draft, taken, *turned, said, seat=DEALER)
        return
    left = [player for player in deal.seats if player.seat not in draft.round.reconciled]
    settlement.place_hands(draft, left)
    _reconcile(draft, taken, *(turned if left else ()))


def _show(draft: Draft) -> tuple[Said, ...]:
    """Show the dealer's cards once. Return what the dealer is told to do for it."""
    deal = deal_of(draft.round)
    if deal.is_dealer_shown:
        return ()
    draft.round = replace(draft.round, own=replace(deal, is_dealer_shown=True))
    draft.say(DealerCardsShown(deal.dealer, total_of(deal.dealer).points, deal.has_blackjack))
    return (Said(SaidId.TURN_SECOND_CARD),)


def seats_to_reconcile(played: Round) -> Sequence[SeatNumber]:
    """Return the seats from the dealer's right. Naturals that are paid early are reconciled by themselves."""
    return tuple(hand.seat for hand in reversed(played.hands))


def reconciled(draft: Draft) -> None:
    """Go on when the seats that lay open are done: to the players, or to the end."""
    if deal_of(draft.round).is_dealer_shown:
        lifecycle.settle(draft)
    else:
        continue_round(draft)


def evidence_lost(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Interrupt the round if cards are still to come: while naturals are paid, but not once the dealer has shown."""
    if deal_of(draft.round).is_dealer_shown:
        return drawing.evidence_lost(draft, report)
    return drawing.evidence_lost_in_deal(draft, report)


def _ask(draft: Draft, taken: tuple[PromptStep, ...], *said: Said, seat: SeatNumber | None = None) -> None:
    draft.prompt(*_at_seats(taken), *said, steps=taken, seat=seat)


def _reconcile(draft: Draft, taken: tuple[PromptStep, ...], *before: Said) -> None:
    """Open the first seat. What is to be taken and done before stands in front of what is to be done there."""
    in_steps, first = draft.state.settings.reconciling is Reconciling.STEP, (*_at_seats(taken), *before)
    if first and not in_steps:
        draft.prompt(*first, steps=taken)
    reconciling.begin(draft)
    if first and in_steps:
        told = draft.state.prompted
        draft.prompt(*first, *told.said, steps=(*taken, *told.steps), seat=draft.round.showing)


def _at_seats(taken: tuple[PromptStep, ...]) -> tuple[Said, ...]:
    return tuple(Said(SaidId.DO_AT_SEAT, step.seat, steps=1) for step in taken)
