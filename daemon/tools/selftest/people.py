"""The person beside the device, if there is one: asked for what only hands can do, and free to leave it out."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Protocol, TypeAlias

import click
from rich.console import Console

Waiting: TypeAlias = Callable[[float | None], Coroutine[Any, Any, bool]]
"""Waits for what the hands do, for so many seconds or without limit. Returns whether it came."""

ALONE_S: Final = 10.0
"""Long enough for a program that presses the keys of a bench, and short for a script without hands."""
_LINE_BYTES_MAX: Final = 4096  # what a terminal gives at one Enter


class Person(Protocol):
    """One way to have something done by hand."""

    async def does(self, request: str, waiting: Waiting) -> None:
        """Ask for it, and wait until it has happened or will not happen."""

    def show_step(self, doing: str) -> None:
        """Show what the test is doing. Show nothing more if `doing` is empty."""


class Nobody:
    """No terminal to ask on. It may still happen within a time."""

    def __init__(self, patience_s: float = ALONE_S) -> None:
        self._patience_s: Final = patience_s

    async def does(self, request: str, waiting: Waiting) -> None:
        """Say what is wanted, and wait that time."""
        click.echo(f"{request} (waiting {self._patience_s:g} s)", err=True)
        await waiting(self._patience_s)

    def show_step(self, doing: str) -> None:
        """Do nothing."""


class AtTerminal:
    """A technician, who can leave out with Enter what cannot be done."""

    def __init__(self) -> None:
        self._screen: Final = Console(stderr=True, highlight=False)
        self._status: Final = self._screen.status("")

    async def does(self, request: str, waiting: Waiting) -> None:
        """Wait for the device or for Enter."""
        self._status.stop()
        termios.tcflush(sys.stdin, termios.TCIFLUSH)  # keys that were pressed before are not an answer
        self._screen.print(f"[bold]{request}[/bold] Or press Enter here to leave it out.")
        waits = {asyncio.ensure_future(waiting(None)), asyncio.ensure_future(_enter())}
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        for each in done:
            each.result()

    def show_step(self, doing: str) -> None:
        """Show it until the next step."""
        if doing:
            self._status.update(f"{doing} …")
            self._status.start()
        else:
            self._status.stop()


def present(*, is_json: bool) -> Person:
    """Return a technician if there is a terminal to ask on and the report is for a person."""
    return AtTerminal() if sys.stdin.isatty() and sys.stderr.isatty() and not is_json else Nobody()


async def _enter() -> None:
    loop, fd = asyncio.get_running_loop(), sys.stdin.fileno()
    pressed: asyncio.Future[None] = loop.create_future()

    def read() -> None:
        with suppress(BlockingIOError):
            os.read(fd, _LINE_BYTES_MAX)
        if not pressed.done():
            pressed.set_result(None)

    loop.add_reader(fd, read)
    try:
        await pressed
    finally:
        loop.remove_reader(fd)
