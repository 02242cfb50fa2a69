"""A page that starts late: what its tables said before, and what their journals have."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from daemon.page import earlier, steps
from daemon.page.steps import Steps
from tests.page.published import PublishedTable, published
from tests.page.served import page_settings, serving
from tests.support.mosquitto import Mosquitto
from tests.table.recorded_rounds import recorded


@pytest.fixture
async def played(broker: Mosquitto, tmp_path: Path) -> AsyncIterator[PublishedTable]:
    """Yield a table that has played a round, and whose events are all at the broker."""
    async with published(recorded("big-50"), tmp_path, broker.port) as table:
        await table.session.there.wait()
        yield table


@pytest.mark.parametrize(("user", "rounds"), [("archive", ["t7-2", "t7-1"]), ("screen", [])])
async def test_a_collector_has_the_rounds_from_before_and_a_display_has_none(
    broker: Mosquitto, played: PublishedTable, monkeypatch: pytest.MonkeyPatch, user: str, rounds: list[str]
) -> None:
    monkeypatch.setattr(earlier, "EVENTS_AT_ONCE", 30)  # so that it has to ask twice
    settings = page_settings(broker.port)
    settings = replace(settings, mqtt=replace(settings.mqtt, user=user))
    async with serving(settings) as served, aiohttp.ClientSession() as client:
        await _until_shown(client, served.url)
        async with client.get(served.url + "tables/t7/rounds") as response:
            assert [row["round"] for row in await response.json()] == rounds
        if rounds:
            async with client.get(served.url + "tables/t7/rounds/t7-1") as response:
                events = await response.json()
            assert (events[0]["type"], events[-1]["type"]) == ("round-opened", "round-settled")


async def _until_shown(client: aiohttp.ClientSession, url: str) -> None:
    """Wait for the table's retained state at the page."""
    async with client.get(url + "stream?tables=t7") as stream:
        while (await stream.content.readline()) not in (b"event: state\n", b"event: table\n"):
            pass


async def test_a_journal_beside_the_page_has_every_step(played: PublishedTable, tmp_path: Path) -> None:
    read = Steps({"t7": tmp_path / "t7.journal"})
    found = await read.of("t7", "t7-1")
    assert found is not None
    pictures = json.loads(gzip.decompress(found))
    assert [step["record"] for step in pictures] == list(range(pictures[0]["record"], pictures[-1]["record"] + 1))
    assert {step["table"]["round_id"] for step in pictures[:-1]} == {"t7-1"}
    assert pictures[0]["table"]["phase"] == "betting"
    assert await read.of("t7", "t7-2") is None, "it is not over"
    assert await read.of("t7", "--help") is None
    assert await read.of("t8", "t8-1") is None


async def test_a_page_that_may_not_lower_its_reader_s_priority_reads_all_the_same(
    played: PublishedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its unit forbids the call (`SystemCallFilter=~@resources`), and so does a kernel where it would be a rise."""

    def refuse(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuse)
    assert await Steps({"t7": tmp_path / "t7.journal"}).of("t7", "t7-1") is not None


async def test_a_journal_that_says_too_much_is_left(
    played: PublishedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "BYTES_MAX", 1_000)
    assert await Steps({"t7": tmp_path / "t7.journal"}).of("t7", "t7-1") is None
    monkeypatch.setattr(steps, "STEPS_S_MAX", 0.0)
    assert await Steps({"t7": tmp_path / "t7.journal"}).of("t7", "t7-1") is None


@pytest.mark.parametrize(("pages", "its_reader"), [(0, steps.LOW_PRIORITY), (19, 19)])
async def test_a_page_of_low_priority_reads_at_its_own(
    played: PublishedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: int, its_reader: int
) -> None:
    """An ordinary user may lower a process's priority and never raise it again."""
    given: list[int] = []
    monkeypatch.setattr(os, "getpriority", lambda *_: pages)
    monkeypatch.setattr(os, "setpriority", lambda _which, _who, priority: given.append(priority))
    assert await Steps({"t7": tmp_path / "t7.journal"}).of("t7", "t7-1") is not None
    assert given == [its_reader]


async def test_a_journal_that_is_slow_to_read_keeps_no_other_table_s_rounds_back(
    played: PublishedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table's user may do with its journal what they want, and everybody may ask for its rounds."""
    begun, never, really = asyncio.Event(), asyncio.Event(), steps._read

    async def read(journal: Path, round_id: str) -> bytes | None:
        if journal.name == "t7.journal":
            return await really(journal, round_id)
        begun.set()
        await never.wait()
        return None

    monkeypatch.setattr(steps, "_read", read)
    asked = Steps({"t7": tmp_path / "t7.journal", "t8": tmp_path / "t8.journal"})
    slow = [asyncio.create_task(asked.of("t8", f"t8-{number}")) for number in range(3)]
    await begun.wait()
    async with asyncio.timeout(30):
        assert await asked.of("t7", "t7-1") is not None
    for each in slow:
        each.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
