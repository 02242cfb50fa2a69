"""`emulate shoe`: a card-reading shoe of any protocol that we know, as a program of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import click

from protocols.cards import DECK
from sim_hardware.program import HERE, PORT, pace_of, port_of, sayable, scripts_of, serve
from sim_hardware.shoe import DECKS_MAX, ShoeSettings
from sim_hardware.shoe_rig import MODEL, SERIAL, ShoeProtocol, ShoeRig, identity
from sim_hardware.shoe_words import shoe_vocabulary
from sim_hardware.usb_port import UsbKind

_PROFILES: Final = {
    ShoeProtocol.FELT_LINK: "felt-link-shoe",
    ShoeProtocol.ANGEL_EYE: "angel-eye-iiex",
    ShoeProtocol.BEE_TEK: "bee-tek-manual",
}


@click.command()
@click.option("--pty", "pty", is_flag=False, flag_value=HERE, metavar="[PATH]", help="On a tty, under this name.")
@click.option("--tcp", type=PORT, metavar="PORT", help="On a TCP port of this machine, as a serial device server.")
@click.option("--usbip", type=PORT, metavar="PORT", help="On USB: a Linux kernel attaches it from this TCP port.")
@click.option("--usb-kind", type=click.Choice([kind.value for kind in UsbKind]), default=None,
              help="What the kernel then sees: felt-link itself, or (for the others) a serial port.")  # fmt: skip
@click.option("--protocol", type=click.Choice([one.value for one in ShoeProtocol]),
              default=ShoeProtocol.FELT_LINK.value, show_default=True, help="Whose words it speaks.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Decides the order of every shoe.")
@click.option("--decks", type=click.IntRange(1, DECKS_MAX), default=6, show_default=True)
@click.option("--behind-cut", type=click.IntRange(0, DECKS_MAX * len(DECK)), metavar="N",
              help="Cards behind the cut card; by default a deck, or a fifth of a single one.")  # fmt: skip
@click.option("--no-cut", is_flag=True, help="Without a cut card.")
@click.option("--burn", type=click.IntRange(0, 20), metavar="N",
              help="The first card is turned over, and so many are burned.")  # fmt: skip
@click.option("--deck", "deck", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Stacked shoes: cards as Ah Kd, the rest as ..., shoes apart by a line of ---.")  # fmt: skip
@click.option("--speed", default=1.0, show_default=True, help="2 is twice as fast as life, 0 is without waiting.")
@click.option("--auto-dealer", is_flag=True, help="Draws rounds and fills the shoe by itself, at dealing pace.")
@click.option("--round-cards", type=click.IntRange(1, 104), default=6, show_default=True, help="With --auto-dealer.")
@click.option("--control", type=click.Path(path_type=Path), metavar="SOCKET", help="Takes words on this Unix socket.")
@click.option("--serial", default=SERIAL, show_default=True, help="What felt-link and USB say; the others say nothing.")
@click.option("--model", default=MODEL, show_default=True, help="The same.")
def shoe(pty: str | None, tcp: int | None, usbip: int | None, usb_kind: str | None, protocol: str, seed: int,
         decks: int, behind_cut: int | None, no_cut: bool, burn: int | None, deck: Path | None, speed: float,
         auto_dealer: bool, round_cards: int, control: Path | None, serial: str, model: str) -> None:  # fmt: skip
    """A card-reading shoe, until it is interrupted."""
    spoken = ShoeProtocol(protocol)
    port = port_of(pty, tcp, usbip, usb_kind or _usb_kind(spoken), serial)
    settings = ShoeSettings(
        seed=seed,
        decks=decks,
        behind_cut=_behind_cut(decks, behind_cut, no_cut=no_cut),
        burn_cards=burn,
        cards_a_round=round_cards,
        pace=pace_of(speed),
    )
    who = sayable(identity(model, serial))
    rig = ShoeRig(settings, port, spoken, who=who, scripts=scripts_of(deck, seed), auto_dealer=auto_dealer)
    asyncio.run(serve(rig, shoe_vocabulary(rig), control, _introduction(rig), port))


def _introduction(rig: ShoeRig) -> tuple[str, ...]:
    settings = rig.settings
    cut = "no cut card" if settings.behind_cut is None else f"{settings.behind_cut} behind the cut card"
    return (
        f"A shoe that speaks {rig.protocol}: {settings.decks} decks, {cut}; seed {settings.seed}",
        "In feltd's configuration:",
        "  [devices.shoe]",
        f'  profile = "{_PROFILES[rig.protocol]}"',
    )


def _behind_cut(decks: int, wanted: int | None, *, no_cut: bool) -> int | None:
    if no_cut:
        if wanted is not None:
            raise click.UsageError("--behind-cut and --no-cut: a shoe has a cut card or none, give one of them")
        return None
    usual = len(DECK) if decks > 1 else len(DECK) // 5
    behind = usual if wanted is None else wanted
    if behind >= decks * len(DECK):
        raise click.BadParameter(f"at most {decks * len(DECK) - 1} of {decks * len(DECK)}", param_hint="--behind-cut")
    return behind


def _usb_kind(protocol: ShoeProtocol) -> str:
    return (UsbKind.FELT_LINK if protocol is ShoeProtocol.FELT_LINK else UsbKind.FTDI).value
