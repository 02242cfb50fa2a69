"""Why something is not done now, and what would be: a form in English for each refusal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from daemon.table.said import SaidId

FORMS_OF_REFUSALS: Final[Mapping[SaidId, str]] = MappingProxyType(
    {
        SaidId.NO_SUCH_SEAT: "there is no seat {seat} at this table; seats are 1 to {wanted}",
        SaidId.NO_STAKE_THERE: "seat {seat} has no stake",
        SaidId.CHANGED_TOO_OFTEN: (
            "the stakes of seat {seat} were changed {count} times in this round; the dealer can still change them"
        ),
        SaidId.PASSED_TOO_OFTEN: (
            "seat {seat} passed the button on {count} times in this round; the dealer can still move it"
        ),
        SaidId.NO_BETS: "nobody has a stake; place a bet first",
        SaidId.NO_SUCH_COUNT: "a deck has {wanted} cards; {count} cannot be left of it",
        SaidId.MEANS_NOTHING_NOW: "{word} means nothing now: {waited_for}",
        SaidId.SEAT_HELD_BY_PLAYER: (
            "a player for whom the dealer bet holds seat {seat} until this round ends. Only they and the table's "
            "staff act there"
        ),
        SaidId.SEAT_HELD_BY: (
            "{who} holds seat {seat} until this round ends. Only they and the table's staff act there"
        ),
        SaidId.ONE_POSITION: "{who} holds seat {seat}, and a player has one position here",
        SaidId.NO_HAND_THERE: "seat {seat} has no hand in this round",
        SaidId.PRESSED_UNHEARD: "{word} was pressed while nobody listened: look at what is asked, and press again",
        SaidId.ALREADY_REPORTED: "this was reported before, and a supervisor has ruled on it",
        SaidId.SAY_WHICH_HAND: "say in which hand the count is wrong",
        SaidId.NOT_A_SHOE: "{device} is not a shoe: it reports by itself when a deck is in",
        SaidId.SHOE_IN_USE: "a round is dealt from this shoe; void it or finish it first",
        SaidId.WRONG_DECKS: "this game is dealt from {decks} here, not from {left}",
        SaidId.GAME_NOT_OFFERED: "{word} is not offered at this table; offered: {names}",
        SaidId.ALREADY_PLAYED: "{word} is played now",
        SaidId.STAKES_DOWN: "stakes lie at {seats}: clear them, or close the table and let this round end",
        SaidId.VOID_FIRST: "a void is being done: do its steps, then press next",
        SaidId.CARDS_IN_USE: "a round is using the cards; void it or finish it first",
        SaidId.NOT_A_SHUFFLER: "{device} is a shoe: put shuffled decks in, then load-shoe",
        SaidId.TAKES_NO_COMMANDS: "{device} takes no commands: press its own shuffle key",
        SaidId.CARDS_FIRST: "enter the cards of seat {seat} first",
        SaidId.VERIFIED_FIRST: "a supervisor has to clear the alert first: {waited_for}",
        SaidId.EXPIRED: "the request came after its own expiry; ask again if it is still wanted",
        SaidId.NOT_PERMITTED: "a {word} may not do this; log in as one of: {names}",
        SaidId.NOT_YOUR_SEAT: "{who} may act only for {seats}",
        SaidId.ROUND_MISSING: "say which round is meant; {word} is running",
        SaidId.OTHER_ROUND: "meant for {text}; {word} is running",
        SaidId.ALREADY_OPEN: "the table is open",
        SaidId.ALREADY_CLOSED: "the table is closed",
        SaidId.NO_SUCH_ALERT: "no alert {text} stands; standing: {names}",
        SaidId.CLEARED_BY: "{text} is cleared by one of: {names}",
        SaidId.CAUSE_STANDS: "{because}",
        SaidId.VOID_NOT_DONE: "the dealer has not said that the void is done",
        SaidId.STILL_REPORTS: "{device} still reports {word}",
        SaidId.STILL_AWAY: "{device} is still {word}",
        SaidId.STILL_GIVES: "{device} still gives packets of {count}",
        SaidId.ALREADY_ACCOUNTED: (
            "the deck is accounted for, so a hand can no longer be changed. If one is wrong, void the round"
        ),
        SaidId.NOT_DEALT: "no hand of {place} is out: there are no cards to enter",
        SaidId.READ_BY_DEVICE: "a device read every card of that hand: only a supervisor may enter it anew",
        SaidId.PACKET: "{packet}",
        SaidId.HANDS_MISSING: "enter the cards of {listed} first, or void",
        SaidId.CARDS_UNNAMED: "a card has no name: enter first {listed}, or void",
        SaidId.CHANGED_SINCE: "since you looked: {because}. Look at the table, then decide again",
        SaidId.ENTERED_SINCE: "{who} entered cards of {place}",
        SaidId.RECORD_CHANGED: "the cards on record changed",
        SaidId.SUPERVISOR_ENTERS: "while the round stands still, only a supervisor may enter these cards",
        SaidId.CARD_TOO_OFTEN: "a card was entered that has come as often as the decks hold it; look again",
        SaidId.CARD_UNPLACED: "a card left the shoe and lies in no hand on record: enter its hand with it, or void",
        SaidId.DECIDES_FIRST: "seat {seat} decides first",
        SaidId.NOT_ASKED: "the table asks for no cards of {place} now",
        SaidId.ENTERED_WRONG_COUNT: (
            "{cards} entered, and {wanted} belong there. Look again. If so many lie there, {because}"
        ),
        SaidId.ENTERED_TWICE: (
            "a card was entered that is in this hand twice, or lies open elsewhere. Look again. If it really is "
            "so, {because}"
        ),
        SaidId.SUPERVISOR_VOIDS: "a supervisor voids the round",
        SaidId.REPORT_AT: "report {word} at {place}",
        SaidId.NOTHING_MISSING: "every card of that hand is on record: nobody is told what they are",
        SaidId.DIFFERS_FROM_RECORD: (
            "they are not the cards on record there, in their order; if the record is wrong, void"
        ),
        SaidId.NOT_DUE_THERE: "more cards were entered than were due there; if more lie there, void",
        SaidId.NOBODY_ELSE: "there is no seat but seat {seat}: choose a game",
        SaidId.BUTTON_THERE: "the button lies at seat {seat}",
        SaidId.BUTTON_CHOOSES: "seat {seat} has the button and chooses",
        SaidId.NO_FIRST_5: "seat {seat} has no First 5 bet to announce a win of",
        SaidId.NOBODY_LOOKS: "nobody may look at the hand of seat {seat} before all draws, and it needs no word",
        SaidId.FIRST_5_SETTLED: "First 5 is settled already",
        SaidId.ALREADY_ANNOUNCED: "seat {seat} has announced already",
        SaidId.NOT_ANNOUNCED: "seat {seat} has not announced a win, so nobody looks; claim comes first",
        SaidId.ANNOUNCED_FIRST: "enter the announced hand of {seats} first",
        SaidId.DRAWS_COST_NOTHING: "a player says how many cards they draw, and puts no stake down for it",
        SaidId.HOW_MANY_GIVEN_UP: "say how many cards are given up, 0 to {wanted}",
        SaidId.NAME_SO_MANY: "to give up: {cards}. Name so many different ones, or none",
        SaidId.PLAYER_NAMES_NONE: "a player says how many cards to give up, and not which",
        SaidId.NOT_THIS_HAND: (
            "a hand after the draw is {left} of the cards dealt to it and the {count} that it drew. Look again. "
            "If it really is another, report {word} at seat {seat}"
        ),
        SaidId.NEXT_AFTER_FOLD: "next goes on after a fold; now: {waited_for}",
        SaidId.ENTER_FIRST: "cards have to be entered first: {waited_for}",
        SaidId.FOLD_FIRST: "the dealer finishes the fold of seat {seat} first, then next",
        SaidId.FOLD_OR_PLAY_HERE: "{word} is not a decision of this game. It is one of: fold, play",
        SaidId.HANDS_BEING_DEALT: "hands are being dealt: green is for when all are at their places",
        SaidId.DECIDED_ON: "a player has decided on the up card: only a supervisor may enter it anew",
        SaidId.UP_CARD_MISSING: "the up card, {card}, is not among these; look again",
        SaidId.NO_HAND_NUMBER: "{place} has no hand {count} in this round",
        SaidId.NOT_SHOWN: "the dealer's cards are complete and not shown yet: nobody is told what they are",
        SaidId.DIFFERS_OF_HAND: (
            "they are not the cards on record for that hand, in their order; if the record is wrong, void"
        ),
        SaidId.AT_MOST_THERE: "{place} can have at most {cards} there; if it has more, void",
        SaidId.NOT_AS_DEALT: "the first cards do not lie as they are dealt: enter the hands that lack one, or void",
        SaidId.INSURANCE_LATER: "insurance: is bought after the deal, when the dealer shows an ace",
        SaidId.COMES_LATER: "{word} comes later: now players insure or take even money, and next goes on",
        SaidId.HAND_DECIDES_FIRST: "{place}{of_hands} decides first, from the dealer's left",
        SaidId.NOT_TO_DECIDE: "{word} is not to be decided now; it is one of {names}",
        SaidId.STAKE_AS_MUCH: "{word}: the stake that it puts down is {cents}, as much as lies on the hand",
        SaidId.STAKE_OF_NONE: "{word}: the stake that it puts down is none",
        SaidId.EVEN_MONEY_TAKEN: "insurance: even money was taken, which is insurance by another name",
        SaidId.EVEN_MONEY_NEEDS: "even money: is for a {spot} wager, and there is none",
        SaidId.HAND_INSURED: "even_money: the hand is insured, which is even money by another name",
        SaidId.ON_SPOT: "{spot}: {because}",
        SaidId.STAKE_NOT_POSITIVE: "a stake is at least one cent",
        SaidId.BELOW_LEAST: "{seen} is below the least, {cents}",
        SaidId.ABOVE_MOST: "{seen} is above the most, {cents}",
        SaidId.ABOVE_AUTHORISED: "{seen} is above the authorised {cents}",
        SaidId.OFF_STEP: "{seen} is not a multiple of {cents}",
        SaidId.NOT_WHOLE_CHIPS: "{seen} is not a number of {cents} chips",
        SaidId.ALREADY_PLACED: "this hand has that wager already",
        SaidId.TOO_MANY_WAGERS: "at most {wagers} with one hand",
        SaidId.COLOUR_MISSING: "this house has the player name red or black",
        SaidId.COLOUR_NOT_NAMED_HERE: "no colour is named here",
        SaidId.NOT_OFFERED: "it is not offered here, or not now",
        SaidId.NEEDS_ANOTHER_WAGER: "it needs a bet on {spot} at the same seat",
        SaidId.TOO_MANY_LARGE_WAGERS: "at most {wagers} over {cents} with one hand",
        SaidId.HANDS_FINISHED: "{word}: every hand is finished",
        SaidId.CARD_DUE_FIRST: "{word}: a card is due before the next decision",
        SaidId.DOUBLES_TWO_CARDS: "{word}: only the first two cards of a hand can be doubled",
        SaidId.NO_DOUBLE_AFTER_SPLIT: "{word}: this house does not let a split hand double",
        SaidId.DOUBLES_ONLY: "{word}: this house doubles {text} only",
        SaidId.SPLITS_ALIKE: "{word}: only two cards of the same worth can be split",
        SaidId.NO_SPLIT_ACES: "{word}: this house does not split aces",
        SaidId.SPLITS_ACES_ONCE: "{word}: this house splits aces once",
        SaidId.HANDS_AT_MOST: "{word}: this house plays at most {count} hands from one pair",
        SaidId.NO_SURRENDER: "{word}: this house has no surrender",
        SaidId.SURRENDERS_TWO_CARDS: "{word}: only the first two cards can be given up, before anything else is done",
        SaidId.NO_EVEN_MONEY: "{word}: even money is for houses with insurance where a natural pays 3 to 2",
        SaidId.EVEN_MONEY_ON_ACE: "{word}: even money is offered against a dealer's ace only",
        SaidId.EVEN_MONEY_ON_NATURAL: "{word}: even money is for a natural that is not settled yet",
        SaidId.PLAY_BETWEEN: "{seen} on an Ante of {cents}; it is {least} to {most}, with a pair up to {pair}",
        SaidId.PLAY_BETWEEN_WHOLE: (
            "{seen} on an Ante of {cents}; it is {least} to {most}, with a pair up to {pair}, in whole Antes"
        ),
        SaidId.FOLD_PLAYS_NOTHING: "a hand that folds makes no Play bet",
        SaidId.PLAY_NEEDS_STAKE: "a hand that plays needs the Play bet",
        SaidId.NOT_FOLLOWED: "a Play bet of two antes could not follow it",
        SaidId.NO_ANTE_FOLLOWED: "no Ante is taken here",
        SaidId.ANTES_FOLLOWED: "an Ante here is {span}",
        SaidId.NOT_PAID_IN_CHIPS: "what {seen} may win is not a number of chips",
        SaidId.HALF_NOT_IN_CHIPS: "half of {cents} is not a number of chips",
    }
)
