"""The rows of the page of codes for alerts, made by calling the functions that raise them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, get_type_hints

from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table import alerts
from daemon.table.facts import AlertRaised
from daemon.table.round_facts import PromptStep, SettledWager
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import Finding
from daemon.table.vocabulary import Irregularity, PromptAction, SeatNumber
from drivers.events import DeviceName, FaultKind
from tests.docs.row import Row


def alert_rows() -> list[Row]:
    """Return a row for each alert that the table can raise."""
    rows = [_alert_row(made, alert) for made in _alert_functions() for alert in _raised_by(made)]
    return list({row.code: row for row in reversed(rows)}.values())


def _alert_functions() -> list[Callable[..., AlertRaised]]:
    functions = (value for name, value in inspect.getmembers(alerts, inspect.isfunction) if not name.startswith("_"))
    return [made for made in functions if get_type_hints(made).get("return") is AlertRaised]


def _raised_by(made: Callable[..., AlertRaised]) -> Iterator[AlertRaised]:
    """Call the function with a sample of each parameter's type; once for each kind of fault."""
    hints = {name: hint for name, hint in get_type_hints(made).items() if name != "return"}
    kinds = FaultKind if FaultKind in hints.values() else [None]
    for kind in kinds:
        yield made(**{name: kind if hint is FaultKind else _sample(name, hint) for name, hint in hints.items()})


def _sample(name: str, hint: object) -> object:
    return f"<{name.replace('_', ' ')}>" if hint is str else SAMPLES[hint]


def _alert_row(made: Callable[..., AlertRaised], alert: AlertRaised) -> Row:
    by_argument = "blocks_play" in inspect.signature(made).parameters
    blocks = "if the table needs the device" if by_argument else "yes" if alert.blocks_play else "no"
    cleared_by = ", ".join(actor.value for actor in alert.cleared_by)
    return Row(alert.alert, (blocks, cleared_by, alert.message, alert.remedy))


_WON: Final = SettledWager(WagerName.BIG_50, 0, Outcome.WIN, 0, 0, None, None, None)
SAMPLES: Final[dict[Any, Any]] = {
    DeviceName: DeviceName("<device>"),
    SeatNumber: SeatNumber(1),
    SettledWager: _WON,
    Sequence[PromptStep]: (PromptStep(WagerName.BIG_50, PromptAction.PAY, 0, SeatNumber(1)),),
    Mapping[WagerName, str]: {WagerName.BIG_50: "…"},
    Finding: Finding(Irregularity.CARD_TOO_OFTEN, None, "<finding>"),
    tuple[Clause, ...]: (Clause(SaidId.IN_ITS_WORDS, text="<reason>"),),
    Said: Said(SaidId.STAKE_MOVED, SeatNumber(1), cents=500, seen_cents=1_000, spot=WagerName.BIG_50),
    bool: True,
    int: 5,
    int | None: 5,
}
"""An argument for each type of parameter that a function of `alerts` has."""
