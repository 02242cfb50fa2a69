"""Who acts on a code, and what they do, where the code itself does not say it: refusals, and the checks of doctor."""

from __future__ import annotations

from typing import Final

from daemon.mqtt.commands import MalformedCode, ResendCode
from daemon.page.answers import PageCode
from daemon.table.refusal_codes import NOT_WHILE, RefusalName
from daemon.tools.doctor.findings import CheckName
from protocols.angel_eye.events import Oddity

WHO_ASKED: Final = "who asked"

_LOOK: Final = "Look at what the table asks, and do that."
_VOID: Final = "Look again. If the record is wrong, a supervisor voids the round."

OF_REFUSALS: Final[dict[RefusalName, tuple[str, str]]] = {
    "expired": (
        WHO_ASKED,
        "Ask again if it is still wanted. If this comes often, IT compares the clocks of client and table.",
    ),
    "id-reused": ("who wrote the program", "Give each new command an id of its own."),
    "not-permitted": (
        "a person with one of the roles named",
        "Log in as one of them. IT gives roles in the file of people.",
    ),
    "not-your-seat": (WHO_ASKED, "Act for your own seat. IT gives seats in the file of people."),
    "one-position": (WHO_ASKED, "Bet at the seat that you hold in this round."),
    "other-round": (WHO_ASKED, "Look at the round that runs. Ask for it if it is still wanted."),
    "position-held": (
        "the player who holds the seat, or a dealer",
        "Wait until the round ends, or let a dealer act there.",
    ),
    "round-missing": ("who wrote the program", "Let it name the round in `round`."),
    "already-closed": (WHO_ASKED, "Nothing: it is as you want it."),
    "already-open": (WHO_ASKED, "Nothing: it is as you want it."),
    "already-played": (WHO_ASKED, "Nothing: it is as you want it."),
    "cause-stands": ("who may clear the alert", "Remove the cause as the alert says, then clear it."),
    "game-not-offered": ("IT", "Offer it in `other_games` of the table's file, or choose another."),
    "no-such-alert": (WHO_ASKED, "Nothing, if it is cleared. Else take the name from `alert/…`."),
    "play-blocked": ("who may clear the alert", "Do what the alert says, then clear it."),
    "stakes-down": ("dealer", "Clear the bets, or close the table and let this round end."),
    "burn-due": ("dealer", "Burn the cards that the prompt names."),
    "deck-not-ready": ("dealer", "Load a deck and let it shuffle. Take a deck out that has come out."),
    "device-missing": ("technician", "Check the device's power and cable. Its alert says more."),
    "device-takes-no-commands": ("dealer", "Press the shuffle key of the device."),
    "no-such-count": (WHO_ASKED, "Count again: a deck has 52 cards."),
    "not-a-shoe": (WHO_ASKED, "Nothing: the shuffler reports its deck by itself."),
    "not-a-shuffler": ("dealer", "Put shuffled decks in, then say load-shoe."),
    "shoe-not-loaded": ("dealer", "Put the decks in and say load-shoe."),
    "shoe-spoiled": ("dealer", "Change the shoe and say load-shoe."),
    "wrong-decks": ("dealer", "Put as many decks in as the sentence says, and name that number."),
    "key-means-nothing": (WHO_ASKED, _LOOK),
    "pressed-unheard": ("dealer", "Look at what is asked, and press again."),
    "above-authorised": (WHO_ASKED, "Bet at most what the sentence says: nobody at the table may allow more."),
    "above-most": (WHO_ASKED, "Bet at most what the sentence says."),
    "already-placed": (WHO_ASKED, "Change the bet that lies there, or clear it first."),
    "below-least": (WHO_ASKED, "Bet at least what the sentence says."),
    "cannot-be-followed": (
        WHO_ASKED,
        "Bet an Ante after which the limits allow a Play bet; the sentence says why this one does not.",
    ),
    "cannot-be-paid-exactly": (
        WHO_ASKED,
        "Bet a multiple of two chips: then every win, and half of it, is a whole number of chips.",
    ),
    "colour-missing": (WHO_ASKED, "Name red or black."),
    "colour-not-named-here": (WHO_ASKED, "Leave the colour out."),
    "needs-another-wager": (WHO_ASKED, "Place the bet that the sentence names first."),
    "no-bets": ("dealer", "Place a bet first."),
    "no-such-seat": (WHO_ASKED, "Name a seat of this table."),
    "not-offered": (WHO_ASKED, "Choose what the sentence names. IT decides in the table's file what is offered."),
    "not-whole-chips": (WHO_ASKED, "Bet a whole number of the chips that the sentence names."),
    "nothing-there": (WHO_ASKED, "Nothing, or name another seat: nothing lies there."),
    "off-step": (WHO_ASKED, "Bet a multiple of what the sentence names."),
    "stake-disputed": ("dealer", "Compare the chips on the felt with the screen, and enter what differs."),
    "stake-not-positive": (WHO_ASKED, "Bet at least one cent. `clear-bets` takes a bet away."),
    "too-many-changes": ("dealer", "Change the stakes for the player, or move the button."),
    "too-many-large-wagers": (WHO_ASKED, "Bet less on one of them."),
    "too-many-wagers": (WHO_ASKED, "Clear a bet of this hand first."),
    "wrong-stake": (WHO_ASKED, "Put down what the sentence says."),
    "already-announced": (WHO_ASKED, "Nothing: it is announced."),
    "already-there": (WHO_ASKED, "Nothing: the button is there."),
    "count-missing": (WHO_ASKED, "Say how many cards are given up."),
    "fold-first": ("dealer", "Finish the fold, then press next."),
    "illegal-action": (WHO_ASKED, "Choose what the hand may do now; the prompt names it."),
    "no-such-hand": (WHO_ASKED, "Name a seat that has a hand in this round."),
    "nobody-else": (WHO_ASKED, "Choose a game: you cannot pass the button, because yours is the only seat."),
    "not-announced": (WHO_ASKED, "If the player announces a win, say claim first. Else press next."),
    "not-now": (WHO_ASKED, _LOOK),
    "not-the-button": (WHO_ASKED, "Wait: the seat with the button chooses."),
    "out-of-turn": (WHO_ASKED, "Wait until the seat before has decided."),
    "too-late": (WHO_ASKED, "Nothing: that bet is settled."),
    "verify-first": ("supervisor", "Check the hand and the stake, then clear the alert."),
    "already-accounted": ("supervisor", "Void the round if a hand is wrong."),
    "already-reported": (WHO_ASKED, "Nothing: a supervisor has ruled on it."),
    "card-too-often": ("supervisor", "Look again, and enter what lies there."),
    "card-unplaced": ("supervisor", "Enter the hand that has the card, or void."),
    "cards-missing": ("dealer", "Enter the cards that the sentence names."),
    "cards-unnamed": ("supervisor", "Enter the hand that the sentence names, or void."),
    "changed-since": (WHO_ASKED, "Look at what came since, and decide again."),
    "decided-on": ("supervisor", "Look, and enter the up card anew if it is another."),
    "differs-from-record": ("supervisor", _VOID),
    "duplicate-card": (WHO_ASKED, "Look again. If it is so, report it as the sentence says."),
    "hands-missing": ("supervisor", "Enter the hands that the sentence names, or void."),
    "not-asked": (WHO_ASKED, "Enter cards where the prompt asks for them."),
    "not-dealt": (WHO_ASKED, "Nothing: that place has no cards yet."),
    "not-due-there": ("supervisor", "Look again. If more cards lie there, void."),
    "not-shown": (WHO_ASKED, "Wait until the dealer shows them."),
    "not-this-hand": (WHO_ASKED, "Look again. If it is another hand, report it as the sentence says."),
    "nothing-missing": (WHO_ASKED, "Nothing: the record has every card of that hand."),
    "place-missing": (WHO_ASKED, "Name the seat whose count is wrong."),
    "read-by-device": ("supervisor", "Look, and enter the hand anew if the reader is wrong."),
    "up-card-missing": (WHO_ASKED, "Look again: the up card is one of the hand's cards."),
    "wrong-count": (WHO_ASKED, "Count again. If it is so, report it as the sentence says."),
    **dict.fromkeys(NOT_WHILE.values(), (WHO_ASKED, _LOOK)),
    "not-while-held": ("supervisor", "Rule on the round: the prompt says what stands in its way."),
    "not-while-interrupted": ("supervisor", "Rule on the round: the prompt says what stands in its way."),
    "not-while-voiding": ("dealer", "Do the steps of the prompt, then press next."),
}

