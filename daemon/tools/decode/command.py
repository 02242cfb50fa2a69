"""`feltd decode`: what did the device really say?"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from daemon.tools.decode.rendering import as_json, as_text, row
from daemon.tools.decode.source import Source, raw, source_of
from protocols.capture import CaptureError, Side
from protocols.codec import Garbage
from protocols.listening import Heard, Listening
from protocols.registry import LISTENERS

STDIN: Final = Path("-")
LEGEND: Final = """\b
  offset  where the frame begins in the stream, in bytes from 0
  event   what it says, or DAMAGE for bytes that are no sound frame
  fields  what it says about it; - is "not known"
  bytes   the frame itself, in hexadecimal

\b
Cards are rank and suit: Ah, Td, 2c. A reader that could not name one says
  ??  unreadable    []  face to back    ##  of another deck

\b
felt-link       seq 0 or none: outside the numbering; resent=yes: said before
angel-eye-iiex  each report comes three times under one seq, copy=1 to 3.
                card-drawn-outside: no game of the shoe was on, and why.
                card-again: what it means is disputed, and the profile chooses.
                target, winner: of the shoe's own baccarat, whatever is played.
                A number in place of a name: nobody knows what it means.
bee-tek         no check at all: a line that fits can still be wrong.
                unknown-line: text that nobody has explained.
"""


@click.command(epilog=LEGEND)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path), default="-")
@click.option(
    "--protocol", type=click.Choice(tuple(LISTENERS)), help="What the line speaks; a recording says so itself."
)
@click.option("--side", type=click.Choice([side.name.lower() for side in Side]), default=Side.DEVICE.name.lower(),
              show_default=True, help="Whose bytes of a recording.")  # fmt: skip
@click.option("--json", "is_json", is_flag=True, help="One JSON object a line.")
def decode(file: Path, protocol: str | None, side: str, is_json: bool) -> None:
    """Show what a device really said, frame by frame.

    Takes a recording of `feltd capture` from FILE, or raw bytes from FILE or from the standard input as they come (-),
    and shows one frame or one piece of damage a line, live. Nothing is written to any device. Every byte of the stream
    is shown exactly once. When the bytes end, a summary goes to the standard error.

    This shows every card in clear, also those that no player has seen: it is for the bench, and for lines and
    recordings of which no round is open.
    """
    shape = as_json if is_json else as_text
    summary = Summary()
    listener: Listening | None = None

    def show(batch: list[Heard]) -> None:
        summary.count(batch)
        click.echo("\n".join(shape(row(heard)) for heard in batch))

    with _open(file) as stream, suppress(KeyboardInterrupt):  # how a technician ends a live stream
        source = _source(stream, Side[side.upper()]) if file != STDIN else Source(raw(stream))
        listener = LISTENERS[_protocol(protocol, source)]()
        for batch in _heard(listener, source):
            show(batch)
    if listener is not None and (rest := listener.end()) is not None:
        show([rest])
    click.echo(summary.text(), err=True)


def _open(file: Path) -> io.FileIO:
    """Without a buffer, so that a frame is shown when it is there, and not when four thousand bytes are."""
    return io.FileIO(sys.stdin.fileno(), closefd=False) if file == STDIN else io.FileIO(file)


def _source(stream: io.FileIO, side: Side) -> Source:
    try:
        return source_of(stream, side)
    except CaptureError as error:
        raise click.BadParameter(f"it begins as a recording and is none: {error}", param_hint="FILE") from None


def _heard(listener: Listening, source: Source) -> Iterator[list[Heard]]:
    """What became whole with each piece."""
    for piece in source.pieces:
        listener.feed(piece)
        batch = list(iter(listener.next, None))
        if batch:
            yield batch


def _protocol(asked: str | None, source: Source) -> str:
    """What was asked for, else what the recording says; nothing is guessed from the bytes."""
    known = ", ".join(LISTENERS)
    if (protocol := asked or source.protocol) is None:
        raise click.UsageError(f"say what the line speaks: --protocol {known}")
    if protocol not in LISTENERS:
        raise click.UsageError(f"the recording is of the protocol {protocol!r}; there are {known}")
    return protocol


class Summary:
    """How much was heard, and how much of it was damage."""

    def __init__(self) -> None:
        self._frames = self._pieces = self._bytes = self._damaged_bytes = 0

    def count(self, batch: list[Heard]) -> None:
        """Take what was heard."""
        damaged = [len(heard.data) for heard in batch if isinstance(heard.saying, Garbage)]
        self._bytes += sum(len(heard.data) for heard in batch)
        self._damaged_bytes += sum(damaged)
        self._pieces += len(damaged)
        self._frames += len(batch) - len(damaged)

    def text(self) -> str:
        """One line of prose."""
        size = f"{self._bytes} bytes, {self._frames} sound frames"
        return f"{size}, pieces of damage: {self._pieces} ({self._damaged_bytes} bytes)"
