"""What every emulator's program does: its options made into values, its port served until it is interrupted."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Final, Protocol

import click

from protocols.errors import LocalProtocolError
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.memory import DeviceMemory
from protocols.felt_link.messages import Identity
from protocols.frozen import dataclass
from sim_hardware.control import ControlServer
from sim_hardware.deck import Deck, parse_script
from sim_hardware.pace import Pace
from sim_hardware.ports import CLIENTS_MAX, Port, PtyPort, TcpPort
from sim_hardware.rig_words import KEY
from sim_hardware.usb_port import UsbKind, UsbPort, usbip_port
from sim_hardware.words import Vocabulary

HERE: Final = "here"
BENCH: Final = Path("/run/feltd-bench")
"""Where feltd under its unit finds a tty: it has a /tmp of its own, and no homes."""
"""What `--pty` without a path comes to: a link in the directory for temporary files, named after the serial number."""
PORT: Final = click.IntRange(0, 65_535)


class Served(Protocol):
    """An emulated device that can be served."""

    @property
    def address(self) -> str:
        """Return its address for feltd's configuration."""

    async def start(self) -> None:
        """Power on and plug in."""

    async def stop(self) -> None:
        """Unplug and power off."""


@dataclass(frozen=True, slots=True)
class Place:
    """What every emulated device's program is asked: on which port, under which name, how fast, by which seed."""

    pty: str | None
    tcp: int | None
    clients: int
    usbip: int | None
    usb_kind: str | None
    control: Path | None
    serial: str
    model: str
    seed: int
    speed: float

    def port(self, usual_usb: UsbKind = UsbKind.FELT_LINK) -> Port:
        """Return the port that was asked for. `usual_usb` is what a kernel sees without --usb-kind."""
        if sum(given is not None for given in (self.pty, self.tcp, self.usbip)) > 1:
            raise click.UsageError("--pty, --tcp and --usbip: one machine has one port, give one of them")
        if self.usbip is not None:
            return usbip_port(UsbKind(self.usb_kind) if self.usb_kind else usual_usb, self.serial, self.usbip)
        if self.tcp is not None:
            return TcpPort(self.tcp, clients_max=self.clients)
        return PtyPort(_link(self.pty, self.serial))

    def pace(self) -> Pace:
        """Return the pace at that speed."""
        try:
            return Pace(speed=self.speed)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--speed") from None


