"""`emulate contacts`: a shuffler whose lights, tray and foot switch are on an input box, as a program of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from protocols.cards import DECK
from sim_hardware.contacts_end import ContactsEnd
from sim_hardware.pace import Pace
from sim_hardware.ports import TcpPort
from sim_hardware.program import PORT, introduced, serve
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_words import shuffler_vocabulary


@click.command()
@click.option("--tcp", type=PORT, default=5_020, show_default=True, metavar="PORT", help="Where the box answers.")
@click.option("--control", type=click.Path(path_type=Path), metavar="SOCKET", help="Takes words on this Unix socket.")
@click.option("--mode", type=click.IntRange(1, len(DECK)), default=5, show_default=True, help="Cards in a packet.")
@click.option("--batch", is_flag=True, help="Gives whole decks, as a DeckMate does.")
@click.option("--auto-dealer", is_flag=True, help="Takes packets and loads decks by itself, at dealing pace.")
@click.option("--seed", default=0, show_default=True, help="Decides every order.")
@click.option("--speed", default=1.0, show_default=True, help="2 is twice as fast as life, 0 is without waiting.")
def contacts(
    tcp: int, control: Path | None, mode: int, batch: bool, auto_dealer: bool, seed: int, speed: float
) -> None:
    """Emulate an input box on Modbus/TCP beside a shuffler, until it is interrupted."""
    try:
        pace = Pace(speed=speed)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--speed") from None
    settings = ShufflerSettings(
        seed=seed, mode=mode, batch=batch, counts=False, reads_faces=False, observed=True, pace=pace
    )
    port = TcpPort(tcp, clients_max=1)
    rig = ShufflerRig(settings, port, auto_dealer=auto_dealer, wired=ContactsEnd())
    about = "An input box: 1 the green light, 2 the red light, 3 the tray, 4 the foot switch"
    introduction = introduced(about, seed, "shuffler", f"contacts-{'batch' if batch else 'packets'}")
    asyncio.run(serve(rig, shuffler_vocabulary(rig), control, introduction, port))
