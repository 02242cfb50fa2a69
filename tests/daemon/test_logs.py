"""What a log line looks like, and what can never be in one."""

from __future__ import annotations

import ast
import io
import json
import logging
import os
import pty
import socket
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import structlog

from daemon import logs
from daemon.logs import LogForm, LogLevel
from drivers.events import DeviceName, DeviceReport, PacketDispensed, Stamp
from protocols.cards import DECK, Misread
from protocols.codec import Garbage

ROOT = Path(__file__).resolve().parents[2]
ACE = DECK[-1]
PACKET = DeviceReport(DeviceName("shuffler"), Stamp(1, 2), PacketDispensed(1, 5, (ACE, DECK[0], Misread.UNREADABLE)))


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def logged(form: LogForm, level: LogLevel = LogLevel.DEBUG, **values: object) -> str:
    stream = io.StringIO()
    logs.configure(level, stream, form)
    structlog.get_logger("test").warning("something-happened", **values)
    return stream.getvalue()


def test_a_json_line_has_what_when_and_how_important() -> None:
    line = json.loads(logged(LogForm.JSON, device="shuffler", count=5, odds=Fraction(1, 3)))
    assert line.pop("at").endswith("Z")
    assert line == {
        "event": "something-happened",
        "level": "warning",
        "device": "shuffler",
        "count": 5,
        "odds": "1/3",
    }


def test_under_journald_the_priority_stands_before_the_json() -> None:
    line = logged(LogForm.JOURNALD)
    assert line.startswith("<4>{")
    assert json.loads(line[3:])["level"] == "warning"


def test_on_a_terminal_the_line_is_for_people() -> None:
    line = logged(LogForm.TERMINAL, device="shuffler")
    assert "something-happened" in line
    assert not line.startswith("{")


def test_a_strangers_word_moves_nothing_on_a_terminal() -> None:
    """A topic at NATS can have any bytes: `feltd listen` printed them, in a line of the log."""
    line = logged(LogForm.TERMINAL, topic="felt/\x1b[2J\x1b]0;taken\x07\u202elie")
    assert r"felt/\u001b[2J\u001b]0;taken\u0007\u202elie" in line


@pytest.mark.parametrize("form", LogForm)
@pytest.mark.parametrize(
    "secret",
    [
        ACE,
        ACE.rank,
        ACE.suit,
        Misread.FOREIGN,
        [ACE],
        {ACE: ACE},
        {"cards": {(ACE, DECK[0])}},
        PACKET,
        [PACKET],
        Garbage(b"DISP,1,As,2c", "checksum"),
        b"As 2c",
        ValueError(ACE),
        object(),
    ],
    ids=lambda secret: type(secret).__name__,
)
def test_no_value_shows_a_face_wherever_it_stands(form: LogForm, secret: object) -> None:
    line = logged(form, seen=secret)
    for face in (*DECK, *Misread):
        assert str(face) not in line.split("seen", 1)[1]


def fail_with_cards_in_every_place() -> None:
    try:
        {DECK[0]: 1}[ACE]
    except KeyError as missing:
        wrong = ExceptionGroup("two", [ValueError(ACE), OSError(ACE), missing])
        raise RuntimeError(ACE, [DECK[0]]) from wrong


@pytest.mark.parametrize("form", LogForm)
def test_a_traceback_says_where_and_shows_no_face(form: LogForm) -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.INFO, stream, form)
    try:
        fail_with_cards_in_every_place()
    except RuntimeError:
        structlog.get_logger("test").exception("broke")
    told = stream.getvalue()
    for line in ("KeyError: <card>", "ValueError: <card>", "OSError: <card>", "RuntimeError: <card>: ['<card>']"):
        assert line in told
    assert "fail_with_cards_in_every_place" in told
    assert str(ACE) not in told


@pytest.mark.parametrize("strange", [2**80, float("nan"), "\udc80", "\x00\x1b[31m", float("-inf"), {1: object()}])
def test_any_value_gives_one_line_of_valid_json(strange: object) -> None:
    line = logged(LogForm.JSON, strange=strange)
    assert line.count("\n") == 1
    assert "strange" in json.loads(line, parse_constant=pytest.fail)


def test_less_important_lines_are_left_out() -> None:
    assert logged(LogForm.JSON, LogLevel.ERROR) == ""


def test_what_a_library_logs_goes_the_same_way() -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.INFO, stream, LogForm.JSON)
    logging.getLogger("asyncio").warning("slow: %s", "callback")
    line = json.loads(stream.getvalue())
    assert (line["event"], line["logger"], line["text"], line["level"]) == (
        "library-log",
        "asyncio",
        "slow: callback",
        "warning",
    )


def test_a_reader_that_went_away_does_not_stop_the_table() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w", buffering=1) as stream:
        logs.configure(LogLevel.INFO, stream, LogForm.JSON)
        log = structlog.get_logger("test")
        log.warning("first")
        log.warning("second")
        with Path(os.devnull).open("w") as sink:
            os.dup2(sink.fileno(), stream.fileno())  # so that closing can write what is left


def test_a_terminal_is_told_from_a_pipe() -> None:
    leader, follower = pty.openpty()
    with os.fdopen(leader), os.fdopen(follower) as terminal:
        assert logs.form_of(terminal, {}) is LogForm.TERMINAL
    assert logs.form_of(io.StringIO(), {}) is LogForm.JSON


def test_journald_is_recognised_by_its_socket_and_by_nothing_else() -> None:
    ours, journal = socket.socketpair()
    with ours, journal, ours.makefile("w") as stream:
        status = os.fstat(ours.fileno())
        assert logs.form_of(stream, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}) is LogForm.JOURNALD
        assert logs.form_of(stream, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino + 1}"}) is LogForm.JSON


LEVELS = {"debug", "info", "warning", "warn", "error", "critical", "exception", "log"}
LOGGERS = {"_log", "log", "_logger", "logger"}


def _composes(node: ast.expr) -> bool:
    """Whether a value is made into text inside the call, where a card's own text could get in."""
    return any(
        isinstance(inner, ast.JoinedStr)
        or (isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mod))
        or (isinstance(inner, ast.Call) and ast.unparse(inner.func).split(".")[-1] in {"spell", "format"})
        for inner in ast.walk(node)
    )


def _event(call: ast.Call) -> ast.expr:
    has_level_first = isinstance(call.func, ast.Attribute) and call.func.attr == "log"
    return call.args[1 if has_level_first else 0]


def _log_calls() -> Iterator[tuple[str, ast.Call]]:
    for tree in ("daemon", "drivers"):
        for path in sorted((ROOT / tree).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LEVELS:
                    owner = ast.unparse(node.func.value).split(".")[-1]
                    if owner in LOGGERS:
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_every_call_names_its_event_and_composes_no_text() -> None:
    calls = list(_log_calls())
    loose = [
        where
        for where, call in calls
        if any(_composes(value) for value in (*call.args, *(keyword.value for keyword in call.keywords)))
        or not isinstance(_event(call), ast.Constant)
    ]
    assert loose == []
