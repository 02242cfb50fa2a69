"""A screen that nobody has touched for long is dark, and the touch that wakes it does nothing else."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from daemon.table.inputs import Press
from drivers.events import Button
from tests.page.browsing import Floor, at_rest
from tests.table.playing import Table

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def touch(page: Page, name: str) -> None:
    """Touch the screen where this key is, whatever lies over it."""
    box = await page.get_by_role("button", name=name, include_hidden=True).bounding_box()
    assert box is not None
    await page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def darkened(page: Page) -> None:
    await page.evaluate("page.dark.darken()")
    await expect(page.locator(".dark")).to_be_visible()


async def test_the_first_touch_only_wakes(floor: Floor) -> None:
    table = await floor.table(Table().ready().staked(2))
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    page = screen.page
    await at_rest(page)
    screen.posts.clear()
    await darkened(page)
    await touch(page, "Green")
    await expect(page.locator(".dark")).to_be_hidden()
    assert screen.posts == []
    await touch(page, "Green")
    await page.wait_for_selector('[data-phase="dealing"]')
    assert [request.action for request in table.requests] == [Press(Button.GREEN)]


async def test_the_first_key_of_a_keyboard_only_wakes(floor: Floor) -> None:
    table = await floor.table(Table().ready().staked(2))
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    page = screen.page
    await at_rest(page)
    screen.posts.clear()
    await page.get_by_role("button", name="Green").focus()
    await darkened(page)
    await page.keyboard.press("Enter")
    await expect(page.locator(".dark")).to_be_hidden()
    assert screen.posts == []
    await page.keyboard.press("Enter")
    await page.wait_for_selector('[data-phase="dealing"]')
    assert len(table.requests) == 1


async def test_it_goes_dark_by_itself_and_what_happens_at_the_table_wakes_it(floor: Floor) -> None:
    table = await floor.table(Table().ready())
    page = (await floor.screen()).page
    await page.clock.install()
    await page.reload()
    await expect(page.locator(".strip .phase")).to_have_text("bets")  # its one picture is here
    await expect(page.locator(".dark")).to_be_hidden()
    await page.clock.fast_forward("10:01")
    await expect(page.locator(".dark")).to_be_visible()
    table.play.staked(1)
    await expect(page.locator(".dark")).to_be_hidden()
