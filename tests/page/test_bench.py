"""A stranger starts a bench, opens what it says, works its device, and sits down at seat 3."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from tests.page.browsing import WAIT_MS
from tests.page.test_access import axe_script, found_by

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(240)]
ADDRESS: Final = re.compile(r"in a browser: (\S+)")
LONG_MS: Final = 90_000
DECISIONS: Final = re.compile("^(Fold|Stand|5 Card Draw|Give up cards)$")
OWN_CARDS: Final = {"big-raise-holdem": 2, "big-draw": 5, "bad-beat-blackjack": 2}

KEYS_STAND: Final = """() => {
    // Between two pictures of the bench, so that nothing else changes meanwhile.
    const { stream, key } = page.view, bench = stream.benches.get(key), { state } = stream.tables.get(key);
    const stand = (places, sentence, is_paused) => {
        stream.benches.set(key, { ...bench, felt: { places }, room: { ...bench.room, is_paused } });
        Object.assign(state.table, { prompt: sentence, prompt_said: null });
        page.view.show();
        return [...document.querySelectorAll(".bench button, .join a")].map((one) => {
            const { left, top } = one.getBoundingClientRect();
            return [one.textContent, left, top];
        });
    };
    const cards = ["AH", "KH", "QH"], places = Object.fromEntries([0, 1, 2, 3].map((place) => [place, { cards }]));
    return [stand({}, "Short.", true), stand(places, "A sentence that is long. ".repeat(4), false)];
}"""


@asynccontextmanager
async def a_bench(*asked: str) -> AsyncIterator[str]:
    """Run a bench as `make run` does, and yield the address that it says."""
    program = (sys.executable, "-m", "daemon", "bench", "--page", "--speed", "20", *asked)
    process = await asyncio.create_subprocess_exec(
        *program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, process_group=0
    )
    assert process.stdout is not None
    said = ""
    async with asyncio.timeout(60):
        while (found := ADDRESS.search(said)) is None:
            line = await process.stdout.readline()
            assert line, said
            said += line.decode()
    reading = asyncio.create_task(process.stdout.read())
    try:
        yield found[1]
    finally:
        process.send_signal(signal.SIGINT)
        await process.wait()
        await reading


@pytest.fixture
def axe() -> str:
    return axe_script()


async def opened(browser: Browser, address: str) -> Page:
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(WAIT_MS)
    await page.goto(address)
    return page


async def test_the_device_is_worked_from_its_front(browser: Browser) -> None:
    async with a_bench() as address:
        page = await opened(browser, address)
        front = page.locator('.front[data-device="shuffler"]')
        await expect(front.locator("h2")).to_have_text("FeltSim SD-1")
        await expect(front.get_by_label("link: on")).to_be_visible()
        assert len((await front.locator(".display").inner_text()).splitlines()) == 2
        await front.get_by_role("button", name="Unplug").click()
        await expect(front.get_by_label("link: off")).to_be_visible()
        await front.get_by_role("button", name="Plug in").click()
        await expect(front.get_by_label("link: on")).to_be_visible()
        slow = page.get_by_role("switch", name="frames lost")
        await slow.click()
        await expect(slow).to_have_attribute("aria-checked", "true")
        await page.get_by_role("switch", name="Pause").click()
        await expect(page.get_by_role("switch", name="Pause")).to_have_attribute("aria-checked", "true")
        await page.get_by_role("button", name="0.5×").click()
        await expect(page.get_by_role("button", name="0.5×")).to_have_attribute("aria-pressed", "true")
        await expect(page.locator(".speeds .on")).to_have_text(["Pause"])  # it stands still, at whatever speed
        for name in ("ace of hearts", "king of hearts"):
            await page.get_by_role("button", name=name, exact=True).click()
        await page.get_by_role("button", name="Put in next").click()
        await expect(page.get_by_role("button", name="Put in next")).to_be_disabled()
        await page.close()


@pytest.mark.parametrize(("width", "height"), [(800, 480), (1280, 800)])
async def test_by_which_keys_one_takes_part_is_seen_at_once_and_none_moves_under_a_finger(
    browser: Browser, width: int, height: int
) -> None:
    async with a_bench("--seats", "3") as address:
        page = await opened(browser, address)
        await page.set_viewport_size({"width": width, "height": height})
        await expect(page.locator(".device-key")).to_have_count(5, timeout=LONG_MS)
        for key in (page.get_by_role("button", name="Be the dealer"), page.locator(".join .sit a").last):
            await expect(key).to_be_in_viewport(ratio=1, timeout=LONG_MS)
        nothing_lies, much_lies = await page.evaluate(KEYS_STAND)
        assert nothing_lies
        assert nothing_lies == much_lies
        await page.close()


async def test_the_dealers_screen_says_that_the_benchs_people_play_and_gives_their_place(browser: Browser) -> None:
    async with a_bench("--seats", "3") as address:
        page = await opened(browser, address.replace("#/bench/", "#/dealer/"))
        await page.set_viewport_size({"width": 800, "height": 480})
        says = page.locator(".keys .nothing", has_text="The bench’s people play.")
        await expect(says).to_be_in_viewport(ratio=1, timeout=LONG_MS)
        key = page.get_by_role("button", name="Be the dealer")
        await expect(key).to_be_in_viewport(ratio=1)
        await key.click()
        await expect(page.locator(".strip .who")).to_have_text("bench-dealer")
        await expect(says).to_have_count(0)
        await expect(key).to_have_count(0)
        await page.goto(address)
        await expect(page.get_by_role("switch", name="Pause")).to_have_attribute("aria-checked", "true")
        await page.close()


@pytest.mark.parametrize("game", OWN_CARDS)
async def test_a_stranger_plays_at_seat_3(browser: Browser, game: str) -> None:
    async with a_bench("--game", game) as address:
        page = await opened(browser, address)
        await page.locator(".sit a").nth(2).click()
        await expect(page.locator(".strip .who")).to_have_text("bench-guest")
        key = page.locator(".keys .right button").filter(has_text=DECISIONS).first
        deal = page.get_by_role("button", name="Deal", exact=True)
        await bet(page)
        await expect(key.or_(deal).first).to_be_visible(timeout=LONG_MS)
        while not await key.count():  # a hand that leaves nothing to say, as a blackjack does
            await bet(page)
            await expect(key.or_(deal).first).to_be_visible(timeout=LONG_MS)
        own = page.locator('[data-seat="3"] .card:not(.back)')
        assert await own.count() == OWN_CARDS[game]
        await look_first(page)
        if await key.inner_text() == "Give up cards":
            await key.click()
            await page.locator(".own-cards button").first.click()
            await page.get_by_role("button", name="Draw 1", exact=True).click()
        else:
            await key.click()
        await expect(key).to_have_count(0)
        await page.get_by_role("button", name="Leave").click()
        await expect(page.locator(".sit a.on")).to_have_count(0)
        await page.close()


async def test_a_guest_whose_seat_was_given_back_is_told_and_sits_down_again(browser: Browser) -> None:
    async with a_bench() as address:
        page = await opened(browser, address)
        await page.locator(".sit a").nth(2).click()
        await expect(page.get_by_role("button", name="Deal", exact=True)).to_be_visible(timeout=LONG_MS)
        # What the bench does by itself after two minutes is done here by another of the guest's screens.
        await page.evaluate("import('./press.js').then(({tellBench}) => tellBench('table1', 'leave', {seat: 3}))")
        await expect(page.locator(".nothing")).to_contain_text("your seat was given back")
        await page.get_by_role("button", name="Sit down again").click()
        await expect(page.get_by_role("button", name="Sit down again")).to_have_count(0)
        await expect(page.get_by_role("button", name="Deal", exact=True)).to_be_visible(timeout=LONG_MS)
        await page.close()


@pytest.mark.parametrize("where", ["bench", "play"])
async def test_axe_finds_nothing_serious_on_the_benchs_and_the_players_screens(
    browser: Browser, axe: str, where: str
) -> None:
    async with a_bench("--game", "big-draw") as address:
        page = await opened(browser, address.replace("#/bench/table1", f"#/{where}/table1/3"))
        ready = page.locator(".join .main") if where == "bench" else page.get_by_role("button", name="Leave")
        await expect(ready).to_be_visible(timeout=LONG_MS)
        await expect(page.locator(".word p")).to_have_count(1)
        assert await found_by(axe, page) == []
        await page.close()


async def bet(page: Page) -> None:
    """Bet once the game asks for bets; in Big Draw the player with the button chooses a side first."""
    deal = page.get_by_role("button", name="Deal", exact=True)
    side = page.get_by_role("button", name="5 Card Draw")
    await expect(deal.or_(side).first).to_be_visible(timeout=LONG_MS)
    if await side.count():
        await look_first(page)
        await side.click()
    await expect(deal).to_be_visible(timeout=LONG_MS)
    await look_first(page)
    await page.get_by_role("button", name="Bet", exact=True).click()
    await page.locator(".spot-key").last.click()  # the bet that has a decision
    await page.locator('.chip-key[aria-label="+5"]').click()
    staked, said = page.locator('[data-seat="3"] .amount').first, page.locator(".said.shown")
    while not await staked.count():  # others bet meanwhile: what the screen holds back then is pressed again
        await look_first(page)
        await page.get_by_role("button", name="Place").click()
        await expect(staked.or_(said).first).to_be_visible()
        await page.evaluate("page.view.said.className = 'said'")
    await page.evaluate("page.view.sheet?.close()")
    await look_first(page)
    await deal.click()
    await expect(deal).to_have_count(0)


async def look_first(page: Page) -> None:
    """Wait as long as the screen wants a person to look at a word that changed."""
    while await page.evaluate("performance.now() - page.view.changedMs < 260"):
        pass
