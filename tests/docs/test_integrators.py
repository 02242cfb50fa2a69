"""The integrators' page: its client loses and repeats nothing, its commands, topics and events are the real ones."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import aiomqtt

from daemon.journal.journal import CURSOR_FACTS
from daemon.journal.kinds import FACT_KINDS
from daemon.mqtt.commands import NAMES, RESEND_EVENTS_MAX
from daemon.mqtt.settings import MqttSettings
from daemon.tools.bench.world import world
from tests.docs.documents import blocks, cells, section, text_of
from tests.line.at_the_bench import BenchTable, bench, settings
from tests.support.mosquitto import mosquitto

PAGE = text_of("daemon/mqtt/README.md")
BASE = "felt/v1/bench/table1"
REPEATS_MAX = CURSOR_FACTS + MqttSettings().in_flight_max
"""What the broker acknowledged since the cursor was saved, and what it had not acknowledged yet."""
FOLLOW_S_MAX = 120


def test_every_command_of_the_table_is_listed_and_no_other() -> None:
    listed = PAGE.partition("\nThe commands: ")[2].partition(". ")[0]
    assert sorted(re.findall(r"`([a-z-]+)`", listed)) == sorted(NAMES)


def test_the_shown_rounds_are_made_of_real_events_with_their_fields() -> None:
    by_kind = {kind: cls for cls, kind in FACT_KINDS.items()}
    shown = re.findall(r"(?m)^([a-z.-]+) +(\{.*\})$", PAGE + text_of("README.md"))
    assert len(shown) > 40
    for kind, data in shown:
        known = {field.name for field in fields(by_kind[kind])}
        said = set(re.findall(r'"([a-z_]+)":', re.sub(r"\[.*\]", "[]", data)))
        assert said <= known, f"{kind}: {said - known}"


def test_a_resend_is_as_long_as_the_page_says() -> None:
    assert f"at most {RESEND_EVENTS_MAX} for each request" in " ".join(PAGE.split())


async def test_a_bet_is_refused_as_shown_and_every_topic_is_listed(tmp_path: Path) -> None:
    """While nobody else plays, so that the first round still takes bets."""
    listed = {cell.strip("`").partition("/")[0] for cell in cells(section(PAGE, "## Topics"), 0)}
    (shown,) = [block for block in blocks(PAGE, "text") if "/reply/" in block]
    (typed,) = [block for block in blocks(PAGE, "sh") if "mosquitto_pub" in block]
    topics: set[str] = set()
    async with (
        world(settings(tmp_path, seats=6)) as running,
        aiomqtt.Client("127.0.0.1", running.broker.port) as client,
    ):
        typed = typed.replace("18830", str(running.broker.port)).replace("table1-2", "table1-1")
        bet = None
        await client.subscribe("felt/#")
        async for message in client.messages:
            said = bytes(message.payload).decode()
            topics.add(str(message.topic).removeprefix(f"{BASE}/").partition("/")[0])
            if bet is None and message.topic.matches(f"{BASE}/state") and '"phase":"betting"' in said:
                bet = await asyncio.create_subprocess_exec("bash", "-c", typed)
            if message.topic.matches(f"{BASE}/reply/bench-dealer"):
                break
        assert bet is not None
        assert await bet.wait() == 0
    assert f"{message.topic} {said}" == shown.strip()
    assert {"status", "state", "cmd", "reply"} <= topics <= listed


async def test_the_example_client_prints_every_event_once_though_its_session_is_lost(tmp_path: Path) -> None:
    (program,) = blocks(PAGE, "python")
    (tmp_path / "follow.py").write_text(program, encoding="utf-8")
    async with bench(tmp_path) as table:
        await table.rounds(1)
        printed = await _follow(tmp_path, _port(table), 20)
        lost = aiomqtt.Client("127.0.0.1", _port(table), identifier="bench-collector", clean_session=True)
        async with lost:  # the broker forgets the session, and what it kept for it
            await table.rounds(table.tally.rounds + 2)
        missed = table.heard[-1].sequence
        assert missed > printed[-1] + 20
        printed += await _follow(tmp_path, _port(table), missed - printed[-1] + 20)
    # What a killed program printed before it kept its place, it prints again.
    repeats = sum(1 for before, after in pairwise(printed) if after == before)
    assert repeats <= 1
    assert sorted(set(printed)) == list(range(printed[0], printed[-1] + 1))
    assert printed == sorted(printed)


async def test_the_example_client_drops_what_a_killed_table_says_again(tmp_path: Path) -> None:
    """As many events at most as the guide says."""
    (program,) = blocks(PAGE, "python")
    (tmp_path / "follow.py").write_text(program, encoding="utf-8")
    async with bench(tmp_path) as table, aiomqtt.Client("127.0.0.1", _port(table)) as witness:
        await witness.subscribe(f"{BASE}/event/+", qos=1)
        await table.rounds(1)
        words = [sys.executable, "follow.py", str(_port(table)), BASE]
        process = await asyncio.create_subprocess_exec(*words, cwd=tmp_path, stdout=subprocess.PIPE)
        assert process.stdout is not None
        printed = [int((await process.stdout.readline()).split()[0])]
        delivered = len(table.all_of("hand-delivered"))
        await table.until(lambda: len(table.all_of("hand-delivered")) > delivered + 1)
        await table.world.daemon.end(signal.SIGKILL)
        await table.world.daemon.start()
        await table.rounds(table.tally.rounds + 1)
        async with asyncio.timeout(FOLLOW_S_MAX):
            while printed[-1] < table.heard[-1].sequence:
                printed.append(int((await process.stdout.readline()).split()[0]))
        process.kill()
        await process.wait()
        said: list[str] = []
        async for message in witness.messages:
            said.append(json.loads(bytes(message.payload))["id"])
            if len(witness.messages) == 0:
                break
    repeats = len(said) - len(set(said))
    told = re.search(r"up to ([0-9]+) events come again", text_of("daemon/mqtt/INTEGRATOR.md"))
    assert told is not None
    assert 0 < repeats <= int(told[1]) == REPEATS_MAX
    assert printed == list(range(printed[0], printed[-1] + 1))


async def test_the_example_client_asks_again_under_the_same_id(tmp_path: Path) -> None:
    (program,) = blocks(PAGE, "python")
    quick = program.replace("AGAIN_S, TRIES_MAX = 10, 5", "AGAIN_S, TRIES_MAX = 0.1, 3")
    assert quick != program
    (tmp_path / "follow.py").write_text(quick, encoding="utf-8")
    (tmp_path / "bench-collector.place").write_text('["journal", 1]')
    with mosquitto(tmp_path) as broker:
        async with aiomqtt.Client("127.0.0.1", broker.port) as table:
            await table.subscribe(f"{BASE}/cmd/bench-collector/resend")
            await table.publish(f"{BASE}/state", '{"journal": "journal", "sequence": "000000000003"}', retain=True)
            words = [sys.executable, "follow.py", str(broker.port), BASE]
            process = await asyncio.create_subprocess_exec(*words, cwd=tmp_path, stderr=subprocess.PIPE)
            requests = []
            async with asyncio.timeout(FOLLOW_S_MAX):
                async for message in table.messages:
                    requests.append(json.loads(bytes(message.payload)))
                    if len(requests) == 3:
                        break
            process.kill()
            _, said = await process.communicate()
    assert [request["data"] for request in requests] == [{"from": 2, "to": 3}] * 3
    assert len({request["id"] for request in requests}) == 1
    assert said.startswith(b"no answer yet, asking again (2 of 3)\n")


async def _follow(here: Path, port: int, number: int) -> list[int]:
    """Run the program until it has printed so many events, kill it, and return the sequences of all that it printed."""
    words = [sys.executable, "follow.py", str(port), BASE]
    process = await asyncio.create_subprocess_exec(*words, cwd=here, stdout=subprocess.PIPE)
    assert process.stdout is not None
    async with asyncio.timeout(FOLLOW_S_MAX):
        lines = [await process.stdout.readline() for _ in range(number)]
    process.kill()
    lines += (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()
    return [int(line.split()[0]) for line in lines if line.endswith(b"\n")]


def _port(table: BenchTable) -> int:
    return table.world.broker.port
