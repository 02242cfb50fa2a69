"""Who may do what at each broker, with the list from `feltd access`: what has to work works, and nothing else."""

from __future__ import annotations

import asyncio
import errno
import itertools
import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from daemon.config.people import Person, Role, TableUser
from daemon.errors import FeltdError
from daemon.mqtt.client import Will, connected
from daemon.tools import access
from daemon.tools.doctor.entrances import check_amqp
from daemon.tools.doctor.findings import Verdict
from tests.brokers.connecting import arrives, as_user
from tests.brokers.flooding import SUBSCRIBE, log_in, packet, published, text
from tests.brokers.running import SYSTEMD, Guarded, guarded_nats, guarded_rabbitmq
from tests.brokers.site import OTHER_TABLE, TABLE, TOPICS, USERS, password, people
from tests.sim_hardware.free_port import free_port

OTHER_WAYS = {"rabbitmq_stomp": 61613, "rabbitmq_stream": 5552}  # plugins, and the ports that they would take
CONNECT, PUBLISH_RETAINED = 0x10, 0x33  # MQTT 3.1.1, 3.1.1 and 3.3.1
WILL, RETAINED = b"a will", b"a retained message"
RABBITMQ_PATTERN_MAX = 1024  # RabbitMQ 4.3, rabbit_re:max_pattern_length()

# Commands under way to a table, unacknowledged: Mosquitto's default and NATS's, and what our file says to RabbitMQ.
UNDER_WAY: dict[str, int] = {"mosquitto": 20, "mosquitto-3.1.1": 20, "nats": 1024, "rabbitmq": 1024}


@pytest.mark.usefixtures("forgotten")
async def test_commands_answers_and_what_is_public_arrive(broker: Guarded) -> None:
    async with as_user(broker, TABLE) as table, as_user(broker, "ana") as ana, as_user(broker, "screen") as screen:
        await table.listen(TOPICS.commands)
        await ana.listen(f"{TOPICS.reply('ana')}/#")
        public = (TOPICS.event("+"), TOPICS.state, TOPICS.status, TOPICS.devices, TOPICS.alerts)
        for topic in public:
            await screen.listen(topic)
        ana.post(TOPICS.command("ana", "bet"), b"a bet")
        assert await arrives(table) == (TOPICS.command("ana", "bet"), b"a bet")
        for topic in (TOPICS.reply("ana"), f"{TOPICS.reply('ana')}/app/1"):
            table.post(topic, b"an answer")
            assert await arrives(ana) == (topic, b"an answer")
        for topic in (TOPICS.event("hand-dealt"), TOPICS.device("shuffler"), TOPICS.alert("jam-shuffler")):
            table.post(topic, b"public")
            assert await arrives(screen) == (topic, b"public")
        for topic in (TOPICS.state, TOPICS.status):
            table.post(topic, b"retained", retain=True)
            assert await arrives(screen) == (topic, b"retained")


@pytest.mark.usefixtures("forgotten")
async def test_a_tables_own_messages_take_no_place_of_a_command(broker: Guarded) -> None:
    """Behind a flood a dealer waits for what is unacknowledged: RabbitMQ had 10 places, and emptied them one by one.

    At NATS the table's own state took one of them, and a command without a place came 30 s later, or 60 s.
    """
    async with as_user(broker, TABLE) as table, as_user(broker, "ana") as ana:
        await table.listen(TOPICS.state, own=False)
        await table.listen(TOPICS.commands, retained=False)
        await table.post(TOPICS.state, b"its own", retain=True)
        commands = [str(number).encode() for number in range(UNDER_WAY[broker.name])]
        sent = [ana.post(TOPICS.command("ana", "bet"), command) for command in commands]
        heard: list[bytes] = []
        async with asyncio.timeout(25):  # NATS tries again after 30 s
            while len(heard) < len(commands):
                message = await anext(aiter(table.messages))  # and nothing is acknowledged
                if message.topic.matches(TOPICS.commands):
                    heard.append(bytes(message.payload))
        await asyncio.gather(*sent)
    assert heard == commands


async def test_who_knows_no_password_cannot_end_the_tables_connection(broker: Guarded) -> None:
    settings = broker.settings(TABLE)
    own = settings.own_client_id(TOPICS.site, TOPICS.table)
    async with connected(settings, own, Will(TOPICS.reply("ana"), b"")) as table:
        await table.listen(TOPICS.commands)
        for guess in (TABLE, f"feltd-{TOPICS.site}-{TOPICS.table}", f"{TABLE}:"):
            with suppress(FeltdError):
                async with connected(broker.settings("seat3"), guess, Will(TOPICS.reply("seat3"), b"")):
                    pass
        async with as_user(broker, "ana") as ana:
            ana.post(TOPICS.command("ana", "bet"), b"a bet")
            assert await arrives(table) == (TOPICS.command("ana", "bet"), b"a bet")


