"""`emulate stakes`: a bet sensor as a program of its own."""

from __future__ import annotations

import asyncio

import click

from protocols.felt_link.limits import SEATS_MAX
from sim_hardware.program import Place, placed, sayable, serve
from sim_hardware.rig_words import KEY
from sim_hardware.stakes import SPOTS, SensorSettings
from sim_hardware.stakes_rig import MODEL, SERIAL, StakesRig, identity, stakes_vocabulary


@click.command()
@placed(MODEL, SERIAL)
@click.option("--seats", type=click.IntRange(1, SEATS_MAX), default=SensorSettings().seats, show_default=True)
@click.option("--spots", metavar="SPOT,…", help="What its spots are called; by default every word that felt-link has.")
def stakes(place: Place, seats: int, spots: str | None) -> None:
    """Emulate a bet sensor under the felt, until it is interrupted."""
    settings = SensorSettings(seats, SPOTS if spots is None else _spots(spots), place.seed, place.pace())
    port = place.port()
    who = sayable(identity(place.model, place.serial))
    rig = StakesRig(settings, port, who=who)
    introduction = (
        f"{who.model}, serial number {who.serial}, {settings.seats} seats; seed {place.seed}",
        "In feltd's configuration:",
        "  [devices.felt]",
        '  profile = "felt-link-stakes"',
    )
    asyncio.run(serve(rig, stakes_vocabulary(rig), place.control, introduction, port))


def _spots(text: str) -> tuple[str, ...]:
    spots = tuple(spot.strip() for spot in text.split(","))
    wrong = next((spot for place, spot in enumerate(spots) if not KEY.fullmatch(spot) or spot in spots[:place]), None)
    if wrong is not None:
        hint = "each once, 1 to 32 small letters, digits and hyphens"
        raise click.BadParameter(f"{wrong!r} cannot be a spot: {hint}, commas between", param_hint="--spots")
    return spots
