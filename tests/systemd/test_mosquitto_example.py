"""The broker's example configuration, in a real Mosquitto: it starts, keeps who may say what, and keeps what waits."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, get_args

import pytest

from daemon.journal.kinds import KINDS
from daemon.table.inputs import Action
from tests.sim_hardware.free_port import free_port

EXAMPLES = Path(__file__).resolve().parents[2] / "systemd" / "mosquitto"
PATH = os.environ["PATH"] + ":/usr/sbin"
PASSWORD = "not a secret"  # noqa: S105  the test's own
TABLE = "felt/v1/harbour/table7"
DEFAULT_LIMIT = 1000


@dataclass(frozen=True)
class Broker:
    """A running broker, and its clients."""

    port: int

    def client(
        self, program: str, user: str, *words: str, stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [program, "-p", str(self.port), "-u", user, "-P", PASSWORD, "-V", "5", "-q", "1", *words]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60, check=False)

    def may_say(self, user: str, topic: str) -> bool:
        """MQTT 5 tells a publisher that it was refused, and the client prints it."""
        done = self.client("mosquitto_pub", user, "-t", topic, "-m", "x")
        assert done.returncode == 0, done.stderr
        assert done.stderr == "" or "Not authorized" in done.stderr, done.stderr
        return done.stderr == ""

    def hears(self, user: str, topic: str) -> bool:
        """Whether a retained message on the topic arrives."""
        self.client("mosquitto_pub", "supervisor", "-r", "-t", topic, "-m", "retained")
        return self.client("mosquitto_sub", user, "-t", topic, "-C", "1", "-W", "1").stdout == "retained\n"


def program(name: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found is not None, f"these tests need {name}: make test installs it, or apt-get install mosquitto"
    return found


def wait_until_running(said: IO[str]) -> None:
    """The example leaves nothing for the broker to complain of; that root starts it here is no part of the example."""
    for line in said:
        complains = "rror" in line or "arning" in line
        assert not complains or "run as root" in line, line
        if line.rstrip().endswith("running"):
            return
    pytest.fail("the broker ended")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    directory, port = tmp_path_factory.mktemp("mosquitto"), free_port()
    passwords = directory / "feltd.passwd"
    passwords.touch(mode=0o600)
    shutil.copy(EXAMPLES / "feltd.acl", directory)
    (directory / "feltd.acl").chmod(0o600)
    for user in ("table7", "display", "bets", "supervisor"):
        subprocess.run([program("mosquitto_passwd"), "-b", str(passwords), user, PASSWORD], check=True, timeout=60)
    example = (EXAMPLES / "feltd.conf").read_text(encoding="utf-8")
    here = example.replace("/etc/mosquitto/", f"{directory}/").replace("listener 1883", f"listener {port} 127.0.0.1")
    config = directory / "mosquitto.conf"
    config.write_text(f"user root\nlog_dest stderr\n{here}")
    with subprocess.Popen([program("mosquitto"), "-c", str(config)], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            wait_until_running(process.stderr)
            yield Broker(port)
        finally:
            process.terminate()


@pytest.mark.parametrize("topic", ["status", "state", "device/shuffler", "event/round-opened", "alert/jam", "reply/c1"])
def test_a_table_speaks_under_its_own_name_and_no_other(broker: Broker, topic: str) -> None:
    assert broker.may_say("table7", f"{TABLE}/{topic}")
    assert not broker.may_say("table7", f"felt/v1/harbour/table8/{topic}")


def test_a_table_hears_its_commands_and_gives_none(broker: Broker) -> None:
    assert broker.hears("table7", f"{TABLE}/cmd/bet")
    assert not broker.may_say("table7", f"{TABLE}/cmd/bet")


def test_a_display_hears_and_says_nothing(broker: Broker) -> None:
    assert not broker.may_say("display", f"{TABLE}/cmd/bet")
    assert not broker.may_say("display", f"{TABLE}/event/round-opened")
    assert broker.hears("display", f"{TABLE}/cmd/rule")


FOR_A_SUPERVISOR = {
    *("rule", "void-round", "clear-alert", "open-table", "close-table", "reshuffle", "change-game", "change-deck"),
}


@pytest.mark.parametrize("command", [*(KINDS[action] for action in get_args(Action)), "resend"])
def test_a_terminal_gives_the_commands_of_its_role_and_a_supervisor_all(broker: Broker, command: str) -> None:
    assert broker.may_say("bets", f"{TABLE}/cmd/{command}") is (command not in FOR_A_SUPERVISOR)
    assert broker.may_say("supervisor", f"{TABLE}/cmd/{command}")


def test_without_a_name_nobody_comes_in(broker: Broker) -> None:
    command = [program("mosquitto_pub"), "-p", str(broker.port), "-t", "x", "-m", "x"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "not authori" in done.stderr.lower()


def test_more_events_than_the_default_keeps_wait_for_a_consumer_that_is_away(broker: Broker) -> None:
    count = DEFAULT_LIMIT + 200
    session = ("-i", "collector", "-c", "-x", "3600", "-t", f"{TABLE}/event/+")
    broker.client("mosquitto_sub", "display", *session, "-E")
    events = "".join(f"{number}\n" for number in range(count))
    broker.client("mosquitto_pub", "table7", "-t", f"{TABLE}/event/numbered", "-l", stdin=events)
    done = broker.client("mosquitto_sub", "display", *session, "-C", str(count), "-W", "30")
    assert done.stdout == events