def test_nats_lets_its_users_in_over_mqtt_only(tmp_path: Path) -> None:
    """Over its own protocol a user could read every message on its way to a session, below $MQTT.sub."""
    with guarded_nats(tmp_path) as broker:
        login = json.dumps({"user": "screen", "pass": password("screen"), "verbose": False})
        with socket.create_connection(("127.0.0.1", broker.own_port or 0), timeout=180) as screen:
            screen.sendall(f"CONNECT {login}\r\nSUB $MQTT.sub.> 1\r\nPING\r\n".encode())
            said = b"".join(iter(lambda: screen.recv(4096), b""))
    assert b"Authorization Violation" in said
    assert b"PONG" not in said


def test_nats_keeps_messages_for_tables_and_collectors_only(tmp_path: Path) -> None:
    """A session at QoS 1 is kept with all that is published: 4,000 that a player left behind took 1.4 GB."""
    topic = text(TOPICS.status.encode())
    with guarded_nats(tmp_path) as broker:
        granted = {}
        for user in USERS:
            with log_in(broker, user) as caller:
                for qos in (0, 1):
                    caller.sendall(packet(SUBSCRIBE, b"\0\1" + topic + bytes([qos])))
                    granted[user, qos] = caller.recv(5)[-1]
    kept = {TABLE, "store"}
    assert all(granted[user, 0] == 0 for user in USERS if user != OTHER_TABLE)
    assert {user for user in USERS if granted[user, 1] == 1} == {*kept}


@pytest.fixture(scope="module")
def with_other_ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """RabbitMQ with AMQP and the plugins, once for both tests: a start takes four seconds of a processor."""
    with guarded_rabbitmq(tmp_path_factory.mktemp("other-ways"), free_port(), OTHER_WAYS) as broker:
        yield broker


async def test_rabbitmq_over_amqp_is_found_out(with_other_ways: Guarded) -> None:
    """Over AMQP a player gives a supervisor's commands: a header copies one into a queue that names it anew."""
    broker = with_other_ways
    port = broker.own_port or 0
    found = await check_amqp("127.0.0.1", "seat3", password("seat3"), port)
    assert found.verdict is Verdict.PROBLEM
    assert (await check_amqp("127.0.0.1", "seat3", "wrong", port)).verdict is Verdict.OK
    assert (await check_amqp("127.0.0.1", "seat3", password("seat3"), broker.port)).verdict is Verdict.OK


@pytest.mark.usefixtures("with_other_ways")
def test_rabbitmq_listens_for_stomp_and_streams_nowhere_also_with_their_plugins() -> None:
    """Over them a user reaches queues and exchanges as over AMQP, whose permissions hold no player to their name."""
    for port in OTHER_WAYS.values():
        with socket.socket() as caller:
            assert caller.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED


def test_rabbitmq_takes_the_list_of_a_house_with_many_tables() -> None:
    tables = {f"table{number}": TableUser(user=f"table{number}") for number in range(30)}
    supervisor = Person(role=Role.SUPERVISOR, tables=tuple(tables))
    house = replace(people(), tables=tables, people={"ana-diaz": supervisor})
    for each in json.loads(access.rabbitmq(house))["topic_permissions"]:
        assert max(len(each["write"]), len(each["read"])) <= RABBITMQ_PATTERN_MAX


def test_what_is_written_as_one_pattern_is_neither_more_nor_less() -> None:
    for rights in access.rights_of(people()):
        for filters in (rights.publish, rights.read):
            together = ["/".join(names) for levels in access.merged(filters) for names in itertools.product(*levels)]
            assert sorted(together) == sorted(filters)


def test_each_user_of_nats_has_a_password_of_their_own() -> None:
    alike = ["".join(marks) for marks in itertools.product("au-_", repeat=4)]
    assert len({access.password_variable(f"a{user}") for user in alike}) == len(alike)


def test_what_we_ship_for_rabbitmq_switches_amqp_off() -> None:
    """The brokers here have this file, so what it says besides is tried by every test of RabbitMQ."""
    said = (SYSTEMD / "rabbitmq" / "rabbitmq.conf").read_text().splitlines()
    assert "listeners.tcp = none" in said
    assert "mqtt.allow_anonymous = false" in said