IN_OTHER_WORDS: Final[dict[RefusalName, str]] = {
    "cannot-be-followed": "after this Ante the limits would refuse every Play bet",
    "cannot-be-paid-exactly": "what it may win, or half of it, is not a number of chips",
    "cause-stands": "the cause of the alert still stands",
    "device-missing": "the device that this game is dealt from is not there",
    "id-reused": "you gave this id to another command before; a new command takes a new id",
    "illegal-action": "the rules do not allow this decision for the hand now",
    "play-blocked": "an alert blocks play",
    "stake-disputed": "what a sensor sees is not what was entered",
    "too-many-changes": "stakes or the button of the seat were changed too often in this round",
}
"""What a refusal means whose sentence is known only as the program runs."""

OF_COMMANDS: Final[dict[MalformedCode | ResendCode, tuple[str, str]]] = {
    "bad-response-topic": ("who wrote the program", "Name a response topic of this user, or none."),
    "expires-too-late": (
        "who wrote the program",
        "Let `expires` be at most ten minutes ahead. IT compares the clocks.",
    ),
    "malformed": ("who wrote the program", "Correct the field that `where` names; `feltd schemas` has every form."),
    "not-known": ("IT", "Write the user into the site's file of people."),
    "not-permitted": ("IT", "Give the user a role that may, in the site's file of people."),
    "overtaken": (WHO_ASKED, "Look at the table, and ask again if it is still wanted."),
    "retained": ("who wrote the program", "Publish commands without the retain flag, and clear the retained one."),
    "too-long": ("who wrote the program", "Send less: no command needs so much."),
    "too-many": (WHO_ASKED, "Wait, and send the same id again."),
    "unknown-command": ("who wrote the program", "Name one of the commands of this version."),
    "no-such-events": ("who wrote the program", "Ask for events that exist, the first first."),
    "not-delivered": (WHO_ASKED, "Ask again."),
    "resent": (WHO_ASKED, "Nothing. If the answer says so, ask for the rest."),
}

