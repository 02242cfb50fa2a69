"""`emulate`: emulated devices as programs of their own, so that any software can be pointed at them."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from protocols.errors import LocalProtocolError
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.memory import DeviceMemory
from protocols.felt_link.messages import Identity
from sim_hardware.broker import Broker
from sim_hardware.control import ControlServer, tell
from sim_hardware.deck import Deck, parse_script
from sim_hardware.pace import Pace
from sim_hardware.ports import Port, PtyPort, TcpPort
from sim_hardware.replay_command import replay
from sim_hardware.shuffler_rig import MODEL, SERIAL, ShufflerRig, identity
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_words import shuffler_vocabulary
from sim_hardware.usb_port import UsbKind, UsbPort, usbip_port
from sim_hardware.words import WordError

HERE: Final = "here"
"""What `--pty` without a path comes to: a link in the directory for temporary files, named after the serial number."""
PORT: Final = click.IntRange(0, 65_535)


@click.group()
def emulate() -> None:
    """Emulated devices on real ports, with faults to switch on while they run."""


emulate.add_command(replay)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What was asked for, checked."""

    settings: ShufflerSettings
    who: Identity
    scripts: tuple[Deck, ...]
    port: Port
    control: Path | None
    auto_dealer: bool


@emulate.command()
@click.option("--pty", "pty", is_flag=False, flag_value=HERE, metavar="[PATH]", help="On a tty, under this name.")
@click.option("--tcp", type=PORT, metavar="PORT", help="On a TCP port of this machine, as a serial device server.")
@click.option("--usbip", type=PORT, metavar="PORT", help="On USB: a Linux kernel attaches it from this TCP port.")
@click.option("--usb-kind", type=click.Choice([kind.value for kind in UsbKind]), default=UsbKind.FELT_LINK.value,
              show_default=True, help="What the kernel then sees: felt-link itself, or a serial port.")  # fmt: skip
@click.option("--protocol", type=click.Choice(["felt-link"]), default="felt-link", show_default=True)
@click.option("--seed", default=0, show_default=True, help="Decides the order of every deck.")
@click.option("--deck", "deck", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Stacked decks: cards as Ah Kd, the rest as ..., decks apart by a line of ---.")  # fmt: skip
@click.option("--speed", default=1.0, show_default=True, help="2 is twice as fast as life, 0 is without waiting.")
@click.option("--mode", type=click.IntRange(1, 52), default=5, show_default=True, help="Cards in a packet.")
@click.option("--no-faces", is_flag=True, help="A machine that does not read cards.")
@click.option("--no-count", is_flag=True, help="A machine that does not count cards.")
@click.option("--observed", is_flag=True, help="Takes no orders: the green key begins dealing and ends it.")
@click.option("--packets", type=click.IntRange(1, 52), help="With --observed: gives only so many by itself.")
@click.option("--auto-dealer", is_flag=True, help="Takes packets and loads decks by itself, at dealing pace.")
@click.option("--control", type=click.Path(path_type=Path), metavar="SOCKET", help="Takes words on this Unix socket.")
@click.option("--serial", default=SERIAL, show_default=True)
@click.option("--model", default=MODEL, show_default=True)
def shuffler(pty: str | None, tcp: int | None, usbip: int | None, usb_kind: str, protocol: str, seed: int,
             deck: Path | None, speed: float, mode: int, no_faces: bool, no_count: bool, observed: bool,
             packets: int | None, auto_dealer: bool, control: Path | None, serial: str,
             model: str) -> None:  # fmt: skip
    """A single-deck shuffler, until it is interrupted."""
    if sum(given is not None for given in (pty, tcp, usbip)) > 1:
        raise click.UsageError("--pty, --tcp and --usbip: one machine has one port, give one of them")
    settings = ShufflerSettings(
        seed=seed,
        mode=mode,
        counts=not no_count,
        reads_faces=not no_faces,
        observed=observed,
        packets=packets,
        pace=_pace(speed),
    )
    usb = None if usbip is None else usbip_port(UsbKind(usb_kind), serial, usbip)
    port: Port = usb or (TcpPort(tcp) if tcp is not None else PtyPort(_link(pty, serial)))
    who = _sayable(identity(settings, model, serial))
    asyncio.run(_run_shuffler(_Plan(settings, who, _scripts(deck, seed), port, control, auto_dealer)))


@emulate.command()
@click.option("--port", type=PORT, default=1883, show_default=True)
def broker(port: int) -> None:
    """The bench broker: MQTT 5 on this machine only, nothing kept, until it is interrupted."""
    asyncio.run(_run_broker(port))


@emulate.command(name="tell")
@click.argument("socket", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, required=True)
def tell_device(socket: Path, words: tuple[str, ...]) -> None:
    """Say WORDS to the emulated device whose control SOCKET this is; `help` lists them."""
    try:
        click.echo(asyncio.run(tell(socket, " ".join(words))))
    except WordError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"nobody answers on {socket} ({error.strerror}): is the emulator running?") from None