async def test_nobody_logs_in_without_their_password(broker: Guarded) -> None:
    for user, secret in ((None, None), ("ana", None), ("ana", "wrong"), ("nobody", "wrong")):
        with pytest.raises(FeltdError):
            async with connected(
                replace(broker.settings("ana"), user=user, password=secret), "ana", Will(TOPICS.status, b"")
            ):
                pass


async def test_a_topic_that_is_none_ends_no_connection(broker: Guarded) -> None:
    """RabbitMQ delivers a `*` of a topic as `+`, and NATS 2.9 what is no UTF-8. Our MQTT library raises at both.

    The lists let only a table publish on names of its own choice, so here it is the table that says nonsense.
    """
    below = f"{TOPICS.reply('seat3')}/".encode()
    nonsense = [below + name for name in (b"*", b"+", b"#", b">", b"\xff\xfe", b"\xed\xa0\x80", b"\0", b"\n")]
    settings, sound = broker.settings("seat3"), TOPICS.reply("seat3")
    async with connected(settings, "seat3:kept") as player:
        await player.listen(f"{TOPICS.reply('seat3')}/#")
        with capture_logs() as logged:
            for topic in nonsense:
                await asyncio.to_thread(publish_raw, broker, TABLE, topic)
            async with as_user(broker, TABLE) as table:
                table.post(sound, b"an answer")
                while await arrives(player) != (sound, b"an answer"):
                    pass
    told = [line["topic"] for line in logged if line["event"] == "mqtt-no-topic"]
    # NATS 2.15 delivers none of it.
    assert len(told) in ({0, 1} if broker.name in {"nats", "rabbitmq"} else {0}), "named once, and not once for each"
    # Nothing of it is left in the session. RabbitMQ 4 may give the last once more: it was acknowledged at the very end.
    async with connected(settings, "seat3:kept") as player, as_user(broker, TABLE) as table:
        table.post(sound, b"another")
        while (heard := await arrives(player)) != (sound, b"another"):
            assert heard == (sound, b"an answer")


async def test_a_users_will_and_what_they_retain_reach_nobody_but_under_their_name(broker: Guarded) -> None:
    """Brokers accept such a will, and acknowledge the message: what counts is that neither arrives."""
    allowed = TOPICS.command("seat3", "bet")
    forbidden = {
        "seat3": (TOPICS.command("ana", "press"), TOPICS.reply("ana"), TOPICS.state, TOPICS.event("hand-dealt")),
        "screen": (
            TOPICS.status,
            TOPICS.alert("jam-shuffler"),
            TOPICS.device("shuffler"),
            TOPICS.command("screen", "bet"),
        ),
    }
    public = (TOPICS.state, TOPICS.status, TOPICS.event("+"), TOPICS.alert("jam-shuffler"), TOPICS.device("shuffler"))
    async with as_user(broker, TABLE) as table, as_user(broker, "ana") as ana:
        await table.listen(TOPICS.commands)
        for topic in (*public, TOPICS.reply("ana")):
            await ana.listen(topic)
        for user, topics in forbidden.items():
            for topic in topics:
                await asyncio.to_thread(leave_behind, broker, user, topic)
        await asyncio.to_thread(leave_behind, broker, "seat3", allowed)
        assert {await arrives(table), await arrives(table)} == {(allowed, WILL), (allowed, RETAINED)}
        table.post(TOPICS.reply("ana"), b"sound")
        while (heard := await arrives(ana)) != (TOPICS.reply("ana"), b"sound"):
            assert heard[1] not in {WILL, RETAINED}
    async with as_user(broker, "ana") as later:
        for topic in (*public, TOPICS.reply("ana")):
            await later.listen(topic)
        async with as_user(broker, TABLE) as table:
            table.post(TOPICS.reply("ana"), b"sound")
            while (heard := await arrives(later)) != (TOPICS.reply("ana"), b"sound"):
                assert heard[1] not in {WILL, RETAINED}
    async with as_user(broker, "seat3") as player:  # the next test has the same broker
        await player.post(allowed, b"", retain=True)