OF_THE_PAGE: Final[dict[PageCode, tuple[str, str]]] = {
    "broker-away": ("IT", "Start the broker, or repair the network. The page connects again by itself."),
    "broker-lost": (WHO_ASKED, "Look at the table before you press again. IT looks at the broker."),
    "broker-refused": ("IT", "Write the broker's access list again from the file of people: feltd access."),
    "log-in": (WHO_ASKED, "Log in."),
    "no-answer": (WHO_ASKED, "Look at the table before you press again. IT looks whether its daemon runs."),
    "not-a-person": (WHO_ASKED, "Log in with your own name. IT asks why a table's or a screen's password was typed."),
    "open-broker": ("IT", "Let the broker ask for passwords: anybody could be anybody."),
    "refused": (
        WHO_ASKED,
        "Type name and password again. Who has forgotten the password gets a new one from IT, at the broker.",
    ),
    "too-many-failures": (
        WHO_ASKED,
        "Wait a minute, then type the password again. IT sees in the log from where passwords are tried.",
    ),
    "too-many-logins": (WHO_ASKED, "Try again in some seconds."),
    "too-many-users": (WHO_ASKED, "Ask somebody who no longer needs the page to log out."),
}

_PROFILE: Final = "Choose the device's own profile, or find out what the device is."
_CABLE: Final = "Check cable, plug and earth, and keep the cable away from motors."
_MAKER: Final = (
    "Record the line with feltd capture. Send the record to the device's maker and to the maintainers of feltd."
)
_OTHER_HOST: Final = "Find who else reaches its port, and shut them out: they may hear every card."
_WATCH: Final = "Nothing, if a person did it at the machine. Else compare the machine with the recording of the table."

