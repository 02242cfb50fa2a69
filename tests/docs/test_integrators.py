"""The integrators' page: its client loses and repeats nothing, its commands, topics and events are the real ones."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path

import aiomqtt

from daemon.journal.kinds import FACT_KINDS
from daemon.mqtt.commands import NAMES, RESEND_EVENTS_MAX
from tests.docs.documents import blocks, cells, section, text_of
from tests.line.at_the_bench import BenchTable, bench

PAGE = text_of("daemon/mqtt/README.md")
BASE = "felt/v1/bench/table1"
FOLLOW_S_MAX = 30


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
    listed = {cell.strip("`").partition("/")[0] for cell in cells(section(PAGE, "## Topics"), 0)}
    (shown,) = [block for block in blocks(PAGE, "text") if "/reply/" in block]
    (typed,) = [block for block in blocks(PAGE, "sh") if "mosquitto_pub" in block]
    topics: set[str] = set()
    async with bench(tmp_path, seats=6) as table, aiomqtt.Client("127.0.0.1", _port(table)) as client:
        await client.subscribe("felt/#")
        await table.rounds(1)  # the daemon takes commands by then
        bet = await asyncio.create_subprocess_exec("bash", "-c", typed.replace("18830", str(_port(table))))
        async for message in client.messages:
            topics.add(str(message.topic).removeprefix(f"{BASE}/").partition("/")[0])
            if message.topic.matches("+/+/+/+/reply/terminal-3"):
                answer = f"{message.topic} {bytes(message.payload).decode()}"
                break
        assert await bet.wait() == 0
    assert answer == shown.strip()
    assert {"status", "state", "device", "event", "cmd"} <= topics <= listed


async def test_the_example_client_prints_every_event_once_though_its_session_is_lost(tmp_path: Path) -> None:
    (program,) = blocks(PAGE, "python")
    (tmp_path / "follow.py").write_text(program, encoding="utf-8")
    printed: list[int] = []
    async with bench(tmp_path) as table:
        await table.rounds(1)
        async with _following(tmp_path, _port(table)) as lines:
            await _read(lines, printed, 20)
        lost = aiomqtt.Client("127.0.0.1", _port(table), identifier="follow-1", clean_session=True)
        async with lost:  # the broker forgets the session, and what it kept for it
            await table.rounds(table.tally.rounds + 2)
        missed = table.heard[-1].sequence
        async with _following(tmp_path, _port(table)) as lines:
            await _read(lines, printed, missed - printed[-1] + 20)
    assert missed > printed[19] + 20
    assert printed == list(range(printed[0], printed[0] + len(printed)))


@asynccontextmanager
async def _following(here: Path, port: int) -> AsyncIterator[asyncio.StreamReader]:
    """The program, killed in the end: what it printed last, its place may not have."""
    words = [sys.executable, "follow.py", str(port), BASE]
    process = await asyncio.create_subprocess_exec(*words, cwd=here, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.wait()


async def _read(lines: asyncio.StreamReader, printed: list[int], number: int) -> None:
    """Take so many lines. What a killed program printed before it kept its place, it prints again."""
    async with asyncio.timeout(FOLLOW_S_MAX):
        while number > 0:
            sequence = int((await lines.readline()).split()[0])
            if printed and sequence <= printed[-1]:
                continue
            printed.append(sequence)
            number -= 1


def _port(table: BenchTable) -> int:
    return table.world.broker.port
