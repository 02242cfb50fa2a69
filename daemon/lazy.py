"""Click commands that are imported only when they are run.

`feltd --help` is typed on small machines beside a table, and importing every part takes many times as long as
printing a page. So a command stands in its group by name, by the line for the help, and by where it really is.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click


class LazyCommand(click.Command):
    """Stands for the command at `target` (``package.module:attribute``) until somebody calls it."""

    def __init__(self, name: str, target: str, summary: str) -> None:
        super().__init__(name, short_help=summary)
        self.target = target

    def load(self) -> click.Command:
        """The real command."""
        module, _, attribute = self.target.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.target} is no command")
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401  click's own signature
    ) -> click.Context:
        """Click asks for this when it runs or completes a command; the context then belongs to the real one."""
        return self.load().make_context(info_name, args, parent, **extra)
