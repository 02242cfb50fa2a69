"""`emulate`: emulated devices as programs of their own, so that any software can be pointed at them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import click

from protocols.cards import DECK
from sim_hardware.broker import Broker
from sim_hardware.buttons_command import buttons
from sim_hardware.contacts_command import contacts
from sim_hardware.control import tell
from sim_hardware.program import PORT, Place, introduced, named, on_interrupt, placed, sayable, scripts_of, serve
from sim_hardware.replay import replay
from sim_hardware.shoe_command import shoe
from sim_hardware.shuffler_rig import MODEL, SERIAL, ShufflerRig, identity
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_words import shuffler_vocabulary
from sim_hardware.stakes_command import stakes
from sim_hardware.words import WordError

BATCH: Final = "batch"


class _Emulate(click.Group):
    """Also takes `--replay FILE`, which is `replay FILE` and nothing else."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flag = f"--{replay.name}"
        if any(arg.partition("=")[0] == flag for arg in args) and args[0].startswith("-"):
            args = [str(replay.name), *(arg.removeprefix(f"{flag}=") for arg in args if arg != flag)]
        return super().parse_args(ctx, args)


@click.group(cls=_Emulate, epilog="`--replay FILE` is another spelling of `replay FILE`.")
def emulate() -> None:
    """Emulated devices on real ports, with faults to switch on while they run."""


@emulate.command()
@placed(MODEL, SERIAL)
@click.option("--protocol", type=click.Choice(["felt-link"]), default="felt-link", show_default=True)
@click.option("--deck", "deck", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Stacked decks: cards as Ah Kd, the rest as ..., decks apart by a line of ---.")  # fmt: skip
@click.option(
    "--mode",
    default="5",
    show_default=True,
    metavar="N|N,N,…|batch",
    help="Cards in a packet; or those of each packet by a program of its own; or the whole deck at once.",
)
@click.option("--no-faces", is_flag=True, help="A machine that does not read cards.")
@click.option("--no-count", is_flag=True, help="A machine that does not count cards.")
@click.option("--observed", is_flag=True, help="Takes no orders: the green key begins dealing and ends it.")
@click.option("--packets", type=click.IntRange(1, 52), help="With --observed: gives only so many by itself.")
@click.option("--auto-dealer", is_flag=True, help="Takes packets and loads decks by itself, at dealing pace.")
def shuffler(place: Place, protocol: str, deck: Path | None, mode: str, no_faces: bool, no_count: bool,
             observed: bool, packets: int | None, auto_dealer: bool) -> None:  # fmt: skip
    """Emulate a single-deck shuffler, until it is interrupted."""
    port = place.port()
    program = _program(mode)
    if len(program) > 1 and not observed:
        raise click.UsageError("--mode with a program: only a machine that is --observed sizes packets by itself")
    settings = ShufflerSettings(
        seed=place.seed,
        mode=program[0] if program else ShufflerSettings().mode,
        program=program if len(program) > 1 else (),
        batch=mode == BATCH,
        counts=not no_count,
        reads_faces=not no_faces,
        observed=observed,
        packets=packets,
        pace=place.pace(),
    )
    who = sayable(identity(settings, place.model, place.serial))
    rig = ShufflerRig(settings, port, who=who, scripts=scripts_of(deck, place.seed), auto_dealer=auto_dealer)
    about = named(who, ", ".join(who.capabilities))
    introduction = introduced(about, place.seed, "shuffler", profile_of(settings))
    asyncio.run(serve(rig, shuffler_vocabulary(rig), place.control, introduction, port))


emulate.add_command(buttons)
emulate.add_command(shoe)
emulate.add_command(stakes)
emulate.add_command(contacts)
emulate.add_command(replay)


@emulate.command()
@click.option("--port", type=PORT, default=1883, show_default=True)
def broker(port: int) -> None:
    """Run the bench broker: MQTT 5 on this machine only, nothing kept, until it is interrupted."""
    asyncio.run(_run_broker(port))


@emulate.command(name="tell")
@click.argument("socket", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, required=True)
def tell_device(socket: Path, words: tuple[str, ...]) -> None:
    """Say WORDS to the emulated device whose control SOCKET this is. `help` lists them."""
    try:
        click.echo(asyncio.run(tell(socket, " ".join(words))))
    except WordError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"no emulator answers on {socket} ({error.strerror}): is it running?") from None


async def _run_broker(port: int) -> None:
    interrupted = on_interrupt()
    served = Broker()
    try:
        click.echo(f"MQTT 5 on 127.0.0.1:{await served.start(port)}; QoS 0 and 1; interrupt to end")
        await interrupted.wait()
    except OSError as error:
        raise click.ClickException(str(error)) from None
    finally:
        await served.close()


def _program(mode: str) -> tuple[int, ...]:
    """Return the sizes of the packets, none in batch mode."""
    if mode == BATCH:
        return ()
    sizes = [text.strip() for text in mode.split(",")]
    if not all(size.isascii() and size.isdecimal() and 1 <= int(size) <= len(DECK) for size in sizes):
        hint = f"a packet has 1 to {len(DECK)} cards; a program is their sizes with commas between; or {BATCH}"
        raise click.BadParameter(f"{mode!r}: {hint}", param_hint="--mode")
    return tuple(int(size) for size in sizes)


def profile_of(settings: ShufflerSettings) -> str | None:
    """Return the name of feltd's profile for such a machine, or None if it has none."""
    if not settings.counts:
        return None if settings.batch or settings.observed else "felt-link-shuffler-blind"
    if settings.batch:
        return "felt-link-shuffler-batch"
    if settings.observed:
        return "felt-link-shuffler-observed-faces" if settings.reads_faces else "felt-link-shuffler-observed"
    return "felt-link-shuffler-faces" if settings.reads_faces else "felt-link-shuffler-counts"
