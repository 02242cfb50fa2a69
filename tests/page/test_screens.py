"""The screens in a real browser, fed by the real contract."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.async_api import expect

from daemon.rules.wagers import GameName
from daemon.table.inputs import VoidRound
from daemon.table.round_facts import RoundSettled
from drivers.events import Button
from tests.page.browsing import SIZES, Floor, at_rest, hold, slip
from tests.page.served import serving
from tests.table.playing import Table, settings
from tests.table.recorded_rounds import recorded

pytestmark = pytest.mark.asyncio(loop_scope="session")
GLOVE_PX: Final = (74, 52)
"""Of a key on the smallest tablet: on a screen of 7 inches 14 by 10 mm."""
SHOWN: Final = ("big-50", "big-raise, cards not read", "big-draw from a shoe", "blackjack")


@pytest.mark.parametrize("name", SHOWN)
async def test_every_phase_of_a_round_is_drawn(floor: Floor, name: str) -> None:
    played = recorded(name)
    table = await floor.table(played, whole=False)
    screen = await floor.screen()
    await expect(screen.page.locator(".seat")).to_have_count(played.state.settings.seats)
    phase = None
    for happened in table.played[1:]:
        table.feed([happened])
        if table.play.state.phase is not phase:
            phase = table.play.state.phase
            await screen.page.wait_for_selector(f'.dealer[data-phase="{phase.value}"]')
    await expect(screen.page.locator(".strip .round")).to_have_text(f"round {table.play.state.rounds_opened}")
    shown = await screen.page.evaluate("page.view.table.prompt")
    assert shown == table.play.state.prompt


async def test_steps_are_tiles_and_lie_on_their_spots(floor: Floor) -> None:
    table = await floor.table(Table().reconciling(1, 2))
    screen = await floor.screen()
    page = screen.page
    assert table.play.state.round is not None
    seat = table.play.state.round.showing
    await expect(page.locator(".disc")).to_have_text(str(seat))
    tile = page.locator(".steps li:not(.asks)").first
    await expect(tile).to_contain_text("PAY")
    await expect(page.locator(f'[data-seat="{seat}"] .doing')).to_have_count(1)
    await expect(page.locator(".asked")).to_have_count(1)
    table.play.press(Button.NEXT)
    await expect(page.locator(".disc")).not_to_have_text(str(seat))


async def test_what_the_last_round_came_to_stays_until_chips_lie_there_again(floor: Floor) -> None:
    over = Table().reconciling(1, 2)
    while not over.said(RoundSettled):
        over.press(Button.NEXT)
    table = await floor.table(over)
    screen = await floor.screen()
    nets = screen.page.locator(".seat .net")
    await expect(nets).to_have_count(2)
    table.play.staked(1)
    await expect(nets).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_overflows_and_every_key_is_large(floor: Floor, size: tuple[int, int]) -> None:
    await floor.table(Table().reconciling(1, 2, 3, 4, 5, 6))
    screen = await floor.screen(size=size, has_touch=True)
    await screen.page.wait_for_selector(".disc")
    wide, high = await screen.page.evaluate("[document.documentElement.scrollWidth, document.body.scrollHeight]")
    assert (wide, high) <= size
    boxes = [await key.bounding_box() for key in await screen.page.locator(".keys button").all()]
    assert boxes
    for box in boxes:
        assert box is not None
        assert box["width"] >= 74
        assert box["height"] >= 56
        assert box["y"] + box["height"] <= size[1] + 1
        assert box["x"] + box["width"] <= size[0] + 1


async def test_a_page_whose_server_is_gone_says_so_and_its_keys_are_dead(floor: Floor) -> None:
    await floor.table(Table().ready())
    screen = await floor.screen()
    await expect(screen.page.locator(".link")).to_have_text("live")
    await floor.served.end()
    await expect(screen.page.locator(".veil")).to_be_visible()
    assert await screen.page.locator(".keys button:not([inert])").count() == 0
    screen.errors.clear()  # the browser says that it could not connect
    async with serving(floor.served.settings):
        await expect(screen.page.locator(".veil")).to_be_hidden()
        await expect(screen.page.locator(".link")).to_have_text("live")
        screen.errors.clear()
        await screen.page.close()


async def test_a_table_whose_broker_or_feltd_is_gone_is_not_live(floor: Floor) -> None:
    table = await floor.table(Table().ready())
    screen = await floor.screen()
    veil, link = screen.page.locator(".veil"), screen.page.locator(".link")
    await expect(link).to_have_text("live")
    floor.broker.stop()
    await expect(veil).to_contain_text("Not live")
    floor.broker.start()
    await expect(link).to_have_text("live")
    await table.end()
    await expect(veil).to_contain_text("was stopped")
    assert await screen.page.locator(".keys button:not([inert])").count() == 0


async def test_markup_in_a_message_stays_text(floor: Floor) -> None:
    table = await floor.table(Table().dealt(1, 2))
    assert table.play.ask(VoidRound("<img src=x onerror=alert(1)>"), round_id=table.play.running()).accepted
    screen = await floor.screen("#/rounds/t7/t7-1")
    await expect(screen.page.locator(".timeline")).to_contain_text("<img src=x")
    assert await screen.page.locator(".timeline img").count() == 0


async def test_somebody_logs_in_and_presses(floor: Floor) -> None:
    table = await floor.table(Table().ready().staked(2))
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    await screen.page.get_by_role("button", name="Green").click()
    await screen.page.wait_for_selector('[data-phase="dealing"]')
    assert [request.who for request in table.requests] == ["dana"]
    await expect(screen.page.locator(".keys .right")).to_have_text("Nothing to press now")
    await at_rest(screen.page)
    await screen.page.evaluate("page.view.send({name: 'press', data: {button: 'next'}})")
    await expect(screen.page.locator(".said")).not_to_be_empty()


async def test_void_has_to_be_held(floor: Floor) -> None:
    table = await floor.table(Table().dealt(1, 2))
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    key = screen.page.locator(".hold.void")
    await at_rest(screen.page)
    screen.posts.clear()
    await slip(key)
    await at_rest(screen.page)  # longer than nothing, and shorter than a hold
    assert screen.posts == []
    await hold(key)
    await screen.page.wait_for_selector('[data-phase="held"]')
    assert len(table.requests) == 1


async def test_a_void_that_was_held_long_enough_counts_though_the_page_stood_still(floor: Floor) -> None:
    """A busy machine told the page that the finger had left before its timer ran, and the dealer held in vain."""
    table = await floor.table(Table().dealt(1, 2))
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    await at_rest(screen.page)
    await slip(screen.page.locator(".hold.void"), standstill_ms=750)
    await screen.page.wait_for_selector('[data-phase="held"]')
    assert len(table.requests) == 1


async def test_a_press_right_after_the_word_changed_is_not_sent(floor: Floor) -> None:
    await floor.table(Table().dealt(1, 2))
    screen = await floor.screen()
    await screen.log_in(floor.served, "dana")
    screen.posts.clear()
    await screen.page.evaluate("page.view.changedMs = performance.now(); document.querySelector('.main').click()")
    await expect(screen.page.locator(".said")).to_contain_text("just changed")
    assert screen.posts == []


async def test_a_seat_is_bet_on_by_touch(floor: Floor) -> None:
    table = await floor.table(Table().ready())
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    page = screen.page
    await at_rest(page)
    await page.locator('[data-seat="3"]').tap()
    await page.locator('.chip-key[aria-label="+5"]').tap()
    await page.locator('.chip-key[aria-label="+5"]').tap()
    await page.locator(".spot-key", has_text="RANGE").tap()
    await page.locator('.chip-key[aria-label="+25"]').tap()
    await page.get_by_role("button", name="Place").tap()
    await expect(page.locator('[data-seat="3"] .amount')).to_have_text(["10", "25"])
    assert table.play.state.round is not None
    assert [(stake.seat, stake.stake_cents) for stake in table.play.state.round.stakes] == [(3, 1000), (3, 2500)]


async def test_the_chips_that_are_offered_are_those_of_the_table(floor: Floor) -> None:
    await floor.table(Table(settings(chips_cents=(250, 2500))).ready())
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    page = screen.page
    await at_rest(page)
    await page.locator('[data-seat="3"]').tap()
    await expect(page.locator(".chip-key")).to_have_text(["25", "2.50"])
    await page.locator('.chip-key[aria-label="+2.50"]').tap()
    await expect(page.locator(".spot-key.on b")).to_have_text("2.50")


async def test_a_screen_in_another_language(floor: Floor) -> None:
    await floor.table(Table().ready())
    screen = await floor.screen(locale="es-ES")
    await expect(screen.page.locator(".strip .phase")).to_have_text("apuestas")
    await expect(screen.page.locator("html")).to_have_attribute("lang", "es")
    await expect(screen.page.locator(".word")).to_have_text("Hagan sus apuestas; después, verde: no va más.")


async def test_every_game_is_drawn() -> None:
    assert {recorded(name).state.settings.game for name in SHOWN} == set(GameName)


async def test_one_chip_is_taken_back_from_a_bet_that_is_being_built(floor: Floor) -> None:
    table = await floor.table(Table().ready())
    screen = await floor.screen(has_touch=True, size=SIZES[1])
    await screen.log_in(floor.served, "dana")
    page = screen.page
    await at_rest(page)
    await page.locator('[data-seat="3"]').tap()
    undo, stake = page.get_by_role("button", name="One back"), page.locator(".spot-key.on b")
    await expect(undo).to_be_disabled()
    for worth in (25, 5, 100):
        await page.locator(f'.chip-key[aria-label="+{worth}"]').tap()
    box = await undo.bounding_box()
    assert box is not None
    assert box["width"] >= GLOVE_PX[0]
    assert box["height"] >= GLOVE_PX[1]
    await undo.tap()
    await expect(stake).to_have_text("30")
    await page.get_by_role("button", name="Place").tap()
    await expect(page.locator('[data-seat="3"] .amount')).to_have_text(["30"])
    await page.locator('[data-seat="3"]').tap()  # of a stake that lies there the smallest chip goes, if not the last
    await undo.tap()
    await expect(stake).to_have_text("25")
    await expect(undo).to_be_disabled()
    await page.get_by_role("button", name="Place").tap()
    await expect(page.locator('[data-seat="3"] .amount')).to_have_text(["25"])
    assert table.play.state.round is not None
    assert [stake.stake_cents for stake in table.play.state.round.stakes] == [2500]
