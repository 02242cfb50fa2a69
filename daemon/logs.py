"""Logs: JSON lines on standard output, readable lines on a terminal. structlog writes them.

Every value and every traceback goes through `redact` before it is written, so no line shows a card. Text that a caller
composes could still show one, so a test reads all our log calls and refuses any that composes text.

Under systemd each line begins with its priority in angle brackets (sd-daemon(3)). systemd removes it and makes it the
entry's priority. A line that cannot be written is lost: a log never stops the table.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from daemon import clock
from daemon.redact import redact, trace
from daemon.visible import visible

_PRIORITIES: Final = {"debug": 7, "info": 6, "warning": 4, "error": 3, "critical": 2}  # syslog(3)


class LogLevel(Enum):
    """The least important level that is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogForm(Enum):
    """How a line is written."""

    TERMINAL = "terminal"
    JSON = "json"
    JOURNALD = "journald"


def configure(level: LogLevel, stream: TextIO | None = None, form: LogForm | None = None) -> None:
    """Set up all logs of the process, including what libraries write through `logging`."""
    out = sys.stdout if stream is None else stream
    chosen = form_of(out, os.environ) if form is None else form
    number = logging.getLevelNamesMapping()[level.name]
    structlog.configure(
        processors=_processors(chosen),
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(_Unbreakable(out)),  # type: ignore[arg-type]
        cache_logger_on_first_use=False,
    )
    _forward_standard_logging(max(number, logging.WARNING))


def form_of(stream: TextIO, environ: Mapping[str, str]) -> LogForm:
    """Return the form for this stream: a terminal, systemd's journal, or any other program."""
    if stream.isatty():
        return LogForm.TERMINAL
    return LogForm.JOURNALD if _is_journal(stream, environ.get("JOURNAL_STREAM", "")) else LogForm.JSON


def _is_journal(stream: TextIO, journal_stream: str) -> bool:
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        return False
    # JOURNAL_STREAM names the journal's socket by device and inode. A child whose output is redirected inherits the
    # variable, but not the socket.
    return journal_stream == f"{status.st_dev}:{status.st_ino}"


def _processors(form: LogForm) -> list[Processor]:
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        _add_time,
        structlog.processors.ExceptionRenderer(lambda raised: trace(raised[1])),
        _redact_event,
    ]
    match form:
        case LogForm.TERMINAL:
            plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
            return [*shared, _make_visible, plain]
        case LogForm.JSON:
            return [*shared, _render_json]
        case LogForm.JOURNALD:
            return [*shared, _render_journald]


def _add_time(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    event["at"] = clock.rfc3339(clock.stamp().utc_ns)
    return event


def _redact_event(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    return {key: redact(value) for key, value in event.items()}


def _make_visible(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Spell what would move a terminal's cursor: a topic is a stranger's word. Of a traceback each line stays one."""
    return {key: _visible_lines(value) if isinstance(value, str) else value for key, value in event.items()}


def _visible_lines(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _render_json(_: WrappedLogger, __: str, event: EventDict) -> str:
    return json.dumps(event, allow_nan=False)


def _render_journald(logger: WrappedLogger, name: str, event: EventDict) -> str:
    return f"<{_PRIORITIES.get(event['level'], 6)}>{_render_json(logger, name, event)}"


class _Unbreakable:
    """A stream that drops what it cannot write: the table must not end because the reader of its logs ended."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()


class _Forwarder(logging.Handler):
    """Passes what libraries log to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger(record.name)
        log.log(record.levelno, "library-log", logger=record.name, text=record.getMessage(), exc_info=record.exc_info)


def _forward_standard_logging(level: int) -> None:
    root = logging.getLogger()
    root.handlers = [_Forwarder()]
    root.setLevel(level)