def leave_behind(broker: Guarded, user: str, topic: str) -> None:
    """Retain a message on this topic, and go without a word, with a will on it that is retained too."""
    will = text(topic.encode()) + text(WILL)
    login = text(b"MQTT") + b"\x04\xee\x00\x3c" + text(f"{user}:{uuid4().hex}".encode()) + will
    login += text(user.encode()) + text(password(user).encode())
    with socket.create_connection(("127.0.0.1", broker.port), timeout=180) as caller, suppress(ConnectionError):
        caller.sendall(packet(CONNECT, login))
        assert caller.recv(4) == b"\x20\x02\x00\x00"
        caller.sendall(packet(PUBLISH_RETAINED, text(topic.encode()) + b"\0\1" + RETAINED))
        caller.recv(4)  # RabbitMQ hangs up instead of acknowledging


@pytest.mark.usefixtures("forgotten")
async def test_a_display_reads_only_what_is_public(broker: Guarded) -> None:
    """Also not the broker's own topics, with every user's connections and the bytes of all."""
    closed = (
        "#",
        "+/#",
        "$SYS/#",
        "$SYS/broker/clients/connected",
        "$MQTT/#",
        f"{TOPICS.base}/#",
        f"{TOPICS.base}/+/+",
    )
    private = (TOPICS.commands, f"{TOPICS.base}/cmd/#", f"{TOPICS.base}/reply/#", TOPICS.reply("ana"))
    async with as_user(broker, TABLE) as table:
        await table.post(TOPICS.state, b"the state", retain=True)
        await table.post(TOPICS.reply("ana"), b"an answer", retain=True)
        for filter_ in (*closed, *private):
            async with as_user(broker, "screen") as screen:
                with suppress(FeltdError):
                    await screen.listen(filter_, qos=0)
                    table.post(TOPICS.reply("ana"), b"an answer")
                    # What it may read is heard behind: so there is no wait for what must not come.
                    await screen.listen(TOPICS.status, qos=0)
                    await table.post(TOPICS.status, b"the end")
                    heard = [await arrives(screen)]
                    while heard[-1][1] != b"the end":
                        heard.append(await arrives(screen))
                    assert {topic for topic, _ in heard} <= {TOPICS.status, TOPICS.state}, filter_
        await table.post(TOPICS.reply("ana"), b"", retain=True)


async def test_a_user_has_no_names_of_their_own_choice_to_retain_messages_on(broker: Guarded) -> None:
    """A broker keeps a retained message for each topic: with free names one user fills the memory of all."""
    async with as_user(broker, TABLE) as table:
        await table.listen(TOPICS.commands)
        for name in ("bet-1", "another", "*"):
            await asyncio.to_thread(publish_raw, broker, "seat3", TOPICS.command("seat3", name).encode())
        await asyncio.to_thread(publish_raw, broker, "seat3", TOPICS.command("seat3", "bet").encode())
        assert await arrives(table) == (TOPICS.command("seat3", "bet"), b"{}")


def publish_raw(broker: Guarded, user: str, topic: bytes) -> None:
    """Publish at QoS 1 what no library would, and wait until the broker has acknowledged it or hung up."""
    with log_in(broker, user) as caller, suppress(ConnectionError):
        caller.sendall(published(topic, b"{}", 1))
        caller.recv(4)


def rabbitmq_policies() -> list[dict[str, Any]]:
    policies: list[dict[str, Any]] = json.loads(access.rabbitmq(people()))["policies"]
    return policies


def test_rabbitmq_bounds_what_waits_in_every_session() -> None:
    """A player filled the broker's disk with commands to a table that was away, and then nobody could connect."""
    policies = rabbitmq_policies()
    for user in USERS:
        (bound,) = (
            policy["definition"]
            for policy in policies
            if re.search(policy["pattern"], f"mqtt-subscription-{user}:1qos1")
        )
        assert bound["max-length-bytes"] <= access.KEPT_BYTES_MAX
        assert "expires" in bound or bound["max-length"] == access.KEPT_MAX, "commands without a body have no bytes"


def test_rabbitmq_soon_forgets_a_session_unless_it_is_a_tables_or_a_collectors() -> None:
    """Each is a queue with a copy of every event: 1,500 that one player left made every command wait for a second."""
    policies = [policy for policy in rabbitmq_policies() if "expires" in policy["definition"]]
    assert all(policy["definition"]["expires"] == access.SESSION_KEPT_MS for policy in policies)

    def soon_gone(session: str) -> bool:
        return any(re.search(policy["pattern"], f"mqtt-subscription-{session}qos1") for policy in policies)

    assert {user for user in USERS if soon_gone(f"{user}:1")} == {"ana", "bob-lee", "seat3", "screen"}
    assert not any(map(soon_gone, ("seat3x", "xseat3", "seat3qos1:1", "seat")))
