"""The broker's example configuration, in a real Mosquitto: it starts, keeps who may say what, and keeps what waits."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import aiomqtt
import pytest

from daemon.config.people import Role, load_people
from daemon.tools import access
from tests.sim_hardware.free_port import free_port
from tests.support.processes import gone_afterwards

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
EXAMPLES = SYSTEMD / "mosquitto"
EXAMPLE = (EXAMPLES / "feltd.conf").read_text(encoding="utf-8")
PEOPLE = load_people(SYSTEMD / "people.example.toml")
PATH = os.environ["PATH"] + ":/usr/sbin"
PASSWORD = "not a secret"  # noqa: S105  the test's own
TABLE = "felt/v1/harbour/table7"
DEFAULT_LIMIT = 1000
OF_A_ROUND_END = 30  # messages: the last packet of a full table; Mosquitto's default is 20 without an answer
QUEUED_BYTES_MAX = 67_108_864  # the example's
OF_THE_BROKER_BYTES = 100 << 20  # itself, and what is on its way
FLOOD_BYTES = 300 << 20


@dataclass(frozen=True)
class Broker:
    """A running broker, and its clients."""

    port: int
    pid: int

    def client(
        self, program: str, user: str, *words: str, stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [program, "-p", str(self.port), "-u", user, "-P", PASSWORD, "-V", "5", "-q", "1", *words]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=180, check=False)

    def memory_bytes(self) -> int:
        [resident] = re.findall(r"VmRSS:\s+([0-9]+) kB", Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8"))
        return int(resident) << 10

    def may_say(self, user: str, topic: str) -> bool:
        """MQTT 5 tells a publisher that it was refused, and the client prints it."""
        done = self.client("mosquitto_pub", user, "-t", topic, "-m", "x")
        assert done.returncode == 0, done.stderr
        assert done.stderr == "" or "Not authorized" in done.stderr, done.stderr
        return done.stderr == ""

    def hears(self, user: str, topic: str, of: str, *filters: str) -> bool:
        """Whether a retained message on the topic, said by the user `of`, arrives through one of the filters."""
        self.client("mosquitto_pub", of, "-r", "-t", topic, "-m", "retained")
        asked = [word for filter_ in filters or (topic,) for word in ("-t", filter_)]
        heard = self.client("mosquitto_sub", user, *asked, "-C", "1", "-W", "1").stdout
        self.client("mosquitto_pub", of, "-r", "-t", topic, "-n")
        assert heard in ("", "retained\n")
        return heard != ""


def program(name: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found is not None, f"these tests need {name}: make test installs it, or apt-get install mosquitto"
    return found


def wait_until_running(said: IO[str]) -> None:
    """The example leaves nothing for the broker to complain of; that root starts it here is not part of the example."""
    for line in said:
        complains = any(word in line for word in ("rror", "arning", "Note:", "eprecated"))
        assert not complains or "run as root" in line, line
        if line.rstrip().endswith("running"):
            return
    pytest.fail("the broker ended")


@contextmanager
def running(directory: Path, example: str) -> Iterator[Broker]:
    """A broker with this configuration, all people of the example, and one whom no list names."""
    port, passwords = free_port(), directory / "feltd.passwd"
    passwords.touch(mode=0o600)
    shutil.copy(EXAMPLES / "feltd.acl", directory)
    (directory / "feltd.acl").chmod(0o600)
    for user in (*(table.user for table in PEOPLE.tables.values()), *PEOPLE.people, "mallory"):
        subprocess.run([program("mosquitto_passwd"), "-b", str(passwords), user, PASSWORD], check=True, timeout=180)
    here = example.replace("/etc/mosquitto/", f"{directory}/").replace("listener 1883", f"listener {port} 127.0.0.1")
    config = directory / "mosquitto.conf"
    # Nobody reads what it says later: a line for each connection would fill the pipe, and it would stand still.
    config.write_text(f"user root\nlog_dest stderr\nconnection_messages false\n{here}")
    with gone_afterwards(
        subprocess.Popen([program("mosquitto"), "-c", str(config)], stderr=subprocess.PIPE, text=True)
    ) as process:
        assert process.stderr is not None
        wait_until_running(process.stderr)
        yield Broker(port, process.pid)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with running(tmp_path_factory.mktemp("mosquitto"), EXAMPLE) as started:
        yield started


SPOKEN = ("status", "state", "device/shuffler", "event/round-opened", "alert/jam", "reply/ana-diaz", "reply/ana-diaz/1")
COMMAND = f"{TABLE}/cmd/ana-diaz/rule"


def test_the_access_list_is_written_from_the_file_of_people() -> None:
    assert (EXAMPLES / "feltd.acl").read_text(encoding="utf-8") == access.mosquitto(PEOPLE)


@pytest.mark.parametrize("topic", SPOKEN)
def test_a_table_speaks_under_its_own_name_and_no_other(broker: Broker, topic: str) -> None:
    assert broker.may_say("table7", f"{TABLE}/{topic}")
    assert not broker.may_say("table7", f"felt/v1/harbour/table8/{topic}")


def test_a_table_hears_its_commands_and_gives_none(broker: Broker) -> None:
    assert broker.hears("table7", COMMAND, of="ana-diaz")
    assert not broker.hears("table8", COMMAND, of="ana-diaz")
    assert not broker.may_say("table7", COMMAND)


@pytest.mark.parametrize("user", [*PEOPLE.people, "mallory"])
def test_nobody_but_a_table_says_what_a_table_says(broker: Broker, user: str) -> None:
    assert [topic for topic in SPOKEN if broker.may_say(user, f"{TABLE}/{topic}")] == []


@pytest.mark.parametrize("user", [*PEOPLE.people, "mallory"])
def test_a_user_gives_commands_under_their_own_name_and_no_other(broker: Broker, user: str) -> None:
    person = PEOPLE.people.get(user)
    gives = person is not None and person.role is not Role.DISPLAY
    gives_all = gives and person is not None and person.role is not Role.COLLECTOR
    assert broker.may_say(user, f"{TABLE}/cmd/{user}/resend") is gives
    assert broker.may_say(user, f"{TABLE}/cmd/{user}/bet") is gives_all
    assert not broker.may_say(user, f"{TABLE}/cmd/somebody/bet")
    assert not broker.may_say(user, f"{TABLE}/cmd/{user}/bet/more")
    # The broker keeps what is retained on each topic: nobody may invent topics.
    assert not broker.may_say(user, f"{TABLE}/cmd/{user}/bets")
    assert not broker.may_say(user, f"felt/v1/harbour/invented/cmd/{user}/resend")


@pytest.mark.parametrize("user", [*PEOPLE.people, "mallory"])
def test_nobody_reads_commands_or_the_answers_of_another(broker: Broker, user: str) -> None:
    other = "ana-diaz" if user != "ana-diaz" else "kim-lee"
    assert not broker.hears(user, COMMAND, "ana-diaz", COMMAND, f"{TABLE}/cmd/#", "felt/#", "#")
    answer = f"{TABLE}/reply/{other}"
    assert not broker.hears(user, answer, "table7", answer, f"{TABLE}/reply/+/#", "#")


@pytest.mark.parametrize("version", ["5", "311"])  # only 5 tells a client what the broker takes
def test_a_user_sends_the_table_no_message_that_its_memory_feels(broker: Broker, tmp_path: Path, version: str) -> None:
    large = tmp_path / "large"
    large.write_bytes(b" " * (1 << 20))
    broker.client("mosquitto_pub", "ana-diaz", "-r", "-t", COMMAND, "-f", str(large), "-V", version)
    heard = broker.client("mosquitto_sub", "table7", "-t", COMMAND, "-C", "1", "-W", "1").stdout
    assert heard == ""
    assert broker.may_say("ana-diaz", COMMAND)


def test_an_answer_reaches_its_user(broker: Broker) -> None:
    for below in ("", "/app/17"):
        topic = f"{TABLE}/reply/ana-diaz{below}"
        assert broker.hears("ana-diaz", topic, "table7", f"{TABLE}/reply/ana-diaz/#")


def test_everybody_at_the_table_reads_what_is_public(broker: Broker) -> None:
    assert [user for user in PEOPLE.people if not broker.hears(user, f"{TABLE}/state", of="table7")] == []


async def test_a_user_cannot_take_the_client_id_of_another(broker: Broker) -> None:
    """With its id, a session could be taken over. The broker uses the user's name, whatever id a client asks for."""

    def client(user: str) -> aiomqtt.Client:
        v5 = aiomqtt.ProtocolVersion.V5
        return aiomqtt.Client(
            "127.0.0.1", broker.port, identifier="feltd", username=user, password=PASSWORD, protocol=v5
        )

    async with client("table7") as table:
        for user in ("kim-lee", "table8"):
            async with client(user) as other:
                await other.publish(f"{TABLE}/cmd/{user}/bet", "x", qos=1)
        await table.subscribe(f"{TABLE}/cmd/+/+", qos=1)
        async with client("kim-lee") as other:
            await other.publish(f"{TABLE}/cmd/kim-lee/bet", "x", qos=1)
        async with asyncio.timeout(60):
            assert str((await anext(aiter(table.messages))).topic) == f"{TABLE}/cmd/kim-lee/bet"