OF_ODDITIES: Final[dict[str, str]] = {
    "answer-unasked": _OTHER_HOST,
    "card-drawn": _PROFILE,
    "card-returned": _PROFILE,
    "command-heard": _OTHER_HOST,
    "copy-outvoted": _CABLE,
    "cut-card-again": _WATCH,
    "cut-card-drawn": _PROFILE,
    "deal-cleared": _PROFILE,
    "foreign-order": _OTHER_HOST,
    "key-bounced": "Change the key if it comes often: its contact is worn.",
    "line-damage": _CABLE,
    "meaningless-message": _MAKER,
    "not-a-bet-sensor": _PROFILE,
    "not-a-shoe": _PROFILE,
    "not-a-shuffler": _PROFILE,
    "not-the-source": _WATCH,
    "number-reused": _MAKER,
    "order-refused": "Look at the device: its alert says what it refused. Do what that word means, above.",
    "packet-from-a-batch": _PROFILE,
    "power-returned": "Check its power supply if nobody switched it off.",
    "preset-changed": "Find out who set the shoe; set it as the house wants it.",
    "read-failed": _PROFILE,
    "remainder-again": _WATCH,
    "seq-contradicted": _CABLE,
    "seq-outside-range": (
        "Write the shoe's own range as `seq_first` and `seq_last` in the device's section of the table's file."
    ),
    "seq-repeated": _CABLE,
    "shoe-alarm": "Do what the shoe's display says.",
    "shoe-error": "Clear the error with the shoe's own keys.",
    "shoe-lock-changed": _PROFILE,
    "shoe-mode": "Set the shoe to Manual Burn Cards by its key and buttons.",
    "shoe-not-loaded": "Put the decks in and say load-shoe.",
    "shoe-warning": "Do what the shoe's display says.",
    "raise-unseen": "Where such chips are laid on the spot: look at the recording. They lay beside it, or nowhere.",
    "spot-seen-twice": "Set one of the two sensors so that it tells nothing of this spot.",
    "stake-moved": "Look at the seat and at the recording of the table: chips moved after no more bets.",
    "stake-overruled": "Nothing: a person entered another amount than the sensor saw.",
    "unexpected-message": _MAKER,
    "unknown-answer": _MAKER,
    "unknown-line": _MAKER,
    "unknown-spot": "Name the spots in the sensor as the table's games have them.",
    "unmapped-key": "Write the key's meaning below the device's `[keys]` in the table's file, or press another key.",
    "window-exceeded": _MAKER,
}
"""What to do about an oddity of a device that comes often."""

WHO_ACTS_ON_ODDITIES: Final[dict[str, str]] = {
    **dict.fromkeys(("answer-unasked", "command-heard", "foreign-order", "unmapped-key"), "IT"),
    **dict.fromkeys(("cut-card-again", "not-the-source", "remainder-again", "stake-moved"), "supervisor"),
    **dict.fromkeys(("shoe-alarm", "shoe-error", "shoe-mode", "shoe-not-loaded", "shoe-warning"), "dealer"),
    **dict.fromkeys(("preset-changed", "raise-unseen", "stake-overruled"), "supervisor"),
}
"""Of every other one, a technician."""

OF_A_SHOES_LINE: Final[dict[Oddity, str]] = {
    Oddity.SEQ_CONTRADICTED: "two reports came under one number, and say different things",
    Oddity.COPY_OUTVOTED: "one copy of a report said another thing than the others",
    Oddity.SEQ_REPEATED: "a report came more often than a shoe sends it",
    Oddity.SEQ_OUTSIDE_RANGE: "a report has a number that this shoe does not use",
    Oddity.ANSWER_UNASKED: "the shoe answered an order that was not given here",
    Oddity.COMMAND_HEARD: "somebody else gives the shoe orders, or the line repeats ours",
}

_IT: Final = "IT"
_TECHNICIAN: Final = "technician"

WHO_CHECKS: Final[dict[CheckName, str]] = {
    "access": _IT,
    "broker": _IT,
    "broker-memory": _IT,
    "broker-publish": _IT,
    "broker-speed": _IT,
    "broker-subscribe": _IT,
    "clock": _IT,
    "credential": _IT,
    "daemon": _IT,
    "device": _TECHNICIAN,
    "device-owner": _IT,
    "file": _IT,
    "identity": _IT,
    "identity-amqp": _IT,
    "identity-answers": _IT,
    "identity-client-id": _IT,
    "identity-commands": _IT,
    "identity-nobody": _IT,
    "identity-publish": _IT,
    "identity-share": _IT,
    "journal": _IT,
    "journal-directory": _IT,
    "journal-disk": _IT,
    "journal-room": _IT,
    "journal-writing": _IT,
    "people": _IT,
    "phase": "supervisor",
    "configuration": "the person who writes the file",
    "policy": "who answers for the house's rules",
    "port": _TECHNICIAN,
    "udev-rules": _IT,
}
