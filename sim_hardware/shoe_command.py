"""`emulate shoe`: a card-reading shoe of any protocol that we know, as a program of its own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from protocols import felt_link
from protocols.cards import DECK
from sim_hardware.program import Place, introduced, placed, sayable, scripts_of, serve
from sim_hardware.shoe import DECKS_MAX, ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import MODEL, SERIAL, ShoeRig, identity
from sim_hardware.shoe_words import shoe_vocabulary


@click.command()
@placed(MODEL, SERIAL)
@click.option("--protocol", type=click.Choice(list(SHOE_KINDS)),
              default=felt_link.NAME, show_default=True, help="Whose words it speaks.")  # fmt: skip
@click.option("--decks", type=click.IntRange(1, DECKS_MAX), default=6, show_default=True)
@click.option("--behind-cut", type=click.IntRange(0, DECKS_MAX * len(DECK)), metavar="N",
              help="Cards behind the cut card; by default a deck, or a fifth of a single one.")  # fmt: skip
@click.option("--no-cut", is_flag=True, help="Without a cut card.")
@click.option("--burn", type=click.IntRange(0, 20), metavar="N",
              help="The first card is turned over, and so many are burned.")  # fmt: skip
@click.option("--deck", "deck", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Stacked shoes: cards as Ah Kd, the rest as ..., shoes apart by a line of ---.")  # fmt: skip
@click.option("--auto-dealer", is_flag=True, help="Draws rounds and fills the shoe by itself, at dealing pace.")
@click.option("--round-cards", type=click.IntRange(1, 104), default=6, show_default=True, help="With --auto-dealer.")
@click.option("--no-referee", is_flag=True, help="An Angel Eye that lets pass what baccarat does not allow.")
@click.option("--suit-first", is_flag=True, help="A Bee-Tek that names the suit before the rank.")
def shoe(place: Place, protocol: str, decks: int, behind_cut: int | None, no_cut: bool, burn: int | None,
         deck: Path | None, auto_dealer: bool, round_cards: int, no_referee: bool,
         suit_first: bool) -> None:  # fmt: skip
    """Emulate a card-reading shoe, until it is interrupted."""
    kind = SHOE_KINDS[protocol]
    port = place.port(kind.usb)
    settings = ShoeSettings(
        seed=place.seed,
        decks=decks,
        behind_cut=_behind_cut(decks, behind_cut, no_cut=no_cut),
        burn_cards=burn,
        cards_a_round=round_cards,
        referees=not no_referee,
        suit_first=suit_first,
        pace=place.pace(),
    )
    who = sayable(identity(place.model, place.serial))
    rig = ShoeRig(settings, port, kind, who=who, scripts=scripts_of(deck, place.seed), auto_dealer=auto_dealer)
    asyncio.run(serve(rig, shoe_vocabulary(rig), place.control, _introduction(rig), port))


def _introduction(rig: ShoeRig) -> tuple[str, ...]:
    settings = rig.settings
    cut = "no cut card" if settings.behind_cut is None else f"{settings.behind_cut} behind the cut card"
    about = f"A shoe that speaks {rig.kind.protocol}: {settings.decks} decks, {cut}"
    return introduced(about, settings.seed, "shoe", rig.kind.profile)


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
