"""`emulate replay`: a recording as a device on a real port."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from protocols.capture import Capture, CaptureError, read_capture
from sim_hardware.ports import Port, PtyPort, TcpPort
from sim_hardware.replay import Replay


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

    On TCP it begins when somebody connects. It answers nothing that the host says.
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
