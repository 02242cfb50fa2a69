"""Who tries the project deals a round at a real bench, by touch alone and without a password, and gets out of trouble.

A robot touches what the screens offer and knows no game. A blind shuffler reads nothing, so what it enters is what lies
there.
"""

from __future__ import annotations

import asyncio
import os
import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.page.browsing import SIZES, WAIT_MS, at_rest
from tests.page.test_bench import LONG_MS, a_bench

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(690)]
BLIND: Final = ("--device", "felt-link-shuffler-blind")
GAMES: Final = {
    "big-50": BLIND,
    "big-raise-holdem": BLIND,
    "big-draw": BLIND,
    "bad-beat-blackjack": (),
}
# The robot sometimes enters hands of Big Draw that cannot be, and then comes to no end: make soak has it until it knows
# better. A round of Big Draw by touch is played from recorded states in test_touch.py.
QUICK: Final = tuple(game for game in GAMES if game != "big-draw")
TOUCHES_MAX: Final = 150
HELD_BACK_S: Final = 20.0
GONE_MS: Final = 5_000


@dataclass
class NewDealer:
    """Touches a key that is offered, until the round is over."""

    page: Page
    chance: random.Random = field(default_factory=lambda: random.Random(3))
    entered: dict[str, list[str]] = field(default_factory=dict)  # by place
    touched: list[str] = field(default_factory=list)

    async def begin(self, address: str) -> None:
        await self.page.goto(address)
        await self.page.get_by_role("button", name="Be the dealer").tap()
        await expect(self.page.locator(".strip .who")).to_have_text("bench-dealer")

    async def seen(self) -> tuple[int, int]:
        """Return the round that is shown, and the number of the picture."""
        shown: list[int] = await self.page.evaluate(
            "[page.view.table.round_number, Number(page.view.told.state.sequence)]"
        )
        return shown[0], shown[1]

    async def play_a_round(self) -> None:
        """Play until the next round opens. If nothing was staked yet, stake first."""
        keys, nothing = self.page.locator(".keys .right button"), self.page.locator(".keys .nothing")
        await expect(keys.or_(nothing).first).to_be_visible(timeout=LONG_MS)
        first, _ = await self.seen()
        while len(self.touched) < TOUCHES_MAX:
            number, picture = await self.seen()
            if number > first:
                return
            verify = self.page.locator(".alerts button")
            if await keys.count():
                await self.touch_a_key(picture)
            elif await nothing.filter(has_text="Touch a seat to bet").count():
                await self.stake(2)
            elif await nothing.filter(has_text="A supervisor decides").count() and await verify.count():
                await self.verify()
            else:
                await self.page.evaluate("1")  # the machine moves
        raise AssertionError(f"the round does not end: {await self.page.locator('.word').inner_text()} {self.touched}")

    async def stake(self, seat: int) -> None:
        await self.page.locator(f'[data-seat="{seat}"]').tap()
        await self.page.locator(".spot-key").last.tap()
        await self.page.locator('.chip-key[aria-label="+5"]').tap()
        await at_rest(self.page)
        await self.page.get_by_role("button", name="Place").tap()
        await expect(self.page.locator(f'[data-seat="{seat}"] .amount').first).to_be_visible()
        await self.page.evaluate("page.view.sheet?.close()")

    async def verify(self) -> None:
        """A win that is verified before it is paid: the supervisor does it where the dealer stands."""
        await self.become("supervisor")
        await at_rest(self.page)
        await self.page.locator(".alerts button").tap()
        await expect(self.page.locator(".alerts button")).to_have_count(0)
        await self.become("dealer")

    async def become(self, who: str) -> None:
        await self.page.locator(".strip .who").tap()
        await self.page.get_by_role("button", name=f"bench-{who}", exact=True).tap()
        await expect(self.page.locator(".strip .who")).to_have_text(f"bench-{who}")

    async def touch_a_key(self, picture: int) -> None:
        """Touch one, do what it opens, and wait until the table has changed, or has said why not.

        The machine moves meanwhile: a key may be gone before it is touched, and a touch may be held back. Then it is
        all looked at again.
        """
        await self.page.evaluate("page.view.sheet?.close()")
        await expect(self.page.locator(".dealer.waiting")).to_have_count(0)
        await at_rest(self.page)
        keys = self.page.locator(".keys .right button")
        choices = keys.and_(self.page.locator(".choice")).filter(has_not_text="Enter cards")
        main = self.page.locator(".keys .right button.main")
        count = await choices.count()
        if not count and not await main.count():
            return
        key = choices.nth(self.chance.randrange(count)) if count and not await main.count() else main
        label = next(iter(await key.all_inner_texts()), None)
        if label is None:
            return
        self.touched.append(label)
        sheet = self.page.locator(".sheet")
        try:
            await key.tap(timeout=GONE_MS)
            if label == "Enter cards":
                await self.enter_cards()
            elif label.endswith("…"):
                await at_rest(self.page)
                await sheet.locator(".main, .choices button").first.tap(timeout=GONE_MS)
        except PlaywrightTimeout:
            return
        with suppress(TimeoutError):  # a touch that the screen held back is made again
            async with asyncio.timeout(HELD_BACK_S):
                while (await self.seen())[1] == picture:
                    said = self.page.locator(".said.shown")
                    if await said.count():  # it came too late for what is asked by now
                        await self.page.evaluate("page.view.said.className = 'said'")
                        return

    async def enter_cards(self) -> None:
        sheet = self.page.locator(".sheet")
        place, wanted = await sheet.locator("h2").inner_text(), await sheet.locator(".slot").count()
        free = sheet.locator(".card-key:not(:disabled)")
        faces: list[str] = await free.evaluate_all("all => all.map(one => one.dataset.face)")
        gone = {face for where, lies in self.entered.items() if where != place for face in lies}
        lies = [face for face in self.entered.get(place, []) if face in faces][:wanted]
        lies += [face for face in self.chance.sample(faces, len(faces)) if face not in gone | set(lies)]
        self.entered[place] = lies = lies[:wanted]
        for face in lies:
            await sheet.locator(f'[data-face="{face}"]').tap(timeout=GONE_MS)
        await at_rest(self.page)
        await sheet.get_by_role("button", name="Enter", exact=True).tap(timeout=GONE_MS)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES if "FELTD_SOAK" in os.environ else QUICK)
async def test_a_new_dealer_plays_a_round_by_touch_at_a_real_bench(browser: Browser, game: str) -> None:
    async with a_bench("--game", game, "--seats", "3", *GAMES[game]) as address:
        width, height = SIZES[0]
        context = await browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        context.set_default_timeout(WAIT_MS)
        dealer = NewDealer(await context.new_page())
        await dealer.begin(address)
        await dealer.play_a_round()  # somebody else began it
        dealer.entered.clear()
        await dealer.play_a_round()
        assert await dealer.page.locator(".dealer[data-phase='held'], .dealer[data-phase='voiding']").count() == 0
        await dealer.page.get_by_role("button", name="More").tap()
        await dealer.page.get_by_role("link", name="Bench", exact=True).tap()
        await expect(dealer.page.get_by_role("switch", name="Pause")).to_have_attribute("aria-checked", "true")
        await context.close()
