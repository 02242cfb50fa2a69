"""Imports what `feltd bench` is made of: the fork server of `tests.support.forked` begins with this."""

from __future__ import annotations

from importlib import import_module

from daemon.lazy import importing

with importing():
    for each in ("daemon.lean", "daemon.cli", "daemon.tools.bench.command"):
        import_module(each)
