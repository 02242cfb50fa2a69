"""The English of what the table says: one form for each id, and nobody else writes a prompt.

Theory of operation. A form names the fields that its sentence needs, and `_WORDS` says how each of them is written. A
field that may be missing brings its own words with it. A screen of another language has the same ids, the same fields
and its own forms. The forms are taken apart once, when this module is loaded.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Final, TypeAlias

from daemon.counting import counted
from daemon.rules.money import dollars
from daemon.rules.wagers import WagerName
from daemon.table.forms_of_alerts import FORMS_OF_ALERTS
from daemon.table.forms_of_refusals import FORMS_OF_REFUSALS
from daemon.table.offers import Bounds
from daemon.table.round_facts import PromptStep
from daemon.table.said import Clause, Said, SaidId
from daemon.table.wording import amount_seen, packet_name, place_name, seen_at, spot_name, step_words
from protocols.frozen import dataclass

SpotNames: TypeAlias = Mapping[WagerName, str]

FORMS: Final[Mapping[SaidId, str]] = MappingProxyType(
    {
        **FORMS_OF_ALERTS,
        **FORMS_OF_REFUSALS,
        SaidId.TABLE_CLOSED: "The table is closed. Open it to begin a round.",
        SaidId.ALERTS_FIRST: "No new round yet: {because}.",
        SaidId.CLEARED_BY_WHOM: " ({roles} clears it)",
        SaidId.WAITING_FOR_DEVICE: "Waiting for {device}.",
        SaidId.NO_LIMITS: "No limits are configured for today. Call the pit.",
        SaidId.WAITING: "Waiting: {because}.",
        SaidId.LOAD_SHOE: "Put {decks} into the shoe, and say that it is loaded.",
        SaidId.BURN_CARDS: "Burn {cards}.",
        SaidId.PLACE_BETS: "Place your bets",
        SaidId.SHOW_SIDE: "Show the players {word}. Then place your bets",
        SaidId.THEN_GREEN: "{because}, then green: no more bets.",
        SaidId.NO_GREEN_YET: "{first}. No green yet: {others}.",
        SaidId.CLEAR_FIRST: "{because}",
        SaidId.DEVICE_NOT_THERE: "{device} is {word}: check its power and cable, and try again when it is back",
        SaidId.SHUFFLING: "{device} is shuffling: press green when it is done",
        SaidId.DECK_IN_USE: "the deck is in use: void the round, or finish it",
        SaidId.SHUFFLE_ORDERED: (
            "the deck in {device} is shuffled again, which is ordered: press green when it is done"
        ),
        SaidId.NO_SHUFFLED_DECK: (
            "no shuffled deck is known to be in {device}: take what lies in its tray, put the deck in and let it "
            "shuffle"
        ),
        SaidId.TAKE_DECK_OUT: "take the shuffled deck out of {device} first",
        SaidId.NO_DECK_CAME_OUT: "no shuffled deck has come out of {device}: load one and let it shuffle",
        SaidId.SHOE_NOT_LOADED: "no shoe is loaded: put the decks in and say so with load-shoe",
        SaidId.BURN_DUE: "{cards} still to be burned",
        SaidId.SHOE_SPOILED: "this shoe may no longer be dealt from: change it and say so with load-shoe",
        SaidId.PACKETS_TO_SET: "{device} has to be set to packets of {wanted}",
        SaidId.SEEN_BEFORE_AWAY: "{at}: {device} saw it before it went away; enter what lies there",
        SaidId.SEEN_AND_ENTERED: "{at}: {seen} is seen and {entered} was entered; the dealer enters what lies there",
        SaidId.SEEN_WITHOUT_SPOT: "{at}: chips are seen there, and this game has no such spot; take them away",
        SaidId.SEEN_AND_REFUSED: "{at}: {seen} is seen and cannot be bet ({text}); have it changed or taken back",
        SaidId.ENTERED_ALONE: (
            "{at}: {entered} was entered and cannot be bet alone ({text}); the dealer enters what lies there, or "
            "clears the seat"
        ),
        SaidId.CHOOSE_SIDE: "Seat {seat} has the button: 5 Card Draw or Deuces Never Loses?",
        SaidId.CHOOSE_OR_HAND_ON: ("Seat {seat} has the button: 5 Card Draw or Deuces Never Loses? Or pass it on."),
        SaidId.DEALING: "Dealing {packet}.",
        SaidId.BEFORE_DEALING: "Before {packet} is dealt: {because}.",
        SaidId.TAKE_HAND: "Take the hand from the tray: {place}.",
        SaidId.TAKE_DRAW: "Take the draw from the tray: {place}.",
        SaidId.DEAL_BY_HAND: "Deal by hand, in this order: {listed}. Green: all hands are out.",
        SaidId.CARDS_TO: "{count} to {place}",
        SaidId.DRAW_CARD_FOR: "Draw a card for {place}{of_hands}.",
        SaidId.DRAW_CARD: "Draw a card: {packet}.",
        SaidId.PUT_REST_INTO_SHOE: "Put the rest of the deck into {device}.",
        SaidId.COLLECT_REST: "All hands are out. Green: collect the rest of the deck.",
        SaidId.REST_COMES_OUT: "The rest of the deck is coming out: put it in the discard rack.",
        SaidId.COUNT_REST: "Count the rest of the deck and enter the count.",
        SaidId.FOLD_ONLY: "Seat {seat}: fold. The limits allow no Play bet.",
        SaidId.FOLD_OR_PLAY_ANTES: (
            "Seat {seat}: fold, or play 2 to 3 antes ({least} to {most}), with a pair up to 4 ({pair}){in_steps}."
        ),
        SaidId.FOLD_OR_PLAY: "Seat {seat}: fold, or play {span}{up_to}{in_steps}. The limits allow no more.",
        SaidId.HOW_MANY_CARDS: "Seat {seat}: how many cards, 0 to {wanted}?",
        SaidId.INSURANCE: "Insurance? Next or green: no more insurance.",
        SaidId.CHOOSE: "Seat {seat}{of_hands}: {choices}?",
        SaidId.DRAW_FACE_DOWN: "Draw a card for the dealer's hand: it stays face down.",
        SaidId.NO_DEALER_21: "Look under the dealer's open card: it makes no 21.",
        SaidId.TURN_SECOND_CARD: "Turn over the dealer's second card.",
        SaidId.DEALER_DRAWS: "The dealer has {count}: draw a card for the dealer.",
        SaidId.DEALER_DRAWS_SOFT: "The dealer has soft {count}: draw a card for the dealer.",
        SaidId.FOLDS: "Seat {seat} folds: {steps_before}collect the cards{steps_after}.",
        SaidId.FOLDS_AND_LEAVES: (
            "Seat {seat} folds: {steps_before}leave the cards under the 5 CARD BONUS{steps_after}."
        ),
        SaidId.GO_ON_WITH_FOLD: "Go on with the fold of seat {seat}.",
        SaidId.ENTER_PLAYING: "Seat {seat} plays: turn the two cards over and enter them.",
        SaidId.ENTER_FOLDED: "Seat {seat} folds with a 2 Card Bonus: turn the two cards over and enter them.",
        SaidId.ENTER_UP_CARD: (
            "Turn over the card of the dealer's hand that lies furthest to the dealer's right, and enter it."
        ),
        SaidId.TURN_DEALERS_CARDS: "Turn the dealer's other two cards over.",
        SaidId.ENTER_DEALERS_HAND: "Turn the dealer's hand over and enter all its {wanted} cards, the open one too.",
        SaidId.DEALER_GIVES_UP: "The dealer gives up {card}: {word}.",
        SaidId.TURN_COMMUNITY: "Turn the {wanted} community cards over.",
        SaidId.ENTER_COMMUNITY: "Turn the {wanted} community cards over and enter them.",
        SaidId.FIRST_5: "First 5.",
        SaidId.FIRST_5_MAY_ANNOUNCE: "First 5: {seats} may announce a winning hand.",
        SaidId.FIRST_5_CLAIMS: "First 5: {seats} may claim a winning hand until the last player has decided.",
        SaidId.FIRST_5_LOOK: "First 5: look at the hand of {seats}, and enter it if it wins.",
        SaidId.FIRST_5_ENTER: "Turn over and enter the announced hand of {seats}.",
        SaidId.FIRST_5_NEXT_UNANNOUNCED_LOSE: "Next: a hand that is not announced loses.",
        SaidId.FIRST_5_NEXT_OTHERS_LOSE: "Next: the others lose.",
        SaidId.FIRST_5_PAY: "Seat {seat}: expose the hand as dealt, pay {cents} on FIRST 5.",
        SaidId.FIRST_5_PAY_UNANNOUNCED: "Seat {seat}, not announced: expose the hand as dealt, pay {cents} on FIRST 5.",
        SaidId.FIRST_5_TAKE: "Take the losing FIRST 5 of {seats}; what lies there stays face down.",
        SaidId.FIRST_5_MISTAKEN: "Announced, and no win: {seats}.",
        SaidId.FIRST_5_GO_ON: "Go on with First 5.",
        SaidId.DO_AT_SEAT: "Seat {seat}: {steps}.",
        SaidId.DO_AND_PICK_UP: "Seat {seat}: {steps_before}pick up the hand.",
        SaidId.LAY_AND_DO: "Seat {seat}: lay the hand{steps_after}.",
        SaidId.ENTER_HAND: "Seat {seat}: turn the hand over and enter its cards.",
        SaidId.GO_ON_WITH_SEAT: "Go on with seat {seat}.",
        SaidId.VERIFY_FIRST: "Do not pay yet. Call a supervisor to verify: {because}.",
        SaidId.WINS: "seat {seat} wins {cents} on {spot}{of_hand}",
        SaidId.THEN_NEXT: "Then next.",
        SaidId.ROUND_VOID: "Round void: {because}.",
        SaidId.TAKE_IN_FOR_SHOE: "Take in all cards of this round and change the shoe.",
        SaidId.TAKE_IN_FOR_DEVICE: "Take in the hands, the tray and the rest of the deck, and put them into {device}.",
        SaidId.TAKE_IN: "Take in all cards.",
        SaidId.STOP: "Stop. Call a supervisor: {because}.",
        SaidId.KEYS_MAY_BE_LOST: "Keys of {device} may be lost: what is not done here was not pressed.",
        SaidId.SAID_BY: "{who}: {text}",
        SaidId.RULED: " ({who}: {text})",
        SaidId.RESTARTED: "{device}: it restarted and forgot what it had not reported",
        SaidId.EVENTS_LOST: "{device}: some of its events are lost",
        SaidId.CANNOT_PROVE: "{device}: it cannot prove that nothing was lost while it was away",
        SaidId.DECK_DISTURBED: "{device}: the deck was disturbed in mid-round",
        SaidId.VOID_ASKED: "the dealer asks for a void",
        SaidId.ORDER_REFUSED: "{device} refused what the round needs",
        SaidId.REPORTS_FAULT: "{device} reports {word}",
        SaidId.CHANGED_OVER: "changed over to {word}",
        SaidId.CONFIGURED_ANEW: "the table was configured anew",
        SaidId.REPORTED: "{who} reports {word}",
        SaidId.REPORTED_AT: "{who} reports {word} at {place}",
        SaidId.WRONG_COUNT: "{packet_has} {cards}, not {wanted}",
        SaidId.NOT_A_DECK: "{cards} dealt and {left} left are {sum}, not {wanted}",
        SaidId.UNREADABLE: "{packet}: a card that the reader could not name",
        SaidId.WRONG_WAY_ROUND: "{packet}: a card that lies the wrong way round",
        SaidId.ANOTHER_DECKS: "{packet}: a card of another deck",
        SaidId.SEEN_ELSEWHERE: "{packet}: a card that was already seen elsewhere",
        SaidId.ENTERED_OTHERWISE: "{packet}: a device read a card there that was not entered",
        SaidId.REST_CAME_FIRST: "the rest of the deck came out before {packet} was dealt",
        SaidId.PACKET_FOR_NOBODY: "packet {count} is for nobody: {wanted} were to be dealt{times}",
        SaidId.PACKET_SKIPPED: "packet {count} came and packet {wanted} never did{times}",
        SaidId.PACKET_AGAIN: "packet {count} came again{times}",
        SaidId.BATCH_WRONG_COUNT: "the deck came out with {cards}, not {wanted}",
        SaidId.BATCH_UNREADABLE: "the shuffled deck: a card that the reader could not name",
        SaidId.BATCH_WRONG_WAY_ROUND: "the shuffled deck: a card that lies the wrong way round",
        SaidId.BATCH_ANOTHER_DECKS: "the shuffled deck: a card of another deck",
        SaidId.BATCH_TWICE: "the shuffled deck: a card that is in it twice",
        SaidId.PUT_BACK_INTO_SHOE: "a card was put back into the shoe after card {count}, return {wanted}",
        SaidId.SHOE_COULD_NOT_READ: ("the shoe could not read a card after card {count}{times} since it was loaded"),
        SaidId.TOO_MANY_OF_A_KIND: "card {count} of the shoe is one more of its kind than there are in {whole_decks}",
        SaidId.CARD_NOT_COME: "the shoe counts its card {count}, and card {wanted} has not come",
        SaidId.SHOE_UNREADABLE: "{place}, card {count} of the shoe: a card that the reader could not name",
        SaidId.SHOE_WRONG_WAY_ROUND: "{place}, card {count} of the shoe: a card that lies the wrong way round",
        SaidId.SHOE_ANOTHER_DECKS: "{place}, card {count} of the shoe: a card of another deck",
        SaidId.OUTSIDE_A_GAME: "{place}, card {count} of the shoe: it was drawn outside a game ({word})",
        SaidId.NO_CARD_DUE: "card {count} of the shoe was drawn, and nothing had made a card due",
        SaidId.SHOE_SAYS_TWO_THINGS: "the shoe says two things of one card{times} since it was loaded",
        SaidId.NO_PAIR: "seat {seat} shows no pair and has {cents} more on Play than it may; to go on returns it",
    }
)


@dataclass(frozen=True, slots=True)
class _About:
    """What a sentence takes from its prompt: the names of the spots, and the steps that are not yet said."""

    spots: SpotNames
    steps: Iterator[PromptStep]

    def next_steps(self, count: int) -> list[str]:
        """Return the next steps in words. One that moves nothing is not said."""
        return [step_words(step, self.spots) for step in islice(self.steps, count) if step.amount_cents]


_Words: TypeAlias = Callable[[Clause, _About], str]
NO_SPOTS: Final[SpotNames] = MappingProxyType({})
_ROLES: Final[Mapping[str, str]] = MappingProxyType(
    {"dealer": "the dealer", "supervisor": "a supervisor", "technician": "a technician", "player": "a player"}
)
_AFTERTHOUGHT: Final = " ("  # how the form of a clause begins that belongs to the one before it


def in_english(said: Iterable[Said], steps: Sequence[PromptStep], spots: SpotNames) -> str:
    """Return a prompt in English. Its sentences say the steps one after the other."""
    about = _About(spots, iter(steps))
    return " ".join(_form(sentence, about) for sentence in said)


def in_words(*said: Clause, spots: SpotNames = NO_SPOTS) -> str:
    """Return clauses in English, as they stand in a sentence."""
    return _joined(said, _About(spots, iter(())))


def _joined(said: Sequence[Clause], about: _About, by: str = "; ") -> str:
    texts = [_form(each, about) for each in said]
    return "".join(
        text if not place or text.startswith(_AFTERTHOUGHT) else by + text for place, text in enumerate(texts)
    )


def _form(said: Clause, about: _About) -> str:
    return "".join([text if write is None else text + write(said, about) for text, write in _TAKEN_APART[said.id]])


def _because(said: Clause) -> tuple[Clause, ...]:
    assert isinstance(said, Said), "a form that has clauses inside it is a sentence's"
    return said.because


def _many(count: int | None, what: str) -> str:
    assert count is not None, f"how many {what}s is not said"
    return counted(count, what)


def _has(name: str) -> str:
    return f"{name} {'have' if name.endswith('s') else 'has'}"


def _ordinal(count: int) -> str:
    last_two = count % 100
    ending = "th" if 10 < last_two < 20 else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"


def _spot(said: Clause, about: _About) -> str:
    assert said.spot is not None, f"{said.id} says no spot"
    return spot_name(said.spot, about.spots)


def _at(said: Clause, about: _About) -> str:
    assert said.spot is not None, f"{said.id} says no spot"
    return seen_at(said.place, spot_name(said.spot, about.spots), said.word)


def _card(said: Clause) -> str:
    """Return a card as a dealer says it: `2s` reads as "twos"."""
    assert said.card is not None, f"{said.id} says no card"
    return f"the {said.card.rank.name.lower()} of {said.card.suit.name.lower()}"


def _bounds(said: Clause) -> Bounds:
    assert said.bounds is not None, f"{said.id} says no bounds"
    return said.bounds


def _span(bounds: Bounds) -> str:
    least, most = dollars(bounds.least), bounds.most
    return least if most is None or most == bounds.least else f"{least} to {dollars(most)}"


def _with_pair(bounds: Bounds) -> str:
    return "" if bounds.most_with_pair is None else f", with a pair up to {dollars(bounds.most_with_pair)}"


def _choice(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


_WORDS: Final[Mapping[str, _Words]] = MappingProxyType(
    {
        "seat": lambda said, _: str(said.place),
        "place": lambda said, _: place_name(said.place),
        "packet": lambda said, _: packet_name(said.place, drawn=said.drawn),
        "packet_has": lambda said, _: _has(packet_name(said.place, drawn=said.drawn)),
        "seats": lambda said, _: ("seat " if len(said.seats) == 1 else "seats ") + ", ".join(map(str, said.seats)),
        "of_hand": lambda said, _: "" if said.hand is None else f" of hand {said.hand}",
        "of_hands": lambda said, _: "" if said.hand is None else f", hand {said.hand} of {said.hands}",
        "count": lambda said, _: str(said.count),
        "wanted": lambda said, _: str(said.wanted),
        "left": lambda said, _: str(said.left),
        "sum": lambda said, _: str((said.count or 0) + (said.left or 0)),
        "times": lambda said, _: "" if said.times is None else f", for the {_ordinal(said.times)} time",
        "cards": lambda said, _: _many(said.count, "card"),
        "decks": lambda said, _: _many(said.count, "deck"),
        "whole_decks": lambda said, _: _many(said.wanted, "deck"),
        "rounds": lambda said, _: _many(said.count, "round"),
        "minutes": lambda said, _: _many(said.count, "minute"),
        "wagers": lambda said, _: _many(said.count, "wager"),
        "cents": lambda said, _: dollars(said.cents or 0),
        "entered": lambda said, _: amount_seen(said.cents),
        "seen": lambda said, _: amount_seen(said.seen_cents),
        "least": lambda said, _: dollars(_bounds(said).least),
        "most": lambda said, _: dollars(_bounds(said).most or 0),
        "pair": lambda said, _: dollars(_bounds(said).most_with_pair or 0),
        "span": lambda said, _: _span(_bounds(said)),
        "up_to": lambda said, _: _with_pair(_bounds(said)),
        "in_steps": lambda said, _: "" if said.cents is None else f", in steps of {dollars(said.cents)}",
        "spot": _spot,
        "at": _at,
        "card": lambda said, _: _card(said),
        "device": lambda said, _: str(said.device),
        "who": lambda said, _: str(said.who),
        "word": lambda said, _: str(said.word),
        "text": lambda said, _: str(said.text),
        "told": lambda said, _: str(said.text),
        "waited_for": lambda said, _: str(said.text),
        "roles": lambda said, _: _choice([_ROLES.get(name, name) for name in said.names]),
        "names": lambda said, _: ", ".join(said.names),
        "choices": lambda said, _: _choice(said.names),
        "steps": lambda said, about: ", ".join(about.next_steps(said.steps)),
        "steps_before": lambda said, about: "".join(f"{step}, " for step in about.next_steps(said.steps)),
        "steps_after": lambda said, about: "".join(f", {step}" for step in about.next_steps(said.later_steps)),
        "because": lambda said, about: _joined(_because(said), about),
        "listed": lambda said, about: _joined(_because(said), about, ", "),
        "first": lambda said, about: _form(_because(said)[0], about),
        "others": lambda said, about: _joined(_because(said)[1:], about),
    }
)


def fields_of(form: str) -> tuple[str, ...]:
    """Return the fields that a form names, in their order."""
    return tuple(name for _, name, _, _ in string.Formatter().parse(form) if name is not None)


def _taken_apart(form: str) -> tuple[tuple[str, _Words | None], ...]:
    pieces = string.Formatter().parse(form)
    return tuple((text, None if name is None else _WORDS[name]) for text, name, _, _ in pieces)


_TAKEN_APART: Final = {said: _taken_apart(form) for said, form in FORMS.items()}
