"""Big Draw on a table under test: from the bets to wherever a test begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.facts import FactData
from daemon.table.inputs import Decide, LoadShoe
from daemon.table.settings import SourceSettings, TableSettings
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, Decision, SeatNumber, SourceKind
from drivers.events import Button, CardDrawn, Confidence, DeviceEvent, DeviceName, DeviceReport, Receipt
from protocols.cards import DECK, Card, Face, parse_cards
from tests.table.playing import SHUFFLER, Table, settings

A_SHOE = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=False, kind=SourceKind.SHOE)
DRAW_SHOE = DeviceName("shoe")
FOR_DRAWS = replace(A_SHOE, device=DRAW_SHOE)
BOTH = (WagerName.BIG_DRAW, WagerName.FIRST_5)
TWO_PAIR = parse_cards("Jc Jd 4h 4s 9c")
NOTHING = parse_cards("2c 5d 8h Ts Kc")
JACKS = parse_cards("Jh Js 3c 6d 8c")


def big_draw_settings(**changes: object) -> TableSettings:
    asked: dict[str, object] = {"game": GameName.BIG_DRAW, "options": BigDrawAtTable(), "seats": 5}
    return settings(**(asked | changes))


class BigDrawTable(Table):
    """Big Draw on one table; its deck begins with these hands, and what is drawn after them."""

    def __init__(self, *first: Sequence[Card], **changes: object) -> None:
        cards = [card for hand in first for card in hand]
        deck = (*cards, *(card for card in DECK if card not in cards))
        super().__init__(big_draw_settings(**changes), deck)

    def opened(self, variant: Variant = Variant.FIVE_CARD_DRAW) -> BigDrawTable:
        """The player with the button has chosen this side, and bets are taken."""
        return self.waiting().chosen(variant)

    def waiting(self) -> BigDrawTable:
        """A round is open, and the player with the button is asked."""
        self.ready()
        assert self.state.phase is Phase.CHOOSING
        return self

    def chosen(self, variant: Variant = Variant.FIVE_CARD_DRAW) -> BigDrawTable:
        assert self.choose(self.state.button, variant).accepted, self.answer
        assert self.state.phase is Phase.BETTING
        return self

    def loaded(self) -> BigDrawTable:
        """The same from a shoe."""
        return self.with_deck().chosen()

    def with_deck(self) -> BigDrawTable:
        """A deck that was shuffled by hand is in the shoe, and the player with the button is asked."""
        self.link_up()
        assert self.ask(LoadShoe(1), Actor.DEALER).accepted, self.answer
        assert self.state.phase is Phase.CHOOSING
        return self

    def from_draw_shoe(self, event: DeviceEvent) -> list[FactData]:
        """The second device reports something."""
        return self.take(DeviceReport(DRAW_SHOE, self._now(), event, Receipt("boot-s", len(self.inputs))))

    def drawn_card(self, face: Face | None = None) -> list[FactData]:
        """The next card of the rest of the deck leaves the shoe that it was put into, or this one."""
        return self.from_draw_shoe(CardDrawn(self.draw(1)[0] if face is None else face, Confidence.CHECKED))

    def eject_into_shoe(self) -> BigDrawTable:
        """The rest comes out of the shuffler; its order stays as it is."""
        self.press()
        self.eject(faces=list(self.deck))
        return self

    def card(self, face: Face | None = None, confidence: Confidence = Confidence.CHECKED) -> list[FactData]:
        """The next card leaves the shoe, or this one."""
        return self.device(CardDrawn(self.draw(1)[0] if face is None else face, confidence))

    def cards(self, count: int) -> BigDrawTable:
        for _ in range(count):
            self.card()
        return self

    def bets(self, *seats: int, wagers: Sequence[WagerName] = BOTH, stake: int = 500) -> BigDrawTable:
        for seat in seats:
            for wager in wagers:
                assert self.bet(seat, wager, stake).accepted, self.answer
        return self

    def choose(self, seat: int, variant: Variant = Variant.FIVE_CARD_DRAW) -> Answer:
        return self.ask(ChooseGame(SeatNumber(seat), variant), Actor.PLAYER)

    def pass_button(self, seat: int) -> Answer:
        return self.ask(PassButton(SeatNumber(seat)), Actor.PLAYER)

    def claim(self, seat: int) -> Answer:
        return self.ask(Claim(SeatNumber(seat)), Actor.PLAYER)

    def move_button(self, seat: int) -> Answer:
        return self.ask(MoveButton(SeatNumber(seat)), Actor.DEALER)

    def draw_cards(self, seat: int, cards: int, *discarded: Card) -> Answer:
        return self.ask(Decide(SeatNumber(seat), Decision.DRAW, None, cards, discarded), Actor.DEALER)

    def give_all(self) -> BigDrawTable:
        """Every packet that is planned, to its seat."""
        while self.state.phase is Phase.DEALING and self.state.round is not None:
            position = sum(hand.delivered for hand in self.state.round.hands) + 1
            self.dispense(position)
            self.deliver(position)
        return self

    def hands_out(self, *seats: int, wagers: Sequence[WagerName] = BOTH) -> BigDrawTable:
        """Five cards at each seat; the first player is asked how many cards to draw."""
        self.opened().bets(*seats, wagers=wagers).press()
        return self.give_all()

    def drawing(self, *draws: tuple[int, int]) -> BigDrawTable:
        """Each of these seats draws so many cards."""
        for seat, cards in draws:
            assert self.draw_cards(seat, cards).accepted, self.answer
        return self

    def through_first_5(self) -> BigDrawTable:
        while self.state.phase is Phase.FIRST_FIVE:
            self.press(Button.NEXT)
        return self.give_all()

    def collect(self) -> BigDrawTable:
        self.press()
        self.eject()
        return self

    def next_all(self) -> BigDrawTable:
        """The dealer reconciles every hand that is known."""
        while self.state.phase is Phase.RECONCILING and not self.is_asked_for_cards():
            self.press(Button.NEXT)
        return self

    def is_asked_for_cards(self) -> bool:
        round_ = self.state.round
        return round_ is not None and all(settled.seat != round_.showing for settled in round_.settled)

    def dealt_to(self, seat: int) -> tuple[Card, ...]:
        hand = self.state.round.hand_of(SeatNumber(seat)) if self.state.round else None
        return tuple(face for face in hand.faces or () if isinstance(face, Card)) if hand else ()

    def drawn_by(self, seat: int) -> tuple[Card, ...]:
        hand = self.state.round.drawn_by(SeatNumber(seat)) if self.state.round else None
        return tuple(face for face in hand.faces or () if isinstance(face, Card)) if hand else ()

    def button_at(self) -> int:
        return self.state.button
