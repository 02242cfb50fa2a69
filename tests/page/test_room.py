"""The keys and the felt have room: at no phase of any round is a key cut, under another, or off the screen."""

from __future__ import annotations

from typing import Final

import pytest

from tests.page.browsing import SIZES, Floor, Screen
from tests.page.published import PublishedTable
from tests.table.big_draw_playing import BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table
from tests.table.recorded_rounds import ROUNDS, recorded

pytestmark = pytest.mark.asyncio(loop_scope="session")
LOCALES: Final = ("en-US", "es-ES")
MANY: Final = {
    "en-US": {"First 5 at every seat": "Claim First 5 …", "insurance at every seat": "Insure …"},
    "es-ES": {"First 5 at every seat": "Cantar First 5 …", "insurance at every seat": "Ase\u00adgurar …"},
}
WRONG: Final = """(() => {
    const wrong = [], keys = [...document.querySelectorAll('.keys button')];
    if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the screen');
    const boxes = keys.map((key) => key.getBoundingClientRect());
    keys.forEach((key, i) => {
        const box = boxes[i], name = JSON.stringify(key.innerText);
        const isOff = box.left < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
        const isCut = key.scrollWidth > key.clientWidth + 1 || key.scrollHeight > key.clientHeight + 1;
        const isBeside = (other) => box.left >= other.right - 1 || other.left >= box.right - 1;
        const isAbove = (other) => box.top >= other.bottom - 1 || other.top >= box.bottom - 1;
        if (isOff) wrong.push(`${name} is off the screen`);
        if (isCut) wrong.push(`${name} is cut`);
        const isOver = boxes.some((other, j) => j > i && !isBeside(other) && !isAbove(other));
        if (isOver) wrong.push(`${name} lies over another`);
    });
    return wrong;
})()"""


async def wrong(screens: list[Screen], table: PublishedTable) -> list[str]:
    """Return what is wrong on any of these screens, when they show the table as it is."""
    found: list[str] = []
    for screen in screens:
        while await screen.page.evaluate("Number(page.view?.told?.state?.sequence)") != table.sequence:
            pass
        await screen.page.evaluate("page.view.show()")
        found += await screen.page.evaluate(WRONG)
    return found


@pytest.mark.parametrize("name", ROUNDS)
async def test_every_key_has_room_at_every_step_of_a_round(floor: Floor, name: str) -> None:
    """In both languages, on the same table: Spanish is the longer one."""
    table = await floor.table(recorded(name), whole=False)
    screens = [await floor.screen(size=size, locale=locale) for size in SIZES for locale in LOCALES]
    for happened in table.played[1:]:
        may = table.play.state
        table.feed([happened])
        if table.play.state.prompt != may.prompt or table.play.state.phase is not may.phase:
            assert await wrong(screens, table) == [], table.play.state.prompt


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("busiest", ["First 5 at every seat", "insurance at every seat"])
async def test_every_key_has_room_when_everybody_may_say_something(floor: Floor, busiest: str, locale: str) -> None:
    everybody = range(1, 6)
    played: Table = Blackjack().deal("5c 6c 7c 8c 9c Ah 5d 6d 7d 8d 9d 4h", *everybody)
    if busiest == "First 5 at every seat":
        played = BigDrawTable(seats=5).hands_out(*everybody)
    table = await floor.table(played)
    screens = [await floor.screen(size=size, locale=locale) for size in SIZES]
    assert await wrong(screens, table) == []
    label = MANY[locale][busiest]
    for screen in screens:
        await screen.page.get_by_role("button", name=label, exact=True).click()
        assert await screen.page.locator(".sheet.seats .choices button").count() >= 4