def _pace(speed: float) -> Pace:
    try:
        return Pace(speed=speed)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--speed") from None


def _sayable(who: Identity) -> Identity:
    """A name that no hello can carry is found here, not when the first host connects."""
    try:
        DeviceConnection(who, DeviceMemory("check"), 0)
    except LocalProtocolError:
        hint = "1 to 32 printable characters, no | and no blank at either end"
        raise click.BadParameter(hint, param_hint="--serial and --model") from None
    return who


def _scripts(path: Path | None, seed: int) -> tuple[Deck, ...]:
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


async def _run_shuffler(plan: _Plan) -> None:
    interrupted = _on_interrupt()
    rig = ShufflerRig(plan.settings, plan.port, who=plan.who, scripts=plan.scripts, auto_dealer=plan.auto_dealer)
    control = ControlServer(shuffler_vocabulary(rig), plan.control) if plan.control is not None else None
    try:
        await rig.start()
        if control is not None:
            await control.start()
        _introduce(plan, rig)
        await interrupted.wait()
    except OSError as error:
        raise click.ClickException(str(error)) from None
    finally:
        if control is not None:
            await control.stop()
        await rig.stop()


async def _run_broker(port: int) -> None:
    interrupted = _on_interrupt()
    served = Broker()
    try:
        click.echo(f"MQTT 5 on 127.0.0.1:{await served.start(port)}; QoS 0 and 1; interrupt to end")
        await interrupted.wait()
    except OSError as error:
        raise click.ClickException(str(error)) from None
    finally:
        await served.close()


def _introduce(plan: _Plan, rig: ShufflerRig) -> None:
    """What a technician has to know to use it."""
    who = plan.who
    click.echo(f"{who.model}, serial number {who.serial}, {', '.join(who.capabilities)}; seed {plan.settings.seed}")
    click.echo("In feltd's configuration:")
    click.echo(f'  [devices.shuffler]\n  profile = "{_profile(plan.settings)}"\n  address = "{rig.address}"')
    if isinstance(plan.port, UsbPort):
        click.echo(f"A kernel attaches it with: {plan.port.how_to_attach}")
    if plan.control is not None:
        click.echo(f"Its hands and faults: feltd emulate tell {plan.control} help")
    click.echo("Interrupt to end.")


def _profile(settings: ShufflerSettings) -> str:
    if settings.observed:
        return "felt-link-shuffler-observed"
    if settings.reads_faces:
        return "felt-link-shuffler-faces"
    return "felt-link-shuffler-counts" if settings.counts else "felt-link-shuffler-blind"


def _on_interrupt() -> asyncio.Event:
    """Set when somebody wants an end; asked for before anything is opened, so that everything is closed again."""
    loop, wanted = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, wanted.set)
    return wanted
