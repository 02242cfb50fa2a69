"""Click commands that are imported only when they run.

`feltd --help` runs on small machines beside a table, and importing every part takes many times as long as printing
the page. So the group knows of each command only its name, its line in the help, and its module.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click


@contextmanager
def importing() -> Iterator[None]:
    """Keep the garbage collector from looking at what is made in this block: a module's contents stay.

    To look at them costs a fifth of a table's start and of its end, and now and then a pause in between.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class LazyCommand(click.Command):
    """A placeholder for the command at `target` (``package.module:attribute``)."""

    def __init__(self, name: str, target: str, summary: str) -> None:
        super().__init__(name, short_help=summary)
        self.target = target

    def load(self) -> click.Command:
        """Import and return the real command."""
        module, _, attribute = self.target.partition(":")
        with importing():
            import_module("daemon.lean")
            command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.target} is not a command")
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401  click's own signature
    ) -> click.Context:
        """Return the real command's context. Click asks for it when it runs or completes a command."""
        return self.load().make_context(info_name, args, parent, **extra)
