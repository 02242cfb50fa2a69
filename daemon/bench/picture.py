"""The table drawn for a terminal, from what its retained state says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from daemon.bench.book import Book
from daemon.bench.client import TableClient
from daemon.bench.wording import Ticker
from daemon.rules.money import dollars
from sim_hardware.faults import FaultName

_RED_SUITS = "dh"
_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def picture(
    client: TableClient,
    book: Book,
    ticker: Ticker,
    title: str,
    listen: str,
    faults: Mapping[str, tuple[FaultName, bool]],
    is_paused: bool,
) -> RenderableType:
    """Everything on one screen."""
    table = client.state.get("table")
    parts: list[RenderableType] = [_head(table, client, book, is_paused)]
    if table is not None:
        parts += [_prompt(table), _seats(table), *_alerts(table)]
    parts += [Panel("\n".join(ticker.lines) or "…", title="events", title_align="left")]
    parts += [_faults(faults), Text(f"{title}\n{listen}\nq quit   p pause   0–f arm or disarm a fault", style="dim")]
    return Group(*parts)


def _head(table: Mapping[str, Any] | None, client: TableClient, book: Book, is_paused: bool) -> RenderableType:
    daemon = client.status.get("status", "not heard yet")
    if table is None:
        return Text(f"Waiting for the table. Daemon: {daemon}")
    devices = ", ".join(f"{device['device']} {device['presence']}" for device in table["devices"]) or "no device yet"
    line = Text()
    line.append(f" {table['table']} · {table['game']} ", style="bold reverse")
    line.append(f"  round {table['round_number']}  {table['phase'].upper()}", style="bold")
    line.append(f"  deck {table['deck']}  {devices}  daemon {daemon}")
    line.append(f"  house {dollars(book.take_cents)}")
    if is_paused:
        line.append("  PAUSED", style="bold yellow")
    return line


def _prompt(table: Mapping[str, Any]) -> RenderableType:
    return Panel(Text(table["prompt"], style="bold"), title="dealer", title_align="left", border_style="green")


def _seats(table: Mapping[str, Any]) -> RenderableType:
    drawn = Table(expand=True)
    for column in ("seat", "stakes", "cards", "hand", "total", "result"):
        drawn.add_column(column)
    for seat in table["seats"]:
        drawn.add_row(str(seat["seat"]), _stakes(seat), *_hand(seat))
    return drawn


def _stakes(seat: Mapping[str, Any]) -> str:
    return "  ".join(f"{stake['wager']} {dollars(stake['stake_cents'])}" for stake in seat["stakes"])


def _hand(seat: Mapping[str, Any]) -> tuple[RenderableType, str, str, str]:
    settled = seat["settled"]
    if settled is None:
        return Text("▮ " * (seat["cards_dealt"] or 0), style="blue"), "", "", ""
    net = sum(wager["pays_cents"] for wager in settled["wagers"])
    done = " ✓" if seat["reconciled"] else ""
    return _cards(settled["cards"]), settled["hand"] or "", str(settled["total"]), f"{dollars(net)}{done}"


def _cards(cards: list[str]) -> Text:
    shown = Text()
    for card in cards:
        rank, suit = card[:-1], card[-1]
        shown.append(f"{rank}{_SIGNS.get(suit, suit)} ", style="red" if suit in _RED_SUITS else "")
    return shown


def _alerts(table: Mapping[str, Any]) -> list[RenderableType]:
    return [Text(f"! {alert['message']}: {alert['remedy']}", style="bold red") for alert in table["alerts"]]


def _faults(faults: Mapping[str, tuple[FaultName, bool]]) -> Text:
    line = Text()
    for key, (name, is_armed) in faults.items():
        line.append(f"{key} {name.value}  ", style="bold yellow" if is_armed else "dim")
    return line
