"""One bench: a directory, a broker, emulated devices on real ttys, and a daemon that is configured for them all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from daemon.config.people import Role
from daemon.mqtt.settings import MqttVersion
from daemon.mqtt.topics import Topics
from daemon.tools.bench.broker import BenchBroker, BrokerChoice, broker
from daemon.tools.bench.client import GUEST, TableClient, connected
from daemon.tools.bench.devices import PAD, PAD_PROFILE, draws_shoe, pad, source
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.keys import Source
from daemon.tools.bench.process import Daemon, running
from daemon.tools.bench.settings import BenchSettings
from drivers.profiles import PROFILES
from protocols.frozen import dataclass
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.shoe_rig import ShoeRig

SITE: Final = "bench"
TABLE: Final = "table1"
PEOPLE: Final = "people.toml"

CONFIGURATION: Final = """\
# Written by feltd bench.
[table]
site = "{site}"
name = "{table}"
seats = {seats}
game = "{game}"
deals_from = "{source}"
reconciling = "{reconciling}"

{house_rules}
[[limits]]
first_day = 2020-01-01
authorised_most_cents = 40000
verify_over_cents = {verify_over_cents}
{limits}
[irregularities]
hand-without-stake = "supervisor-once-seen"
deck-not-proven = "supervisor-once-seen"
card-missing = "supervisor-once-seen"
card-outside-game = "supervisor-once-seen"
missing-hand = "supervisor-once-seen"
unexpected-cards = "supervisor-once-seen"
foreign-card = "supervisor-once-seen"
card-too-often = "supervisor-once-seen"
duplicate-card = "supervisor-once-seen"
unreadable-card = "supervisor-once-seen"
boxed-card = "supervisor-once-seen"
disputed-card = "supervisor-once-seen"

{devices}
[mqtt]
host = "127.0.0.1"
port = {port}
version = "{mqtt}"

[people]
file = "people.toml"

[journal]
path = "journal.db"
"""


@dataclass(frozen=True, slots=True)
class World:
    """A bench that runs."""

    settings: BenchSettings
    broker: BenchBroker
    rig: Source
    draws_rig: ShoeRig | None
    pad: ButtonsRig | None
    client: TableClient
    topics: Topics
    daemon: Daemon


@asynccontextmanager
async def world(settings: BenchSettings) -> AsyncIterator[World]:
    """Build the bench from the outside in: each listener is there before the daemon publishes its first message."""
    topics = Topics(SITE, TABLE)
    choice = BrokerChoice(settings.broker, settings.mqtt, settings.port)
    async with (
        broker(choice, settings.directory) as there,
        connected(there.port, topics, MqttVersion(settings.mqtt)) as client,
        source(settings) as rig,
        draws_shoe(settings) as draws_rig,
        pad(settings) as keys,
    ):
        await client.forget_earlier_bench()
        pad_address = None if keys is None else keys.address
        draws_address = None if draws_rig is None else draws_rig.address
        file = configuration(settings, there.port, rig.address, pad_address, draws_address)
        async with running(file) as daemon:
            yield World(settings, there, rig, draws_rig, keys, client, topics, daemon)


def configuration(
    settings: BenchSettings, port: int, address: str, pad_address: str | None = None, draws_address: str | None = None
) -> Path:
    """Write the daemon's configuration for this bench."""
    role, draws_from = PROFILES[settings.profile].role.value, settings.draws_from
    devices = [_device(role, settings.profile, address)]
    house_rules = settings.house_rules or GAMES[settings.game].house_rules.format(decks=settings.decks)
    if draws_from is not None:
        shoe = PROFILES[draws_from].role.value
        house_rules += f'[games.{settings.game.value}]\ndraws_from = "{shoe}"\n'
        if draws_address is not None:
            devices.append(_device(shoe, draws_from, draws_address))
    if pad_address is not None:
        devices.append(_device(PAD, PAD_PROFILE, pad_address))
    file = settings.directory / "feltd.toml"
    text = CONFIGURATION.format(
        site=SITE,
        table=TABLE,
        seats=settings.seats,
        game=settings.game.value,
        source=role,
        house_rules=house_rules,
        reconciling=settings.reconciling.value,
        verify_over_cents=settings.verify_over_cents,
        limits=settings.limits,
        devices="\n".join(devices),
        port=port,
        mqtt=settings.mqtt,
    )
    file.write_text(text, encoding="utf-8")
    (settings.directory / PEOPLE).write_text(people_file(settings.seats), encoding="utf-8")
    return file


def people_file(seats: int) -> str:
    """Return the site's file of people: one user for each role, and a second player. Players may have all seats."""
    lines = [f'site = "{SITE}"', f'[tables]\n{TABLE} = {{ user = "feltd" }}', "[people]"]
    for user, role in (*((f"bench-{role.value}", role) for role in Role), (GUEST, Role.PLAYER)):
        own = f", seats = {list(range(1, seats + 1))}" if role is Role.PLAYER else ""
        lines.append(f'{user} = {{ role = "{role.value}", tables = ["{TABLE}"]{own} }}')
    return "\n".join(lines) + "\n"


def _device(name: str, profile: str, address: str) -> str:
    return f'[devices.{name}]\nprofile = "{profile}"\naddress = "{address}"\n'
