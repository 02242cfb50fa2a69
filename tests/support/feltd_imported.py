"""Imports what `feltd bench`, `journal` and `check` are made of, for the fork server of `tests.support.forked`."""

from __future__ import annotations

from importlib import import_module

from daemon.lazy import importing

with importing():
    import_module("daemon.lean")  # before anything imports structlog
    for each in ("daemon.cli", "daemon.tools.bench.command", "daemon.tools.journal.command", "daemon.tools.check"):
        import_module(each)
