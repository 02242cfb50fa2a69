"""A round in a real browser: its line of time, the table at any step, a link to a step, and one printed page."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from daemon.table.inputs import VoidRound
from drivers.events import Button
from tests.page.browsing import Floor, a_floor
from tests.page.published import named
from tests.page.served import STEPS_S, page_settings
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table
from tests.table.recorded_rounds import ROUNDS, recorded

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE: Final = "#/rounds/t7/t7-1"
FROM_JOURNAL: Final = "From the table’s record."
PAGE_OF_A_PDF: Final = re.compile(rb"/Type\s*/Page\b")


@pytest_asyncio.fixture(loop_scope="session")
async def beside(broker: Mosquitto, tmp_path: Path, browser: Browser) -> AsyncIterator[Floor]:
    """Yield a floor whose page has table t7's journal beside it."""
    settings = page_settings(broker.port, journals={"t7": tmp_path / "t7.journal"})
    async with a_floor(broker, tmp_path, browser, settings) as running:
        yield running


async def felt_of(page: Page) -> list[str]:
    """Read every seat, and the house's cards, from the felt: what a screen reader says, and the hands."""
    shown = ".scene .seat, .scene .house [role=img]"
    names = [str(await each.get_attribute("aria-label")) for each in await page.locator(shown).all()]
    hands = await page.locator(".scene .seat [role=img]").all()
    return names + [str(await hand.get_attribute("aria-label")) for hand in hands]


async def test_a_round_stands_in_four_lanes_with_its_sentences_and_its_cards(floor: Floor) -> None:
    table = Table().dealt(1, 2)
    table.ask(VoidRound("Two decks <b>mixed</b>"), round_id=table.running(), who="sue")
    await floor.table(table)
    page = (await floor.screen(ONE, (1366, 768))).page
    for lane, text in (
        ("people", "Seat 1: 5 on ROYAL FLUSH (kim)"),
        ("device", "Seat 2: cards out of the machine: 5"),
        ("table", "Round 1 opens"),
        ("trouble", "VOID: sue: Two decks <b>mixed</b>; 10 goes back"),
    ):
        await expect(page.locator(f".timeline li.{lane}", has_text=text).first).to_be_visible()
    row = page.locator(".rounds > nav a")
    await expect(row).to_have_attribute("aria-current", "page")
    await expect(row).to_contain_text("VOID")
    assert await page.locator(".timeline b").count() == 0
    sequences = [int(text.split()[0]) for text in await page.locator(".timeline code").all_inner_texts()]
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences)))


async def drawn_whole(page: Page) -> None:
    """Wait until the page has heard of the round's end: before it, the line of time is drawn anew with what came."""
    await expect(page.locator(".facts")).to_contain_text("House ")
    await expect(page.locator(".step[aria-current]")).to_have_count(1)


async def test_a_step_is_chosen_by_key_and_by_touch_and_its_link_leads_there(floor: Floor) -> None:
    await floor.table(recorded("big-50"))
    page = (await floor.screen(ONE, (1366, 768))).page
    await drawn_whole(page)
    step = page.locator(".step[aria-current]")
    await page.locator(".step", has_text="Dealing seat 2").click()
    await expect(step).to_contain_text("Dealing seat 2")
    await expect(page.locator(".caption")).to_contain_text("Dealing seat 2")
    link = page.url
    await page.keyboard.press("ArrowDown")
    await expect(step).to_contain_text("Seat 2: cards out of the machine: 5")
    await page.get_by_role("button", name="One step back").click()
    assert page.url == link
    other = (await floor.screen(link.removeprefix(floor.served.url), (1366, 768))).page
    await expect(other.locator(".step[aria-current]")).to_contain_text("Dealing seat 2")


@pytest.mark.parametrize("game", ["big-50", "big-raise", "big-draw", "big-draw from a shoe", "blackjack"])
async def test_events_and_the_journal_draw_the_same_table_at_the_end(beside: Floor, game: str) -> None:
    await beside.table(recorded(game))
    page = (await beside.screen(ONE, (1366, 768))).page
    caption = page.locator(".caption")
    await expect(caption).to_contain_text(FROM_JOURNAL, timeout=STEPS_S * 1_000)
    exact = await felt_of(page)
    await page.evaluate("page.view.pictures.clear(); page.view.choose(page.view.at)")
    await expect(caption).to_contain_text("From the events")
    assert await felt_of(page) == exact


