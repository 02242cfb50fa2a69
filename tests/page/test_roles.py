"""A screen offers what this user may do, says who may do the rest, and lets them log in right there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from daemon.table.round_facts import RulingGiven
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision
from drivers.events import Button, FaultCleared, FaultKind, FaultRaised, Restarted
from tests.page.browsing import SIZES, Floor, a_floor, at_rest, hold
from tests.page.published import PASSWORD, PEOPLE
from tests.page.served import page_settings, people_file
from tests.page.test_pressing import work_by
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table
from tests.table.test_big_raise import decide
from tests.table.test_unread_cards import deciding

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def floor(broker: Mosquitto, tmp_path: Path, browser: Browser) -> AsyncIterator[Floor]:
    settings = page_settings(broker.port, people_file=people_file(tmp_path))
    async with a_floor(broker, tmp_path, browser, settings) as running:
        yield running


def jammed() -> Table:
    """Return a round that is held because cards are stuck."""
    table = Table().dealt(1, 2)
    table.device(FaultRaised(FaultKind.JAM, "at the tray"))
    assert table.state.phase is Phase.HELD
    return table


async def logged_in(page: Page, user: str) -> None:
    await page.get_by_label("Name").fill(user)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Log in").click()
    await expect(page.locator(".strip .who")).to_have_text(user)


async def test_a_dealer_is_not_led_through_a_ruling_and_the_supervisor_logs_in_there(floor: Floor) -> None:
    table = await floor.table(jammed())
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    page, right = screen.page, screen.page.locator(".keys .right")
    await expect(right).to_contain_text("A supervisor decides")
    await expect(right.locator("button")).to_have_text(["Log insupervisor"])
    await page.get_by_role("button", name="More").click()
    ruling = page.locator(".ruling")
    await expect(ruling).to_contain_text("Only for: supervisor")
    await expect(ruling).to_contain_text("jam")
    assert await ruling.locator("button, input").count() == 0
    await ruling.get_by_role("link", name="Log in").click()
    await logged_in(page, "sue")
    await ruling.get_by_role("button", name="Device failed").click()
    await hold(ruling.locator(".hold.void"))
    await expect(page.locator(".dealer")).to_have_attribute("data-phase", "voiding")
    assert [fact.who for fact in table.play.said(RulingGiven)] == ["sue"]
    await expect(page.locator(".strip .who")).to_have_text("dana")  # the tablet is the dealer's again
    await at_rest(page)
    await page.get_by_role("button", name="Next").click()
    await expect(page.locator(".dealer")).not_to_have_attribute("data-phase", "voiding")
    assert [request.who for request in table.requests] == ["sue", "dana"]


@pytest.mark.parametrize("size", SIZES)
async def test_who_logged_in_for_a_ruling_gives_the_tablet_back_by_one_key(floor: Floor, size: tuple[int, int]) -> None:
    await floor.table(jammed())
    screen = await floor.screen(size=size)
    await screen.log_in(floor.served, "dana")
    page, back = screen.page, screen.page.get_by_role("button", name="Back to dana")
    await expect(back).to_have_count(0)
    await page.locator(".keys .right").get_by_role("button", name="Log in").click()
    await logged_in(page, "sue")
    await page.locator(".sheet .close").click()
    box = await back.bounding_box()
    assert box is not None
    assert box["width"] >= 74
    assert box["height"] >= 56
    await back.click()
    await expect(page.locator(".strip .who")).to_have_text("dana")
    await expect(back).to_have_count(0)


async def test_who_is_no_supervisor_any_longer_is_offered_no_ruling_after_the_first_that_is_refused(
    floor: Floor, tmp_path: Path
) -> None:
    table = await floor.table(jammed())
    screen = await floor.screen()
    await screen.log_in(floor.served, "sue")
    page, right = screen.page, screen.page.locator(".keys .right")
    await page.get_by_role("button", name="Rule", exact=True).click()
    await page.locator(".ruling").get_by_role("button", name="Device failed").click()
    people = {**PEOPLE, "sue": PEOPLE["dana"]}
    work_by(table, people)
    file = people_file(tmp_path)
    file.write_text(file.read_text().replace('sue = { role = "supervisor"', 'sue = { role = "dealer"'))
    await hold(page.locator(".ruling .hold.void"))
    await expect(page.locator(".ruling")).to_contain_text("Only for: supervisor")
    await page.locator(".sheet .close").click()
    await expect(right).to_contain_text("A supervisor decides")
    assert table.play.said(RulingGiven) == []


async def test_a_dealer_who_takes_over_from_another_leaves_nobody_behind(floor: Floor) -> None:
    await floor.table(Table().ready())
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    await screen.log_in(floor.served, "sue")
    await expect(screen.page.get_by_role("button", name="Back to dana")).to_have_count(0)
    await screen.page.goto(f"{floor.served.url}#/login/t7")
    await screen.page.get_by_role("button", name="Log out: sue").click()
    await expect(screen.page.locator(".strip .who")).to_have_text("Log in")


async def test_who_has_not_logged_in_is_asked_to_before_they_build_a_bet(floor: Floor) -> None:
    await floor.table(Table().ready())
    page = (await floor.screen()).page
    await expect(page.locator(".strip .link")).to_have_text("live")
    await page.locator('[data-seat="1"]').click()
    await expect(page.get_by_role("heading")).to_have_text("Log in to place bets")
    await expect(page.locator(".sheet")).to_have_count(0)
    await logged_in(page, "dana")
    await page.locator('[data-seat="1"]').click()
    await expect(page.locator(".spot-key").first).to_be_visible()


async def test_nobody_who_has_logged_in_is_offered_the_login(floor: Floor) -> None:
    await floor.table(Table().ready())
    screen = await floor.screen()
    offer = screen.page.locator(".links").get_by_role("link", name="Log in")
    await screen.page.get_by_role("button", name="More").click()
    await expect(offer).to_have_count(1)
    await screen.log_in(floor.served, "dana")
    await screen.page.get_by_role("button", name="More").click()
    await expect(screen.page.locator(".links")).to_be_visible()
    await expect(offer).to_have_count(0)


async def test_a_ruling_that_would_be_in_vain_does_not_look_like_the_key_to_press(floor: Floor) -> None:
    """The reason that was chosen meanwhile stays, as the cards come free."""
    table = await floor.table(jammed())
    screen = await floor.screen()
    await screen.log_in(floor.served, "sue")
    page, ruling = screen.page, screen.page.locator(".ruling")
    await page.get_by_role("button", name="Rule", exact=True).click()
    goes_on = ruling.get_by_role("button", name="Continue")
    await expect(goes_on).to_have_class("plain")
    await expect(ruling.locator(".first")).to_contain_text("jam")
    await ruling.get_by_role("button", name="Device failed").click()
    table.play.device(FaultCleared(FaultKind.JAM))
    await expect(goes_on).to_have_class("main")
    await expect(ruling.locator(".first")).to_have_count(0)
    await expect(ruling.get_by_label("Reason")).to_have_value("Device failed")


async def test_a_ruling_is_on_what_the_sheet_showed_as_the_finger_came_down(floor: Floor) -> None:
    """What came before is shown on the open sheet; what comes as the key is held has the table refuse the ruling."""
    table = await floor.table(jammed())
    screen = await floor.screen()
    await screen.log_in(floor.served, "sue")
    page, ruling = screen.page, screen.page.locator(".ruling")
    await page.get_by_role("button", name="Rule", exact=True).click()
    await ruling.get_by_role("button", name="Device failed").click()
    key = ruling.locator(".hold.void")
    held = await key.bounding_box()
    assert held is not None
    await page.mouse.move(held["x"] + held["width"] / 2, held["y"] + held["height"] / 2)
    await page.mouse.down()
    await expect(key).to_have_class("hold void holding")
    table.play.device(Restarted("boot-2"))
    await expect(page.get_by_text("since you looked").first).to_be_visible()
    await page.mouse.up()
    assert table.play.said(RulingGiven) == []
    await expect(ruling).to_contain_text("vouch for the cards")
    await hold(key)
    await expect(ruling).to_have_count(0)
    assert [fact.who for fact in table.play.said(RulingGiven)] == ["sue"]


async def test_cards_that_only_a_supervisor_enters_are_no_key_of_the_dealers(floor: Floor) -> None:
    played = deciding()
    assert decide(played, 1, Decision.FOLD).accepted  # from then on a slip in the up card is a supervisor's to mend
    played.press(Button.NEXT)
    await floor.table(played)
    dealer, supervisor = await floor.screen(), await floor.screen()
    await dealer.log_in(floor.served, "dana")
    await supervisor.log_in(floor.served, "sue")
    for screen, label in ((dealer, []), (supervisor, ["Enter cardssupervisor"])):
        await expect(screen.page.get_by_role("button", name="Fold")).to_be_visible()
        await expect(screen.page.get_by_role("button", name="Enter cards")).to_have_text(label)
    await dealer.page.get_by_role("button", name="More").click()
    await expect(dealer.page.locator(".sheet")).to_contain_text("Only for: supervisor")
    await expect(dealer.page.locator(".sheet")).to_contain_text("Enter cards")


@pytest.mark.parametrize("where", ["dealer", "pit"])
async def test_an_alert_that_is_anothers_to_clear_asks_for_their_login(floor: Floor, where: str) -> None:
    played = Table().ready()
    played.device(FaultRaised(FaultKind.JAM, "at the tray"))
    played.device(FaultCleared(FaultKind.JAM))
    table = await floor.table(played)
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    page = screen.page
    if where == "pit":
        await page.goto(f"{floor.served.url}#/pit")
    alert = page.locator(".alerts" if where == "dealer" else ".needs")
    assert await alert.get_by_role("button", name="Seen to").count() == 0
    await alert.get_by_role("link", name="Log in").click()
    await logged_in(page, "sue")
    if where == "pit":  # the table that it was about is open
        alert = page.locator(".sheet.table")
        await expect(alert.get_by_role("button", name="Close the table")).to_be_visible()
    await alert.get_by_role("button", name="Seen to").click()
    await expect(alert.get_by_role("button", name="Seen to")).to_have_count(0)
    assert [request.who for request in table.requests] == ["sue"]


async def test_the_pit_says_who_opens_and_closes_a_table(floor: Floor) -> None:
    await floor.table(Table().ready())
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    await screen.page.goto(f"{floor.served.url}#/pit")
    await screen.page.locator(".tile .cover").click()
    sheet = screen.page.locator(".sheet.table")
    await expect(sheet).to_contain_text("Only for: supervisor")
    await expect(sheet).to_contain_text("Close the table")
    assert await sheet.get_by_role("button", name="Close the table").count() == 0


async def test_a_hold_survives_a_new_picture_and_means_the_round_of_its_beginning(floor: Floor) -> None:
    """The finger comes down, the table changes, and the key is still there: it acts, and says its round."""
    table = Table().dealt(1, 2)
    table.command_press(Button.VOID)
    await floor.table(table)
    screen = await floor.screen()
    await screen.log_in(floor.served, "sue")
    page = screen.page
    for open_sheet in ("More", None):
        key = page.locator(".keys .hold" if open_sheet is None else ".ruling .hold")
        if open_sheet is not None:
            await page.get_by_role("button", name=open_sheet).click()
            await page.locator(".ruling").get_by_role("button", name="Players agree").click()
        held = await key.evaluate(
            """async (key, isInSheet) => {
                const { view } = page, before = view.told.state.table;
                const sent = [];
                view.send = async (command, isHeld) => (sent.push([command.round, isHeld ?? false]), null);
                key.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
                const other = { round_id: "t7-99", may: [...before.may].reverse(), prompt: "Else." };
                view.told.state.table = { ...before, ...other };
                view.show();
                const isStill = key.isConnected && key.matches(".holding");
                await new Promise((done) => new MutationObserver(done).observe(key, { attributes: true }));
                view.told.state.table = before;
                view.show();
                if (isInSheet) view.sheet.close();
                delete view.send;
                return [isStill, key.matches(".holding"), ...sent];
            }""",
            open_sheet is not None,
        )
        assert held == [True, False, ["t7-1", True]]


async def test_a_headline_that_calls_a_supervisor_tells_the_supervisor_what_they_do(floor: Floor) -> None:
    await floor.table(jammed())
    for user, told in (("dana", "Stop. Call a supervisor: shuffler"), ("sue", "Stop. You decide: shuffler")):
        screen = await floor.screen()
        await screen.log_in(floor.served, user)
        await expect(screen.page.locator(".word p")).to_contain_text(told)
