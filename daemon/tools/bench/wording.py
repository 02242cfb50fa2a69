"""Events in the words of somebody at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from daemon.counting import counted
from daemon.rules.money import dollars
from daemon.table.wording import place_name
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.game import Words

Data = Mapping[str, Any]


def _hand_settled(data: Data) -> str:
    total = "" if data["total"] is None else f", total {data['total']}"
    cards = " ".join(data["cards"]) or "not shown"
    hand = "" if data["hand"] is None else f", {data['hand']}"
    wagers: Sequence[Data] = data["wagers"]  # empty where all that the seat had was settled before
    net = f": {dollars(sum(wager['pays_cents'] for wager in wagers))}" if wagers else ""
    return f"seat {data['seat']}: {cards}{hand}{total}{net}"


def _hand_dealt(data: Data) -> str:
    count = "a hand" if data["count"] is None else counted(data["count"], "card")
    return f"{place_name(data['seat'])}: {count}"


def _deck_accounted(data: Data) -> str:
    left = "" if data["remaining"] is None else f", {data['remaining']} left"
    return f"deck proven ({data['proof']}): {data['dealt']} dealt{left}"


def _cards(count: int | None) -> str:
    return "" if count is None else f": {counted(count, 'card')}"


def _round_settled(data: Data) -> str:
    staked, taken = dollars(data["stakes_cents"]), dollars(data["take_cents"])
    return f"round settled: {counted(data['hands'], 'hand')}, {staked} staked, the house takes {taken}"


def _prompted(data: Data) -> str:
    """Return what the dealer is told where money moves, or where the round stands still."""
    sentence: str = data["sentence"]
    return f"dealer: {sentence}" if data["steps"] or sentence.startswith("Stop") else ""


def _to_verify(data: Data) -> str:
    return f"VERIFY seat {data['seat']}: {dollars(data['pays_cents'])} on {data['wager']}, before it is paid"


_WORDS: Final[Mapping[str, Words]] = {
    "round-opened": lambda data: f"round {data['number']}: place your bets",
    "betting-closed": lambda data: f"no more bets: {dollars(sum(each['stake_cents'] for each in data['stakes']))}",
    "hand-dealt": _hand_dealt,
    "deck-shuffled": lambda data: f"deck shuffled{_cards(data['count'])}",
    "batch-out": lambda data: f"the deck is out{_cards(data['count'])}",
    "stub-count-asked": lambda _: "count the rest of the deck",
    "deck-accounted": _deck_accounted,
    "cards-entered": lambda data: f"{place_name(data['seat'])}: cards entered by {data['who']}",
    "hand-settled": _hand_settled,
    "dealer-prompted": _prompted,
    "win-to-verify": _to_verify,
    "round-settled": _round_settled,
    "round-voided": lambda data: f"ROUND VOID: {data['reason']}; {dollars(data['returned_cents'])} goes back",
    "round-held": lambda data: f"round held: {data['reason']}",
    "round-interrupted": lambda data: f"round interrupted: {data['device']}: {data['reason']}",
    "irregularity-found": lambda data: f"irregular: {data['message']} ({data['policy']})",
    "ruling-given": lambda data: f"{data['who']} rules: {data['ruling']}",
    "alert-raised": lambda data: f"ALERT {data['alert']}: {data['message']}",
    "alert-cleared": lambda data: f"alert {data['alert']} cleared by {data['who']}",
    "device-lost": lambda data: f"{data['device']} lost: {data['reason']}",
    "device-up": lambda data: f"{data['device']} is connected: {data['model']} {data['serial']} {data['firmware']}",
    "device-restarted": lambda data: f"{data['device']} restarted",
    "device-stale": lambda data: f"{data['device']} is silent",
    "device-came-back": lambda data: f"{data['device']} reports again",
    "button-refused": lambda data: f"button {data['button']} refused: {data['message']}",
}


def line_of(heard: EventHeard, of_game: Mapping[str, Words]) -> str | None:
    """Return the line for an event, or None for an event that only programs need."""
    words = of_game.get(heard.kind) or _WORDS.get(heard.kind)
    said = "" if words is None else words(heard.data)
    return f"{heard.sequence:>6}  {said}" if said else None
