"""What has to be read at once stands beside each other, and every screen leads to every other one."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import Page, expect

from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, Ruling
from drivers.events import Button, FaultCleared, FaultKind, FaultRaised
from tests.page.browsing import SIZES, Floor
from tests.page.served import page_settings, serving
from tests.table.big_draw_playing import BigDrawTable
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


NARROWED: Final = """([steps]) => import("/prompt.js").then(({ drawPrompt }) => {
    page.view.word.replaceChildren(...drawPrompt({ sentence: "Seat 4: x. pick up the hand.", seat: 4, steps }));
    return [...document.querySelectorAll(".steps li:not(.asks)")].map((tile) => {
        const name = tile.querySelector(".on"), { left, right, width } = name.getBoundingClientRect();
        const inside = tile.getBoundingClientRect();
        const isWhole = left >= inside.left && right <= inside.right && tile.scrollWidth <= tile.clientWidth;
        return [name.textContent, isWhole, width / Number(name.getAttribute("width"))];
    });
})"""
NARROWEST: Final = 0.75
"""How narrow a name may be drawn, of its usual width."""


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("size", SIZES)
async def test_no_name_of_a_spot_is_cut_on_a_tile(floor: Floor, size: tuple[int, int], locale: str) -> None:
    """Where all four spots of Big 50 are settled, and of one a part is taken and a part goes back."""
    await floor.table(Table().ready())
    page = (await floor.screen(size=size, locale=locale)).page
    await expect(page.locator(".word p")).to_be_visible()
    does = (("poker_hand", "pay"), ("red_black", "take"), ("big_50", "pay"), ("range", "take"), ("range", "return"))
    steps = [{"spot": spot, "action": action, "amount_cents": 12_500} for spot, action in does]
    for name, is_whole, narrowed in await page.evaluate(NARROWED, [steps]):
        assert is_whole, name
        assert narrowed > NARROWEST, name


async def test_what_is_left_of_a_stake_dims_with_the_spots_that_lost(floor: Floor) -> None:
    """A part of a RANGE was taken, and the rest went back."""
    await floor.table(Table().reconciling(1, 2))
    page = (await floor.screen()).page
    await expect(page.locator(".asked")).to_have_count(1)
    drawn = await page.evaluate(
        """async () => {
            const { drawSeat } = await import("/seat.js");
            const stake = (wager) => ({ wager, stake_cents: 1000 });
            const result = (wager, back) => ({ ...stake(wager), returned_cents: back, pays_cents: back - 1000 });
            const results = [result("range", 500), result("big_50", 0), result("ante", 2000)];
            const stakes = results.map((one) => stake(one.wager));
            const seat = { seat: 1, stakes, results, hands: [], cards_dealt: null, reconciled: true };
            const place = { x: 0, y: 0, w: 160, h: 240, scale: 1, pitch: 30 };
            const drawn = drawSeat({ seat, spots: [], steps: [], isAsked: false, hasButton: false }, place);
            return [...drawn.querySelectorAll(".spot")].map((spot) => [
                spot.getAttribute("class"), spot.querySelector(".amount").textContent
            ]);
        }"""
    )
    assert drawn == [["spot partly", "5"], ["spot gone", "10"], ["spot", "10"]]


async def test_the_seat_that_is_asked_is_never_dimmed(floor: Floor) -> None:
    """In Big Draw a player chooses the game before anybody has bet."""
    table = BigDrawTable().waiting()
    assert table.state.phase is Phase.CHOOSING
    await floor.table(table)
    page = (await floor.screen()).page
    asked = page.locator(".seat.asked")
    await expect(asked).to_have_count(1)
    assert await asked.evaluate("(seat) => getComputedStyle(seat).opacity") == "1"


@pytest.mark.parametrize("size", SIZES)
async def test_a_card_that_lies_face_down_before_the_dealer_is_drawn(floor: Floor, size: tuple[int, int]) -> None:
    """The dealer's second card of blackjack lies there while the players decide."""
    await floor.table(Blackjack().deal("Tc 9c 9d 9s"))
    page = (await floor.screen(size=size)).page
    await expect(page.locator(".house .card")).to_have_count(2)
    await expect(page.locator(".house .card.back")).to_have_count(1)


@pytest.mark.parametrize("size", SIZES)
async def test_a_ruling_is_seen_without_scrolling(floor: Floor, size: tuple[int, int]) -> None:
    table = Table().dealt(1, 2)
    table.press(Button.VOID)
    await floor.table(table)
    screen = await floor.screen(size=size)
    await screen.log_in(floor.served, "sue")
    await screen.page.get_by_role("button", name="More").click()
    await expect(screen.page.locator(".ruling .hold")).to_be_in_viewport(ratio=1)
