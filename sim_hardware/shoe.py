"""A card-reading shoe as a mechanism: hands, orders and time in, what its reader and switches report out.

Theory of operation. A shoe has no motor. The dealer puts some shuffled decks in with a cut card among them, and draws;
the shoe reads what passes its window and says what it believes the card is for: the first card after loading, burn
cards after it, then cards of its own game until the dealer ends that. Locked, in error or in its setting mode it reads
all the same and says that no game was on. A shoe with a referee knows baccarat: a card that it does not allow is an
overdraw, and the shoe is in error until a person or the host answers it.

It never lies about cards. What a fault changes is the decks that a dealer brings, what the reader can see, or what
the dealer's hands do; the pieces always add up to what was put in.
"""

from __future__ import annotations

from collections import deque
from dataclasses import field
from typing import Final, assert_never

from protocols.cards import DECK, Face, Misread
from protocols.felt_link.messages import DeckLoaded, Refusal, WireButtonPressed, WireCardReturned, WireCutCardDrawn
from protocols.frozen import dataclass
from sim_hardware.baccarat import Referee, Result
from sim_hardware.deck import Deck, Piece, shuffled
from sim_hardware.faults import FaultBoard, FaultName
from sim_hardware.mechanism import Outside, Refused
from sim_hardware.pace import Pace
from sim_hardware.shoe_events import (
    CardOut,
    DealEnded,
    ErrorBegan,
    ErrorEnded,
    LockTurned,
    NoGame,
    PoweredOn,
    ShoeError,
    ShoeEvent,
    ShoeOrder,
    Spot,
)
from sim_hardware.tampering import Occasion, tampered

DECKS_MAX: Final = 8
_STARTING: Final = Refused(Refusal.BUSY, "the shoe is starting up")


@dataclass(frozen=True, slots=True)
class ShoeSettings:
    """What is put into the shoe, and how the house uses it.

    `behind_cut` cards lie behind the cut card. With None, or with no more cards than that, there is no cut card.
    With `burn_cards` the first card after loading is turned over and so many are burned.
    """

    seed: int = 0
    decks: int = 6
    behind_cut: int | None = None
    burn_cards: int | None = None
    referees: bool = True  # where its kind can
    suit_first: bool = False  # a Bee-Tek that names the suit before the rank
    cards_a_round: int = 6  # for a dealer who needs no telling
    pace: Pace = field(default_factory=Pace)


def house_decks(decks: int) -> Deck:
    """Return so many whole decks, every piece of them sound."""
    size = len(DECK)
    return Deck(tuple(Piece(n * size + card.index, n * size + card.index, card) for n in range(decks) for card in DECK))


