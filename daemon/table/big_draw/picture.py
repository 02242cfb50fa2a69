"""Big Draw: what anybody may see of it: the button, the side that is played, draws by number, and First 5 once said."""

from __future__ import annotations

from daemon.frozen import replace
from daemon.table.big_draw.state import own_of
from daemon.table.picture import GamePicture, SeatPicture
from daemon.table.play import shows_the_packet
from daemon.table.state import Round, TableState
from daemon.table.vocabulary import SeatNumber


def picture(state: TableState) -> GamePicture:
    """Show where the button lies, and the side that is played once it is chosen."""
    own = None if state.round is None else own_of(state.round)
    return GamePicture(button=state.button, variant=None if own is None else own.variant)


def seat_picture(played: Round, seat: SeatNumber) -> SeatPicture:
    """Show how many cards a seat draws, and its First 5 once that was said: before, it tells of hidden cards."""
    own, dealt = own_of(played), shows_the_packet(played, seat)
    if own is None or not (own.draws or own.first_5_said):
        return dealt
    draw = own.draw_of(seat)
    first_5 = next((result for result in (own.first_5 or ())[: own.first_5_said] if result.seat == seat), None)
    return replace(dealt, draws=None if draw is None else draw.cards, first_5=first_5)
