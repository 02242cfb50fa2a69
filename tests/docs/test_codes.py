"""`systemd/CODES.md` is what the code says: it has every code, with who acts and a remedy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import get_args

import pytest

from daemon.config.caution import CautionCode
from daemon.config.problems import ProblemCode
from daemon.error_codes import ErrorCode
from daemon.mqtt.commands import MalformedCode, ResendCode
from daemon.mqtt.problems import ProblemCode as BrokerProblem
from daemon.page.answers import PageCode
from daemon.rules.results import RefusalCode, VoidReason
from daemon.table.refusal_codes import NOT_WHILE, RefusalName
from daemon.table.vocabulary import Irregularity
from daemon.tools.doctor.findings import CheckName
from daemon.tools.rules.lines import LineCode
from daemon.tools.selftest import checks
from drivers.commands import DriverRefusal
from drivers.errors import LossCode, LostEventsCode, SetupCode
from protocols.felt_link.messages import Refusal
from tests.docs.codes import (
    PAGE,
    broker_rows,
    command_rows,
    configuration_rows,
    device_rows,
    error_rows,
    finding_rows,
    oddity_rows,
    page,
    page_rows,
    refusal_rows,
)
from tests.docs.codes_by_type import (
    caution_rows,
    irregularity_rows,
    line_rows,
    log_rows,
    loss_rows,
    order_rows,
    rule_rows,
    selftest_rows,
)
from tests.docs.codes_in_source import sayings
from tests.docs.codes_of_alerts import alert_rows
from tests.docs.documents import ROOT
from tests.docs.remedies import OF_ODDITIES, WHO_ACTS_ON_ODDITIES
from tests.docs.remedies_of_records import OF_LOG
from tests.docs.row import Row

ROWS = {
    "alerts": alert_rows,
    "devices": device_rows,
    "oddities": oddity_rows,
    "errors": error_rows,
    "configuration": configuration_rows,
    "broker": broker_rows,
    "findings": finding_rows,
    "refusals": refusal_rows,
    "commands": command_rows,
    "page": page_rows,
    "losses": loss_rows,
    "orders": order_rows,
    "selftest": selftest_rows,
    "irregularities": irregularity_rows,
    "cautions": caution_rows,
    "lines": line_rows,
    "log": log_rows,
    "rules": rule_rows,
}
UNIONS = (
    *(ErrorCode, CheckName, BrokerProblem, RefusalName, MalformedCode, ResendCode, PageCode),
    *(checks.CheckName, LineCode, CautionCode, DriverRefusal),
)
ENUMS = (SetupCode, ProblemCode, RefusalCode, LossCode, LostEventsCode, Refusal, Irregularity, VoidReason)
CODE_LAST = {"EventsLost": 2, "FaultRaised": 2, "LinkLost": 1}
"""Where an event of a driver has its code."""
PASSED_ON = {"setup-<device>", "cause-stands", "broker-protocol"}
"""Whose remedy is that of what caused them, which has a row of its own or says it itself."""


def closed() -> set[str]:
    """Every code of the closed types: mypy lets no other be said (`tests/table/planted_types.py`)."""
    return {code for union in UNIONS for code in get_args(union)} | {code.value for enum in ENUMS for code in enum}


def listed() -> set[str]:
    return {row.code for rows in ROWS.values() for row in rows()}


def test_the_page_of_codes_is_what_the_code_says() -> None:
    is_fresh = PAGE.read_text(encoding="utf-8") == page()
    assert is_fresh, "write it anew with `python -m tests.docs.codes`, and read its diff"


def test_the_page_has_every_code_of_the_closed_types() -> None:
    of_devices = {f"device.{code.value}" for code in SetupCode}  # in the section of SetupCode, whose heading says it
    assert closed() - listed() == of_devices


def _said() -> Iterator[str]:
    for folder in ("daemon", "drivers"):
        for makers, code_at in (
            (("Refusal", "refuse", "SetupProblem", "LoginRefusedError", "_refusal", "begin", "Anomaly"), 0),
            (("problem", "warning", "fine", "SetupError", "OutageError", "ConfigurationError", "__init__"), 0),
            (("Malformed", "by_the_page", "DeviceAnomaly"), 1),
        ):
            yield from (saying.code for saying in sayings(*makers, folder=folder, code_at=code_at))


def test_no_code_is_said_that_the_page_lacks() -> None:
    """By the literals in the source, beside what mypy proves: whatever looks like a code and is given where one is."""
    said = {code for code in _said() if code.replace("-", "").replace(".", "").isalnum() and code.islower()}
    assert len(said) > 150
    assert said - listed() == set()


@pytest.mark.parametrize("section", ROWS)
def test_every_code_has_a_remedy_and_no_cell_is_empty(section: str) -> None:
    for row in ROWS[section]():
        assert _is_said(row), row


def _is_said(row: Row) -> bool:
    remedy = row.cells[-1].strip(" …") or row.code in PASSED_ON
    return bool(remedy) and all(cell.strip() for cell in row.cells)


def test_no_oddity_is_explained_that_nobody_says() -> None:
    assert {row.code for row in oddity_rows()} == OF_ODDITIES.keys() >= WHO_ACTS_ON_ODDITIES.keys()


def test_no_line_of_the_log_is_explained_that_nobody_writes() -> None:
    assert {row.code for row in log_rows()} == OF_LOG.keys()


def test_a_driver_says_no_other_code_of_a_loss_or_a_fault() -> None:
    """The fields are text, because a journal may hold a code of another version; so the source is read."""
    said = [
        code
        for path in (ROOT / "drivers").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in CODE_LAST
        for code in node.args[CODE_LAST[ast.unparse(node.func).split(".")[-1]] :]
    ]
    forms = {ast.unparse(code) for code in said}
    assert {"LostEventsCode.GAP.value", "RED_LIGHT", "code.value"} <= forms
    assert [form for form in forms if not re.fullmatch(r"LostEventsCode\.\w+\.value|RED_LIGHT|code\.value", form)] == []


def test_every_phase_has_its_refusal() -> None:
    assert set(NOT_WHILE.values()) <= set(get_args(RefusalName))
