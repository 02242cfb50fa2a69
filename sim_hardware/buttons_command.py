"""`emulate buttons`: a pad of keys as a program of its own."""

from __future__ import annotations

import asyncio

import click

from sim_hardware.buttons import KEYS, PadSettings
from sim_hardware.buttons_rig import MODEL, SERIAL, ButtonsRig, buttons_vocabulary, identity
from sim_hardware.program import Place, placed, sayable, serve
from sim_hardware.rig_words import KEY


@click.command()
@placed(MODEL, SERIAL)
@click.option("--protocol", type=click.Choice(["felt-link"]), default="felt-link", show_default=True)
@click.option("--keys", metavar="KEY,…", help="What its keys are called; by default every word that felt-link has.")
def buttons(place: Place, protocol: str, keys: str | None) -> None:
    """Emulate a pad of keys, until it is interrupted."""
    settings = PadSettings(keys=KEYS if keys is None else _keys(keys), seed=place.seed, pace=place.pace())
    port = place.port()
    who = sayable(identity(place.model, place.serial))
    rig = ButtonsRig(settings, port, who=who)
    introduction = (
        f"{who.model}, serial number {who.serial}, keys {', '.join(settings.keys)}; seed {place.seed}",
        "In feltd's configuration:",
        "  [devices.pad]",
        '  profile = "felt-link-buttons"',
    )
    asyncio.run(serve(rig, buttons_vocabulary(rig), place.control, introduction, port))


def _keys(text: str) -> tuple[str, ...]:
    keys = tuple(key.strip() for key in text.split(","))
    wrong = next((key for place, key in enumerate(keys) if not KEY.fullmatch(key) or key in keys[:place]), None)
    if wrong is not None:
        hint = "each once, 1 to 32 small letters, digits and hyphens"
        raise click.BadParameter(f"{wrong!r} cannot be a key: {hint}, commas between", param_hint="--keys")
    return keys
