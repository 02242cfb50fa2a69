"""The table drawn for a terminal, from its retained state.

Columns have fixed widths, and each part has a fixed number of lines. The events get the lines that are left. So only
what changes moves. The picture fits 80 columns and, up to ten seats, 24 lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from textwrap import wrap
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from daemon.rules.money import dollars
from daemon.table.state import Phase
from daemon.table.vocabulary import COMMUNITY, DEALER
from daemon.tools.bench.card_text import CARD_WIDTH, face_down, open_cards
from daemon.tools.bench.game import Layout
from protocols.frozen import dataclass
from sim_hardware.faults import FaultName

PROMPT_LINES: Final = 2
VOID_LINES: Final = 6
"""The prompt of a void has a step for each stake. The events make room for it."""
HEAD_LINES: Final = 2
SEATS_HEADER_LINES: Final = 2
FAULT_WIDTH: Final = 20


@dataclass(frozen=True, slots=True)
class Sight:
    """What the picture shows."""

    layout: Layout
    state: Mapping[str, Any]  # the last retained state; empty before the first
    status: Mapping[str, Any]
    house_cents: int
    lines: Sequence[str]
    broker: str
    listen: str
    page: str | None
    faults: Mapping[str, tuple[FaultName, bool]]
    is_paused: bool
    lying: Mapping[int, Sequence[str]] = field(default_factory=dict)  # what a dealer would see, where somebody deals
    rest: int | None = None  # what such a dealer would count, when they are asked


def picture(sight: Sight, width: int, height: int) -> RenderableType:
    """Draw everything on one screen."""
    table = sight.state.get("table")
    faults = _faults(sight.faults, width)
    if table is None:
        return Group(Text(f"Waiting for the table. {sight.broker}."), *_foot(sight))
    alerts = [_line(f"! {alert['message']}: {alert['remedy']}", "bold red") for alert in table["alerts"]]
    house = [] if sight.layout.house is None else [sight.layout.house(_with_the_house_open(table, sight.lying))]
    prompt = _prompt(table, sight.rest, width)
    foot = _foot(sight)
    above = HEAD_LINES + len(prompt) + len(house) + SEATS_HEADER_LINES
    events = _events(sight.lines, height - above - len(table["seats"]) - len(alerts) - len(faults) - len(foot))
    head = (_head(table, sight), _devices(table, sight), *prompt, *house)
    return Group(*head, _seats(table, sight), *alerts, *events, *faults, *foot)


def _line(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def _head(table: Mapping[str, Any], sight: Sight) -> Text:
    line = _line("")
    line.append(f" {table['table']} · {table['game']} ", style="bold reverse")
    line.append(f"  round {table['round_number']:<5} {table['phase'].upper():<12}", style="bold")
    line.append(f"  house {dollars(sight.house_cents):>11}")
    if sight.is_paused:
        line.append("  PAUSED", style="bold yellow")
    return line


def _devices(table: Mapping[str, Any], sight: Sight) -> Text:
    devices = ", ".join(f"{device['device']} {device['presence']}" for device in table["devices"]) or "no device yet"
    daemon = sight.status.get("status", "not heard yet")
    return _line(f"{devices} · deck {table['deck']} · daemon {daemon} · {sight.broker}", "dim")


def _prompt(table: Mapping[str, Any], rest: int | None, width: int) -> list[Text]:
    """Draw the prompt in always the same number of lines, but for a void."""
    most = VOID_LINES if table["phase"] == Phase.VOIDING.value else PROMPT_LINES
    counted = "" if rest is None else f" At this bench you would count {rest} card{'' if rest == 1 else 's'}."
    lines = wrap(f"▶ {table['prompt']}{counted}", width, max_lines=most, placeholder=" …")
    return [_line(line, "bold green") for line in lines] + [Text("")] * (PROMPT_LINES - len(lines))


def _with_the_house_open(table: Mapping[str, Any], lying: Mapping[int, Sequence[str]]) -> Mapping[str, Any]:
    """Return the table with the house's cards as somebody at the bench sees them."""
    names: Mapping[int, str] = {DEALER: "dealer_cards", COMMUNITY: "community_cards"}
    return {**table, **{names[place]: cards for place, cards in lying.items() if place in names}}


