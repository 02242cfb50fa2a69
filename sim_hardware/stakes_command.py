"""`emulate stakes`: a bet sensor as a program of its own."""

from __future__ import annotations

import asyncio

import click

from protocols.felt_link.limits import SEATS_MAX
from sim_hardware.program import Place, called, introduced, named, placed, sayable, serve
from sim_hardware.stakes import SPOTS, SensorSettings
from sim_hardware.stakes_rig import MODEL, SERIAL, StakesRig, identity, stakes_vocabulary


@click.command()
@placed(MODEL, SERIAL)
@click.option("--seats", type=click.IntRange(1, SEATS_MAX), default=SensorSettings().seats, show_default=True)
@click.option("--spots", metavar="SPOT,…", help="What its spots are called; by default every word that felt-link has.")
def stakes(place: Place, seats: int, spots: str | None) -> None:
    """Emulate a bet sensor under the felt, until it is interrupted."""
    settings = SensorSettings(seats, called(spots, "--spots", SPOTS), place.seed, place.pace())
    port, who = place.port(), sayable(identity(place.model, place.serial))
    rig = StakesRig(settings, port, who=who)
    introduction = introduced(named(who, f"{settings.seats} seats"), place.seed, "felt", "felt-link-stakes")
    asyncio.run(serve(rig, stakes_vocabulary(rig), place.control, introduction, port))