class Shoe:
    """The shoe. Mutable. Its emulator gives it hands, orders and time."""

    def __init__(
        self,
        settings: ShoeSettings,
        faults: FaultBoard,
        outside: Outside[ShoeEvent],
        referee: Referee | None = None,
    ) -> None:
        self.settings: Final = settings
        self.inside: Final[deque[Piece]] = deque()
        self.drawn: Final[list[Piece]] = []
        self.loads = 0
        self.number = 0  # of the last card since loading
        self.is_cut_card_out = True
        self.is_locked = False
        self.is_setting = False
        self.error: ShoeError | None = None
        self._faults: Final = faults
        self._outside: Final = outside
        self.referee: Final = referee
        self._overdrawn: Face | None = None  # the card that is an overdraw, until that is answered
        self._is_judged = False  # whether the referee has taken the last card
        self._place = 0  # within the spot
        self._spot = Spot.GAME
        self._starts_ns: int | None = None

    # Hands.

    def power_on(self, now_ns: int) -> None:
        """Start for the first time, at once."""
        self._start(now_ns)

    def load(self, deck: Deck | None, now_ns: int) -> Refused | None:
        """Put shuffled decks in, in place of what was there. Armed deck faults strike on the way."""
        if self.is_starting:
            return _STARTING
        self.loads += 1
        occasion = Occasion(self.settings.seed, self.loads, self.loads, hand_size=1)
        brought = tampered(deck or house_decks(self.settings.decks), self._faults, occasion)
        self.drawn.clear()
        self.inside.clear()
        self.inside.extend(
            brought.pieces if brought.stacked else shuffled(brought.pieces, self.settings.seed, self.loads)
        )
        self.number = self._place = 0
        self._spot = Spot.GAME if self.settings.burn_cards is None else Spot.FIRST
        behind_cut = self.settings.behind_cut
        self.is_cut_card_out = behind_cut is None or behind_cut >= len(self.inside)
        self._report_event(DeckLoaded(), now_ns)
        return None

    def draw(self, now_ns: int) -> Refused | None:
        """Draw what lies at the front: a card, or the cut card."""
        refused = self._nothing_to_draw()
        if refused is None and self.is_cut_card_next:
            self.is_cut_card_out = True
            self._report_event(WireCutCardDrawn(self.number), now_ns)
        elif refused is None:
            self._draw_card(now_ns)
        return refused

    def put_back(self, now_ns: int) -> Refused | None:
        """Push the last card back into the exit."""
        if self.is_starting or not self.drawn:
            return Refused(Refusal.NO_DECK, "no card is out; accepted now: draw")
        self.inside.appendleft(self.drawn.pop())
        self._place = max(0, self._place - 1)
        if self.referee is not None and self._is_judged:
            self.referee.put_back()
        self._is_judged = False
        self._report_event(WireCardReturned(self.number), now_ns)
        self._begin_error(ShoeError.PUSHED_BACK, now_ns)
        return None

    def end_deal(self, now_ns: int) -> Refused | None:
        """End the shoe's game. The next card is the first of another."""
        if self.is_starting:
            return _STARTING
        self._end_game(now_ns)
        return None

    def turn_lock(self, is_locked: bool, now_ns: int) -> Refused | None:
        """Turn the key of the shoe."""
        if self.is_starting:
            return _STARTING
        if is_locked is not self.is_locked:
            self.is_locked = is_locked
            self._report_event(LockTurned(is_locked), now_ns)
        return None

    def set_setting(self, is_setting: bool, now_ns: int) -> Refused | None:
        """Enter the setting mode, or leave it. The link has no word for that."""
        if self.is_starting:
            return _STARTING
        self.is_setting = is_setting
        return None

    def cancel_error(self, now_ns: int) -> Refused | None:
        """Say that the error is put right. A card that was an overdraw is discarded."""
        return self._answer_error(ShoeOrder.CLEAR_ERROR if self._overdrawn is None else ShoeOrder.DISCARD_CARD, now_ns)

    def press(self, key: str, now_ns: int) -> Refused | None:
        """Return a key beside the shoe."""
        if self.is_starting:
            return _STARTING
        self._report_event(WireButtonPressed(key), now_ns)
        return None

    def reboot(self, now_ns: int) -> None:
        """Fail the power and bring it back. The cards stay where they are, and the shoe forgets its game."""
        self._outside.power_lost(now_ns)
        self.error = self._overdrawn = None
        self.is_setting = False
        self._forget_game()
        self._starts_ns = now_ns + self.settings.pace.lasts_ns(self.settings.pace.boot_ns)

    # Orders and time.

    def take_order(self, command: ShoeOrder, now_ns: int) -> Refused | None:
        """Do what the host orders. Return None, or why not."""
        match command:
            case ShoeOrder.LOCK | ShoeOrder.UNLOCK:
                return self.turn_lock(command is ShoeOrder.LOCK, now_ns)
            case ShoeOrder.CLEAR_ERROR | ShoeOrder.USE_CARD | ShoeOrder.DISCARD_CARD:
                return self._answer_error(command, now_ns)
            case ShoeOrder.CONFIRM:
                return None
            case _:
                assert_never(command)

    def poke(self, now_ns: int) -> None:
        """Do nothing: a shoe does nothing by itself."""

    def next_timeout_ns(self) -> int | None:
        """Return when it has started."""
        return self._starts_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Be up once it has started."""
        if self._starts_ns is not None and now_ns >= self._starts_ns:
            self._start(self._starts_ns)

    @property
    def is_starting(self) -> bool:
        """Return whether the power is back and the shoe is not up yet."""
        return self._starts_ns is not None

    @property
    def is_cut_card_next(self) -> bool:
        """Return whether the cut card lies at the front."""
        return not self.is_cut_card_out and len(self.inside) <= (self.settings.behind_cut or 0)

    def _start(self, now_ns: int) -> None:
        self._starts_ns = None
        self._outside.power_back(now_ns)
        self._report_event(PoweredOn(), now_ns)

    def _nothing_to_draw(self) -> Refused | None:
        if self.is_starting:
            return _STARTING
        if not self.inside and not self.is_cut_card_next:
            return Refused(Refusal.NO_DECK, "the shoe is empty; accepted now: load")
        if not self._outside.has_room():
            return Refused(Refusal.STORE_FULL, "the host has acknowledged nothing for too long, and the gate is shut")
        return None

    def _draw_card(self, now_ns: int) -> None:
        piece = self.inside.popleft()
        self.drawn.append(piece)
        self.number += 1
        self._faults.packet_on_line = self.number
        self._place += 1
        if self._strikes(FaultName.REBOOT):
            self.reboot(now_ns)
        elif self._strikes(FaultName.READ_ERROR):
            self._begin_error(ShoeError.CANNOT_READ, now_ns)
        else:
            face = Misread.UNREADABLE if self._strikes(FaultName.UNREADABLE_CARD) else piece.face
            self._report_event(self._out(face, now_ns), now_ns)
            self._step_spot()
            self._mishandle(now_ns)

    def _mishandle(self, now_ns: int) -> None:
        """Do what an armed fault lets the dealer's hands do to the last card."""
        if self._strikes(FaultName.PUT_BACK):
            self.put_back(now_ns)
        elif self._strikes(FaultName.EXTRA_CARD) and self.inside and not self.is_cut_card_next:
            self._draw_card(now_ns)

    def _out(self, face: Face, now_ns: int) -> CardOut:
        """Return the event of a card. A card that baccarat does not allow begins an error first, and is in no game."""
        self._is_judged = False
        if self.referee is None or self._spot is not Spot.GAME or self._no_game() is not None:
            return CardOut(self.number, face, self._spot, self._place, self._no_game())
        taken = self.referee.take_card(face)
        if taken is None:
            self._overdrawn = face
            self._begin_error(ShoeError.OVERDRAW, now_ns)
            return CardOut(self.number, face, self._spot, self._place, self._no_game())
        self._is_judged = True
        side, place = taken
        return CardOut(self.number, face, self._spot, place, None, side)

    def _answer_error(self, answer: ShoeOrder, now_ns: int) -> Refused | None:
        """End an error. Overdraw has its own answers: the card counts for the next hand, or does not count."""
        error, card = self.error, self._overdrawn
        if error is None or (answer is ShoeOrder.CLEAR_ERROR) is (card is not None):
            return Refused(Refusal.FAULT, "the shoe is not in such an error")
        self.error = self._overdrawn = None
        self._report_event(ErrorEnded(error), now_ns)
        if answer is ShoeOrder.USE_CARD and card is not None and self.referee is not None:
            self._end_game(now_ns)
            self.referee.take_card(card)
        return None

    def _end_game(self, now_ns: int) -> None:
        self._report_event(DealEnded(self._forget_game()), now_ns)

    def _forget_game(self) -> Result | None:
        self._spot, self._place = Spot.GAME, 0
        return None if self.referee is None else self.referee.end_hand()

    def _no_game(self) -> NoGame | None:
        if self.error is not None:
            return NoGame.IN_ERROR
        if self.is_setting:
            return NoGame.SETTING
        return NoGame.LOCKED if self.is_locked else None

    def _step_spot(self) -> None:
        burn_cards = self.settings.burn_cards or 0
        if self._spot is Spot.FIRST:
            self._spot, self._place = (Spot.BURN if burn_cards else Spot.GAME), 0
        elif self._spot is Spot.BURN and self._place >= burn_cards:
            self._spot, self._place = Spot.GAME, 0

    def _begin_error(self, error: ShoeError, now_ns: int) -> None:
        self.error = error
        self._report_event(ErrorBegan(error), now_ns)

    def _strikes(self, name: FaultName) -> bool:
        return self._faults.strike(name, self.number) is not None

    def _report_event(self, event: ShoeEvent, now_ns: int) -> None:
        self._outside.report_event(event, now_ns)
