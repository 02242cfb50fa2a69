"""The picture that README opens with is the dealer's screen as it is now, of a round that was really played.

Fonts differ between machines, so the pixels are not compared. The picture carries the hash of what it shows: the felt's
shapes and every word on the screen. `make sentences ARGS=tests/page/test_picture.py` takes it anew.
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import expect

from daemon.rules.wagers import WagerName
from drivers.events import Button
from protocols.cards import DECK
from tests.page.browsing import Floor
from tests.support.sentences import Says
from tests.table.playing import Table

pytestmark = pytest.mark.asyncio(loop_scope="session")
PICTURE: Final = Path(__file__).with_name("dealer.jpg")
COMMENT: Final = b"\xff\xfe"  # the marker of a comment in a JPEG
START_BYTES: Final = 2
BETS: Final = (
    (1, WagerName.POKER_HAND, 2_500),
    (1, WagerName.RANGE, 1_000),
    (2, WagerName.POKER_HAND, 500),
    (2, WagerName.BIG_50, 1_000),
    (4, WagerName.POKER_HAND, 10_000),
    (4, WagerName.RED_BLACK, 2_000),
    (4, WagerName.RANGE, 3_000),
    (5, WagerName.POKER_HAND, 1_500),
    (5, WagerName.RED_BLACK, 500),
    (6, WagerName.POKER_HAND, 2_000),
    (6, WagerName.RANGE, 500),
)
SHOWN: Final = """(() => {
  const felt = document.querySelector('felt-table svg').outerHTML;
  return felt + [...document.querySelectorAll('.word, .keys')].map((part) => part.innerText).join('|');
})()"""


def _played() -> Table:
    """A round of Big 50 in which the dealer takes and pays: two seats are done, and one is asked for."""
    played = Table(deck=tuple(random.Random(11).sample(DECK, len(DECK)))).ready()
    for seat, wager, cents in BETS:
        played.bet(seat, wager, cents)
    played.press()
    for position in range(1, len(played.state.round.plan) + 1 if played.state.round else 0):
        played.dispense(position)
        played.deliver(position)
    played.press()
    played.eject()
    for _ in range(2):
        played.press(Button.NEXT)
    return played


async def test_the_picture_in_readme_is_fresh(floor: Floor, request: pytest.FixtureRequest, says: Says) -> None:
    table = await floor.table(_played())
    screen = await floor.screen()
    await expect(screen.page.locator(".steps li").first).to_be_visible()
    while await screen.page.evaluate("Number(page.view.told?.state?.sequence)") != table.sequence:
        pass
    says(await screen.page.locator(".word").inner_text())
    shown = hashlib.sha256((await screen.page.evaluate(SHOWN)).encode()).hexdigest()
    if request.config.getoption("--rewrite-sentences"):
        PICTURE.write_bytes(_with_text(await screen.page.screenshot(type="jpeg", quality=82), shown))
    assert _text_of(PICTURE.read_bytes()) == shown, f"take it anew: make sentences ARGS={request.path.name}"


def _with_text(jpeg: bytes, text: str) -> bytes:
    """Put a comment into a JPEG, behind its first marker."""
    comment = COMMENT + (len(text) + 2).to_bytes(2, "big") + text.encode()
    return jpeg[:START_BYTES] + comment + jpeg[START_BYTES:]


def _text_of(jpeg: bytes) -> str:
    size = int.from_bytes(jpeg[START_BYTES + 2 : START_BYTES + 4], "big")
    return jpeg[START_BYTES + 4 : START_BYTES + 2 + size].decode()
