"""The page's budgets in a real browser: its size, its first paint, from an event to a painted frame, the heap, the main
thread; and what a browser's flood costs the table.

The table is really played and published; times are the browser's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Any, Final

import pytest
from playwright.async_api import CDPSession, Page, expect

from daemon.mqtt.documents import Running
from daemon.table.picture import TableView
from daemon.table.view import public
from tests.bench.conftest import Figures
from tests.page.browsing import Floor, a_floor, chromium
from tests.page.conftest import broker as broker
from tests.page.conftest import passwords as passwords
from tests.page.flooded import cost
from tests.page.scripted import Script, scripted
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table

BYTES_MAX: Final = 40_000
TO_FRAME_MS_MAX: Final = 50.0
BUSY_SHARE_MAX: Final = 0.12
HEAP_GROWTH_MAX: Final = 1_000_000
MESSAGES: Final = 10_000
EVENTS_A_SECOND: Final = 30
SECONDS: Final = 10
COMMANDS: Final = 60
WITH_MESSAGES: Final = """() => {
    globalThis.frames = [];
    page.stream.addEventListener('change', () => {
        const since = page.stream.heardMs;
        const channel = new MessageChannel(); // a task after the frame's own work: then it is painted
        channel.port1.onmessage = () => globalThis.frames.push(performance.now() - since);
        channel.port2.postMessage(null);
    });
}"""


@dataclass
class Shown:
    """A page that shows a scripted table."""

    page: Page
    script: Script
    devtools: CDPSession
    views: tuple[TableView, ...]

    async def metric(self, name: str) -> float:
        found: Any = await self.devtools.send("Performance.getMetrics")
        return float(next(one["value"] for one in found["metrics"] if one["name"] == name))

    async def heap(self) -> float:
        await self.devtools.send("HeapProfiler.collectGarbage")
        return await self.metric("JSHeapUsedSize")

    async def until_shown(self) -> None:
        """Wait for the last picture that was published."""
        last = self.script.sequence
        while await self.page.evaluate("Number(page.view.told?.state?.sequence ?? 0)") < last:
            pass


@asynccontextmanager
async def shown(floor: Floor) -> AsyncIterator[Shown]:
    """Yield a dealer's screen of a table with six seats, of which one changes from picture to picture."""
    played = [Table().ready().staked(1, 2, 3, 4, 5, 6), Table().ready().staked(1, 2, 3, 4, 5)]
    async with scripted(floor.broker.port) as script:
        await script.is_("t7", Running.RUNNING)
        await script.shows("t7", public(played[0].state))
        page = (await floor.screen()).page
        await expect(page.locator(".link")).to_have_text("live")
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable")
        yield Shown(page, script, devtools, tuple(public(table.state) for table in played))


@pytest.fixture
async def floor(broker: Mosquitto, tmp_path: Path) -> AsyncIterator[Floor]:
    async with chromium() as browser, a_floor(broker, tmp_path, browser) as running:
        yield running


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
@pytest.mark.parametrize("where", ["dealer/t7", "pit", "rounds/t7", "login/t7"])
async def test_what_a_screen_loads(floor: Floor, figures: Figures, where: str, locale: str) -> None:
    await floor.table(Table().ready())
    page = (await floor.screen(f"#/{where}", locale=locale)).page
    while not await page.evaluate("page.stream?.isLive && document.getElementById('app').childElementCount > 0"):
        pass
    loaded = "performance.getEntriesByType('resource').filter((one) => !/[/](stream[?]|tables[/])/.test(one.name))"
    scripts = await page.evaluate(f"{loaded}.reduce((sum, one) => sum + one.encodedBodySize, 0)")
    page_itself = await page.evaluate("performance.getEntriesByType('navigation')[0].encodedBodySize")
    figures.hold(f"page {where} loads, {locale}", float(scripts + page_itself), "bytes, packed", bar=BYTES_MAX)
    painted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    while (paint := await page.evaluate(painted)) is None:
        pass  # the browser notes it a frame later
    figures.keep(f"page {where} first paint, {locale}", paint, "ms")


async def test_from_an_event_to_a_painted_frame_and_how_busy_the_screen_is(floor: Floor, figures: Figures) -> None:
    async with shown(floor) as seen:
        await seen.page.evaluate(WITH_MESSAGES)
        busy_s, began_s = await seen.metric("ThreadTime"), monotonic()
        for number in range(EVENTS_A_SECOND * SECONDS):
            await seen.script.shows("t7", seen.views[number % 2])
            await asyncio.sleep(max(0.0, began_s + (number + 1) / EVENTS_A_SECOND - monotonic()))
        await seen.until_shown()
        share = (await seen.metric("ThreadTime") - busy_s) / (monotonic() - began_s)
        frames = await seen.page.evaluate("globalThis.frames")
    # The thread's own processor time: it is the same whatever else the machine does.
    p99 = quantiles(frames, n=100)[98]
    figures.keep("page event to painted frame, p50", quantiles(frames, n=100)[49], "ms")
    figures.aim("page event to painted frame, p99", p99, "ms", bar=TO_FRAME_MS_MAX)
    figures.aim("page main thread at 30 events a second", share * 100, "%", bar=BUSY_SHARE_MAX * 100)


async def test_ten_thousand_messages_leave_the_heap_as_it_was(floor: Floor, figures: Figures) -> None:
    async with shown(floor) as seen:
        for number in range(500):
            await seen.script.shows("t7", seen.views[number % 2])
        await seen.until_shown()
        heap, nodes = await seen.heap(), await seen.metric("Nodes")
        for number in range(MESSAGES):
            await seen.script.shows("t7", seen.views[number % 2])
        await seen.until_shown()
        grown, more = await seen.heap() - heap, await seen.metric("Nodes") - nodes
    figures.hold(f"page heap after {MESSAGES} messages", grown, "bytes more", bar=HEAP_GROWTH_MAX)
    figures.hold(f"page nodes after {MESSAGES} messages", more, "more", bar=50)


async def test_a_browsers_flood_costs_the_table_nothing(broker: Mosquitto, tmp_path: Path, figures: Figures) -> None:
    for name in ("quiet", "flooded"):
        (tmp_path / name).mkdir()
    quiet = await cost(broker, tmp_path / "quiet", COMMANDS, flooded=False, name="t8")
    flooded = await cost(broker, tmp_path / "flooded", COMMANDS, flooded=True)
    figures.keep("table's processor time a command, page flooded", flooded.cpu_us, "us", quiet.cpu_us)
    figures.keep("table's slowest answer, page flooded", flooded.slowest_s * 1e3, "ms", quiet.slowest_s * 1e3)
    figures.keep("page's requests meanwhile", float(flooded.requests), "")
    assert flooded.answered == flooded.taken == COMMANDS
