"""Whether a screen shows the table as it is now: a silent stream, a hidden page, a new build, a bouncing finger."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from daemon.page.files import FOLDER
from daemon.tools.schemas.command import schema_files
from drivers.events import Button
from tests.page.browsing import Floor, at_rest
from tests.page.serving_alone import started
from tests.table.playing import Table

pytestmark = pytest.mark.asyncio(loop_scope="session")
NOT_DRAWN: Final = frozenset(
    {
        *("identity", "model", "serial", "firmware", "capabilities"),  # the technician has them in feltd doctor
        *("paytable", "paytable_hash", "rounding", "aggregate_cut_cents", "outcome"),  # the record of a round has them
        *("least_cents", "most_cents", "step_cents", "aggregate_most_cents"),  # `may` bounds what a seat may stake now
        *("needs_colour", "chips_cents", "is_question", "may_repeat", "wants", "undo"),  # `may` and `steps` say it
        *("backs", "dealer_backs", "community_backs"),  # a face that is null is drawn as a back
        *("currency", "decimals", "game_title"),  # the page has words of its own
        *("held_by", "burn_due"),  # the prompt says it where it matters
        "at_ms",  # liveness comes from the stream's beats
    }
)


async def test_a_server_that_stands_still_is_noticed_after_two_beats_and_one_that_dies_at_once(
    floor: Floor, tmp_path: Path
) -> None:
    await floor.table(Table().ready())
    await floor.served.end()
    async with started(floor.served.settings, tmp_path) as process:
        screen = await floor.screen()
        page = screen.page
        await expect(page.locator(".link")).to_have_text("live")
        os.kill(process.pid, signal.SIGSTOP)
        await expect(page.locator(".veil")).to_contain_text("Not live. Last heard")
        assert await page.evaluate("page.stream.isCut") is False, "nothing was cut: silence alone was noticed"
        assert await page.evaluate("page.stream.silentS >= 2 * page.stream.beatS")
        assert await page.locator(".keys button:not([inert])").count() == 0
        os.kill(process.pid, signal.SIGCONT)
        await expect(page.locator(".link")).to_have_text("live")
        os.kill(process.pid, signal.SIGKILL)
        await expect(page.locator(".veil")).to_be_visible()
        assert await page.evaluate("page.stream.isCut"), "the end of the stream was noticed, and not its silence"
        screen.errors.clear()  # the browser says that it could not connect
        await page.close()


async def test_a_press_without_an_answer_is_said_to_be_sent_again_until_it_is_answered(floor: Floor) -> None:
    table = await floor.table(Table().ready().staked(1))
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    page, said = screen.page, screen.page.locator(".said")
    await at_rest(page)
    table.fall_silent()
    await page.get_by_role("button", name="Green").click()
    await expect(said).to_have_text("No answer yet. Asking again.")
    await expect(said).to_have_class("said shown unknown")
    table.answer_again()
    await expect(page.locator(".dealer")).to_have_attribute("data-phase", "dealing")
    await expect(said).to_have_class("said")


async def test_two_pages_agree(floor: Floor) -> None:
    table = await floor.table(Table().reconciling(1, 2, 3))
    pages = [(await floor.screen()).page for _ in range(2)]
    for _ in range(3):
        table.play.press(Button.NEXT)
        for page in pages:
            while await page.evaluate("Number(page.view?.told?.state?.sequence)") != table.sequence:
                pass
        shown = [await drawn(page) for page in pages]
        assert shown[0] == shown[1]


async def drawn(page: Page) -> str:
    await page.evaluate("page.view.show()")
    return str(
        await page.evaluate("document.querySelector('.word').outerHTML + document.querySelector('svg').outerHTML")
    )


async def test_a_finger_that_bounces_presses_once(floor: Floor) -> None:
    table = await floor.table(Table().reconciling(1, 2, 3))
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    assert table.play.state.round is not None
    asked = table.play.state.round.showing
    await expect(screen.page.locator(".disc")).to_have_text(str(asked))
    screen.posts.clear()
    bounce = "page.view.changedMs = -Infinity; const key = document.querySelector('.main'); key.click(); key.click()"
    await screen.page.evaluate(bounce)
    await expect(screen.page.locator(".disc")).not_to_have_text(str(asked))
    assert len(screen.posts) == 1
    assert len(table.requests) == 1


async def test_a_hidden_page_has_no_stream_and_a_seen_one_has_the_whole_table(floor: Floor) -> None:
    table = await floor.table(Table().ready())
    page = (await floor.screen()).page
    await expect(page.locator(".link")).to_have_text("live")
    hide = """(is) => {
        Object.defineProperty(document, 'hidden', {value: is, configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    await page.evaluate(hide, True)
    assert await page.evaluate("page.stream.source.readyState") == 2
    table.play.staked(3)
    await page.evaluate(hide, False)
    await expect(page.locator('[data-seat="3"] .amount')).to_have_text("5")


async def test_a_new_build_is_loaded_between_rounds(floor: Floor) -> None:
    table = await floor.table(Table().reconciling(1))
    page = (await floor.screen()).page
    await expect(page.locator(".link")).to_have_text("live")
    await page.evaluate("globalThis.isOldPage = true; page.stream.isOld = true; page.stream.say()")
    await expect(page.locator(".disc")).to_have_text("1")
    assert await page.evaluate("globalThis.isOldPage") is True
    table.play.press(Button.NEXT)
    await expect(page.locator(".strip .phase")).to_have_text("bets")
    while await page.evaluate("globalThis.isOldPage ?? false"):
        pass


async def test_another_build_in_the_hello_is_noticed(floor: Floor) -> None:
    await floor.table(Table().reconciling(1))
    page = (await floor.screen()).page
    await expect(page.locator(".link")).to_have_text("live")
    assert await page.evaluate("page.stream.isOld") is False
    hello: dict[str, object] = {"build": "another", "user": None, "trial_users": [], "beat_s": 2}
    await page.evaluate("(hello) => page.stream.takeHello(hello)", hello)
    assert await page.evaluate("page.stream.isOld") is True


async def test_cards_are_the_same_dots_whatever_fonts_there_are(floor: Floor, browser: Browser) -> None:
    draw = """(font) => Promise.all([import('./cards.js'), import('./dom.js')]).then(([cards, dom]) => {
        const all = [...cards.SUIT_ORDER].flatMap((suit, y) => [...cards.RANK_ORDER].map(
            (rank, x) => cards.card(rank + suit, x * 46, y * 62)));
        document.body.style.fontFamily = font;
        document.body.replaceChildren(dom.s('svg', {id: 'sheet', width: 600, height: 250}, ...all));
    })"""
    await floor.table(Table().ready())
    sheets = set()
    for font in ("DejaVu Sans", "Courier", "no such font"):
        page = (await floor.screen()).page
        await expect(page.locator(".link")).to_have_text("live")
        await page.evaluate(draw, font)
        await expect(page.locator("#sheet .card")).to_have_count(52)
        sheets.add(await page.locator("#sheet").screenshot())
    assert len(sheets) == 1
    assert await floor.screens[0].page.locator("#sheet text").count() == 0


async def test_the_picture_has_no_key_that_nobody_thought_of() -> None:
    """Every key of the state's schema is read by a script, or is named here as not drawn."""
    scripts = "".join(path.read_text() for path in FOLDER.glob("*.js"))
    keys = set(_keys(schema_files()["state.json"]))
    assert {"steps", "stake_cents", "prompt", "may"} <= keys
    unread = {key for key in keys if f".{key}" not in scripts and f" {key}" not in scripts}
    assert unread - NOT_DRAWN == set()


def _keys(schema: object) -> list[str]:
    if isinstance(schema, list):
        return [key for each in schema for key in _keys(each)]
    if not isinstance(schema, dict):
        return []
    own = list(schema.get("properties", {}))
    return own + [key for each in schema.values() for key in _keys(each)]
