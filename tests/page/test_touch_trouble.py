"""What goes another way is played to its end by touch, too: what is announced, verified, void, or stands still."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.round_facts import HandSettled, RoundSettled, RoundVoided, RulingGiven
from daemon.table.state import Phase
from drivers.events import LinkLost
from tests.page.browsing import Floor, Screen, at_rest, hold
from tests.page.test_touch import Robot
from tests.table.big_draw_playing import JACKS, BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.test_a_round import NOTHING_MUCH, ROYAL, table_with
from tests.table.test_big_draw_first_5 import MORE_NOTHING, four_hands

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def at_the_table(floor: Floor, user: str) -> Screen:
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, user)
    return screen


async def test_first_5_is_announced_for_a_player_and_shown(floor: Floor) -> None:
    table = await floor.table(BigDrawTable(JACKS, MORE_NOTHING).opened())
    robot = Robot(await at_the_table(floor, "dana"), table)
    for seat in (1, 2):
        await robot.bet(seat)
    await robot.touch_key("Green")
    robot.work_the_machine()
    await robot.touch_key("1: Claim First 5")
    await robot.play_a_round()
    assert [fact.wager.pays_cents > 0 for fact in table.play.said(FirstFiveSettled) if fact.seat == 1] == [True]
    assert len(table.play.said(RoundSettled)) == 1, robot.touched


async def test_a_large_win_waits_for_the_supervisor_and_is_then_paid(floor: Floor) -> None:
    table = await floor.table(table_with(ROYAL, NOTHING_MUCH).reconciling(1, 2))
    dealer = Robot(await at_the_table(floor, "dana"), table)
    await dealer.touch_key("Next")
    await dealer.in_step()
    await expect(dealer.page.locator(".word")).to_contain_text("Do not pay yet")
    await expect(dealer.page.locator(".keys .right")).to_have_text("A supervisor decides")
    supervisor = await at_the_table(floor, "sue")
    await at_rest(supervisor.page)
    await supervisor.page.locator(".alerts").get_by_role("button", name="Seen to").tap()
    await expect(dealer.page.locator(".steps .pay")).to_contain_text(re.compile(r"5\W000"))
    await dealer.play_a_round()
    assert table.play.said(HandSettled)[-1].seat == 1
    assert len(table.play.said(RoundSettled)) == 1


async def test_a_void_after_results_were_said_lists_what_undoes_them(floor: Floor) -> None:
    table = await floor.table(four_hands().through_first_5())
    dealer = await at_the_table(floor, "dana")
    await hold(dealer.page.locator(".hold.void"))
    supervisor = await at_the_table(floor, "sue")
    await supervisor.page.get_by_role("button", name="Rule", exact=True).tap()
    ruling = supervisor.page.locator(".ruling")
    await ruling.get_by_role("button", name="Players agree").tap()
    await at_rest(supervisor.page)
    await hold(ruling.locator(".hold.void"))
    await dealer.page.wait_for_selector('[data-phase="voiding"]')
    # Seats 1 and 3 had been paid on First 5, 2 and 4 had lost it. All Big Draw stakes lie there still.
    undoes = dealer.page.locator(".steps li:not(.asks)")
    told = [" ".join(text.split()) for text in await undoes.all_inner_texts()]
    assert [text for text in told if text.startswith("TAKE")] == ["TAKE 1 20 FIRST 5", "TAKE 3 5 FIRST 5"]
    assert {"BACK 2 5 FIRST 5", "BACK 4 5 FIRST 5"} < set(told)
    await expect(dealer.page.locator(".steps .asks")).to_contain_text("Take in the hands")
    robot = Robot(dealer, table)
    await robot.touch_key("Next")
    [voided] = table.play.said(RoundVoided)
    assert len(voided.undone) == 4
    assert table.play.state.phase is not Phase.VOIDING


async def test_an_interrupted_round_goes_on_when_a_supervisor_vouches_for_its_cards(floor: Floor) -> None:
    play = Blackjack(seats=3).deal("5c 9c 6d")
    table = await floor.table(play)
    dealer = Robot(await at_the_table(floor, "dana"), table)
    play.device(LinkLost("pulled"))
    play.link_up(resumed=False)
    await dealer.in_step()
    await expect(dealer.page.locator(".dealer")).to_have_attribute("data-phase", "interrupted")
    await expect(dealer.page.locator(".keys .right")).to_contain_text("A supervisor decides")
    supervisor = await at_the_table(floor, "sue")
    await supervisor.page.get_by_role("button", name="Rule", exact=True).tap()
    ruling = supervisor.page.locator(".ruling")
    await ruling.get_by_role("button", name="Cards counted and right").tap()
    await at_rest(supervisor.page)
    await ruling.get_by_role("button", name="Continue").tap()
    await expect(dealer.page.locator(".dealer")).not_to_have_attribute("data-phase", "interrupted")
    await supervisor.page.locator(".alerts").get_by_role("button", name="Seen to").first.tap()
    await dealer.play_a_round()
    assert [fact.reason for fact in play.said(RulingGiven)] == ["Cards counted and right"]
    assert len(play.said(RoundSettled)) == 1, dealer.touched
