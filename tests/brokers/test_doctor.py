"""What doctor proves of a user, at each broker: nothing is open under our list, and what a list opens is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.config.people import People
from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.tools import access
from daemon.tools.access import Rights
from daemon.tools.doctor import identity
from daemon.tools.doctor.findings import Verdict
from daemon.tools.doctor.identity import Trial, check_identity
from tests.brokers.conftest import BROKERS
from tests.brokers.connecting import arrives, as_user
from tests.brokers.running import Guarded
from tests.brokers.site import TABLE, TOPICS, password, people
from tests.mqtt.conftest import reach
from tests.support.mosquitto import mosquitto

OPEN: dict[str, set[str]] = {  # what each broker leaves open under an access list; systemd/README.md says so
    "mosquitto": {"identity-share"},
    "mosquitto-3.1.1": {"identity-share"},
    "nats": set(),
    "rabbitmq": set(),
}


async def test_a_user_is_held_to_their_own_name(broker: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[tuple[str | None, str]] = []

    def noted(
        settings: MqttSettings, client_id: str, will: Will | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        came.append((settings.user, client_id))
        return connected(settings, client_id, will)

    monkeypatch.setattr(identity, "connected", noted)
    others = [user for user in people().people if user != "ana"]
    found = await check_identity(broker.settings(TABLE), TOPICS, Trial("ana", password("ana")), others)
    assert max(Counter(came).values()) == 1, "NATS hangs up on an id that comes back too soon"
    assert {finding.check for finding in found if finding.verdict is not Verdict.OK} <= OPEN[broker.name]
    assert len(found) == (17 if broker.version is MqttVersion.V5 else 16)


async def test_what_a_user_who_gives_no_commands_cannot_prove_is_said(broker: Guarded) -> None:
    """Of a display it said that others' commands are closed to it, because none was there to be heard."""
    others = [user for user in people().people if user != "screen"]
    found = await check_identity(broker.settings(TABLE), TOPICS, Trial("screen", password("screen")), others)
    (commands,) = [finding for finding in found if finding.check == "identity-commands"]
    # Mosquitto grants the subscription and delivers nothing. The others refuse it, which is a proof.
    assert commands.verdict is (Verdict.WARNING if "mosquitto" in broker.name else Verdict.OK)
    open_besides = {finding.check for finding in found if finding.verdict is not Verdict.OK} - {commands.check}
    assert open_besides <= OPEN[broker.name]


async def test_a_broker_that_is_open_to_everybody_is_found_out(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as running:
        for version in MqttVersion:
            found = await check_identity(reach(running.port, version), TOPICS, Trial("ana", None))
            verdicts = {finding.verdict for finding in found if finding.check != "identity-amqp"}
            assert verdicts == {Verdict.PROBLEM, Verdict.WARNING}


@pytest.mark.parametrize("name", ["mosquitto", "mosquitto-3.1.1", "nats"])
async def test_a_line_too_many_for_one_name_is_found_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list that was written by hand: one user gives another's commands, reads their answers, and is the table."""
    monkeypatch.setattr(access, "rights_of", with_lines_too_many(access.rights_of))
    with BROKERS[name](tmp_path) as broker:
        async with as_user(broker, TABLE) as table:
            await table.post(TOPICS.state, b"its own", retain=True)
        others = [user for user in people().people if user != "seat3"]
        found = await check_identity(broker.settings(TABLE), TOPICS, Trial("seat3", password("seat3")), others)
        assert {(each.check, each.subject) for each in found if each.verdict is Verdict.PROBLEM} == {
            ("identity-publish", TOPICS.command("bob-lee", "doctor-check")),
            ("identity-publish", TOPICS.state),
            ("identity-publish", TOPICS.metrics),
            ("identity-answers", f"{TOPICS.reply('ana')}/doctor-check"),
        }
        async with as_user(broker, "screen") as screen:
            await screen.listen(TOPICS.state)
            assert await arrives(screen) == (TOPICS.state, b"its own")


def with_lines_too_many(rights_of: Callable[[People], Iterator[Rights]]) -> Callable[[People], Iterator[Rights]]:
    def written(people: People) -> Iterator[Rights]:
        for rights in rights_of(people):
            if rights.user == "seat3":
                publish = (*rights.publish, TOPICS.commands_of("bob-lee"), TOPICS.state, TOPICS.metrics)
                yield replace(rights, publish=publish, read=(*rights.read, f"{TOPICS.reply('ana')}/+"))
            else:
                yield rights

    return written
