"""The rows of the page of codes that a closed type gives, with the words of `remedies_of_devices` and `…_of_records`.

A member without words fails here. What has no type of its own, lines of the log and Prometheus' rules, is read from its
source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, get_args

from daemon.config.caution import CautionCode
from daemon.rules.results import VoidReason
from daemon.table.drawing import _OF_A_HAND as OF_A_HAND
from daemon.table.settings import AT_A_DEALERS_WILL, SUPERVISED
from daemon.table.vocabulary import Irregularity
from daemon.tools.rules.lines import LineCode
from daemon.tools.selftest import checks
from drivers.commands import DriverRefusal
from drivers.contacts import RED_LIGHT
from drivers.errors import LossCode, LostEventsCode
from protocols.angel_eye.messages import NakCode
from protocols.felt_link.messages import Refusal
from tests.docs.codes_in_source import log_events, sayings
from tests.docs.documents import ROOT
from tests.docs.remedies_of_devices import (
    OF_DRIVERS_FAULTS,
    OF_LOSSES,
    OF_LOST_EVENTS,
    OF_ORDERS_BY_A_DEVICE,
    OF_ORDERS_BY_A_DRIVER,
    OF_ORDERS_BY_A_SHOE,
    OF_SELFTEST,
)
from tests.docs.remedies_of_records import OF_CAUTIONS, OF_IRREGULARITIES, OF_LINES, OF_LOG, OF_VOIDED_LINES
from tests.docs.row import Row

RULES: Final = ROOT / "systemd" / "monitoring" / "feltd.rules.yml"
_RULE: Final = re.compile(
    r"- alert: (?P<name>\w+)\n.*?severity: (?P<severity>\w+)\n.*?"
    r'summary: "(?P<summary>[^\n]*)"\n\s+remedy: "(?P<remedy>[^\n]*)"',
    re.DOTALL,
)


def loss_rows() -> list[Row]:
    """Return a row for each reason why a device is away, and for each way to know that its events are lost."""
    return [
        *(Row(code.value, ("away", *OF_LOSSES[code])) for code in LossCode),
        *(Row(code.value, ("events lost", *OF_LOST_EVENTS[code])) for code in LostEventsCode),
        Row(RED_LIGHT, ("fault", *OF_DRIVERS_FAULTS[RED_LIGHT])),
    ]


def order_rows() -> list[Row]:
    """Return a row for each word with which an order to a device is refused."""
    said: dict[str, tuple[str, str]] = {
        **{code.name.lower(): OF_ORDERS_BY_A_SHOE[code] for code in NakCode},
        **{code.value: OF_ORDERS_BY_A_DEVICE[code] for code in Refusal},
    }
    by_driver: Mapping[str, tuple[str, str]] = {code: OF_ORDERS_BY_A_DRIVER[code] for code in get_args(DriverRefusal)}
    return [Row(code, cells) for code, cells in {**said, **by_driver}.items()]


def irregularity_rows() -> list[Row]:
    """Return a row for each irregularity, and for what only `feltd adjudicate` finds."""
    at_a_table = [
        Row(each.value, (said, _usual_policy(each), remedy))
        for each in Irregularity
        for said, remedy in (OF_IRREGULARITIES[each],)
    ]
    rest = [reason for reason in VoidReason if reason.value not in {row.code for row in at_a_table}]
    only_adjudicate = "only `feltd adjudicate` says it"
    correct = "Correct the line: no table plays such a hand."
    return [*at_a_table, *(Row(reason.value, (OF_VOIDED_LINES[reason], only_adjudicate, correct)) for reason in rest)]


def _usual_policy(each: Irregularity) -> str:
    if each in SUPERVISED:
        return "a supervisor rules"
    if each in OF_A_HAND:
        return "the round is void before cards are out; then a supervisor rules"
    at_will = "the round is void, or a supervisor rules where the house says so"
    return at_will if each in AT_A_DEALERS_WILL else "the round is void"


def selftest_rows() -> list[Row]:
    """Return a row for each check of `feltd selftest`, with what it says to do where the check failed."""
    remedies: dict[str, dict[str, None]] = {name: {} for name in checks.NAMES}
    for saying in sayings("failed", folder="daemon/tools/selftest"):
        if saying.code in remedies and saying.texts[1].strip(" …"):
            remedies[saying.code][saying.texts[1]] = None
    return [
        Row(name, (what, who, " Or: ".join(remedies[name])))
        for name in checks.NAMES
        for who, what in (OF_SELFTEST[name],)
    ]


def line_rows() -> list[Row]:
    """Return a row for each error of a line of `feltd adjudicate`."""
    return [Row(code, OF_LINES[code]) for code in get_args(LineCode)]


def caution_rows() -> list[Row]:
    """Return a row for each caution about a configuration that is allowed."""
    return [Row(code, OF_CAUTIONS[code]) for code in get_args(CautionCode)]


def log_rows() -> list[Row]:
    """Return a row for each line of the log, by the name of its event."""
    return [Row(event, (" or ".join(sorted(levels)), *OF_LOG[event])) for event, levels in log_events().items()]


def rule_rows() -> list[Row]:
    """Return a row for each alert of the rules for Prometheus."""
    text = RULES.read_text(encoding="utf-8")
    rows = [
        Row(found["name"], (found["severity"], _plain(found["summary"]), _plain(found["remedy"])))
        for found in _RULE.finditer(text)
    ]
    assert len(rows) == text.count("- alert: ")
    return rows


def _plain(text: str) -> str:
    return re.sub(r"\{\{.*?\}\}", "…", text)