def placed(model: str, serial: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a `Place`, which becomes its first argument. These names are the defaults."""
    options = (
        click.option("--pty", "pty", is_flag=False, flag_value=HERE, metavar="[PATH]",
                     help="On a tty, under this name."),
        click.option("--tcp", type=PORT, metavar="PORT",
                     help="On a TCP port of this machine, as a serial device server."),
        click.option("--clients", type=click.IntRange(1, 16), default=CLIENTS_MAX, show_default=True,
                     help="With --tcp: how many clients the device server admits; one more replaces the oldest."),
        click.option("--usbip", type=PORT, metavar="PORT",
                     help="On USB: a Linux kernel attaches it from this TCP port."),
        click.option("--usb-kind", type=click.Choice([kind.value for kind in UsbKind]),
                     help="What the kernel then sees: felt-link itself, or (for other protocols) a serial port."),
        click.option("--control", type=click.Path(path_type=Path), metavar="SOCKET",
                     help="Takes words on this Unix socket."),
        click.option("--serial", default=serial, show_default=True, help="What felt-link and USB say."),
        click.option("--model", default=model, show_default=True, help="The same."),
        click.option("--seed", default=0, show_default=True, help="Decides every order and what a bad line damages."),
        click.option("--speed", default=1.0, show_default=True,
                     help="2 is twice as fast as life, 0 is without waiting."),
    )  # fmt: skip

    def with_options(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(pty: str | None, tcp: int | None, clients: int, usbip: int | None, usb_kind: str | None,
                control: Path | None, serial: str, model: str, seed: int, speed: float,
                **others: object) -> None:  # fmt: skip
            command(Place(pty, tcp, clients, usbip, usb_kind, control, serial, model, seed, speed), **others)

        for option in reversed(options):
            run = option(run)
        return run

    return with_options


def sayable(who: Identity) -> Identity:
    """Return the identity. Raise BadParameter if a hello cannot carry it: the first host would find that too late."""
    try:
        DeviceConnection(who, DeviceMemory("check"), 0)
    except LocalProtocolError:
        hint = "1 to 32 printable characters, no | and no blank at either end"
        raise click.BadParameter(hint, param_hint="--serial and --model") from None
    return who


def called(text: str | None, option: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a device's parts are called: the words of `--keys` or the like, or the usual ones."""
    if text is None:
        return usual
    words = tuple(word.strip() for word in text.split(","))
    wrong = next((word for place, word in enumerate(words) if not KEY.fullmatch(word) or word in words[:place]), None)
    if wrong is not None:
        hint = "each once, 1 to 32 small letters, digits and hyphens"
        what = option.strip("-").removesuffix("s")
        raise click.BadParameter(f"{wrong!r} cannot be a {what}: {hint}, commas between", param_hint=option)
    return words


def introduced(about: str, seed: int, name: str, profile: str | None) -> tuple[str, ...]:
    """Return what an emulated device prints at its start: what it is, and the lines that feltd wants of it."""
    return (
        f"{about}; seed {seed}",
        "In feltd's configuration:",
        f"  [devices.{name}]",
        f'  profile = "{profile}"' if profile else "  # of feltd's profiles none is for such a machine",
    )


def named(who: Identity, what: str) -> str:
    """Return what a device is that says its name."""
    return f"{who.model}, serial number {who.serial}, {what}"


def scripts_of(path: Path | None, seed: int) -> tuple[Deck, ...]:
    """Return the stacked decks of a file."""
    if path is None:
        return ()
    try:
        return parse_script(path.read_text(encoding="utf-8"), seed)
    except ValueError as error:
        raise click.BadParameter(f"{path}, {error}", param_hint="--deck") from None


def _link(pty: str | None, serial: str) -> Path:
    if pty is None or pty == HERE:
        return Path(tempfile.gettempdir()) / f"felt-{serial}"
    return Path(pty).absolute()


async def serve(rig: Served, words: Vocabulary, control: Path | None, introduction: Sequence[str], port: Port) -> None:
    """Serve the device until interrupted. Print `introduction`, then how to reach the device."""
    interrupted = on_interrupt()
    server = ControlServer(words, control) if control is not None else None
    try:
        if server is not None:  # first: if another emulator answers here, the tty's name must stay its own
            await server.start()
        await rig.start()
        _introduce(rig, control, introduction, port)
        await interrupted.wait()
    except OSError as error:
        raise click.ClickException(str(error)) from None
    finally:
        if server is not None:
            await server.stop()
        await rig.stop()


def _introduce(rig: Served, control: Path | None, introduction: Sequence[str], port: Port) -> None:
    """Print what a technician needs to use the device."""
    for line in introduction:
        click.echo(line)
    click.echo(f'  address = "{rig.address}"')
    if isinstance(port, PtyPort) and port.link.is_relative_to(tempfile.gettempdir()):
        where = tempfile.gettempdir()
        click.echo(f"feltd's unit has a {where} of its own. For a table that it runs: --pty {BENCH}/NAME")
    if isinstance(port, UsbPort):
        click.echo(f"A kernel attaches it with: {port.how_to_attach}")
    if control is not None:
        click.echo(f"What it can be told: feltd emulate tell {control} help")
    click.echo("Interrupt to end.")


def on_interrupt() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set. Call this before anything is opened, so that all is closed again."""
    loop, wanted = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, wanted.set)
    return wanted
