"""What is allowed in a configuration, but is probably a mistake: `check-config` prints it, `run` logs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from math import lcm
from typing import Any, Final

from daemon.config.caution import Caution
from daemon.config.other_files import of_other_files
from daemon.config.settings import Config
from daemon.rules.game import GameSpec
from daemon.rules.games import GAMES
from daemon.rules.house import House
from daemon.rules.limits import Day, Limits
from daemon.rules.money import ONE_CENT, Breakage, Cents, dollars
from daemon.rules.paytable import net_exact
from daemon.table.settings import AT_A_DEALERS_WILL, USUAL_CHIPS, TableSettings

EPOCH: Final = date(1970, 1, 1)
PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883
GIVEN_AWAY: Final = 4  # one of so many parts of a stake
SMALL_MOST: Final = 1_000
"""Ten dollars. A table whose highest wager is lower was probably written in dollars."""
NO_SUMMER_TIME: Final = frozenset({"EST", "MST", "HST"})


def cautions(config: Config, today: Day) -> Iterator[Caution]:
    """Yield each thing that a person should look at again."""
    first_day = config.table.limits.dated[0][0]
    if first_day > today:
        begin = EPOCH + timedelta(days=first_day)
        said = f"limits: nothing can be bet before {begin}, because the first limits begin then"
        yield Caution("limits-begin-later", said)
    yield from _limits_of_games(config, today)
    yield from _limits_of_nothing(config)
    for said in voids_at_will(config.table):
        yield Caution("dealer-may-void", said)
    yield from _of_the_broker(config)
    yield from _amounts(config)
    yield from _time_zone(config)
    yield from of_other_files(config)


def _amounts(config: Config) -> Iterator[Caution]:
    """Yield what was probably written in units of money where cents stand."""
    chip, least = config.table.money.chip, min(config.table.chips_cents)
    if least < chip and config.table.chips_cents != USUAL_CHIPS:
        said = f"money.chips_cents: the screens offer a chip of {dollars(Cents(least))}, and the smallest is"
        yield Caution("amounts-small", f"{said} {dollars(chip)}. Amounts are cents")
    for first, limits in config.table.limits.dated:
        where = f"limits of {EPOCH + timedelta(days=first)}"
        most = limits.authorised_most
        if most is not None and most < SMALL_MOST:
            said = f"authorised_most_cents: no wager may be over {dollars(most)}"
            yield Caution("amounts-small", f"{where}: {said}. Amounts are cents")
        if most is not None and limits.verify_over < most:
            said = f"verify_over_cents: each win over {dollars(limits.verify_over)} waits for a supervisor"
            yield Caution("amounts-small", f"{where}: {said}. Amounts are cents")


def _time_zone(config: Config) -> Iterator[Caution]:
    """Yield a time zone that has no summer time and that nobody lives in."""
    name = str(config.calendar.zone)
    if name.startswith(("Etc/GMT+", "Etc/GMT-")) or name in NO_SUMMER_TIME:
        west = ", and its sign is the other way round" if name.startswith("Etc/") else ""
        said = f'table.time_zone: "{name}" is the same all the year, without summer time{west}'
        yield Caution("time-zone-fixed", f"{said}. Name a city's, as America/New_York")


def _of_the_broker(config: Config) -> Iterator[Caution]:
    """Yield what most brokers would refuse."""
    mqtt = config.mqtt
    proves_itself = mqtt.tls is not None and mqtt.tls.certificate_file is not None
    is_given = mqtt.password is not None or config.password_credential is not None
    if mqtt.user is not None and not is_given and not proves_itself:
        said = "mqtt: username is there without password_file; most brokers refuse a user without a password"
        yield Caution("no-password", said)
    if mqtt.tls is None and mqtt.port == TLS_PORT:
        yield Caution("tls-missing", f"mqtt: brokers expect TLS on port {TLS_PORT}, and there is no [mqtt.tls]")
    if mqtt.tls is not None and mqtt.port == PLAIN_PORT:
        said = f"mqtt: brokers expect no TLS on port {PLAIN_PORT}, and there is [mqtt.tls]; it is most often {TLS_PORT}"
        yield Caution("tls-unexpected", said)


def _limits_of_games(config: Config, today: Day) -> Iterator[Caution]:
    """Yield what the limits of today and later refuse, although each wager's own limits allow it."""
    dated = config.table.limits.dated
    ends = [*(first for first, _ in dated[1:]), None]
    for offer in config.table.games:
        house = replace(offer.options, money=config.table.money)
        for (first, limits), end in zip(dated, ends, strict=True):
            if end is None or end > today:
                where = f"limits of {EPOCH + timedelta(days=first)}, {offer.game.value}"
                for refused in GAMES[offer.game].cautions(house, limits):
                    yield Caution("limits-refuse", f"{where}: {refused}")
                for given in _breakage(GAMES[offer.game], house, limits):
                    yield Caution("rounding-gives-away", f"{where}: {given}")


def voids_at_will(table: TableSettings) -> Iterator[str]:
    """Yield what a dealer alone can void a round with, in play of cards that somebody has seen."""
    waits = {*table.supervised, *table.supervised_once_seen}
    voids = [each.value for each in AT_A_DEALERS_WILL if each not in waits]
    if voids:
        yield (
            f"irregularities: {', '.join(voids)}: a dealer alone can bring this about, also once cards are seen. "
            "A void then lets the dealer choose whether the round counts. "
            'With "supervisor-once-seen" a supervisor rules'
        )


def _breakage(game: GameSpec[Any], house: House, limits: Limits) -> Iterator[str]:
    """Yield the wagers of which rounding gives the player a quarter of the least stake or more, row by row.

    A player who stakes one chip would lose nothing where half is lost: such a wager can be better for the player than
    for the house. Nobody stakes a single cent.
    """
    money = house.money
    if money.chip == ONE_CENT or money.breakage is not Breakage.PLAYER:
        return
    for spot in game.spots:
        allowed = limits.range_of(spot)
        grid = lcm(allowed.step, money.chip)
        least = Cents(-(-allowed.least // grid) * grid)
        given = [
            f"{row.name} at {row.award} comes to {dollars(money.round(exact).cents)}"
            for paytable in game.paytables_of(spot, house)
            for row in paytable.rows
            for exact in (net_exact(row.award, least),)
            if money.round(exact).rounding * GIVEN_AWAY >= least
        ]
        if given:
            yield (
                f"{spot.value}: a stake of {dollars(least)} is paid in chips of {dollars(money.chip)} in favour of the "
                f"player: {', '.join(given)}. Raise least_cents, or set money.breakage"
            )


def _limits_of_nothing(config: Config) -> Iterator[Caution]:
    """Yield the wagers with limits that none of the table's games has."""
    has = {wager for offer in config.table.games for wager in GAMES[offer.game].spots}
    for first, limits in config.table.limits.dated:
        if others := [wager.value for wager in limits.stakes if wager not in has]:
            begin = EPOCH + timedelta(days=first)
            said = f"limits of {begin}: no game of this table has the wager {', '.join(others)}"
            yield Caution("limits-of-nothing", said)
