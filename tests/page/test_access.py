"""Everybody can work with the screens: by keyboard alone, with a screen reader, without motion, in forced colours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect

from drivers.events import Button
from tests.page.browsing import Floor, Screen
from tests.table.playing import Table
from tests.table.recorded_rounds import recorded

pytestmark = pytest.mark.asyncio(loop_scope="session")
AXE: Final = Path(__file__).resolve().parents[2] / "build" / "page" / "node_modules" / "axe-core" / "axe.min.js"
TABS_MAX: Final = 40


def axe_script() -> str:
    if not AXE.exists():
        pytest.skip("axe is missing: .ci/prepare page installs it where npm can be had")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture
def axe() -> str:
    return axe_script()


async def found_by(axe: str, page: Page) -> list[str]:
    """Return what axe finds serious or worse. A script tag could not load it: the page's policy lets none in."""
    await page.evaluate(f"{axe}; void 0")
    found: Any = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {json.dumps([node['target'] for node in one['nodes']][:3])} {one['nodes'][0]['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def held() -> Table:
    table = Table().dealt(1, 2)
    table.command_press(Button.VOID)
    return table


@pytest.mark.parametrize(
    "where",
    ["#/dealer/t7", "#/pit", "?wall=3m#/pit", "#/rounds/t7", "#/login/t7"],
    ids=lambda where: where.strip("#/?"),
)
@pytest.mark.parametrize("game", ["big-50", "held", "blackjack"])
async def test_axe_finds_nothing_serious(floor: Floor, axe: str, where: str, game: str) -> None:
    await floor.table(held() if game == "held" else recorded(game))
    page = (await floor.screen(where, (1280, 800))).page
    while not await page.evaluate("page.stream?.isLive && document.getElementById('app').childElementCount > 0"):
        pass  # the page's policy lets no function of a test wait inside it
    if "pit" in where:
        await expect(page.locator(".tile")).to_have_count(1)
    if "rounds" in where:
        await expect(page.locator(".step").first).to_be_visible()
    assert await found_by(axe, page) == []


@pytest.mark.parametrize("opens", ["More", "Cards", "a seat", "the pit's table"])
async def test_axe_finds_nothing_serious_on_what_slides_over(floor: Floor, axe: str, opens: str) -> None:
    await floor.table(Table().ready() if opens == "a seat" else held())
    screen = await floor.screen(size=(1280, 800))
    await screen.log_in(floor.served, "sue")
    page = screen.page
    if opens == "the pit's table":
        await page.goto(f"{floor.served.url}#/pit")
        await page.locator(".cover").click()
    elif opens == "Cards":
        await page.evaluate("import('./card-sheet.js').then(({openCards}) => openCards(page.view, 1, null))")
    elif opens == "a seat":
        await page.locator("[data-seat='2']").click()
    else:
        await page.get_by_role("button", name="More").click()
    await expect(page.locator(".sheet")).to_be_visible()
    assert await found_by(axe, page) == []


async def tab_to(screen: Screen, label: str) -> None:
    """Press Tab until the key with this label has the focus."""
    said = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
    for _ in range(TABS_MAX):
        await screen.page.keyboard.press("Tab")
        if label in await screen.page.evaluate(said):
            return
    raise AssertionError(f"{label} cannot be reached by Tab")


async def test_a_dealer_and_a_supervisor_work_by_keyboard_alone(floor: Floor) -> None:
    table = await floor.table(Table().ready().staked(1))
    screen = await floor.screen("#/login/t7", (1280, 800))
    page = screen.page
    await expect(page.locator(".login")).to_be_visible()
    for text in ("dana", "felt"):
        await page.keyboard.press("Tab")
        await page.keyboard.type(text)
    await page.keyboard.press("Enter")
    await expect(page.locator(".strip .who")).to_have_text("dana")
    await page.evaluate("page.view.changedMs = -Infinity")
    await tab_to(screen, "Green")
    await page.keyboard.press("Enter")
    await page.wait_for_selector('[data-phase="dealing"]')
    await tab_to(screen, "Void: hold")
    await page.evaluate("page.view.changedMs = -Infinity")
    await page.keyboard.down("Enter")
    await page.wait_for_selector('[data-phase="held"]')
    await page.keyboard.up("Enter")
    assert [request.who for request in table.requests] == ["dana", "dana"]


async def test_a_sheet_takes_the_focus_and_gives_it_back(floor: Floor) -> None:
    await floor.table(held())
    screen = await floor.screen(size=(1280, 800))
    page = screen.page
    await expect(page.locator(".link")).to_have_text("live")
    await tab_to(screen, "More")
    await page.keyboard.press("Enter")
    await expect(page.locator(".sheet :focus")).to_have_count(1)
    await page.keyboard.press("Escape")
    assert await page.evaluate("document.activeElement.innerText") == "More"


async def test_who_wants_no_motion_sees_none(floor: Floor) -> None:
    await floor.table(held())
    page = (await floor.screen(size=(1280, 800), reduced_motion="reduce")).page
    await expect(page.locator(".hold.void")).to_be_visible()
    await page.locator(".hold.void").dispatch_event("pointerdown", {"pointerId": 1, "bubbles": True})
    running = "document.getAnimations().length"
    assert await page.evaluate(running) == 0


async def test_forced_colours_leave_every_key_and_the_state_of_the_link(floor: Floor) -> None:
    await floor.table(held())
    page = (await floor.screen(size=(1280, 800), forced_colors="active")).page
    await expect(page.locator(".link")).to_have_text("live")
    border = "(part) => parseFloat(getComputedStyle(part).borderTopWidth)"
    for key in await page.locator(".keys button:visible").all():
        assert await key.evaluate(border) >= 1
    await floor.broker_is_away()
    await expect(page.locator(".veil")).to_be_visible()
    assert await page.locator(".veil").evaluate(border) >= 3


async def test_no_trouble_is_told_by_colour_alone(floor: Floor) -> None:
    await floor.table(held())
    page = (await floor.screen("#/pit", (1280, 800))).page
    await expect(page.locator(".tile .mark")).to_have_text("II")
    await expect(page.locator(".tile .phase")).to_contain_text("HELD")
    await expect(page.locator(".tile .cover")).to_have_accessible_name("t7, Big 50, HELD, The dealer asks for a void")
