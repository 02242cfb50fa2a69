"""Everything that left a daemon, held against what really lay where: was a card named before the game made it public?

A recording is one list in the order of things: what a witness saw at the emulated device, as hands took it, and every
message and log line. What may be known when is worked out from the pasteboard and the games' rules:

    Big 50        a hand when its seat is reconciled, and that after the deck was proven
    Big Raise     the dealer's first card once the deck is proven, the other two and the common ones when nobody has a
                  decision left, a hand when its seat is reconciled
    Big Draw      a winning First 5 before any draw, a hand when its seat is reconciled
    Blackjack     every card as it is drawn but the dealer's second, which is shown when nobody has a decision left

So burned cards, discards and what was left of the deck are never public, and no card is before its moment. A message
that says after which event it was made is judged by that event; one that says nothing of the kind, and any log line,
names no card at all.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

CARD: Final = re.compile(r"(?<![\w-])[2-9TJQKA][cdhs](?![\w-])")
DEALER, COMMUNITY = 0, -1
HOLE_CARD: Final = 2


@dataclass(frozen=True, slots=True)
class Seen:
    """Cards that left the device in one piece: a packet, or one card out of a shoe."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """Something that left the daemon. `where` is a topic, or the log."""

    where: str
    text: str


Entry: TypeAlias = "Seen | Said"


@dataclass(frozen=True, slots=True)
class Leak:
    """A card that was named where or when nobody may know it."""

    entry: Said
    cards: tuple[str, ...]
    why: str


@dataclass(slots=True)
class _Round:
    """What lay where in one round, and which cards were public from which event on."""

    first: int
    packets: dict[int, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))
    public: dict[str, int] = field(default_factory=dict)
    is_proven: bool = False
    is_shown: bool = False  # the house's cards: nobody has a decision left

    def lies_at(self, seat: int) -> set[str]:
        return {card for packet in self.packets[seat] for card in packet}


def leaks(timeline: Sequence[Entry]) -> list[Leak]:
    """Every leak of a recording."""
    events = _events(timeline)
    judge = _Judge([entry.cards for entry in timeline if isinstance(entry, Seen)])
    found = [leak for said, event in events for leak in judge.hear(said, event)]
    return [*found, *_spoken_too_early(timeline), *(leak for entry in _said(timeline) for leak in judge.weigh(entry))]


def _said(timeline: Sequence[Entry]) -> Iterator[Said]:
    return (entry for entry in timeline if isinstance(entry, Said))


def _events(timeline: Sequence[Entry]) -> list[tuple[Said, dict[str, Any]]]:
    """The table's own account, each event once."""
    heard: dict[int, tuple[Said, dict[str, Any]]] = {}
    for entry in _said(timeline):
        if "/event/" in entry.where:
            event = json.loads(entry.text)
            heard.setdefault(int(event["sequence"]), (entry, event))
    return [heard[sequence] for sequence in sorted(heard)]


def _spoken_too_early(timeline: Sequence[Entry]) -> Iterator[Leak]:
    """Whatever else is wrong: nobody can name a card that has not left the device, in the whole recording so far."""
    out: set[str] = set()
    for entry in timeline:
        if isinstance(entry, Seen):
            out.update(entry.cards)
        elif early := tuple(card for card in CARD.findall(entry.text) if card not in out):
            yield Leak(entry, early, "no hand has touched it yet")


class _Judge:
    """Follows the table's events and the witness side by side."""

    def __init__(self, seen: Sequence[tuple[str, ...]]) -> None:
        self._seen = iter(seen)
        self._rounds: list[_Round] = []

    def hear(self, said: Said, event: dict[str, Any]) -> Iterator[Leak]:
        """The next event: what it opens, and whether that may be opened now and is what lies there."""
        kind, data, number = event["type"], event["data"], int(event["sequence"])
        if kind == "round-opened":
            self._rounds.append(_Round(number))
        elif kind == "card-burned":
            next(self._seen)
        elif kind == "hand-dealt":
            self._now.packets[data["seat"]].append(next(self._seen))
        elif kind == "deck-accounted":
            self._now.is_proven = True
        elif kind == "player-decided" and self._now.is_shown:
            yield Leak(said, (), "the house's cards were shown before this decision")
        elif kind == "card-dealt":
            yield from self._card_dealt(said, data, number)
        else:
            yield from self._opened(said, kind, data, number)

    @property
    def _now(self) -> _Round:
        return self._rounds[-1]

    def _card_dealt(self, said: Said, data: dict[str, Any], number: int) -> Iterator[Leak]:
        (card,) = next(self._seen)
        self._now.packets[data["seat"]].append((card,))
        is_hole_card = (data["seat"], data["position"]) == (DEALER, HOLE_CARD)
        if data["card"] != (None if is_hole_card else card):
            yield Leak(said, (card,), "told otherwise than it lies")
        elif not is_hole_card:
            self._now.public.setdefault(card, number)

    def _opened(self, said: Said, kind: str, data: dict[str, Any], number: int) -> Iterator[Leak]:
        now = self._now if self._rounds else _Round(0)
        opened: set[str] = set()
        match kind:
            case "up-card-shown":
                opened, lies, may = {data["card"]}, set(now.packets[DEALER][0][:1]), now.is_proven
            case "dealer-hand-shown":
                opened, lies, may = set(data["cards"]), now.lies_at(DEALER), now.is_proven
                now.is_shown = True
            case "dealer-cards-shown":
                opened, lies, may = set(data["cards"]), now.lies_at(DEALER), True
                now.is_shown = True
            case "community-shown":
                opened, lies, may = set(data["cards"]), now.lies_at(COMMUNITY), now.is_shown
            case "first-five-settled":
                opened, lies = set(data["cards"]), set(now.packets[data["seat"]][0])
                may = all(len(packets) == 1 for packets in now.packets.values())
            case "player-cards-shown" | "fold-settled":
                opened, lies, may = set(data["cards"]), now.lies_at(data["seat"]), now.is_proven
            case "hand-settled":
                opened, lies = set(data["cards"]), now.lies_at(data["seat"])
                may = now.is_proven or bool(data["hands"])  # hands that lie open are public card by card
            case _:
                return
        if not may or not opened <= lies:
            yield Leak(said, tuple(sorted(opened)), "opened too early, or not what lies there")
        for card in opened & lies if may else ():
            now.public.setdefault(card, number)

    def weigh(self, entry: Said) -> Iterator[Leak]:
        """Whether every card that this names was public when it was made."""
        named = tuple(dict.fromkeys(CARD.findall(entry.text)))
        made_at = _made_at(entry)
        if named and made_at is None:
            yield Leak(entry, named, "nothing is public here")
        elif made_at is not None:
            hidden = tuple(card for card in named if not self._is_public(card, made_at))
            if hidden:
                yield Leak(entry, hidden, "not public then")

    def _is_public(self, card: str, number: int) -> bool:
        played = next((each for each in reversed(self._rounds) if each.first <= number), None)
        return played is not None and played.public.get(card, number + 1) <= number


def _made_at(entry: Said) -> int | None:
    """The event, or the last event of the picture; None for what belongs to no place in the sequence."""
    if entry.where == "log" or not entry.text:
        return None
    document = json.loads(entry.text)
    number = document.get("sequence") if isinstance(document, dict) else None
    return int(number) if isinstance(number, str) else None
