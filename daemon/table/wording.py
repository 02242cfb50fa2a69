"""Places in the dealer's words."""

from __future__ import annotations

from typing import Final

from daemon.table.state import Hand, Packet
from daemon.table.vocabulary import COMMUNITY, DEALER, SeatNumber

_HOUSE_PLACES: Final = {DEALER: "the dealer's hand", COMMUNITY: "the community cards"}


def place_name(seat: SeatNumber | None) -> str:
    """A place where cards lie; None is what was left of the deck."""
    if seat is None:
        return "the rest of the deck"
    return _HOUSE_PLACES.get(seat, f"seat {seat}")


def packet_name(packet: Packet | Hand) -> str:
    """A hand, or what is drawn to one."""
    return f"the draw of {place_name(packet.seat)}" if packet.drawn else place_name(packet.seat)
