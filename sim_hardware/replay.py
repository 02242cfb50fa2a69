"""`emulate replay`: plays the device's side of a recording on a real port, in its own time.

It answers nothing. A host that waits for answers (felt-link's acknowledged events, commands) sees the recorded ones.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import click

from protocols.capture import Capture, CaptureError, Side, read_capture
from sim_hardware.loop import loop_ns
from sim_hardware.pace import S
from sim_hardware.ports import Port, PtyPort, TcpPort


class Replay:
    """Plays once over a port. It is the port's user."""

    def __init__(self, capture: Capture, port: Port, speed: float) -> None:
        """Speed 2 is twice as fast as life, and 0 does not wait."""
        self.port: Final = port
        self.heard_bytes = 0
        self._chunks: Final = capture.said_by(Side.DEVICE)
        self._speed: Final = speed
        self._plugged = asyncio.Event()

    async def open(self) -> None:
        """Open the port."""
        await self.port.open(self)

    async def play(self, delay_s: float = 0.0) -> int:
        """Wait for a line, then play, the first chunk after `delay_s`. Return how many chunks were sent."""
        await self._plugged.wait()
        await asyncio.sleep(delay_s)
        begun_ns = loop_ns()
        first_ns = self._chunks[0].offset_ns if self._chunks else 0
        for chunk in self._chunks:
            await self._wait_until(begun_ns, chunk.offset_ns - first_ns)
            self.port.write(chunk.data)
        return len(self._chunks)

    async def close(self) -> None:
        """Close the port."""
        await self.port.close()

    async def _wait_until(self, begun_ns: int, offset_ns: int) -> None:
        """Wait until a chunk is due. The times count from the beginning, so that lateness does not add up."""
        if self._speed > 0:
            due_ns = begun_ns + int(offset_ns / self._speed)
            await asyncio.sleep(max(0, due_ns - loop_ns()) / S)

    def on_plugged(self) -> None:
        self._plugged.set()

    def on_data(self, data: bytes) -> None:
        self.heard_bytes += len(data)

    def on_unplugged(self) -> None:
        """Do nothing: the recording has its own interruptions."""


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--pty", type=click.Path(path_type=Path), metavar="PATH", help="On a tty, under this name.")
@click.option("--tcp", type=click.IntRange(0, 65_535), metavar="PORT", help="On a TCP port of this machine.")
@click.option("--speed", type=click.FloatRange(min=0), default=1.0, show_default=True,
              help="2 is twice as fast as it was, 0 is without waiting.")  # fmt: skip
@click.option("--delay", type=click.FloatRange(min=0), default=2.0, show_default=True,
              help="Seconds before the first byte: a host that opens a tty throws away what came earlier.")  # fmt: skip
def replay(file: Path, pty: Path | None, tcp: int | None, speed: float, delay: float) -> None:
    """Play the device's side of a recording (see `feltd capture`) once, in its own time, and end.

    On TCP it begins when a host connects. It answers nothing that the host says.
    """
    if (pty is None) == (tcp is None):
        raise click.UsageError("--pty or --tcp: a recording is played on one port, give one of them")
    port: Port = PtyPort(pty.absolute()) if pty is not None else TcpPort(tcp or 0)
    try:
        capture = read_capture(file.read_text(encoding="utf-8"))
    except (CaptureError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="FILE") from None
    asyncio.run(_play(capture, port, speed, delay))


async def _play(capture: Capture, port: Port, speed: float, delay_s: float) -> None:
    playing = Replay(capture, port, speed)
    try:
        await playing.open()
        who = capture.notes.get("model", "a device that never said who it is")
        click.echo(f"{who}, recorded {capture.notes.get('recorded', 'at an unknown time')}, at {port.address}")
        click.echo(f"{await playing.play(delay_s)} chunks played, {playing.heard_bytes} bytes heard")
        await asyncio.sleep(0.1)  # what the host has not taken yet is lost when its tty goes
    except OSError as error:
        raise click.ClickException(str(error)) from None
    finally:
        await playing.close()
