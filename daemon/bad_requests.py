"""Requests that are none are one plain line in the log, and not a traceback each: anybody can send them without end."""

from __future__ import annotations

import logging
import time
from typing import Final

import structlog
from aiohttp.http_exceptions import HttpProcessingError

TOLD_AGAIN_S: Final = 60.0

_log = structlog.get_logger(__name__)


class BadRequests(logging.Filter):
    """Says at most once a minute that a request could not be read, and lets everything else of the library through."""

    def __init__(self) -> None:
        super().__init__()
        self._told_s: float | None = None
        self._since_told = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written as it is."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, HttpProcessingError):
            return True
        self._since_told += 1
        now_s = time.monotonic()
        if self._told_s is None or now_s >= self._told_s + TOLD_AGAIN_S:
            address = record.args[0] if isinstance(record.args, tuple) and record.args else None
            _log.warning("bad-request", problem=type(error).__name__, number=self._since_told, address=address)
            self._told_s, self._since_told = now_s, 0
        return False


def quiet_logger() -> logging.Logger:
    """Return the logger for one server of the library."""
    logger = logging.Logger("aiohttp.server")
    logger.parent = logging.getLogger()
    logger.addFilter(BadRequests())
    return logger