@pytest.mark.parametrize("game", sorted(ROUNDS))
async def test_every_step_of_a_round_can_be_drawn_from_its_events(floor: Floor, game: str) -> None:
    await floor.table(recorded(game))
    page = (await floor.screen(ONE, (1366, 768))).page
    await drawn_whole(page)
    # The first step that cannot be drawn ends this with the script's own words.
    await page.evaluate("for (const place of page.view.events.keys()) page.view.choose(place)")
    await expect(page.locator(".step").last).to_have_attribute("aria-current", "step")


async def test_a_round_that_goes_on_grows_on_the_screen(floor: Floor) -> None:
    table = await floor.table(Table().dealt(1, 2))
    page = (await floor.screen(ONE, (1366, 768))).page
    await expect(page.locator(".rounds > nav a")).to_contain_text("Running")
    await page.locator(".step").nth(2).click()
    table.play.press(Button.GREEN)
    await expect(page.locator(".timeline")).to_contain_text("The rest of the deck is coming out")
    assert await page.evaluate("document.activeElement.className") == "step"  # for a person who goes on by keys


@pytest.mark.parametrize("game", sorted(ROUNDS))
async def test_a_round_is_printed_on_one_page(floor: Floor, game: str) -> None:
    await floor.table(recorded(game))
    page = (await floor.screen(ONE, (1366, 768))).page
    await drawn_whole(page)
    printed = await page.pdf(prefer_css_page_size=True)
    assert len(PAGE_OF_A_PDF.findall(printed)) == 1
    await page.emulate_media(media="print")
    await expect(page.locator(".facts")).to_contain_text("t7-1")
    await expect(page.locator(".facts")).to_contain_text("UTC")
    assert await page.locator("nav:visible, .strip:visible, button.plain:visible").count() == 0
    wide = "[...document.querySelectorAll('.what')].filter((part) => part.scrollWidth > part.clientWidth + 1).length"
    assert await page.evaluate(wide) == 0, "no sentence is cut off"


@pytest.mark.parametrize(
    ("zone", "form"), [("UTC", r"[-\d]+ [:\d]+ UTC"), ("Asia/Tokyo", r"[-\d]+ [:\d]+ \([-\d]+ [:\d]+ UTC\)")]
)
async def test_a_moment_is_told_once_where_the_place_keeps_the_worlds_time(floor: Floor, zone: str, form: str) -> None:
    await floor.table(Table().dealt(1, 2))
    page = (await floor.screen(ONE, (1366, 768), timezone_id=zone)).page
    await expect(page.locator(".facts dd").nth(1)).to_have_text(re.compile(f"^{form}$"))


async def test_a_sentence_ends_in_no_colon_and_an_alert_seen_to_is_told_by_what_it_said(floor: Floor) -> None:
    await floor.table(Table().dealt(1, 2))
    page = (await floor.screen(ONE, (1366, 768))).page
    await expect(page.locator(".step").first).to_be_visible()
    said = await page.evaluate("""async () => {
        const { describe } = await import("./timeline.js"), data = { alert: "void-t7-1" };
        const raised = { type: "alert-raised", data: { ...data, message: "t7-1 is void" } };
        const cleared = { type: "alert-cleared", data };
        const uncounted = { type: "hand-dealt", data: { seat: 3, position: 3, count: null } };
        return [describe(cleared, [raised]), describe(cleared), describe(uncounted)].map(([text]) => text);
    }""")
    assert said == ["Alert seen to: t7-1 is void", "Alert seen to: void t7 1", "Seat 3: cards out of the machine"]


async def test_a_round_that_nobody_kept_is_named_with_where_it_is(floor: Floor) -> None:
    await floor.table(named(Table(), "t8").ready())
    page = (await floor.screen("#/rounds/t8/t8-99", (1366, 768))).page
    await expect(page.locator(".line")).to_contain_text("t8-99 is not kept here")


async def test_what_nobody_knows_is_left_out_of_a_line(floor: Floor) -> None:
    """A blind machine does not say how many cards it has left."""
    page = (await floor.screen("#/rounds/t7")).page
    told = await page.evaluate(
        """import("/timeline.js").then(({ describe }) => [null, 42].map((remaining) =>
            describe({ type: "deck-accounted", data: { dealt: 10, remaining } })[0]))"""
    )
    assert told == ["Deck complete: 10 dealt", "Deck complete: 10 dealt, 42 left"]
