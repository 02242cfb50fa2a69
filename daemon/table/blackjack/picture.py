"""Blackjack: what anybody may see of it. Players' hands lie open; of the dealer's, one card until all is shown."""

from __future__ import annotations

from daemon.rules.blackjack.totals import total_of
from daemon.table.blackjack.state import own_of, played_hands
from daemon.table.picture import GamePicture, SeatPicture
from daemon.table.play import shows_the_packet
from daemon.table.state import Round, TableState
from daemon.table.vocabulary import SeatNumber


def picture(state: TableState) -> GamePicture:
    """Show the dealer's up card while players decide, and all of the hand once they have."""
    deal = None if state.round is None else own_of(state.round)
    if deal is None:
        return GamePicture()
    shown = deal.dealer if deal.is_dealer_shown else deal.dealer[:1]
    total = total_of(shown).points if deal.is_dealer_shown else None
    return GamePicture(dealer_cards=shown, dealer_backs=len(deal.dealer) - len(shown), dealer_total=total)


def seat_picture(played: Round, seat: SeatNumber) -> SeatPicture:
    """Show every hand of a seat, card by card."""
    deal = own_of(played)
    player = None if deal is None else deal.at(seat)
    hands = () if player is None else played_hands(player)
    if not hands:
        return shows_the_packet(played, seat)
    return SeatPicture(sum(len(hand.cards) for hand in hands), delivered=True, hands=hands)
