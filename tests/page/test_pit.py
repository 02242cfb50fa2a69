"""The pit's board in a real browser: who needs somebody, and what is done about it from there."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from daemon.mqtt.documents import Running
from daemon.table.picture import AlertView, TableView
from daemon.table.round_facts import RulingGiven
from daemon.table.state import Phase, Presence
from daemon.table.view import public
from daemon.table.vocabulary import Actor, AlertName
from drivers.events import Button, FaultCleared, FaultKind, FaultRaised
from protocols.cards import DECK
from tests.page.browsing import Floor, a_floor, hold, slip
from tests.page.scripted import scripted
from tests.page.served import page_settings, people_file
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table

pytestmark = pytest.mark.asyncio(loop_scope="session")
PIT: Final = "#/pit"
WALL: Final = (1920, 1080)
TABLET: Final = (1280, 800)


@pytest_asyncio.fixture(loop_scope="session")
async def floor(broker: Mosquitto, tmp_path: Path, browser: Browser) -> AsyncIterator[Floor]:
    settings = page_settings(broker.port, people_file=people_file(tmp_path))
    async with a_floor(broker, tmp_path, browser, settings) as running:
        yield running


def held() -> Table:
    table = Table().ready().staked(1, 2)
    table.press()
    table.command_press(Button.VOID)
    return table


def alert(name: str, *, blocks: bool) -> AlertView:
    return AlertView(AlertName(name), blocks, f"{name}: look at it.", "Look.", (Actor.SUPERVISOR,))


def troubles() -> dict[str, TableView]:
    """Return a table for each kind of trouble by name, the worst first. The names sort the other way round."""
    good, bad = public(Table().ready().state), public(held().state)
    away = tuple(replace(device, presence=Presence.AWAY) for device in good.devices)
    return {
        "t9": good,  # its feltd is gone
        "t8": replace(bad, phase=Phase.INTERRUPTED),
        "t7": bad,
        "t6": replace(good, alerts=(alert("jam", blocks=True),)),
        "t5": replace(good, devices=away),
        "t4": good,
    }


async def in_order(page: Page) -> list[str]:
    return [str(await row.get_attribute("data-table")) for row in await page.locator(".needs li").all()]


async def test_the_worst_stands_first_and_then_whoever_waits_longest(floor: Floor) -> None:
    pictures = troubles()
    async with scripted(floor.broker.port) as script:
        for name, view in pictures.items():
            await script.is_(name, Running.LOST if name == "t9" else Running.RUNNING)
            await script.shows(name, view)
        screen = await floor.screen(PIT, WALL)
        page = screen.page
        await expect(page.locator(".needs li")).to_have_count(5)
        assert await in_order(page) == ["t9", "t8", "t7", "t6", "t5"]
        await expect(page.locator(".strip")).to_contain_text("5 need somebody")
        levels = [await tile.get_attribute("data-level") for tile in await page.locator(".tile").all()]
        assert levels == ["0", "1", "2", "3", "4", "5"]
        stopped = pictures["t7"].standstill
        assert stopped is not None
        assert stopped.since_ms is not None
        later = replace(stopped, since_ms=stopped.since_ms + 1_000)
        await script.shows("t4", replace(pictures["t7"], standstill=later))
        await expect(page.locator(".needs li")).to_have_count(6)
        assert await in_order(page) == ["t9", "t8", "t7", "t4", "t6", "t5"]
        await expect(page.locator("aside .spoken")).to_contain_text("t4: HELD")


@pytest.mark.parametrize(("number", "kind"), [(4, "felts"), (6, "felts"), (40, "tiles"), (200, "list")])
async def test_as_many_tables_as_the_site_has(floor: Floor, number: int, kind: str) -> None:
    async with scripted(floor.broker.port) as script:
        await script.tables([Table().ready(), held(), Table().ready().staked(1), Table().ready()], number)
        screen = await floor.screen(PIT, WALL)
        page = screen.page
        await expect(page.locator(".tile")).to_have_count(number)
        await expect(page.locator(".board")).to_have_class(re.compile(kind))
        await expect(page.locator(".needs li")).to_have_count(number // 4 + (number % 4 > 1))
        assert await page.locator("felt-table").count() == (number if kind == "felts" else 0)
        wide, high = await page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert (wide, high) <= WALL
        if kind != "list":
            hidden = "(board) => board.scrollHeight - board.clientHeight"
            assert await page.locator(".board").evaluate(hidden) <= 0, "every table is in sight"
            return
        levels = [int(str(await tile.get_attribute("data-level"))) for tile in await page.locator(".tile").all()]
        assert levels == sorted(levels, reverse=True)


async def test_a_table_that_says_nonsense_stops_no_other_tables_picture(floor: Floor) -> None:
    """A number that one hostile table retained kept the browser busy, and the whole board stood still."""
    view = public(Table().ready().staked(1).state)
    many = tuple(replace(seat, cards_dealt=3_000_000) for seat in view.seats)
    long = tuple(replace(seat, open_cards=DECK * 100) for seat in view.seats)
    async with scripted(floor.broker.port) as script:
        await script.shows("t1", public(Table().ready().state))
        screen = await floor.screen(PIT, WALL)
        for number, seats in enumerate((many, long), start=1):
            await script.shows("t2", replace(view, seats=seats))
            await expect(screen.page.locator(".tile")).to_have_count(2)
            await script.shows("t1", public(Table().ready().staked(*range(1, number + 1)).state))
            tile = screen.page.locator(".tile[data-table='t1']")
            await expect(tile.locator(".amount")).to_have_count(number)
            await expect(
                screen.page.locator(".tile[data-table='t2'] .face, .tile[data-table='t2'] .back")
            ).not_to_have_count(0)


async def test_a_wall_is_read_from_three_metres_and_nobody_presses_on_it(floor: Floor) -> None:
    async with scripted(floor.broker.port) as script:
        await script.tables([Table().ready(), held()], 4)
        screen = await floor.screen(f"?wall=3m{PIT}", WALL)
        page = screen.page
        await expect(page.locator(".tile")).to_have_count(4)
        size = "(part) => parseFloat(getComputedStyle(part).fontSize)"
        for what, least in (("header b", 44), ("header .phase", 39), ("header .phase .mark", 39)):
            assert await page.locator(f".tile[data-level='3'] {what}").first.evaluate(size) >= least
        assert await page.locator(".needs li p").first.evaluate(size) >= 30
        assert await page.locator("button:visible, a:visible").count() == 0


async def test_a_ruling_needs_a_reason_and_void_is_held(floor: Floor) -> None:
    table = await floor.table(held())
    screen = await floor.screen(PIT, TABLET)
    await screen.log_in(floor.served, "sue")
    page = screen.page
    await page.goto(floor.served.url + PIT)
    await settled(page)
    await page.locator(".needs .rule").click()
    sheet = page.locator(".sheet.table")
    void = sheet.locator(".hold.void")
    await expect(void).to_have_count(1)
    await expect(sheet.locator(".rulings")).to_contain_text("Seat 2: return 5.00")
    people = [re.compile(who) for who in ("dana dealer", "sue supervisor", "screen display", "archive collector")]
    await expect(sheet.locator(".people li")).to_have_text(people)
    screen.posts.clear()
    await hold(void)
    await expect(sheet.locator(".why")).to_contain_text("why")
    await sheet.get_by_label("Reason").fill("Two decks <b>mixed</b>")
    await slip(void)
    assert screen.posts == []
    await hold(void)
    await expect(page.locator(".needs li")).to_have_attribute("data-level", "2")
    await expect(page.locator(".sheet")).to_have_count(0)
    assert [(fact.reason, fact.who) for fact in table.play.said(RulingGiven)] == [("Two decks <b>mixed</b>", "sue")]


async def test_a_table_is_closed_and_opened_and_its_alert_cleared_from_the_pit(floor: Floor) -> None:
    played = Table().ready()
    played.device(FaultRaised(FaultKind.JAM, "at the tray"))
    played.device(FaultCleared(FaultKind.JAM))
    table = await floor.table(played)
    screen = await floor.screen(PIT, TABLET)
    await screen.log_in(floor.served, "sue")
    page = screen.page
    await page.goto(floor.served.url + PIT)
    await settled(page)
    await expect(page.locator(".needs li")).to_have_attribute("data-level", "2")
    await page.locator(".needs").get_by_role("button", name="Seen to").click()
    await expect(page.locator(".needs li")).to_have_count(0)
    await expect(page.locator("aside .quiet")).to_be_visible()
    for does, opened in (("Close the table", False), ("Open the table", True)):
        await page.locator(".tile .cover").click()
        await page.locator(".sheet").get_by_role("button", name=does).click()
        await expect(page.locator(".tile", has_text="table closed")).to_have_count(0 if opened else 1)
        assert public(table.play.state).opened is opened
    assert [request.who for request in table.requests] == ["sue"] * 3


async def test_a_finger_that_comes_as_the_list_moves_does_nothing(floor: Floor) -> None:
    await floor.table(held())
    screen = await floor.screen(PIT, TABLET)
    page = screen.page
    await expect(page.locator(".needs li")).to_have_count(1)
    await page.evaluate("page.view.needs.movedMs = performance.now(); document.querySelector('.needs .rule').click()")
    await expect(page.locator(".said")).to_contain_text("just changed")
    assert await page.locator(".sheet").count() == 0


async def settled(page: Page) -> None:
    """Wait until the list has stood long enough for a press to be meant for it."""
    await page.wait_for_selector(".tile")
    while await page.evaluate("performance.now() - page.view.needs.movedMs < 260"):
        pass


async def test_the_sheet_of_a_table_lists_its_last_rounds(floor: Floor) -> None:
    table = Table().dealt(1)
    assert table.void().accepted
    await floor.table(table.put_back())
    page = (await floor.screen("#/pit")).page
    await page.locator(".tile .cover").click()
    last = page.locator(".last-rounds li")
    await expect(last).to_contain_text("round 1")
    await expect(last).to_contain_text("VOID")
    await expect(last.locator("time")).to_have_text(re.compile(r"^\d\d:\d\d–\d\d:\d\d$"))
    await last.locator("a").click()
    await expect(page.locator(".timeline")).to_contain_text("VOID")


async def test_a_long_sentence_has_two_lines_on_a_tile_and_is_not_cut_after_one(floor: Floor) -> None:
    async with scripted(floor.broker.port) as script:
        await script.tables([Table().reconciling(1, 2, 3, 4, 5, 6)], 4)
        page = (await floor.screen("#/pit", (1280, 800))).page
        await expect(page.locator(".tile p").first).to_contain_text("ROYAL FLUSH")
        for sentence in await page.locator(".tile p").all():
            assert await sentence.evaluate("(part) => part.scrollHeight <= part.clientHeight")


@pytest.mark.parametrize(
    "hostile",
    [{"alerts": None}, {"alerts": [None]}, {"may": [None]}, {"seats": [0]}, {"dealer_backs": -1}, "x"],
    ids=str,
)
async def test_a_state_that_cannot_be_read_takes_the_board_from_no_other_table(floor: Floor, hostile: object) -> None:
    """Who has one table's password may write anything as its state."""
    own = replace(public(Table().ready().state), alerts=(alert("jam", blocks=True),))
    async with scripted(floor.broker.port) as script:
        for name in ("t1", "t2", "t3"):
            await script.is_(name, Running.RUNNING)
            await script.shows(name, own)
        await script.says("t2", own, hostile)
        page = (await floor.screen(PIT, WALL)).page
        await expect(page.locator(".tile")).to_have_count(3)
        await expect(page.locator(".needs li[data-table=t2]")).to_contain_text("cannot be read")
        await expect(page.locator(".tile[data-table=t2]")).to_contain_text("cannot be read")
        await expect(page.locator(".tile[data-table=t3] felt-table")).to_be_visible()
        await script.shows("t3", public(held().state))
        await expect(page.locator(".needs li[data-table=t3]")).to_have_attribute("data-level", "3")
        await script.shows("t2", own)
        await expect(page.locator(".tile[data-table=t2]")).not_to_contain_text("cannot be read")
