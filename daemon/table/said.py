"""What the table says, as a program reads it: the id of each sentence, and what it is about.

Theory of operation. Whoever prompts makes a `Said`: which sentence, with whose seat, how many cards, how much money.
`daemon.table.sentences` makes the English sentence of it, and of nothing else. So the two cannot disagree, and a screen
of another language makes its own sentence of the same fields.

A field that a sentence does not need stays at its default, and is neither written nor sent. Ids and fields are public
names and stay: a sentence that asks for something else gets an id of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from typing import ClassVar, Final

from daemon.frozen import quick
from daemon.rules.wagers import WagerName
from daemon.table.offers import Bounds
from daemon.table.vocabulary import SeatNumber
from protocols.cards import Card

DEVICE_CLAUSES: Final = 64


class SaidId(Enum):
    """Which sentence, or which clause of one."""

    # between rounds
    TABLE_CLOSED = "table-closed"
    ALERTS_FIRST = "alerts-first"
    CLEARED_BY_WHOM = "cleared-by-whom"
    WAITING_FOR_DEVICE = "waiting-for-device"
    NO_LIMITS = "no-limits"
    WAITING = "waiting"
    LOAD_SHOE = "load-shoe"
    BURN_CARDS = "burn-cards"
    # bets
    PLACE_BETS = "place-bets"
    SHOW_SIDE = "show-side"
    THEN_GREEN = "then-green"
    NO_GREEN_YET = "no-green-yet"
    CLEAR_FIRST = "clear-first"
    DEVICE_NOT_THERE = "device-not-there"
    SHUFFLING = "shuffling"
    DECK_IN_USE = "deck-in-use"
    SHUFFLE_ORDERED = "shuffle-ordered"
    NO_SHUFFLED_DECK = "no-shuffled-deck"
    TAKE_DECK_OUT = "take-deck-out"
    NO_DECK_CAME_OUT = "no-deck-came-out"
    SHOE_NOT_LOADED = "shoe-not-loaded"
    BURN_DUE = "burn-due"
    SHOE_SPOILED = "shoe-spoiled"
    PACKETS_TO_SET = "packets-to-set"
    SEEN_BEFORE_AWAY = "seen-before-away"
    SEEN_AND_ENTERED = "seen-and-entered"
    SEEN_WITHOUT_SPOT = "seen-without-spot"
    SEEN_AND_REFUSED = "seen-and-refused"
    CHOOSE_SIDE = "choose-side"
    CHOOSE_OR_HAND_ON = "choose-or-hand-on"
    # cards go out
    DEALING = "dealing"
    BEFORE_DEALING = "before-dealing"
    TAKE_HAND = "take-hand"
    TAKE_DRAW = "take-draw"
    DEAL_BY_HAND = "deal-by-hand"
    CARDS_TO = "cards-to"
    DRAW_CARD_FOR = "draw-card-for"
    DRAW_CARD = "draw-card"
    PUT_REST_INTO_SHOE = "put-rest-into-shoe"
    COLLECT_REST = "collect-rest"
    REST_COMES_OUT = "rest-comes-out"
    COUNT_REST = "count-rest"
    # players decide
    FOLD_ONLY = "fold-only"
    FOLD_OR_PLAY_ANTES = "fold-or-play-antes"
    FOLD_OR_PLAY = "fold-or-play"
    HOW_MANY_CARDS = "how-many-cards"
    INSURANCE = "insurance"
    CHOOSE = "choose"
    DRAW_FACE_DOWN = "draw-face-down"
    NO_DEALER_21 = "no-dealer-21"
    TURN_SECOND_CARD = "turn-second-card"
    DEALER_DRAWS = "dealer-draws"
    DEALER_DRAWS_SOFT = "dealer-draws-soft"
    FOLDS = "folds"
    FOLDS_AND_LEAVES = "folds-and-leaves"
    GO_ON_WITH_FOLD = "go-on-with-fold"
    ENTER_PLAYING = "enter-playing"
    ENTER_FOLDED = "enter-folded"
    # the house's cards
    ENTER_UP_CARD = "enter-up-card"
    TURN_DEALERS_CARDS = "turn-dealers-cards"
    ENTER_DEALERS_HAND = "enter-dealers-hand"
    DEALER_GIVES_UP = "dealer-gives-up"
    TURN_COMMUNITY = "turn-community"
    ENTER_COMMUNITY = "enter-community"
    # bets that are settled before a draw
    FIRST_5 = "first-5"
    FIRST_5_MAY_ANNOUNCE = "first-5-may-announce"
    FIRST_5_CLAIMS = "first-5-claims"
    FIRST_5_LOOK = "first-5-look"
    FIRST_5_ENTER = "first-5-enter"
    FIRST_5_NEXT_UNANNOUNCED_LOSE = "first-5-next-unannounced-lose"
    FIRST_5_NEXT_OTHERS_LOSE = "first-5-next-others-lose"
    FIRST_5_PAY = "first-5-pay"
    FIRST_5_PAY_UNANNOUNCED = "first-5-pay-unannounced"
    FIRST_5_TAKE = "first-5-take"
    FIRST_5_MISTAKEN = "first-5-mistaken"
    FIRST_5_GO_ON = "first-5-go-on"
    # money moves
    DO_AT_SEAT = "do-at-seat"
    DO_AND_PICK_UP = "do-and-pick-up"
    LAY_AND_DO = "lay-and-do"
    ENTER_HAND = "enter-hand"
    GO_ON_WITH_SEAT = "go-on-with-seat"
    VERIFY_FIRST = "verify-first"
    WINS = "wins"
    THEN_NEXT = "then-next"
    # void
    ROUND_VOID = "round-void"
    TAKE_IN_FOR_SHOE = "take-in-for-shoe"
    TAKE_IN_FOR_DEVICE = "take-in-for-device"
    TAKE_IN = "take-in"
    # stop, and why
    STOP = "stop"
    KEYS_MAY_BE_LOST = "keys-may-be-lost"
    SAID_BY = "said-by"
    RULED = "ruled"
    RESTARTED = "restarted"
    EVENTS_LOST = "events-lost"
    CANNOT_PROVE = "cannot-prove"
    DECK_DISTURBED = "deck-disturbed"
    VOID_ASKED = "void-asked"
    ORDER_REFUSED = "order-refused"
    REPORTS_FAULT = "reports-fault"
    CHANGED_OVER = "changed-over"
    CONFIGURED_ANEW = "configured-anew"
    REPORTED = "reported"
    REPORTED_AT = "reported-at"
    WRONG_COUNT = "wrong-count"
    NOT_A_DECK = "not-a-deck"
    UNREADABLE = "unreadable"
    WRONG_WAY_ROUND = "wrong-way-round"
    ANOTHER_DECKS = "another-decks"
    SEEN_ELSEWHERE = "seen-elsewhere"
    ENTERED_OTHERWISE = "entered-otherwise"
    REST_CAME_FIRST = "rest-came-first"
    PACKET_FOR_NOBODY = "packet-for-nobody"
    PACKET_SKIPPED = "packet-skipped"
    PACKET_AGAIN = "packet-again"
    BATCH_WRONG_COUNT = "batch-wrong-count"
    BATCH_UNREADABLE = "batch-unreadable"
    BATCH_WRONG_WAY_ROUND = "batch-wrong-way-round"
    BATCH_ANOTHER_DECKS = "batch-another-decks"
    BATCH_TWICE = "batch-twice"
    PUT_BACK_INTO_SHOE = "put-back-into-shoe"
    SHOE_COULD_NOT_READ = "shoe-could-not-read"
    TOO_MANY_OF_A_KIND = "too-many-of-a-kind"
    CARD_NOT_COME = "card-not-come"
    SHOE_UNREADABLE = "shoe-unreadable"
    SHOE_WRONG_WAY_ROUND = "shoe-wrong-way-round"
    SHOE_ANOTHER_DECKS = "shoe-another-decks"
    OUTSIDE_A_GAME = "outside-a-game"
    NO_CARD_DUE = "no-card-due"
    SHOE_SAYS_TWO_THINGS = "shoe-says-two-things"
    NO_PAIR = "no-pair"
    # alerts, and what is to be done about them
    MISSING = "missing"
    SEE_TO_POWER = "see-to-power"
    SETUP_FAILED = "setup-failed"
    IN_ITS_WORDS = "in-its-words"
    REPORTS_FAULT_WITH = "reports-fault-with"
    REPORTS_IN_ITS_WORDS = "reports-in-its-words"
    FREE_THE_CARDS = "free-the-cards"
    CLOSE_THE_DOOR = "close-the-door"
    FIND_THE_CARDS = "find-the-cards"
    TAKE_CARDS_OUT = "take-cards-out"
    WASH_THE_DECK = "wash-the-deck"
    LOOK_AT_THE_LINK = "look-at-the-link"
    CLEAN_THE_READER = "clean-the-reader"
    SWITCH_OFF_AND_ON = "switch-off-and-on"
    LOOK_AT_THE_DISPLAY = "look-at-the-display"
    WRONG_MODE = "wrong-mode"
    SET_THE_PACKETS = "set-the-packets"
    WRONG_DECK = "wrong-deck"
    CARDS_UNASKED = "cards-unasked"
    PUT_BACK_AND_SHUFFLE = "put-back-and-shuffle"
    WRONG_LOAD = "wrong-load"
    PUT_WHOLE_DECKS_IN = "put-whole-decks-in"
    SHOE_IRREGULAR = "shoe-irregular"
    LOOK_AT_THE_SHOE = "look-at-the-shoe"
    UNWATCHED = "unwatched"
    LOOK_FOR_CUT_CARD = "look-for-cut-card"
    REFUSED_ORDER = "refused-order"
    SEE_TO_DEVICE = "see-to-device"
    FOREIGN_ORDER = "foreign-order"
    SHUT_THEM_OUT = "shut-them-out"
    VERIFY_WIN = "verify-win"
    CHECK_THE_HAND = "check-the-hand"
    STAKES_UNWATCHED = "stakes-unwatched"
    COMPARE_STAKES = "compare-stakes"
    STAKE_MOVED = "stake-moved"
    PUT_STAKE_BACK = "put-stake-back"
    JOURNAL_DOUBTED = "journal-doubted"
    VERIFY_JOURNAL = "verify-journal"
    VOID_TO_DO = "void-to-do"
    DO_THE_STEPS = "do-the-steps"
    DECK_PLAYED_ROUNDS = "deck-played-rounds"
    DECK_PLAYED_MINUTES = "deck-played-minutes"
    PUT_ANOTHER_DECK_IN = "put-another-deck-in"
    # why something is not done now
    NO_SUCH_SEAT = "no-such-seat"
    NO_STAKE_THERE = "no-stake-there"
    CHANGED_TOO_OFTEN = "changed-too-often"
    NO_BETS = "no-bets"
    NO_SUCH_COUNT = "no-such-count"
    MEANS_NOTHING_NOW = "means-nothing-now"
    SEAT_HELD_BY_PLAYER = "seat-held-by-player"
    SEAT_HELD_BY = "seat-held-by"
    ONE_POSITION = "one-position"
    NO_HAND_THERE = "no-hand-there"
    PRESSED_UNHEARD = "pressed-unheard"
    ALREADY_REPORTED = "already-reported"
    SAY_WHICH_HAND = "say-which-hand"
    NOT_A_SHOE = "not-a-shoe"
    SHOE_IN_USE = "shoe-in-use"
    WRONG_DECKS = "wrong-decks"
    GAME_NOT_OFFERED = "game-not-offered"
    ALREADY_PLAYED = "already-played"
    STAKES_DOWN = "stakes-down"
    VOID_FIRST = "void-first"
    CARDS_IN_USE = "cards-in-use"
    NOT_A_SHUFFLER = "not-a-shuffler"
    TAKES_NO_COMMANDS = "takes-no-commands"
    CARDS_FIRST = "cards-first"
    VERIFIED_FIRST = "verified-first"
    EXPIRED = "expired"
    NOT_PERMITTED = "not-permitted"
    NOT_YOUR_SEAT = "not-your-seat"
    ROUND_MISSING = "round-missing"
    OTHER_ROUND = "other-round"
    ALREADY_OPEN = "already-open"
    ALREADY_CLOSED = "already-closed"
    NO_SUCH_ALERT = "no-such-alert"
    CLEARED_BY = "cleared-by"
    CAUSE_STANDS = "cause-stands"
    VOID_NOT_DONE = "void-not-done"
    STILL_REPORTS = "still-reports"
    STILL_AWAY = "still-away"
    STILL_GIVES = "still-gives"
    ALREADY_ACCOUNTED = "already-accounted"
    NOT_DEALT = "not-dealt"
    READ_BY_DEVICE = "read-by-device"
    PACKET = "packet"
    HANDS_MISSING = "hands-missing"
    CARDS_UNNAMED = "cards-unnamed"
    SUPERVISOR_ENTERS = "supervisor-enters"
    CARD_TOO_OFTEN = "card-too-often"
    CARD_UNPLACED = "card-unplaced"
    DECIDES_FIRST = "decides-first"
    NOT_ASKED = "not-asked"
    ENTERED_WRONG_COUNT = "entered-wrong-count"
    ENTERED_TWICE = "entered-twice"
    SUPERVISOR_VOIDS = "supervisor-voids"
    REPORT_AT = "report-at"
    NOTHING_MISSING = "nothing-missing"
    DIFFERS_FROM_RECORD = "differs-from-record"
    NOT_DUE_THERE = "not-due-there"
    NOBODY_ELSE = "nobody-else"
    BUTTON_THERE = "button-there"
    BUTTON_CHOOSES = "button-chooses"
    NO_FIRST_5 = "no-first-5"
    NOBODY_LOOKS = "nobody-looks"
    FIRST_5_SETTLED = "first-5-settled"
    ALREADY_ANNOUNCED = "already-announced"
    NOT_ANNOUNCED = "not-announced"
    ANNOUNCED_FIRST = "announced-first"
    DRAWS_COST_NOTHING = "draws-cost-nothing"
    HOW_MANY_GIVEN_UP = "how-many-given-up"
    NAME_SO_MANY = "name-so-many"
    NOT_THIS_HAND = "not-this-hand"
    NEXT_AFTER_FOLD = "next-after-fold"
    ENTER_FIRST = "enter-first"
    FOLD_FIRST = "fold-first"
    FOLD_OR_PLAY_HERE = "fold-or-play-here"
    HANDS_BEING_DEALT = "hands-being-dealt"
    DECIDED_ON = "decided-on"
    UP_CARD_MISSING = "up-card-missing"
    NO_HAND_NUMBER = "no-hand-number"
    NOT_SHOWN = "not-shown"
    DIFFERS_OF_HAND = "differs-of-hand"
    AT_MOST_THERE = "at-most-there"
    NOT_AS_DEALT = "not-as-dealt"
    INSURANCE_LATER = "insurance-later"
    COMES_LATER = "comes-later"
    HAND_DECIDES_FIRST = "hand-decides-first"
    NOT_TO_DECIDE = "not-to-decide"
    STAKE_AS_MUCH = "stake-as-much"
    STAKE_OF_NONE = "stake-of-none"
    EVEN_MONEY_TAKEN = "even-money-taken"
    EVEN_MONEY_NEEDS = "even-money-needs"
    HAND_INSURED = "hand-insured"
    ON_SPOT = "on-spot"
    STAKE_NOT_POSITIVE = "stake-not-positive"
    BELOW_LEAST = "below-least"
    ABOVE_MOST = "above-most"
    ABOVE_AUTHORISED = "above-authorised"
    OFF_STEP = "off-step"
    NOT_WHOLE_CHIPS = "not-whole-chips"
    ALREADY_PLACED = "already-placed"
    TOO_MANY_WAGERS = "too-many-wagers"
    TOO_MANY_LARGE_WAGERS = "too-many-large-wagers"
    COLOUR_MISSING = "colour-missing"
    COLOUR_NOT_NAMED_HERE = "colour-not-named-here"
    NOT_OFFERED = "not-offered"
    NEEDS_ANOTHER_WAGER = "needs-another-wager"


@quick
@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is said, by its id and what it is about."""

    OMITS_DEFAULTS: ClassVar[bool] = True  # where it is written: most fields concern other sentences

    id: SaidId
    place: SeatNumber | None = None  # a seat, or where the house's cards lie; None where the rest of the deck is meant
    drawn: bool = False  # what is drawn to the hand of this place, and not its first cards
    hand: int | None = None  # which of several hands of the seat
    hands: int | None = None
    seats: tuple[SeatNumber, ...] = ()
    count: int | None = None
    wanted: int | None = None  # how many there should be
    left: int | None = None
    times: int | None = None  # that this was so
    cents: int | None = None
    seen_cents: int | None = None
    bounds: Bounds | None = None  # of a stake, in cents
    spot: WagerName | None = None
    card: Card | None = None
    device: str | None = None
    who: str | None = None
    names: tuple[str, ...] = ()  # of alerts, or of decisions
    word: str | None = None  # a name of the contract's, as of an irregularity or a fault
    text: str | None = None  # a person's or a device's own words, which nobody translates
    steps: int = 0  # that it says: so many of those that the prompt has, in their order
    later_steps: int = 0  # the same, for those after what is done with the cards


@quick
@dataclass(frozen=True, slots=True)
class Said(Clause):
    """One sentence of a prompt, with the clauses inside it."""

    because: tuple[Clause, ...] = ()


def as_sentence(said: Clause) -> Said:
    """Return a clause as something that is said by itself."""
    return said if isinstance(said, Said) else Said(*(getattr(said, each.name) for each in fields(Clause)))


def as_clause(said: Clause) -> Clause:
    """Return a sentence as it stands inside another one, without clauses of its own."""
    return Clause(*(getattr(said, each.name) for each in fields(Clause)))


THEN_NEXT: Final = Said(SaidId.THEN_NEXT)
"""With this a prompt ends whose work the dealer ends with next."""


@lru_cache(DEVICE_CLAUSES)
def of_device(said: SaidId, device: str, word: str | None = None) -> Clause:
    """Return a clause about a device. Whoever makes offers asks for the same few again and again."""
    return Clause(said, device=device, word=word)
