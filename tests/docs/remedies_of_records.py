"""What to do about an irregularity, a caution, a line of the log, and a line that `feltd adjudicate` cannot read."""

from __future__ import annotations

from typing import Final

from daemon.config.caution import CautionCode
from daemon.rules.results import VoidReason
from daemon.table.vocabulary import Irregularity
from daemon.tools.rules.lines import LineCode

_COUNT: Final = "Look at the cards and count them. If the record is right after all, continue; else void the round."
_LOOK: Final = "Look at the card. If it can be told beyond doubt, enter it and continue; else void the round."
_WATCHED: Final = "Look at the recording of the table. Continue if no player was helped or harmed; else void the round."

OF_IRREGULARITIES: Final[dict[Irregularity, tuple[str, str]]] = {
    Irregularity.WRONG_COUNT: ("a hand has too many or too few cards", "Do the steps of the prompt: stakes go back."),
    Irregularity.DUPLICATE_CARD: ("a card is there twice", f"{_COUNT} Change the deck."),
    Irregularity.UNREADABLE_CARD: ("the reader could not read a card", _LOOK),
    Irregularity.BOXED_CARD: ("a card lay face up in the deck", _LOOK),
    Irregularity.FOREIGN_CARD: ("a card is of another deck", "Take the card out, change the deck, and void the round."),
    Irregularity.HAND_WITHOUT_STAKE: ("cards came for a seat without a bet", _COUNT),
    Irregularity.MISSING_HAND: ("a seat with a bet got no cards", _COUNT),
    Irregularity.UNEXPECTED_CARDS: ("more cards came than the round has hands", _COUNT),
    Irregularity.DECK_NOT_PROVEN: ("dealt and remaining cards do not make one whole deck", f"{_COUNT} Count the deck."),
    Irregularity.EXPOSED_CARD: ("players saw a card that was not theirs to see", _WATCHED),
    Irregularity.ACTED_OUT_OF_TURN: ("a player decided before it was their turn", _WATCHED),
    Irregularity.MISDEAL: ("the cards were not dealt as the game has it", _WATCHED),
    Irregularity.FOUL_HAND: ("a hand was mixed with other cards", _WATCHED),
    Irregularity.CARD_OFF_TABLE: ("a card left the table", _WATCHED),
    Irregularity.HANDS_EXCHANGED: ("hands lie before the wrong seats", _WATCHED),
    Irregularity.RAISE_WITHOUT_PAIR: (
        "a player raised as only a pair may, and has none",
        "Continue: the raise is cut to what the rules allow. Void only if the house's rules say so.",
    ),
    Irregularity.CARD_OUT_OF_TURN: ("the shoe gave a card that nothing had made due", _COUNT),
    Irregularity.CARD_TOO_OFTEN: ("a card came more often than the shoe's decks hold it", "Void, and change the shoe."),
    Irregularity.CARD_MISSING: ("by the shoe's own count a card is missing", _COUNT),
    Irregularity.CARD_RETURNED: ("a card was put back into the shoe", _COUNT),
    Irregularity.CARD_OUTSIDE_GAME: ("a card came while the shoe was locked, in error or being set", _COUNT),
    Irregularity.DISPUTED_CARD: ("two different readings of one card", _LOOK),
}

OF_VOIDED_LINES: Final[dict[VoidReason, str]] = {
    VoidReason.DISCARD_NOT_HELD: "a card is given up that the hand does not have",
    VoidReason.IMPOSSIBLE_PLAY: "the cards cannot have come about by these decisions",
    VoidReason.HAND_UNFINISHED: "a hand has decisions left",
    VoidReason.HAND_PLAYED_ON: "something is decided for a hand that was over",
    VoidReason.DEALER_UNFINISHED: "the dealer has to draw another card",
    VoidReason.DEALER_PLAYED_ON: "the dealer drew a card too many",
}
"""Those that only `feltd adjudicate` says: at a table they cannot come about."""

OF_LINES: Final[dict[LineCode, tuple[str, str]]] = {
    "bad-option": ("an option or a limit has a value that cannot be", "Write one that the sentence allows."),
    "malformed": ("a field is missing, is not known, or has another type", "Correct the field that `where` names."),
    "not-json": ("the line is not JSON", "Write one JSON object a line, in UTF-8."),
    "too-long": ("the line has more than a mebibyte", "Write one hand a line."),
    "unknown-game": ("no game has this name", "Write a name that the sentence has."),
    "unknown-wager": ("no wager has this name", "Write a name that the sentence has."),
}

