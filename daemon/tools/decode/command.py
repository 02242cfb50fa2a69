"""`feltd decode`: what did the device really say? The bytes come from a raw stream or from a recording."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

import click

from daemon.tools.decode.rendering import as_json, as_text, row
from protocols.capture import FIRST_LINE, CaptureError, Side, read_capture
from protocols.codec import Garbage
from protocols.frozen import dataclass
from protocols.listening import Heard, Listening
from protocols.registry import PROTOCOLS

STDIN: Final = Path("-")
READ_SIZE: Final = 65_536
LEGEND: Final = """\b
  offset  where the frame begins in the stream, in bytes from 0
  event   the kind of message, or DAMAGE for bytes that are not a valid frame
  fields  the fields of the message; - is "not known"
  bytes   the frame itself, in hexadecimal

\b
Cards are rank and suit: Ah, Td, 2c. A reader that could not name a card says
  ??  unreadable    []  face to back    ##  of another deck

\b
""" + "\n".join(
    f"{protocol.name if place == 0 else '':<16}{line}"
    for protocol in PROTOCOLS.values()
    for place, line in enumerate(protocol.to_read)
)


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes to decode, in pieces as they come. A recording names its protocol."""

    pieces: Iterator[bytes]
    protocol: str | None = None


@click.command(epilog=LEGEND)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path), default="-")
@click.option(
    "--protocol", type=click.Choice(tuple(PROTOCOLS)), help="The protocol of the line; a recording names it itself."
)
@click.option("--side", type=click.Choice([side.name.lower() for side in Side]), default=Side.DEVICE.name.lower(),
              show_default=True, help="Which side of a recording.")  # fmt: skip
@click.option("--json", "is_json", is_flag=True, help="Print one JSON object a line.")
def decode(file: Path, protocol: str | None, side: str, is_json: bool) -> None:
    """Show what a device really said, frame by frame.

    FILE is a recording of `feltd capture` or raw bytes; - is the standard input, live. Each line shows one frame or
    one piece of damage. Each byte of the stream is shown exactly once. When the bytes end, a summary goes to the
    standard error. Nothing is written to any device.

    This shows every card in clear, also cards that no player has seen. Use it on the bench, and for lines and
    recordings whose rounds are over.
    """
    shape = as_json if is_json else as_text
    summary = Summary()
    listener: Listening | None = None

    def show(batch: list[Heard]) -> None:
        summary.count(batch)
        click.echo("\n".join(shape(row(heard)) for heard in batch))

    with _open(file) as stream, suppress(KeyboardInterrupt):  # how a technician ends a live stream
        source = _source(stream, Side[side.upper()]) if file != STDIN else Source(_raw(stream))
        listener = PROTOCOLS[_protocol(protocol, source)].listener()
        for piece in source.pieces:
            listener.feed(piece)
            if batch := list(iter(listener.next, None)):
                show(batch)
    if listener is not None and (rest := listener.end()) is not None:
        show([rest])
    click.echo(summary.text(), err=True)


def _open(file: Path) -> io.FileIO:
    """Open without a buffer, so that a frame is shown when it arrives, and not when four thousand bytes have."""
    return io.FileIO(sys.stdin.fileno(), closefd=False) if file == STDIN else io.FileIO(file)


def _source(stream: io.FileIO, side: Side) -> Source:
    """Return the stream's bytes, or one side of it if it is a recording."""
    first = stream.read(READ_SIZE)
    if not first.startswith(f"{FIRST_LINE}\n".encode()):
        return Source(chain([first], _raw(stream)))
    try:
        capture = read_capture(b"".join([first, *_raw(stream)]).decode("utf-8"))
    except (CaptureError, UnicodeDecodeError) as error:
        reason = error if isinstance(error, CaptureError) else "it is not UTF-8"
        raise click.BadParameter(
            f"it begins like a recording, but it is not one: {reason}", param_hint="FILE"
        ) from None
    return Source((chunk.data for chunk in capture.said_by(side)), capture.notes.get("protocol"))


def _raw(stream: io.FileIO) -> Iterator[bytes]:
    return iter(lambda: stream.read(READ_SIZE), b"")


def _protocol(asked: str | None, source: Source) -> str:
    """Return the protocol that was asked for, else the recording's. It is never guessed from the bytes."""
    known = ", ".join(PROTOCOLS)
    if (protocol := asked or source.protocol) is None:
        raise click.UsageError(f"name the protocol of the line: --protocol {known}")
    if protocol not in PROTOCOLS:
        raise click.UsageError(f"the recording has the protocol {protocol!r}; known are {known}")
    return protocol


class Summary:
    """How many frames and bytes there were, and how many were damaged."""

    def __init__(self) -> None:
        self._frames = self._pieces = self._bytes = self._damaged_bytes = 0

    def count(self, batch: list[Heard]) -> None:
        """Count frames and damage."""
        damaged = [len(heard.data) for heard in batch if isinstance(heard.saying, Garbage)]
        self._bytes += sum(len(heard.data) for heard in batch)
        self._damaged_bytes += sum(damaged)
        self._pieces += len(damaged)
        self._frames += len(batch) - len(damaged)

    def text(self) -> str:
        """Return one line of prose."""
        size = f"{self._bytes} bytes, {self._frames} valid frames"
        return f"{size}, pieces of damage: {self._pieces} ({self._damaged_bytes} bytes)"
