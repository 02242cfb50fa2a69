"""A blackjack round that stands still: what a supervisor can say of its cards, and what not.

The supervisor confirms and completes, and corrects nothing. A place is entered with all of its cards as they came:
those that are on record, and behind them any that the procedure and the decisions had made due and that no device could
name. So a card that the shoe could not read gets its name, and one that left unseen its place. Cards that differ from
the record are refused: players have decided by what the table said of them, and no correction undoes that, so such a
round is void. The dealer's two cards are not compared before they are shown, or a guess would find them out.

To go on, the first cards have to lie as they are dealt, and a card that left the shoe when one was due has to lie in
the hand that it was due for.
"""

from __future__ import annotations

from daemon.frozen import replace
from daemon.table import standstill
from daemon.table.blackjack.flow import continue_round, put
from daemon.table.blackjack.house import house
from daemon.table.blackjack.state import FIRST_CARDS, BlackjackRound, Due, deal_of, own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsEntered
from daemon.table.said import Clause, SaidId
from daemon.table.unplaced import account_for, lies_nowhere, put_aside, supervisor_only, too_often
from daemon.table.vocabulary import DEALER, Evidence
from protocols.cards import Card


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter a hand that a supervisor read from the felt, with the cards that no device could name."""
    action = request.action
    assert isinstance(action, EnterCards)
    refusal = supervisor_only(request) or _unusable(draft, action)
    if refusal is not None:
        return refusal
    draft.say(CardsEntered(action.seat, request.who))
    for card in _more(deal_of(draft.round), action):
        account_for(draft, card)
        put(draft, Due(action.seat, action.hand or 1), card, Evidence.ENTERED_BY_PERSON)
    return None


def rule(draft: Draft, request: Request) -> Refusal | None:
    """Do what the supervisor ruled."""
    return standstill.ruling(draft, request, _cannot_go_on, _go_on)


def _more(deal: BlackjackRound, entered: EnterCards) -> tuple[Card, ...]:
    return entered.cards[len(deal.hands_of(entered.seat)[(entered.hand or 1) - 1]) :]


def _unusable(draft: Draft, entered: EnterCards) -> Refusal | None:
    deal, number = own_of(draft.round), entered.hand or 1
    if deal is None or entered.seat not in deal.places or not 1 <= number <= len(deal.hands_of(entered.seat)):
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_NUMBER, entered.seat, count=number))
    if entered.seat == DEALER and deal.is_dealt and not deal.is_dealer_shown:
        return Refusal("not-shown", Clause(SaidId.NOT_SHOWN))
    recorded = deal.hands_of(entered.seat)[number - 1]
    if entered.cards[: len(recorded)] != recorded:
        return Refusal("differs-from-record", Clause(SaidId.DIFFERS_OF_HAND))
    return _not_due(draft, deal, entered) or too_often(draft, _more(deal, entered))


def _not_due(draft: Draft, deal: BlackjackRound, entered: EnterCards) -> Refusal | None:
    """Return whether each card more could be one that was due there."""
    place = Due(entered.seat, entered.hand or 1)
    more = _more(deal, entered)
    for taken, card in enumerate(more):
        if not _could_be_due(draft, deal, place):
            most = len(entered.cards) - len(more) + taken
            return Refusal("wrong-count", Clause(SaidId.AT_MOST_THERE, entered.seat, count=most))
        deal = deal.with_card(place, card, house(draft))
    return None


def _could_be_due(draft: Draft, deal: BlackjackRound, place: Due) -> bool:
    """First cards may be entered place by place, in any order; later ones only where one is due."""
    if deal.is_dealt:
        return deal.due(house(draft)) == place
    return len(deal.hands_of(place.seat)[0]) < FIRST_CARDS


def _cannot_go_on(draft: Draft) -> Refusal | None:
    deal = own_of(draft.round)
    refusal = lies_nowhere(draft, is_due=deal is not None and deal.due(house(draft)) is not None)
    if refusal is None and deal is not None and not deal.is_in_order:
        return Refusal("hands-missing", Clause(SaidId.NOT_AS_DEALT))
    return refusal


def _go_on(draft: Draft, who: str) -> None:
    put_aside(draft)
    draft.round = replace(draft.round, vouched=who)
    continue_round(draft)
