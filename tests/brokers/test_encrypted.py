"""Logins over TLS at NATS and RabbitMQ, with the lists from `feltd access`. Mosquitto: test_mosquitto_certificates."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import pytest

from daemon.errors import FeltdError
from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.settings import MqttSettings, TlsSettings
from daemon.tools.doctor.findings import Verdict
from daemon.tools.doctor.identity import Trial, check_identity
from tests.brokers.connecting import arrives
from tests.brokers.running import Guarded, guarded_nats, guarded_rabbitmq
from tests.brokers.site import TABLE, TOPICS, password
from tests.daemon.config.files import GOOD
from tests.support.certificates import Certificates, certificates, client_certificate
from tests.support.processes import gone_afterwards
from tests.tools.bench.running import FELTD, until_said

PLAYER, DEALER = "seat3", "ana"
PEOPLE = (PLAYER, DEALER)


@dataclass(frozen=True)
class Encrypted:
    """A broker behind TLS, with a certificate for each user."""

    broker: Guarded
    house: Certificates

    def tls(self, user: str | None) -> TlsSettings:
        """Return TLS with this user's certificate, or without any."""
        if user is None:
            return TlsSettings(ca_file=self.house.authority)
        own = self.certificate(user)
        return TlsSettings(ca_file=own.authority, certificate_file=own.certificate, key_file=own.key)

    def certificate(self, user: str) -> Certificates:
        directory = self.house.authority.parent
        return Certificates(self.house.authority, directory / f"{user}.pem", directory / f"{user}.key")

    def by_password(self, user: str) -> MqttSettings:
        return replace(self.broker.settings(user), host="localhost", tls=self.tls(None), session_expiry_s=0)

    def by_certificate(self, user: str) -> MqttSettings:
        return replace(self.by_password(user), password=None, tls=self.tls(user))

    def by_both(self, user: str) -> MqttSettings:
        return replace(self.by_password(user), tls=self.tls(user))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    made = certificates(tmp_path_factory.mktemp("house"))
    for user in (TABLE, *PEOPLE, "screen"):
        client_certificate(made, user)
    return made


@pytest.fixture(scope="module")
def rabbitmq(house: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Encrypted]:
    with guarded_rabbitmq(tmp_path_factory.mktemp("rabbitmq"), tls=house) as broker:
        yield Encrypted(broker, house)


@pytest.fixture(params=["", ", verify_and_map: true"], ids=["passwords", "both"])
def nats(house: Certificates, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Encrypted]:
    """NATS takes certificates from everybody or from nobody."""
    files = f'cert_file: "{house.certificate}", key_file: "{house.key}", ca_file: "{house.authority}"'
    with guarded_nats(tmp_path, f"tls {{ {files}{request.param} }}") as broker:
        yield Encrypted(replace(broker, name=request.node.callspec.id), house)


@asynccontextmanager
async def as_user(settings: MqttSettings) -> AsyncIterator[Connection]:
    user = settings.user or ""
    own = settings.own_client_id(TOPICS.site, TOPICS.table) if user == TABLE else f"{user}:{uuid4().hex}"
    async with connected(settings, own, Will(TOPICS.reply(user), b"")) as connection:
        yield connection


async def is_let_in(settings: MqttSettings) -> bool:
    try:
        async with as_user(settings):
            return True
    except FeltdError:
        return False


async def expect_a_table_with_people(table: MqttSettings, people: list[MqttSettings]) -> None:
    """A command of each arrives at the table, and its answer at them."""
    async with as_user(table) as serving:
        await serving.listen(TOPICS.commands)
        for settings in people:
            user = settings.user or ""
            async with as_user(settings) as person:
                await person.listen(TOPICS.reply(user))
                person.post(TOPICS.command(user, "bet"), b"a bet")
                assert await arrives(serving) == (TOPICS.command(user, "bet"), b"a bet")
                serving.post(TOPICS.reply(user), b"an answer")
                assert await arrives(person) == (TOPICS.reply(user), b"an answer")


async def test_at_rabbitmq_one_port_takes_passwords_and_certificates(rabbitmq: Encrypted) -> None:
    for reach in (rabbitmq.by_password, rabbitmq.by_certificate, rabbitmq.by_both):
        await expect_a_table_with_people(reach(TABLE), [reach(user) for user in PEOPLE])
    assert not await is_let_in(replace(rabbitmq.by_password(DEALER), user=None, password=None))


async def test_at_rabbitmq_a_user_of_a_certificate_is_held_to_their_own_name(rabbitmq: Encrypted) -> None:
    own = rabbitmq.certificate(DEALER)
    for table, trial in (
        (rabbitmq.by_certificate(TABLE), Trial(DEALER, password(DEALER))),
        (rabbitmq.by_password(TABLE), Trial(DEALER, None, own.certificate, own.key)),
    ):
        found = await check_identity(table, TOPICS, trial)
        assert [finding for finding in found if finding.verdict is not Verdict.OK] == []
        assert len(found) == 14


async def test_at_rabbitmq_a_certificate_is_no_other_users_password(rabbitmq: Encrypted) -> None:
    as_another = replace(rabbitmq.by_both(DEALER), user="bob-lee")
    for secret in ("", "wrong", password(DEALER)):
        assert not await is_let_in(replace(as_another, password=secret))


async def test_at_rabbitmq_listen_logs_in_with_a_certificate(rabbitmq: Encrypted, tmp_path: Path) -> None:
    """Its client id did not begin with the user's name, so RabbitMQ gave it no session, also with a password."""
    file, own, secret = tmp_path / "table7.toml", rabbitmq.certificate("screen"), tmp_path / "password"
    text = GOOD.replace('name = "7"', 'name = "table7"')
    where = f'[mqtt]\nhost = "localhost"\nport = {rabbitmq.broker.port}\nversion = "3.1.1"\n'
    file.write_text(f'{text}{where}username = "{TABLE}"\n[mqtt.tls]\nca_file = "{own.authority}"\n')
    secret.write_text(password("screen"))
    async with as_user(rabbitmq.by_certificate(TABLE)) as table:
        await table.post(TOPICS.state, b"the state", retain=True)
    certificate = ("--certificate-file", str(own.certificate), "--key-file", str(own.key))
    for login in (certificate, ("--password-file", str(secret))):
        words = [str(FELTD), "listen", "--config", str(file), "--user", "screen", *login]
        assert await asyncio.to_thread(heard_by, words, "the state") == f"{TOPICS.state} the state\n"


def heard_by(command: list[str], words: str) -> str:
    listening = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with gone_afterwards(listening):
        return until_said(listening, words)


async def test_at_nats_everybody_logs_in_by_password_or_everybody_by_both(nats: Encrypted) -> None:
    """With verify_and_map the certificate names the user, and the password of our list counts too."""
    is_both = nats.broker.name == "both"
    reach = nats.by_both if is_both else nats.by_password
    await expect_a_table_with_people(reach(TABLE), [reach(user) for user in PEOPLE])
    own = nats.certificate(DEALER)
    found = await check_identity(
        reach(TABLE),
        TOPICS,
        Trial(DEALER, password(DEALER), *((own.certificate, own.key) if is_both else ())),
    )
    assert [finding for finding in found if finding.verdict is not Verdict.OK] == []
    assert not await is_let_in(nats.by_certificate(DEALER))
    assert await is_let_in(nats.by_password(DEALER)) is not is_both, "so nobody logs in on the page there"
    assert await is_let_in(replace(nats.by_both("bob-lee"), tls=nats.tls(DEALER))) is not is_both
