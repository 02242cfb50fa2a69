"""The table at one step of a round that is over, as a picture in SVG: what everybody could see at that moment.

The state is worked out again from the journal by this version's own reducer, and drawn from the public picture. So a
card that was hidden at that step lies face down, and one that no device could name has a question mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import cos, pi, sin
from typing import Final

from daemon.clock import rfc3339
from daemon.journal.reading import JournalReader
from daemon.recovery import state_after
from daemon.rules.money import dollars
from daemon.table import view
from daemon.table.picture import SeatView, TableView
from daemon.table.reducer import apply
from daemon.table.state import TableState
from protocols.cards import Card, Face

WIDTH: Final = 1_200
HEIGHT: Final = 760
CARD: Final = (34, 46)
GAP: Final = 38
LINE: Final = 17
CENTRE: Final = (WIDTH / 2, 150)
REACH: Final = (460, 400)
"""The seats lie on the lower half of an ellipse round `CENTRE`."""
SYMBOLS: Final = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
STYLE: Final = (
    "text{font:13px sans-serif;fill:#fff}.title{font-size:20px}.prompt{font-size:15px;fill:#ffe9a8}"
    ".seat{font-weight:bold}.card{font-size:15px;fill:#111}.red{fill:#b00020}"
)


def state_at(journal: JournalReader, first: int, offset: int) -> TableState:
    """Return the table after record `offset` of the round that record `first` opened."""
    state = state_after(journal, first, journal.carried_at(first))
    for number, happened in journal.replay(first):
        if number > offset:
            break
        state = apply(state, happened).state
    return state


def drawn(journal: JournalReader, first: int, offset: int) -> str:
    """Return the table after this record as SVG."""
    table = view.public(state_at(journal, first, offset))
    at = rfc3339(journal.input_at(offset).at.utc_ns)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#12331f"/>',
        f'<ellipse cx="{CENTRE[0]}" cy="{CENTRE[1]}" rx="580" ry="560" fill="#1b5e38"/>',
        *_heading(table, f"record {offset}, {at}"),
        *_house(table),
        *(part for seat in table.seats for part in _seat(seat, len(table.seats))),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heading(table: TableView, when: str) -> Iterator[str]:
    round_ = "no round" if table.round_id is None else f"round {table.round_id}"
    yield _text(
        WIDTH / 2, 30, f"{table.site} {table.table}: {table.game.value}, {round_}, {table.phase.value}", "title"
    )
    yield _text(WIDTH / 2, 52, when)
    yield _text(WIDTH / 2, 76, table.prompt, "prompt")
    for number, alert in enumerate(table.alerts):
        yield _text(WIDTH / 2, 96 + number * LINE, f"{alert.alert}: {alert.message}")


def _house(table: TableView) -> Iterator[str]:
    for label, cards, y in (("dealer", table.dealer_cards, 150), ("community", table.community_cards, 240)):
        if cards:
            yield _text(WIDTH / 2, y - 8, label)
            yield from _cards(WIDTH / 2, y, cards)


def _seat(seat: SeatView, seats: int) -> Iterator[str]:
    angle = pi * seat.seat / (seats + 1)
    x, y = CENTRE[0] + REACH[0] * cos(angle), CENTRE[1] + REACH[1] * sin(angle)
    yield _text(x, y - 8, f"seat {seat.seat}" + (", done" if seat.reconciled else ""), "seat")
    rows = _hands(seat)
    for row in rows:
        yield from _cards(x, y, row)
        y += CARD[1] + 6
    y += LINE - 4
    for line in _lines(seat):
        yield _text(x, y, line)
        y += LINE


def _hands(seat: SeatView) -> list[Sequence[Face | None]]:
    """Return the seat's hands from what is known of them. None is a card that lies face down."""
    if seat.settled is not None:
        return [seat.settled.cards]
    if seat.hands:
        return [hand.cards for hand in seat.hands]
    hidden = (seat.cards_dealt or 0) - len(seat.open_cards)
    whole = (*seat.open_cards, *(None,) * max(0, hidden))
    return [whole] if whole else []


def _lines(seat: SeatView) -> Iterator[str]:
    settled = {wager.wager: wager for wager in seat.results} | (
        {} if seat.settled is None else {wager.wager: wager for wager in seat.settled.wagers}
    )
    for stake in seat.stakes:
        result = settled.get(stake.wager)
        came_to = "" if result is None else f": {result.outcome.value}, returned {dollars(result.returned_cents)}"
        yield f"{stake.wager.value} {dollars(stake.stake_cents)}{came_to}"
    if seat.settled is not None and seat.settled.hand:
        yield seat.settled.hand


def _cards(x: float, y: float, cards: Iterable[Face | None]) -> Iterator[str]:
    laid = list(cards)
    left = x - (len(laid) * GAP - (GAP - CARD[0])) / 2
    for number, face in enumerate(laid):
        at = left + number * GAP
        fill = "#7a1f2b" if face is None else "#fff"
        yield f'<rect x="{at:.0f}" y="{y:.0f}" width="{CARD[0]}" height="{CARD[1]}" rx="4" fill="{fill}"/>'
        if face is not None:
            colour = "card red" if isinstance(face, Card) and face.suit.is_red else "card"
            yield _text(at + CARD[0] / 2, y + 29, _spelled(face), colour)


def _spelled(face: Face) -> str:
    return face.rank.letter + SYMBOLS[face.suit.letter] if isinstance(face, Card) else "?"


def _text(x: float, y: float, text: str, style: str = "") -> str:
    named = f' class="{style}"' if style else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle"{named}>{escape(text)}</text>'