def test_without_a_name_nobody_comes_in(broker: Broker) -> None:
    command = [program("mosquitto_pub"), "-p", str(broker.port), "-t", "x", "-m", "x"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode != 0
    assert "not authori" in done.stderr.lower()


def test_the_same_holds_where_plugins_read_the_lists(tmp_path: Path) -> None:
    """What the example has for Mosquitto 3.0, tried with 2.1."""
    plugins = [*Path("/usr/lib").glob("*/mosquitto/mosquitto_acl_file.so")]
    if not plugins:
        pytest.skip("Mosquitto 2.0 has no such plugins")
    processor = plugins[0].parents[1].name
    lists = re.sub("^(password_file|acl_file)", r"#\1", EXAMPLE, flags=re.MULTILINE)
    lines = re.sub("^#(global_plugin|plugin_opt)", r"\1", lists, flags=re.MULTILINE)
    with running(tmp_path, lines.replace("x86_64-linux-gnu", processor)) as broker:
        test_a_table_speaks_under_its_own_name_and_no_other(broker, "status")
        test_a_table_hears_its_commands_and_gives_none(broker)
        test_without_a_name_nobody_comes_in(broker)


def test_more_events_than_the_default_keeps_wait_for_a_consumer_that_is_away(broker: Broker) -> None:
    count = DEFAULT_LIMIT + 200
    session = ("-i", "collector", "-c", "-x", "3600", "-t", f"{TABLE}/event/+")
    broker.client("mosquitto_sub", "collector", *session, "-E")
    events = "".join(f"{number}\n" for number in range(count))
    broker.client("mosquitto_pub", "table7", "-t", f"{TABLE}/event/numbered", "-l", stdin=events)
    done = broker.client("mosquitto_sub", "collector", *session, "-C", str(count), "-W", "170")
    assert done.stdout == events


async def test_a_round_end_reaches_a_consumer_before_it_has_answered_any_of_it(broker: Broker) -> None:
    """A slow consumer would get the rest of it one round trip of the network later."""
    heard: asyncio.Queue[int] = asyncio.Queue()
    version = aiomqtt.ProtocolVersion.V5

    def client(user: str) -> aiomqtt.Client:
        return aiomqtt.Client("127.0.0.1", broker.port, username=user, password=PASSWORD, protocol=version)

    async with client("collector") as consumer, client("table7") as table:
        consumer._client.manual_ack_set(True)
        consumer._client.on_message = lambda _client, _data, message: heard.put_nowait(message.mid)
        await consumer.subscribe(f"{TABLE}/event/+", qos=1)
        for _ in range(OF_A_ROUND_END):
            await table.publish(f"{TABLE}/event/hand-settled", "x", qos=1)
        async with asyncio.timeout(60):
            for _ in range(OF_A_ROUND_END):
                await heard.get()


def test_commands_that_wait_for_a_table_that_is_away_do_not_fill_the_brokers_memory(
    broker: Broker, tmp_path: Path
) -> None:
    """A million messages wait, which could be a megabyte each: the bytes are bounded as well."""
    session = ("-i", "table7", "-c", "-x", "3600", "-t", f"{TABLE}/cmd/+/+")
    broker.client("mosquitto_sub", "table7", *session, "-E")
    large, flood = tmp_path / "large", FLOOD_BYTES >> 20
    large.write_bytes(b" " * 1_000_000)
    # One client that repeats its message: a client for each would take minutes.
    broker.client("mosquitto_pub", "ana-diaz", "-t", COMMAND, "-f", str(large), "--repeat", str(flood))
    held = broker.memory_bytes()
    broker.client("mosquitto_sub", "table7", "-i", "table7", "-t", "nothing", "-E")  # ends the session
    assert held < QUEUED_BYTES_MAX + OF_THE_BROKER_BYTES < FLOOD_BYTES
