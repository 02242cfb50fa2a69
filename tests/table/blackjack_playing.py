"""A blackjack table to play on in tests: its shoe gives the cards that a test names, its players say what they do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse
from daemon.rules.wagers import GameName, WagerName
from daemon.table.blackjack.house import house_of as rules_house
from daemon.table.facts import FactData
from daemon.table.inputs import Decide, EnterCards, LoadShoe
from daemon.table.round_facts import CardDealt, HandSettled, SettledWager, WagerTaken
from daemon.table.settings import SourceSettings, TableSettings
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, Decision, SeatNumber, SourceKind
from drivers.events import Button, CardDrawn, Confidence, DeviceName
from protocols.cards import Card, Face, parse_cards
from tests.table.playing import SHUFFLER, Table, settings

SHOE: DeviceName = SHUFFLER  # the one device of the harness
READING_SHOE = SourceSettings(SHOE, takes_commands=False, reads_faces=True, counts=False, kind=SourceKind.SHOE)
NO_BURN = BlackjackHouse(burn_cards=0)
OPTION_2 = replace(NO_BURN, option=BadBeatOption.FIRST_SPLIT_HAND)
MAIN, SIDE, INSURED = WagerName.BLACKJACK, WagerName.BAD_BEAT, WagerName.INSURANCE
STAKE = 1000


def blackjack_settings(options: BlackjackHouse = NO_BURN, **changes: object) -> TableSettings:
    """The usual house's settings but for these."""
    usual: dict[str, object] = {
        "game": GameName.BLACKJACK,
        "source": READING_SHOE,
        "options": options,
        "seats": 7,
    }
    return settings(**(usual | changes))


def house_of(**changes: object) -> BlackjackHouse:
    """The house's options but for these; no card is burned unless a test says so."""
    return replace(NO_BURN, **changes)  # type: ignore[arg-type]


class Blackjack(Table):
    """One blackjack table under test, its shoe loaded unless that is somebody else's matter."""

    def __init__(self, options: BlackjackHouse = NO_BURN, *, ready: bool = True, **changes: object) -> None:
        super().__init__(blackjack_settings(options, **changes))
        if ready:
            self.link_up()
            self.load()

    def load(self) -> Answer:
        """The dealer loads the shoe and says so."""
        return self.ask(LoadShoe(rules_house(self.state.settings).decks), Actor.DEALER)

    def card(self, face: Face, confidence: Confidence = Confidence.CHECKED) -> list[FactData]:
        """One card leaves the shoe."""
        return self.device(CardDrawn(face, confidence))

    def cards(self, text: str) -> None:
        """These cards leave the shoe, one by one."""
        for card in parse_cards(text):
            self.card(card)

    def stake(self, seat: int, main: int = STAKE, side: int = 0) -> None:
        """A player's stakes on the hand and on the side bet."""
        assert self.bet(seat, WagerName.BLACKJACK, main).accepted, self.answer
        if side:
            assert self.bet(seat, WagerName.BAD_BEAT, side).accepted, self.answer

    def deal(self, first_cards: str, *seats: int, side: int = 0) -> Blackjack:
        """Stakes for these seats, then the first cards in the order in which they leave the shoe."""
        for seat in seats or (1,):
            self.stake(seat, side=side)
        self.press(Button.GREEN)
        self.cards(first_cards)
        return self

    def decide(self, seat: int, decision: Decision, stake: int | None = None) -> Answer:
        """A player decides."""
        return self.ask(Decide(SeatNumber(seat), decision, stake), Actor.PLAYER)

    def says(self, seat: int, decision: Decision, drawn: str = "") -> Blackjack:
        """A player decides, which is accepted, and the cards that follow are drawn."""
        assert self.decide(seat, decision).accepted, self.answer
        self.cards(drawn)
        return self

    def next(self) -> list[FactData]:
        return self.press(Button.NEXT)

    def finish(self) -> Blackjack:
        """Next until every seat is reconciled."""
        for _ in range(20):
            if self.phase() is not Phase.RECONCILING:
                break
            self.next()
        return self

    def enter_hand(self, seat: int, cards: Iterable[Card], hand: int | None = None) -> Answer:
        """A supervisor reads a hand."""
        return self.ask(EnterCards(SeatNumber(seat), tuple(cards), hand))

    # --- what came of it ---

    def dealt(self) -> list[tuple[int, int, int, str | None]]:  # type: ignore[override]
        """Every card that was said, by seat, hand and position."""
        return [
            (fact.seat, fact.hand, fact.position, None if fact.card is None else str(fact.card))
            for fact in self.said(CardDealt)
        ]

    def results(self, seat: int) -> list[SettledWager]:
        """Everything that was said of a seat's wagers, in order."""
        said: list[SettledWager] = []
        for fact in self.facts:
            if isinstance(fact, WagerTaken) and fact.seat == seat:
                said.append(fact.wager)
            elif isinstance(fact, HandSettled) and fact.seat == seat:
                said += fact.wagers
        return said

    def taken(self) -> list[tuple[int, WagerName, int | None]]:
        """What was taken before the end: seat, wager, and which hand of several."""
        return [(fact.seat, fact.wager.wager, fact.wager.hand) for fact in self.said(WagerTaken)]

    def pays(self, seat: int) -> dict[WagerName, int]:
        """What each wager of a seat came to, net."""
        net: dict[WagerName, int] = {}
        for wager in self.results(seat):
            net[wager.wager] = net.get(wager.wager, 0) + wager.pays_cents
        return net
