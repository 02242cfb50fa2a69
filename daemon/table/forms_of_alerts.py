"""What somebody must see to, in English: a form for each alert, and for what is to be done about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from daemon.table.said import SaidId

FORMS_OF_ALERTS: Final[Mapping[SaidId, str]] = MappingProxyType(
    {
        SaidId.MISSING: "{device} is missing: {told}",
        SaidId.SEE_TO_POWER: "check its power and cable. feltd reconnects by itself. Then clear this alert",
        SaidId.SETUP_FAILED: "{device}: {told}",
        SaidId.IN_ITS_WORDS: "{text}",
        SaidId.TOLD: "{told}",
        SaidId.REPORTS_FAULT_WITH: "{device} reports {word}: {text}",
        SaidId.REPORTS_IN_ITS_WORDS: "{device} reports: {told}",
        SaidId.FREE_THE_CARDS: "free the cards as the shuffler's display says",
        SaidId.CLOSE_THE_DOOR: "close the shuffler's door",
        SaidId.FIND_THE_CARDS: "find the missing cards, load a whole deck and let it shuffle",
        SaidId.TAKE_CARDS_OUT: "take out the cards that do not belong, load the deck and let it shuffle",
        SaidId.WASH_THE_DECK: "wash the deck by hand, load it again and let it shuffle",
        SaidId.LOOK_AT_THE_LINK: "look at the link: the shuffler has waited too long for acknowledgements",
        SaidId.CLEAN_THE_READER: "clean the card reader",
        SaidId.SWITCH_OFF_AND_ON: "switch the shuffler off and on; call a technician if it comes back",
        SaidId.LOOK_AT_THE_DISPLAY: "look at the shuffler's display",
        SaidId.WRONG_MODE: "{device} is set to packets of {count}; this game deals {wanted}",
        SaidId.SET_THE_PACKETS: "set the shuffler to packets of {wanted}, then clear this alert",
        SaidId.WRONG_DECK: "{device} reports {word}: {cards} after the shuffle, not {wanted}",
        SaidId.CARDS_UNASKED: "{device} gave out cards with no round to deal them to",
        SaidId.PUT_BACK_AND_SHUFFLE: "put all cards back and shuffle, then clear this alert",
        SaidId.WRONG_LOAD: "{device} holds {cards} after the shuffle, not {wanted}",
        SaidId.PUT_WHOLE_DECKS_IN: "put whole decks in and let it shuffle",
        SaidId.SHOE_IRREGULAR: "{device}: {because}",
        SaidId.LOOK_AT_THE_SHOE: (
            "look at the shoe and the discards; burn a card that came by mistake, change the shoe if in doubt, "
            "then clear"
        ),
        SaidId.UNWATCHED: "{device} cannot prove that no card left it while it was away",
        SaidId.LOOK_FOR_CUT_CARD: (
            "see that no card is out and where the cut card is; change the shoe if in doubt, then clear this alert"
        ),
        SaidId.REFUSED_ORDER: "{device} refused to {word}: {text}",
        SaidId.FOREIGN_ORDER: "{device} answered an order that this table did not give",
        SaidId.SHUT_THEM_OUT: (
            "find who else reaches its port, and shut them out: they hear every card. Then clear this alert"
        ),
        SaidId.SEE_TO_DEVICE: (
            "see to the device, then clear this alert; a held round goes on by a supervisor's ruling"
        ),
        SaidId.VERIFY_WIN: "{because}: verify before paying",
        SaidId.CHECK_THE_HAND: "check the hand and the stake, then clear this alert",
        SaidId.STAKES_UNWATCHED: "reports of {device} about stakes are lost",
        SaidId.COMPARE_STAKES: (
            "compare the stakes on the felt with the screen, enter what differs, then clear this alert"
        ),
        SaidId.STAKE_MOVED: "{at}: {seen} is seen after no more bets; the bet is {entered}",
        SaidId.PUT_STAKE_BACK: (
            "look at the seat and the recording, put the stake back as it was bet, then clear this alert"
        ),
        SaidId.JOURNAL_DOUBTED: "the journal is in doubt: {text}",
        SaidId.VERIFY_JOURNAL: (
            "run feltd journal verify, keep its output and a backup of the journal, then clear this alert"
        ),
        SaidId.VOID_TO_DO: "{names} is void: {because}",
        SaidId.DO_THE_STEPS: "do the steps of the prompt, then press next, which clears this alert",
        SaidId.DECK_PLAYED_ROUNDS: ("the deck in {device} has been played for {rounds}: the house recommends another"),
        SaidId.DECK_PLAYED_MINUTES: (
            "the deck in {device} has been played for {minutes}: the house recommends another"
        ),
        SaidId.PUT_ANOTHER_DECK_IN: (
            "put another deck in between two rounds and say change-deck, or clear this alert to keep the deck"
        ),
    }
)