def _seats(table: Mapping[str, Any], sight: Sight) -> Table:
    layout = sight.layout
    drawn = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold dim")
    drawn.add_column("\nseat", width=4, justify="right")
    for name, wide in layout.columns.values():
        drawn.add_column(name, width=wide, justify="right")
    drawn.add_column("\ncards", width=layout.cards * CARD_WIDTH - 1)
    drawn.add_column("\nhand", width=15)
    if layout.has_total:
        drawn.add_column("\ntotal", width=5, justify="right")
    drawn.add_column("\nresult", width=10, justify="right")
    for column in drawn.columns:
        column.no_wrap = True
    for seat in table["seats"]:
        drawn.add_row(str(seat["seat"]), *_stakes(seat, layout), *_hand(seat, sight))
    return drawn


def _stakes(seat: Mapping[str, Any], layout: Layout) -> list[str]:
    stakes: Counter[str] = Counter()  # named red and named black lie on one spot
    for stake in seat["stakes"]:
        stakes[stake["wager"]] += stake["stake_cents"]
    return [dollars(stakes[spot.value]) if spot.value in stakes else "" for spot in layout.columns]


def _hand(seat: Mapping[str, Any], sight: Sight) -> tuple[Text | str, ...]:
    layout, lying, settled = sight.layout, sight.lying.get(seat["seat"]), seat["settled"]
    lies = (open_cards(lying) if lying else _dealt(seat, layout)) if settled is None else open_cards(settled["cards"])
    cards = layout.hands(seat) if layout.hands else lies
    hand, total = ("", "") if settled is None else (settled["hand"] or "", str(settled["total"] or ""))
    return cards, hand, *((total,) if layout.has_total else ()), _result(seat)


def _result(seat: Mapping[str, Any]) -> Text:
    """Draw what a seat has won or lost so far. Some wagers are settled before its hand is shown."""
    if not seat["results"]:
        return Text("")
    net = sum(wager["pays_cents"] for wager in seat["results"])
    done = "✓" if seat["reconciled"] else " "
    return Text(f"{'+' if net > 0 else ''}{dollars(net)}{done}", style="green" if net > 0 else "")


def _dealt(seat: Mapping[str, Any], layout: Layout) -> Text:
    """Draw what was turned up, else backs. Where no device counts cards, draw as many as the game deals."""
    turned_up = [card for hand in seat["hands"] for card in hand["cards"] if card is not None]
    if turned_up:
        return open_cards(turned_up)
    counted = seat["cards_dealt"]
    return face_down(layout.cards if counted is None and seat["delivered"] else counted or 0)


def _events(lines: Sequence[str], room: int) -> list[Text]:
    """Draw the last lines, and blank lines up to `room`, so that what stands below does not move."""
    last = list(lines)[-room:] if room > 0 else []
    return [_line(line) for line in last] + [Text("")] * (room - len(last))


def _faults(faults: Mapping[str, tuple[FaultName, bool]], width: int) -> list[Text]:
    across = max(1, width // FAULT_WIDTH)
    drawn: list[Text] = []
    for place, (key, (name, is_armed)) in enumerate(faults.items()):
        if place % across == 0:
            drawn.append(_line(""))
        drawn[-1].append(f"{f'{key} {name.value}':<{FAULT_WIDTH}}", style="bold yellow" if is_armed else "dim")
    return drawn


def _foot(sight: Sight) -> tuple[Text, ...]:
    keys = "q quit   p pause   a fault's key switches it on or off"
    screens = () if sight.page is None else (_line(f"in a browser: {sight.page}", "bold"),)
    return _line(keys, "dim"), *screens, _line(f"listen: {sight.listen}", "dim")
