"""The words that settings, inputs, facts and state share."""

from __future__ import annotations

from enum import Enum
from typing import Final, NewType

SeatNumber = NewType("SeatNumber", int)
"""A place where a hand lies: seats from the dealer's left are 1 and up; the house's own places are below."""
RequestId = NewType("RequestId", str)
AlertName = NewType("AlertName", str)
RoundId = NewType("RoundId", str)

FIRST_SEAT: Final = SeatNumber(1)
DEALER: Final = SeatNumber(0)
COMMUNITY: Final = SeatNumber(-1)  # the cards that all players share


class Actor(Enum):
    """In which role somebody asks. The site's file of people says who has which."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    TECHNICIAN = "technician"


class SourceKind(Enum):
    """How cards come out of the device that a game is dealt from."""

    SHUFFLER = "shuffler"  # in packets, from one deck that it shuffles itself
    SHOE = "shoe"  # one by one, from decks that were put into it
    BATCH = "batch"  # all at once, a deck that it shuffled itself, to be dealt by hand


class Decision(Enum):
    """What a player can decide on their cards. Each game uses some of these."""

    FOLD = "fold"
    PLAY = "play"
    DRAW = "draw"
    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    INSURE = "insure"
    EVEN_MONEY = "even-money"


class Ruling(Enum):
    """What a supervisor can say of a round that stands still."""

    VOID = "void"
    CONTINUE = "continue"


class Irregularity(Enum):
    """What can be wrong with a deal, by its public name."""

    WRONG_COUNT = "wrong-count"
    DUPLICATE_CARD = "duplicate-card"
    UNREADABLE_CARD = "unreadable-card"
    BOXED_CARD = "boxed-card"
    FOREIGN_CARD = "foreign-card"
    HAND_WITHOUT_STAKE = "hand-without-stake"
    MISSING_HAND = "missing-hand"
    UNEXPECTED_CARDS = "unexpected-cards"
    DECK_NOT_PROVEN = "deck-not-proven"
    # what only people see
    EXPOSED_CARD = "exposed-card"  # players saw a card that was not theirs to see
    ACTED_OUT_OF_TURN = "acted-out-of-turn"  # a player did, and others decided after it
    MISDEAL = "misdeal"  # the cards were not dealt as the game has it
    FOUL_HAND = "foul-hand"  # a hand was mixed with other cards, or is otherwise no longer as it was dealt
    CARD_OFF_TABLE = "card-off-table"
    HANDS_EXCHANGED = "hands-exchanged"  # between seats, or put before the wrong one
    # a player's, of a game in which they decide on cards that nobody else has seen
    RAISE_WITHOUT_PAIR = "raise-without-pair"
    # of games that are dealt from a shoe
    CARD_OUT_OF_TURN = "card-out-of-turn"  # nothing had made a card due
    CARD_TOO_OFTEN = "card-too-often"  # more often than the shoe's decks hold it
    CARD_MISSING = "card-missing"  # by the shoe's own count
    CARD_RETURNED = "card-returned"
    CARD_OUTSIDE_GAME = "card-outside-game"  # the shoe was locked, in error or being set
    # two things are said of a card: by the shoe, or by a person and the device that had read it
    DISPUTED_CARD = "disputed-card"


class Policy(Enum):
    """What the house does about an irregularity."""

    VOID = "void"
    SUPERVISOR = "supervisor"


class Evidence(Enum):
    """How the cards of a hand came to be known."""

    SEEN_BY_DEVICE = "seen-by-device"
    ENTERED_BY_PERSON = "entered-by-person"
    NOT_SHOWN = "not-shown"  # the hand was given up, and nothing rode on its cards


class DeckProof(Enum):
    """How it is known that dealt and remaining cards were one whole deck."""

    READ = "read"  # 52 different faces were seen
    COUNTED = "counted"  # dealt and remaining cards count to the deck
    STUB_COUNTED = "stub-counted"  # a person counted what remained
    NOT_DUE = "not-due"  # the device does not count, and the next stub count is due in a later round
    CONFIRMED = "confirmed"  # a supervisor vouched for it


class PromptAction(Enum):
    """What the dealer's hands do at a spot."""

    TAKE = "take"
    PAY = "pay"
    RETURN = "return"
