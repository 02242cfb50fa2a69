"""Places in the dealer's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from daemon.rules.money import dollars
from daemon.rules.wagers import WagerName
from daemon.table.round_facts import PromptStep
from daemon.table.vocabulary import COMMUNITY, DEALER, SeatNumber

_HOUSE_PLACES: Final = {DEALER: "the dealer's hand", COMMUNITY: "the community cards"}


def place_name(seat: SeatNumber | None) -> str:
    """Return a place where cards lie; None is what was left of the deck."""
    if seat is None:
        return "the rest of the deck"
    return _HOUSE_PLACES.get(seat, f"seat {seat}")


def packet_name(seat: SeatNumber | None, *, drawn: bool) -> str:
    """Return a hand, or what is drawn to one."""
    return f"the draw of {place_name(seat)}" if drawn else place_name(seat)


def spot_name(spot: WagerName, spot_names: Mapping[WagerName, str]) -> str:
    """Return what is printed at a spot; of one that this game has not, its public name."""
    return spot_names.get(spot, spot.value)


def seen_at(seat: SeatNumber | None, spot: str, colour: str | None) -> str:
    """Return where a device sees chips."""
    return f"seat {seat}, {spot}" + (f" ({colour})" if colour else "")


def amount_seen(cents: int | None) -> str:
    """Return the chips that a device sees, or that were entered there."""
    return dollars(cents) if cents else "nothing"


def step_words(step: PromptStep, spot_names: Mapping[WagerName, str]) -> str:
    """Return what the dealer's hands do at a spot, with the named colour, or at which of several hands."""
    colour = "" if step.colour is None else f" ({step.colour.value})"
    spot = spot_names[step.spot] if step.hand is None else f"HAND {step.hand}"
    return f"{step.action.value} {dollars(step.amount_cents)} on {spot}{colour}"
