"""Who tries the project deals a round at a real bench, by touch alone and without a password, and gets out of trouble.

A robot touches what the screens offer and knows no game. A blind shuffler reads nothing, so what it enters is what the
bench shows above the 52 cards: what a dealer would see on the felt. So the table refuses none of its entries.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import pytest
from playwright.async_api import Browser, Locator, Page, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.page.browsing import SIZES, WAIT_MS, at_rest, hold
from tests.page.test_bench import LONG_MS, a_bench
from tests.page.test_rounds import PAGE_OF_A_PDF

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(690)]
BLIND: Final = ("--device", "felt-link-shuffler-blind")
GAMES: Final = {
    "big-50": BLIND,
    "big-raise-holdem": BLIND,
    "big-draw": BLIND,
    "bad-beat-blackjack": (),
}
SEED: Final = int(os.environ.get("FELTD_SEED", "3"))
TOUCHES_MAX: Final = 150
ROUNDS_TO_A_COUNT: Final = 6
HELD_BACK_S: Final = 20.0
GONE_MS: Final = 5_000


@dataclass
class NewDealer:
    """Touches a key that is offered, until the round is over."""

    page: Page
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))
    touched: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # entries
    entered: list[list[str]] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)

    async def begin(self, address: str) -> None:
        """Take over in a round: before the first the bench's people fill the shoe and burn, which no key here does."""
        await self.page.goto(address)
        await expect(self.page.locator(".strip")).to_contain_text(re.compile(r"round [1-9]"), timeout=LONG_MS)
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
            verify = self.page.locator(".alerts article")
            assert not self.refused, f"the bench showed other cards than lie there: {self.entered} {self.touched}"
            if await keys.count():
                await self.touch_a_key(picture)
            elif await nothing.filter(has_text="Touch a seat to bet").count():
                await self.stake(2)
            elif await nothing.filter(has_text="A supervisor decides").count() and await verify.count():
                await self.verify()
            else:
                await self.page.evaluate("1")  # the machine moves
        raise AssertionError(f"the round does not end: {await self.page.locator('.word').inner_text()} {self.touched}")

    async def play_until(self, *phases: str) -> None:
        """Play until the table is in one of these phases. No sheet lies over the keys then."""
        keys, bets = self.page.locator(".keys .right button"), self.page.locator(".keys .nothing")
        while await self.page.evaluate("page.view.table.phase") not in phases:
            _, picture = await self.seen()
            if await keys.count():
                await self.touch_a_key(picture)
            elif await bets.filter(has_text="Touch a seat to bet").count():
                await self.stake(2)
        # The cards were not all seen when the next phase began, or their sheet is still being loaded.
        await self.page.evaluate("import('/card-sheet.js').then(() => page.view.sheet?.close())")

    async def stake(self, seat: int) -> None:
        await self.page.locator(f'[data-seat="{seat}"]').tap()
        await self.page.locator(".spot-key").last.tap()
        await self.page.locator('.chip-key[aria-label="+5"]').tap()
        amount = self.page.locator(f'[data-seat="{seat}"] .amount').first
        await self.press_until(self.page.get_by_role("button", name="Place"), amount)
        await self.page.evaluate("page.view.sheet?.close()")

    async def press_until(self, key: Locator, shown: Locator) -> None:
        """Press a key until this is shown. What the screen held back because the table had changed is pressed again."""
        said = self.page.locator(".said.shown")
        while not await shown.count():
            await at_rest(self.page)
            await key.tap()
            await expect(shown.or_(said).first).to_be_visible()
            await self.page.evaluate("page.view.said.className = 'said'")

    async def verify(self) -> None:
        """A win that is verified before it is paid: the supervisor does it where the dealer stands."""
        await self.become("supervisor")
        await at_rest(self.page)
        seen = self.page.locator(".alerts").get_by_role("button", name="Seen to")
        await seen.tap()
        await expect(seen).to_have_count(0)
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
            elif label == "Enter the count":
                await self.enter_count()
            elif label.endswith("…"):
                await at_rest(self.page)
                await sheet.locator(".main, .choices button").first.tap(timeout=GONE_MS)
        except PlaywrightTimeout:
            return
        with suppress(TimeoutError):  # a touch that the screen held back is made again
            async with asyncio.timeout(HELD_BACK_S):
                while (await self.seen())[1] == picture:
                    said = await self.page.locator(".said.shown").all_inner_texts()
                    if said:  # refused, or it came too late for what is asked by now
                        self.refused.extend(text for text in said if "look again" in text.lower())
                        await self.page.evaluate("page.view.said.className = 'said'")
                        return

    async def enter_cards(self) -> None:
        sheet = self.page.locator(".sheet")
        await sheet.locator(".slot").first.wait_for(timeout=GONE_MS)  # a key that is gone opens none
        wanted = await sheet.locator(".slot").count()
        seen = sheet.locator(".lying .card")
        await seen.nth(wanted - 1).wait_for(state="attached", timeout=GONE_MS)  # the bench shows it some moments later
        lying, given_up = [await sheet.locator(".lying").get_attribute(name) for name in ("data-faces", "data-gone")]
        cards = f"{lying} {given_up}".split()[:wanted]
        for face in cards:
            await sheet.locator(f'.grid [data-face="{face}"]').tap(timeout=GONE_MS)
        await at_rest(self.page)
        await sheet.get_by_role("button", name="Enter", exact=True).tap(timeout=GONE_MS)
        self.entered.append(cards)

    async def enter_count(self) -> None:
        """Enter what the bench says that one would count. A wrong count holds the round."""
        sheet = self.page.locator(".sheet")
        said = await sheet.locator(".rest-at").inner_text(timeout=GONE_MS)
        count = re.sub(r"\D", "", said)
        for digit in count:
            await sheet.get_by_role("button", name=digit, exact=True).tap(timeout=GONE_MS)
        await at_rest(self.page)
        await sheet.get_by_role("button", name="Enter", exact=True).tap(timeout=GONE_MS)
        self.counted.append(count)


