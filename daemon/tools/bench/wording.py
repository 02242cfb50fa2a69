"""Events in the words of somebody at the table."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from daemon.rules.money import dollars
from daemon.table.wording import place_name
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.game import Words

LINES_KEPT: Final = 100  # more than any terminal shows

Data = Mapping[str, Any]


def _settled(data: Data) -> str:
    total = "" if data["total"] is None else f", total {data['total']}"
    cards = " ".join(data["cards"]) or "not shown"
    hand = "" if data["hand"] is None else f", {data['hand']}"
    return f"seat {data['seat']}: {cards}{hand}{total}{_net(data['wagers'])}"


def _net(wagers: Sequence[Data]) -> str:
    """Nothing where all that the seat had was said before."""
    return f": {dollars(sum(wager['pays_cents'] for wager in wagers))}" if wagers else ""


def _dealt(data: Data) -> str:
    count = "a hand" if data["count"] is None else f"{data['count']} cards"
    return f"{place_name(data['seat'])}: {count}"


def _cards(count: int | None) -> str:
    return "" if count is None else f": {count} cards"


def _left(count: int | None) -> str:
    return "" if count is None else f", {count} left"


def _round_settled(data: Data) -> str:
    staked, taken = dollars(data["stakes_cents"]), dollars(data["take_cents"])
    return f"round settled: {data['hands']} hands, {staked} staked, the house takes {taken}"


_WORDS: Final[Mapping[str, Words]] = {
    "round.opened": lambda data: f"round {data['number']}: place your bets",
    "betting.closed": lambda data: f"no more bets: {dollars(sum(each['stake_cents'] for each in data['stakes']))}",
    "hand.dealt": _dealt,
    "deck.shuffled": lambda data: f"deck shuffled{_cards(data['count'])}",
    "batch.out": lambda data: f"the deck is out{_cards(data['count'])}",
    "stub-count.asked": lambda _: "count the rest of the deck",
    "deck.accounted": lambda data: f"deck proven ({data['proof']}): {data['dealt']} dealt{_left(data['remaining'])}",
    "cards.entered": lambda data: f"{place_name(data['seat'])}: cards entered by {data['who']}",
    "hand.settled": _settled,
    "round.settled": _round_settled,
    "round.voided": lambda data: f"ROUND VOID: {data['reason']}; {dollars(data['returned_cents'])} goes back",
    "round.held": lambda data: f"round held: {data['reason']}",
    "round.interrupted": lambda data: f"round interrupted: {data['device']}: {data['reason']}",
    "irregularity.found": lambda data: f"irregular: {data['message']} ({data['policy']})",
    "ruling.given": lambda data: f"{data['who']} rules: {data['ruling']}",
    "alert.raised": lambda data: f"ALERT {data['alert']}: {data['message']}",
    "alert.cleared": lambda data: f"alert {data['alert']} cleared by {data['who']}",
    "device.lost": lambda data: f"{data['device']} lost: {data['reason']}",
    "device.up": lambda data: f"{data['device']} is there: {data['model']} {data['serial']} {data['firmware']}",
    "device.restarted": lambda data: f"{data['device']} restarted",
    "device.stale": lambda data: f"{data['device']} is silent",
    "device.came-back": lambda data: f"{data['device']} speaks again",
    "button.refused": lambda data: f"button {data['button']} refused: {data['message']}",
}


def line_of(heard: EventHeard, of_game: Mapping[str, Words]) -> str | None:
    """What to say of an event; None for those that only programs want."""
    words = of_game.get(heard.kind) or _WORDS.get(heard.kind)
    return None if words is None else f"{heard.sequence:>6}  {words(heard.data)}"


class Ticker:
    """The last few lines."""

    def __init__(self, of_game: Mapping[str, Words]) -> None:
        self._of_game = of_game
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)

    def hear(self, heard: EventHeard) -> None:
        """Keep an event's line."""
        line = line_of(heard, self._of_game)
        if line is not None:
            self.lines.append(line)

    def say(self, text: str) -> None:
        """Keep a line of the bench's own."""
        self.lines.append(f"        {text}")
