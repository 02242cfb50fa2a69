"""Screens in a real browser, and a floor of tables, a broker and a page's server around them.

Everything runs on one loop, so a test waits for what it wants to see and for nothing else.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from daemon.config.page import PageSettings
from tests.page.published import PASSWORD, PublishedTable, published
from tests.page.served import Served, page_settings, serving
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table

CHROMIUM: Final = shutil.which("chromium")
"""Debian's. Installed by `.ci/prepare browser`."""
SIZES: Final = ((1024, 600), (800, 480), (390, 844))
WAIT_MS: Final = 30_000
DEALER: Final = "#/dealer/t7"
expect.set_options(timeout=WAIT_MS)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Yield a browser that is closed afterwards."""
    if CHROMIUM is None:
        raise RuntimeError("these tests need Chromium: make test-page installs it, or apt-get install chromium")
    async with async_playwright() as playwright:
        # A browser's sandbox does not run under root, as which CI and containers run.
        started = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        await started.close()


@dataclass
class Screen:
    """One open page. `errors` are what its scripts and the browser complained about."""

    page: Page
    errors: list[str] = field(default_factory=list)
    posts: list[str] = field(default_factory=list)

    async def log_in(self, served: Served, user: str) -> None:
        """Log in as somebody at a terminal does."""
        await self.page.goto(f"{served.url}#/login/t7")
        await self.page.get_by_label("Name").fill(user)
        await self.page.get_by_label("Password").fill(PASSWORD)
        await self.page.get_by_role("button", name="Log in").click()
        await expect(self.page.locator(".strip .who")).to_have_text(user)


@dataclass
class Floor:
    """A broker, a page's server on it, and tables and screens as a test wants them."""

    broker: Mosquitto
    served: Served
    directory: Path
    browser: Browser
    closing: AsyncExitStack
    screens: list[Screen] = field(default_factory=list)

    async def table(self, table: Table, *, whole: bool = True) -> PublishedTable:
        shown = published(table, self.directory, self.broker.port, whole=whole)
        return await self.closing.enter_async_context(shown)

    async def broker_is_away(self) -> None:
        """Stop the broker, and start it again at the end: what is connected to it ends in good order."""
        self.broker.stop()
        self.closing.callback(self.broker.start)

    async def screen(self, where: str = DEALER, size: tuple[int, int] = SIZES[0], **more: Any) -> Screen:  # noqa: ANN401
        width, height = size
        context = await self.browser.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(WAIT_MS)
        self.closing.push_async_callback(context.close)
        page = await context.new_page()
        screen = Screen(page)
        page.on("pageerror", lambda error: screen.errors.append(str(error)))
        page.on("console", lambda said: screen.errors.append(said.text) if said.type == "error" else None)
        page.on("request", lambda sent: screen.posts.append(sent.url) if sent.method == "POST" else None)
        await page.goto(self.served.url + where, wait_until="domcontentloaded")
        while not await page.evaluate("'page' in globalThis"):
            pass  # a script that waits for its language is not waited for by the document
        self.screens.append(screen)
        return screen


@asynccontextmanager
async def a_floor(
    broker: Mosquitto, directory: Path, browser: Browser, settings: PageSettings | None = None
) -> AsyncIterator[Floor]:
    """Yield a floor without tables. Afterwards no page may have complained."""
    async with serving(settings or page_settings(broker.port)) as served, AsyncExitStack() as closing:
        floor = Floor(broker, served, directory, browser, closing)
        yield floor
        for screen in floor.screens:
            assert screen.errors == [], screen.errors


async def at_rest(page: Page) -> None:
    """Wait until the word has stood long enough for a press to be meant for it."""
    while await page.evaluate("performance.now() - page.view.changedMs < 260"):
        pass  # each look takes some milliseconds; the page's policy forbids to wait inside it


async def hold(key: Locator) -> None:
    """Hold a key until it has acted, however long a busy machine takes for that."""
    await key.hover()
    await key.page.evaluate(
        """() => {
            globalThis.acted = new Promise((done) => document.addEventListener("pointerdown", ({ target }) => {
                const key = target.closest(".hold");
                if (!key) return done();
                new MutationObserver(() => key.matches(".holding") || done()).observe(key, { attributes: true });
            }, { once: true }));
        }"""
    )
    await key.page.mouse.down()
    await key.page.evaluate("acted")
    await key.page.mouse.up()


async def slip(key: Locator, *, standstill_ms: int = 0) -> None:
    """Press a hold key and let it go. The page may stand still in between: then it hears of both before its timers."""
    await key.evaluate(
        """(key, ms) => {
            const told = (type) => key.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true }));
            told("keydown");
            for (const end = performance.now() + ms; performance.now() < end; ) continue;
            told("keyup");
        }""",
        standstill_ms,
    )