@pytest.mark.parametrize("game", GAMES)
async def test_a_new_dealer_plays_a_round_by_touch_at_a_real_bench(browser: Browser, game: str) -> None:
    print(f"FELTD_SEED={SEED}")  # noqa: T201
    async with a_bench("--game", game, "--seats", "3", *GAMES[game]) as address:
        width, height = SIZES[0]
        context = await browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        context.set_default_timeout(WAIT_MS)
        dealer = NewDealer(await context.new_page())
        await dealer.begin(address)
        await dealer.play_a_round()  # somebody else began it
        await dealer.play_a_round()
        assert bool(dealer.entered) == (GAMES[game] == BLIND)
        assert await dealer.page.locator(".dealer[data-phase='held'], .dealer[data-phase='voiding']").count() == 0
        await dealer.page.get_by_role("button", name="More").tap()
        await dealer.page.get_by_role("link", name="Bench", exact=True).tap()
        await expect(dealer.page.get_by_role("switch", name="Pause")).to_have_attribute("aria-checked", "true")
        await find_and_print(dealer.page)
        await context.close()


async def test_a_new_dealer_learns_at_the_bench_how_many_cards_are_left_to_count(browser: Browser) -> None:
    """A blind shuffler counts nothing, so every five rounds the table asks the dealer for the rest of the deck."""
    async with a_bench("--game", "big-50", "--seats", "2", *BLIND) as address:
        context = await browser.new_context(viewport={"width": SIZES[0][0], "height": SIZES[0][1]}, has_touch=True)
        context.set_default_timeout(WAIT_MS)
        dealer = NewDealer(await context.new_page())
        await dealer.begin(address)
        for _round in range(ROUNDS_TO_A_COUNT):
            dealer.touched.clear()
            await dealer.play_a_round()
        assert dealer.counted
        assert await dealer.page.locator(".dealer[data-phase='held'], .dealer[data-phase='voiding']").count() == 0
        await context.close()


async def test_a_round_is_held_ruled_on_where_the_dealer_stands_found_and_printed(browser: Browser) -> None:
    """The supervisor logs in at the dealer's tablet, rules, and the tablet is the dealer's again."""
    async with a_bench("--game", "big-50", "--seats", "3", *BLIND) as address:
        width, height = SIZES[0]
        context = await browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        context.set_default_timeout(WAIT_MS)
        dealer = NewDealer(await context.new_page())
        page = dealer.page
        await dealer.begin(address)
        await dealer.play_a_round()  # somebody else began it
        await dealer.play_until("dealt", "counting", "reconciling")
        await at_rest(page)
        await hold(page.locator(".keys .hold.void"))
        await expect(page.locator(".dealer")).to_have_attribute("data-phase", "held")
        await page.locator(".keys .right").get_by_role("button", name="Log in").tap()
        await page.get_by_role("button", name="bench-supervisor", exact=True).tap()
        ruling = page.locator(".ruling")
        await ruling.get_by_role("button", name="Cards counted and right").tap()
        await at_rest(page)
        await ruling.get_by_role("button", name="Continue").tap()
        await expect(page.locator(".strip .who")).to_have_text("bench-dealer")
        dealer.touched.clear()
        await dealer.play_a_round()
        await page.get_by_role("button", name="More").tap()
        await page.get_by_role("link", name="Rounds", exact=True).tap()
        await expect(page.locator(".rounds > nav a.on, .rounds > nav a").first).to_be_visible()
        await page.locator(".rounds > nav a", has_text="Held, ruling").tap()
        await expect(page.locator(".timeline")).to_contain_text("Cards counted and right")
        assert len(PAGE_OF_A_PDF.findall(await page.pdf(prefer_css_page_size=True))) == 1
        await context.close()


async def find_and_print(page: Page) -> None:
    """The round that was just dealt stands in the list of rounds, and prints on one page while the bench runs."""
    over = await page.evaluate("page.stream.tables.get('table1').state.table.rounds[0].id")
    await page.get_by_role("link", name="Rounds", exact=True).tap()
    await page.locator(f'.rounds > nav a[href$="/{over}"]').tap()
    await expect(page.locator(".facts")).to_contain_text(over)
    await expect(page.locator(".facts")).to_contain_text("House ")
    assert len(PAGE_OF_A_PDF.findall(await page.pdf(prefer_css_page_size=True))) == 1