OF_CAUTIONS: Final[dict[CautionCode, tuple[str, str]]] = {
    "amounts-small": ("amounts that look like dollars", "Write cents: 40000 is 400 dollars."),
    "certificate-of-another": (
        "the certificate has another user's name than `username`",
        "Name this table's certificate and key, or correct `username`.",
    ),
    "certificate-out-of-date": (
        "a certificate is not valid today",
        "Have a new one made, or set this machine's clock if the day is wrong.",
    ),
    "password-odd": (
        "the password's file has more than a password",
        "Leave one line in the file, without blanks around the password.",
    ),
    "people-seats": (
        "a player's seat that the table does not have",
        "Correct `seats` in the file of people, or in `[table]`.",
    ),
    "table-twice": (
        "another table's file in this directory has the same name, journal or device",
        "Give each table its own; a file that is only a copy belongs elsewhere, or without the ending .toml.",
    ),
    "time-zone-fixed": (
        "a time zone without summer time, in which limits change an hour too late for half of the year",
        "Write a city's time zone, as `America/New_York`.",
    ),
    "user-of-another": (
        "the table logs in with another user than the file of people says",
        "Write the same name as `username` and below `[tables]` in the file of people.",
    ),
    "dealer-may-void": (
        "a dealer alone can bring this about once cards are seen, and the round is void",
        'Write `"supervisor-once-seen"` for it in `[irregularities]`, or let the house say in writing why not.',
    ),
    "limits-begin-later": (
        "nothing can be bet before the first limits begin",
        "Give the first `[[limits]]` a `first_day` that is today or earlier.",
    ),
    "limits-of-nothing": (
        "limits for a wager that no game of the table has",
        "Correct the wager's name, or remove its limits.",
    ),
    "limits-refuse": (
        "a bet that its own limits allow is always refused by others",
        "Change the limits that the sentence names, so that the bets after it are possible.",
    ),
    "no-password": ("a user without a password", "Write `password_file` or `password_credential` beside `username`."),
    "paytable-edge": (
        "a wager keeps less than nothing, or more than the house's bound",
        "Compare the paytable with the filed one, row by row; then `edge_percent_max`.",
    ),
    "rounding-gives-away": (
        "rounding to chips gives the player a quarter of the least stake or more",
        "Raise `least_cents`, or set `breakage` in `[money]`.",
    ),
    "tls-missing": ("the port is that of TLS, and TLS is off", "Write `[mqtt.tls]`, or the port without TLS, 1883."),
    "tls-unexpected": ("the port is that without TLS, and TLS is on", "Write the broker's TLS port, mostly 8883."),
}

_NOBODY: Final = "nobody"
_IT: Final = "IT"
_NOTHING: Final = "Nothing."
_PROGRAM: Final = "Find the program that has this user, and let it wait for each answer."

OF_LOG: Final[dict[str, tuple[str, str]]] = {
    "alert": ("who may clear the alert", "Do what its remedy says. The alert stands above, by its name."),
    "alert-cleared": (_NOBODY, _NOTHING),
    "bad-request": (_IT, "Find what sends to this port from the address; it does not speak HTTP."),
    "broker-away": (_IT, "Do what its remedy says; the code stands above. Events are kept, and sent later."),
    "broker-there": (_NOBODY, _NOTHING),
    "configuration-caution": (_IT, "Look up its code above, among the cautions."),
    "device-down": ("technician", "Check power and cable. feltd tries again by itself."),
    "device-needs-technician": ("technician", "Do what its remedy says; the code stands above."),
    "device-up": (_NOBODY, _NOTHING),
    "journal-checked": (_NOBODY, _NOTHING),
    "journal-doubted": (_IT, "Run feltd journal verify, and keep its output and a backup of the journal as evidence."),
    "journal-said-too-much": (_IT, "Look at the round with feltd journal show; the page shows no round so long."),
    "journal-took-too-long": (_IT, "See what keeps the machine busy, then open the round again."),
    "journal-unsigned": (_IT, "Nothing, or give the table a key, if the house wants its journals signed."),
    "logged-in": (_NOBODY, _NOTHING),
    "login-not-named": (
        _IT,
        "Write the person into the site's file of people, or ask why a table's password was typed.",
    ),
    "mqtt-command-of-unknown-user": (_IT, "Find the program with this odd name at the broker, and name it anew."),
    "mqtt-no-topic": (_IT, "Find the program that publishes on such a topic, and stop it."),
    "mqtt-problem": (_IT, "Do what its remedy says; the code stands above."),
    "mqtt-problem-over": (_NOBODY, _NOTHING),
    "mqtt-reply-refused": (_IT, "Let the broker's access list allow the topic: write it again with feltd access."),
    "mqtt-single-users-refused": (
        _IT,
        "Let the broker's access list allow the table each user's commands: write it again with feltd access.",
    ),
    "mqtt-too-many-commands": (_IT, _PROGRAM),
    "mqtt-user-unheard": (_IT, _PROGRAM),
    "page-full": (_IT, "Look who holds so many connections at this address."),
    "page-listens": (_NOBODY, _NOTHING),
    "page-may-not-ask-for-earlier-events": (
        _IT,
        "Nothing, or give the page's user the role collector, if the page shall show rounds from before its start.",
    ),
    "paytable-edge": (_IT, "Look up its name above, among the cautions."),
    "phase": (_NOBODY, _NOTHING),
    "reload-refused": (_IT, "Do what its remedy says. The table goes on with its earlier settings."),
    "reloaded": (_NOBODY, _NOTHING),
    "stop-waits-for-the-round": (_NOBODY, "Nothing: the table stops when the round is over."),
    "table-started": (_NOBODY, _NOTHING),
    "table-stopped": (_NOBODY, _NOTHING),
}
"""Who acts on a line of the log, and what they do, by the name of its event."""
