"""`emulate buttons`: a pad of keys as a program of its own."""

from __future__ import annotations

import asyncio

import click

from sim_hardware.buttons import KEYS, PadSettings
from sim_hardware.buttons_rig import MODEL, SERIAL, ButtonsRig, buttons_vocabulary, identity
from sim_hardware.program import Place, called, introduced, named, placed, sayable, serve


@click.command()
@placed(MODEL, SERIAL)
@click.option("--protocol", type=click.Choice(["felt-link"]), default="felt-link", show_default=True)
@click.option("--keys", metavar="KEY,…", help="What its keys are called; by default every word that felt-link has.")
def buttons(place: Place, protocol: str, keys: str | None) -> None:
    """Emulate a pad of keys, until it is interrupted."""
    settings = PadSettings(keys=called(keys, "--keys", KEYS), seed=place.seed, pace=place.pace())
    port, who = place.port(), sayable(identity(place.model, place.serial))
    rig = ButtonsRig(settings, port, who=who)
    introduction = introduced(named(who, f"keys {', '.join(settings.keys)}"), place.seed, "pad", "felt-link-buttons")
    asyncio.run(serve(rig, buttons_vocabulary(rig), place.control, introduction, port))
