"""Every procedure of every game is played to its end by touch alone, from a blind shuffler too."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import pytest
from playwright.async_api import Locator, Page, expect

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.wagers import GameName
from daemon.table.round_facts import RoundSettled, RoundVoided, RulingGiven
from daemon.table.state import Phase
from daemon.tools.bench.shoe_hands import DRAW
from protocols.cards import DECK, Card
from tests.page.browsing import Floor, Screen, at_rest, hold
from tests.page.published import PublishedTable
from tests.table.big_draw_playing import BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import SEES_ALL, Table, settings

pytestmark = pytest.mark.asyncio(loop_scope="session")
BLIND: Final = replace(SEES_ALL, reads_faces=False)
TOUCHES_MAX: Final = 80
NO_DECISION: Final = re.compile("^(Next|Count|Green|Enter cards.*)$")  # with who enters them, where only they do
PLACES: Final = {"Dealer": 0, "Community cards": -1}


def _mixed() -> tuple[Card, ...]:
    return tuple(random.Random(5).sample(DECK, len(DECK)))


def _big_raise() -> Table:
    table = Table(settings(game=GameName.BIG_RAISE, options=BigRaiseHouse(), source=BLIND, seats=3), _mixed())
    table.link_up()
    table.set_mode(2)
    table.shuffle()
    return table


def _big_draw() -> Table:
    table = BigDrawTable(source=BLIND, seats=3)
    table.deck = list(_mixed())
    return table.opened()


def _blackjack() -> Table:
    table = Blackjack(seats=3)
    table.deck = list(_mixed())
    return table


GAMES: Final = MappingProxyType[str, Callable[[], Table]](
    {
        "big-50": lambda: Table(settings(source=BLIND, seats=3), _mixed()).ready(),
        "big-raise": _big_raise,
        "big-draw": _big_draw,
        "blackjack": _blackjack,
    }
)


@dataclass
class Robot:
    """A dealer who knows no game: touches what the screen offers, and enters the cards that really lie there."""

    screen: Screen
    table: PublishedTable
    lies: dict[int, list[Card]] = field(default_factory=dict)
    dealt: dict[int, list[Card]] = field(default_factory=dict)  # before anybody drew
    touched: list[str] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(3))

    @property
    def page(self) -> Page:
        return self.screen.page

    async def bet(self, seat: int) -> None:
        """Put five on every spot that the sheet shows."""
        await self.in_step()
        await self.page.locator(f'[data-seat="{seat}"]').tap()
        spots, before = self.page.locator(".spot-key"), len(self.table.requests)
        await expect(spots.first).to_be_visible()
        count = await spots.count()
        for number in range(count):
            await spots.nth(number).tap()
            await self.page.locator('.chip-key[aria-label="+5"]').tap()
            for colour in await self.page.locator(".colours .red").all():
                await colour.tap()
        await self.page.get_by_role("button", name="Place").tap()
        # One bet a spot, one after the other: a later one that is still under way would pass for the answer to green.
        while len(self.table.requests) < before + count and not await self.page.locator(".said.shown").count():
            await self.page.evaluate("1")
        # The sheet stays where the first stake opens other spots.
        await expect(self.page.locator(f'[data-seat="{seat}"] .amount').first).to_be_visible()
        await self.page.evaluate("page.view.sheet?.close()")

    async def play_a_round(self) -> None:
        """Touch until the round is over."""
        first = self.table.play.state.rounds_opened
        for _ in range(TOUCHES_MAX):
            self.work_the_machine()
            await self.in_step()
            if self.table.play.state.rounds_opened > first or self.table.play.state.round is None:
                return
            await self.touch_what_is_offered()
        raise AssertionError(f"the round does not end: {self.table.play.state.prompt} {self.touched}")

    def work_the_machine(self) -> None:
        """Do what hands do at the device: take packets, draw cards."""
        play = self.table.play
        is_shoe = isinstance(play, Blackjack)
        while not is_shoe and play.state.phase is Phase.DEALING and play.state.round is not None:
            position = sum(hand.delivered for hand in play.state.round.hands) + 1
            packet = play.state.round.plan[position - 1]
            cards = play.draw(packet.cards)
            self.lies.setdefault(packet.seat, []).extend(card for card in cards if isinstance(card, Card))
            self.dealt.setdefault(packet.seat, list(self.lies[packet.seat]))
            play.dispense(position, cards)
            play.deliver(position)
        if play.state.phase is Phase.COLLECTING:
            play.eject()
        prompt = ""
        while isinstance(play, Blackjack) and DRAW.search(play.state.prompt) and play.state.prompt != prompt:
            prompt = play.state.prompt
            play.card(play.draw(1)[0])

    async def in_step(self) -> None:
        """Wait until the screen shows what the table is, and let a press count at once."""
        while await self.page.evaluate("Number(page.view.told?.state?.sequence)") != self.table.sequence:
            pass
        await self.page.evaluate("page.view.show(); page.view.changedMs = -Infinity")

    async def touch_what_is_offered(self) -> None:
        """Touch one key, and do what it opens. Nothing that is offered is refused."""
        choices = self.page.locator(".keys .right button.choice").filter(has_not_text=NO_DECISION)
        count = await choices.count()
        key = choices.nth(self.chance.randrange(count)) if count else self.page.locator(".keys .right .main")
        await self.touch(key)

    async def touch_key(self, label: str) -> None:
        """Touch the key with this label."""
        await self.in_step()
        await self.touch(self.page.locator(".keys .right").get_by_role("button", name=label, exact=True))

    async def touch(self, key: Locator) -> None:
        """Touch a key, do what it opens, and wait until the table has answered."""
        label = await key.inner_text()
        wants_cards = label == "Enter cards"
        self.touched.append(label)
        before = len(self.table.requests)
        self.note_draw(label)
        await key.tap()
        if label.endswith("…"):
            await self.page.locator(".sheet.seats .choices button").first.tap()
        if wants_cards:
            await self.enter_cards(self.page.locator(".sheet"))
        while len(self.table.requests) == before:
            assert await self.page.locator(".said.shown").count() == 0, await self.page.locator(".said").inner_text()
            await self.page.evaluate("1")
        answer = self.table.play.answer
        assert answer is not None
        assert answer.accepted, (self.touched, answer)

    def note_draw(self, label: str) -> None:
        """Cards that a player gives up lie there no longer."""
        played = self.table.play.state.round
        seat = None if played is None else self.table.play.state.round and _asked(self.table.play)
        if seat is not None and (found := re.fullmatch(r"(?:Draw )?([0-5])", label)) and seat in self.lies:
            self.lies[seat] = self.lies[seat][: 5 - int(found[1])]

    async def enter_cards(self, sheet: Locator) -> None:
        title = await sheet.locator("h2").inner_text()
        place = PLACES[title] if title in PLACES else int(title.removeprefix("Seat "))
        play = self.table.play
        prompt, lies = play.state.prompt, self.dealt if play.state.phase is Phase.FIRST_FIVE else self.lies
        # How many cards are wanted is not in the contract yet; the dealer knows that the up card is one.
        wanted = 1 if prompt.startswith("Turn over the card") else await sheet.locator(".slot").count()
        for card in lies[place][:wanted]:
            await sheet.locator(f'[data-face="{card}"]').tap()
        await sheet.get_by_role("button", name="Enter").tap()
        await expect(sheet).to_have_count(0)


def _asked(play: Table) -> int | None:
    found = re.match(r"Seat (\d+): how many", play.state.prompt)
    return None if found is None else int(found[1])


@pytest.mark.parametrize("game", GAMES)
async def test_a_round_is_played_by_touch_alone(floor: Floor, game: str) -> None:
    table = await floor.table(GAMES[game]())
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    robot = Robot(screen, table)
    for seat in (1, 2):
        await robot.bet(seat)
    await robot.play_a_round()
    assert len(table.play.said(RoundSettled)) == 1, robot.touched
    assert table.play.said(RoundVoided) == []


async def test_a_stake_that_opens_other_spots_leaves_the_sheet_open_for_them(floor: Floor) -> None:
    table = await floor.table(GAMES["big-raise"]())
    screen = await floor.screen(has_touch=True)
    await screen.log_in(floor.served, "dana")
    await Robot(screen, table).in_step()
    await screen.page.locator('[data-seat="1"]').tap()
    await expect(screen.page.locator(".spot-key")).to_have_count(1)
    await screen.page.locator('.chip-key[aria-label="+5"]').tap()
    await screen.page.get_by_role("button", name="Place").tap()
    await expect(screen.page.locator(".spot-key")).to_have_count(2)
    await expect(screen.page.locator(".spot-key.on")).to_contain_text("2 CARD")


async def test_a_held_round_is_ruled_on_by_the_supervisor_and_put_back_by_the_dealer(floor: Floor) -> None:
    table = await floor.table(Table().dealt(1, 2))
    dealer = await floor.screen(has_touch=True)
    await dealer.log_in(floor.served, "dana")
    await hold(dealer.page.locator(".hold.void"))
    supervisor = await floor.screen("#/pit", (1280, 800))
    await supervisor.log_in(floor.served, "sue")
    page = supervisor.page
    await page.wait_for_selector('[data-phase="held"]')
    await at_rest(page)
    await page.get_by_role("button", name="More").click()
    ruling = page.locator(".ruling")
    stands = await ruling.locator(".hold.void").first.bounding_box()
    await hold(ruling.locator(".hold.void").first)
    await expect(ruling.locator(".why")).to_contain_text("why")
    await expect(page.locator(".said.shown")).to_have_count(0)
    assert await ruling.locator(".hold.void").first.bounding_box() == stands
    await ruling.get_by_role("button", name="Seen on camera").click()
    await hold(ruling.locator(".hold.void").first)
    await dealer.page.wait_for_selector('[data-phase="voiding"]')
    await at_rest(dealer.page)
    await dealer.page.get_by_role("button", name="Next").tap()
    await expect(dealer.page.locator(".dealer")).not_to_have_attribute("data-phase", "voiding")
    assert [request.who for request in table.requests] == ["dana", "sue", "dana"]
    assert [fact.reason for fact in table.play.said(RulingGiven)] == ["Seen on camera"]
