"""What has to be read at once stands beside each other, and every screen leads to every other one."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import Page, expect

from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, Ruling
from drivers.events import FaultCleared, FaultKind, FaultRaised
from tests.page.browsing import SIZES, Floor
from tests.page.served import page_settings, serving
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table, settings
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, dealt, decide, open_house, table_with

pytestmark = pytest.mark.asyncio(loop_scope="session")
EVERYBODY: Final = range(1, 7)
BOX: Final = """(part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return [left, right, top, bottom];
}"""


def void_in_trouble() -> Table:
    """Return a void round of six players whose machine raised two alerts: with the void's own there are three."""
    table = Table().dealt(*EVERYBODY)
    for fault in (FaultKind.JAM, FaultKind.OTHER):
        table.device(FaultRaised(fault, "at the tray"))
        table.device(FaultCleared(fault))
    assert table.rule(Ruling.VOID).accepted
    assert table.state.phase is Phase.VOIDING
    assert len(table.state.alerts) > 1
    return table


@pytest.mark.parametrize("size", SIZES)
async def test_alerts_do_not_cover_the_stakes_that_go_back(floor: Floor, size: tuple[int, int]) -> None:
    table = await floor.table(void_in_trouble())
    screen = await floor.screen(size=size, has_touch=True)
    page, alerts = screen.page, screen.page.locator(".alerts article")
    await expect(page.locator(".doing")).to_have_count(len(EVERYBODY))
    await expect(alerts).to_have_count(1)
    await page.locator(".middle").evaluate("(part) => part.scrollTo(0, part.scrollHeight)")  # a phone's felt is longer
    _, _, top, bottom = await alerts.evaluate(BOX)
    assert bottom <= size[1]
    for step in await page.locator(".doing").all():
        assert (await step.evaluate(BOX))[3] <= top
    await expect(alerts.locator("b")).not_to_have_text("")
    await alerts.get_by_role("button", name="All").tap()
    await expect(page.locator(".sheet article")).to_have_count(len(table.play.state.alerts))
    await expect(page.locator(".sheet article p").first).to_be_visible()


@pytest.mark.parametrize("size", SIZES[:2])
async def test_a_login_is_whole_on_a_small_screen(floor: Floor, size: tuple[int, int]) -> None:
    users = ("bench-player", "bench-dealer", "bench-supervisor", "bench-technician", "bench-guest")
    async with serving(page_settings(floor.broker.port, trial_users=users)) as served:
        screen = await floor.screen("#/login/t7", size)
        await screen.page.goto(f"{served.url}#/login/t7")
        await expect(screen.page.locator(".trial button")).to_have_count(len(users))
        _, _, _, bottom = await screen.page.locator(".login").evaluate(BOX)
        assert bottom <= size[1]


@pytest.mark.parametrize("size", [(1024, 600), (800, 480), (1024, 900)])
async def test_what_lies_before_the_dealer_keeps_within_the_line_on_the_felt(
    floor: Floor, size: tuple[int, int]
) -> None:
    await floor.table(Blackjack(seats=6))
    page = (await floor.screen(size=size)).page
    left, right, _, _ = await page.locator(".line").evaluate(BOX)
    for what in (".gamename", ".shoe", ".house .label"):
        within = await page.locator(what).evaluate(BOX)
        assert left < within[0] < within[1] < right, what
    name, shoe = [await page.locator(what).evaluate(BOX) for what in (".gamename", ".house .label")]
    assert name[1] < shoe[0]


async def test_the_card_that_the_dealer_gave_up_is_struck_out_until_the_round_is_over(floor: Floor) -> None:
    table = dealt(table_with(NO_PAIR, DEALERS, COMMON), 1)
    assert decide(table, 1, Decision.PLAY, 1_000).accepted
    await floor.table(open_house(table))
    page = (await floor.screen()).page
    await expect(page.locator(".house .dead")).to_have_count(1)
    await expect(page.locator('.house [aria-label*="given up"]')).to_have_count(1)


async def test_limits_are_shown_as_they_can_be_laid_with_the_tables_chips(floor: Floor) -> None:
    await floor.table(Table(settings(chips_cents=(100, 500, 2500))).ready())
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    await screen.page.locator('[data-seat="3"]').tap()
    for text in await screen.page.locator(".spot-key small").all_inner_texts():
        assert "." not in text, text


async def leads_to(page: Page, named: str) -> set[str]:
    """Return where links lead, once the one of this name is there."""
    await expect(page.get_by_role("link", name=named, exact=True)).to_be_visible()
    hrefs = await page.locator("a:visible").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    return {href.removeprefix("/").split("/t7")[0] for href in hrefs}


async def test_every_screen_leads_to_every_other_one(floor: Floor) -> None:
    """By touch alone, from the dealer's and from the pit's."""
    await floor.table(Table().ready())
    dealer = (await floor.screen(has_touch=True)).page
    await dealer.get_by_role("button", name="More").tap()
    assert {"#/pit", "#/rounds", "#/login", "?wall=3m#/pit"} <= await leads_to(dealer, "Rounds")
    await dealer.get_by_role("link", name="Wall display").tap()
    await expect(dealer.locator(".wall")).to_be_visible()
    await dealer.locator(".wall .strip").tap()
    await expect(dealer.locator(".pit:not(.wall)")).to_be_visible()
    await dealer.locator(".tile .cover").tap()
    assert {"#/dealer", "#/rounds", "#/login", "?wall=3m#/pit"} <= await leads_to(dealer, "Rounds")
    await dealer.get_by_role("link", name="Rounds").tap()
    await expect(dealer.locator(".rounds")).to_be_visible()
    assert {"#/pit", "#/dealer"} <= await leads_to(dealer, "t7")
    await dealer.goto(f"{floor.served.url}#/login/t7")
    await expect(dealer.locator(".login")).to_be_visible()
    assert {"#/pit", "#/dealer"} <= await leads_to(dealer, "The pit")
    await dealer.goto(f"{floor.served.url}?wall=3m#/pit")
    await expect(dealer.locator(".wall .strip")).to_contain_text("The pit")
    await dealer.keyboard.press("Escape")
    await expect(dealer.locator(".pit:not(.wall)")).to_be_visible()
