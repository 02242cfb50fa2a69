"""What each sentence of a prompt promises, and whether the table keeps it: no prompt lies.

Theory of operation. A prompt is read from its beginning to its end by the rows of `SENTENCES`: each is the form of one
sentence, with a check of what it says. A prompt that no row reads is a failure, so a new sentence needs a row. The
checks ask the table itself: what a sentence offers is asked for and has to be taken, with the amounts at the ends of
what it names; what lies just outside has to be refused. And what is not offered is refused: green and next are taken
exactly where a sentence says so, and a player is asked by a sentence exactly where a decision of a player is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Final, TypeAlias

from daemon.rules.big_draw import Variant
from daemon.rules.money import Cents, dollars
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.inputs import ChooseGame, Claim, PassButton
from daemon.table.inputs import (
    ClearAlert,
    Decide,
    EnterCards,
    LoadShoe,
    OpenTable,
    Press,
    Rule,
    StubCount,
)
from daemon.table.offers import Bounds, Command
from daemon.table.reducer import apply
from daemon.table.round_facts import IrregularityFound, PromptStep
from daemon.table.state import TableState
from daemon.table.vocabulary import (
    COMMUNITY,
    DEALER,
    Actor,
    Decision,
    Irregularity,
    PromptAction,
    Ruling,
    SeatNumber,
)
from drivers.events import Button, CardDrawn, Confidence, DeviceReport, Receipt, Stamp
from protocols.cards import DECK
from tests.table.asking import Asking, only_what_is_offered_is_taken, outside
from tests.table.disputed_stakes import no_green

SEAT: Final = r"[Ss]eat (?P<seat>\d+)"
AMOUNT: Final = r"\d+\.\d\d"
DECK_CARDS: Final = 52


Check: TypeAlias = Callable[[Asking, re.Match[str]], None]


def hold_to_its_word(state: TableState) -> None:
    """Fail where the prompt of this table offers what is refused, or keeps silent of what is taken."""
    asking, rest = Asking(state), state.prompt
    while rest:
        pattern, said = _first_that_reads(state.prompt, rest)
        SENTENCES[pattern](asking, said)
        rest = rest[said.end() :].lstrip()
    _steps_are_said(asking)
    for button, is_said in ((Button.GREEN, asking.says_green), (Button.NEXT, asking.says_next)):
        (asking.taken if is_said else asking.refused)(Press(button))
    decided = (Command.DECIDE, Command.CHOOSE_GAME)
    is_asked = any(each.command in decided for each in asking.offered)
    assert asking.asks_player or not is_asked, f"{state.prompt!r} asks no player, and one may decide: {asking.offered}"
    only_what_is_offered_is_taken(asking)


def _first_that_reads(prompt: str, rest: str) -> tuple[str, re.Match[str]]:
    for pattern in SENTENCES:
        if (said := re.match(pattern, rest)) is not None:
            return pattern, said
    raise AssertionError(f"nobody knows what {rest!r} promises, in {prompt!r}")


# --- what the sentences say ---


def nothing(_asking: Asking, _said: re.Match[str]) -> None:
    """It tells what goes on, and offers nothing."""


def _seat(said: re.Match[str]) -> SeatNumber:
    return SeatNumber(int(said["seat"]))


def _seats(listed: str) -> list[SeatNumber]:
    return [SeatNumber(int(seat)) for seat in listed.split(", ")]


def green(asking: Asking, _said: re.Match[str]) -> None:
    asking.says_green = True


def next_(asking: Asking, _said: re.Match[str]) -> None:
    asking.says_next = True


def bets(asking: Asking, _said: re.Match[str]) -> None:
    assert any(offer.command is Command.BET for offer in asking.offered), (
        f"{asking.state.prompt!r}, and no bet is taken"
    )


def bets_and_green(asking: Asking, said: re.Match[str]) -> None:
    """Green is what comes after the bets: without a stake it is refused, for this reason and no other."""
    bets(asking, said)
    played = asking.state.round
    assert played is not None
    asking.says_green = bool(played.stakes)
    assert asking.says_green or asking.answer(Press(Button.GREEN)).code == "no-bets"


def choose_game(asking: Asking, said: re.Match[str]) -> None:
    asking.asks_player = True
    for variant in Variant:
        for role in (Actor.PLAYER, Actor.DEALER):
            asking.taken(ChooseGame(_seat(said), variant), role)
        asking.refused(ChooseGame(SeatNumber(_seat(said) % asking.state.settings.seats + 2), variant))
    if "pass it on" not in asking.state.prompt:
        asking.refused(PassButton(_seat(said)))


def pass_button(asking: Asking, _said: re.Match[str]) -> None:
    asking.taken(PassButton(asking.state.button))


def play_bet(asking: Asking, said: re.Match[str]) -> None:
    """The amounts that are named are the ends of what is taken."""
    asking.asks_player, seat = True, _seat(said)
    asking.taken(Decide(seat, Decision.FOLD))
    bounds = asking.bounds(seat, Decision.PLAY)
    assert bounds is not None
    named = said.groupdict()
    least, most, paired = (named.get(part) for part in ("least", "most", "paired"))
    assert least == dollars(Cents(bounds.least))
    assert (most or least) == dollars(Cents(bounds.most or 0))
    assert paired == (None if bounds.most_with_pair is None else dollars(Cents(bounds.most_with_pair)))
    step = named.get("step")
    assert bounds.step == (asking.state.settings.house.money.chip if step is None else _in_cents(step))
    for end in {bounds.least, bounds.most}:
        asking.taken(Decide(seat, Decision.PLAY, end), Actor.PLAYER)
    for stake in outside(bounds):
        asking.refused(Decide(seat, Decision.PLAY, stake), Actor.PLAYER)


def no_play_bet(asking: Asking, said: re.Match[str]) -> None:
    asking.asks_player = True
    asking.taken(Decide(_seat(said), Decision.FOLD))
    assert Decision.PLAY.value not in asking.choices(Command.DECIDE, _seat(said))


def draws(asking: Asking, said: re.Match[str]) -> None:
    asking.asks_player = True
    for count in range(int(said["least"]), int(said["most"]) + 1):
        asking.taken(Decide(_seat(said), Decision.DRAW, None, count), Actor.PLAYER)
    for wrong in (int(said["least"]) - 1, int(said["most"]) + 1, None):
        asking.refused(Decide(_seat(said), Decision.DRAW, None, wrong), Actor.PLAYER)


def hand_choices(asking: Asking, said: re.Match[str]) -> None:
    """Every decision of a blackjack hand that is named is taken, and no other."""
    asking.asks_player = True
    named = set(re.split(r", | or ", said["choices"]))
    for decision in Decision:
        (asking.taken if decision.value in named else asking.refused)(Decide(_seat(said), decision), Actor.PLAYER)


def insurance(asking: Asking, said: re.Match[str]) -> None:
    """Somebody may insure until everybody who can has."""
    asking.asks_player = asking.says_next = asking.says_green = True


def draw_a_card(asking: Asking, _said: re.Match[str]) -> None:
    """The next card of the shoe is due."""
    shoe, settings = asking.state.shoe, asking.state.settings
    assert shoe is not None
    assert settings.shoe is not None
    card = next(card for card in DECK if not shoe.with_card(card).cannot_hold(card))
    at = Stamp(asking.state.at.utc_ns + 1, asking.state.at.mono_ns + 1)
    drawn = DeviceReport(settings.shoe.device, at, CardDrawn(card, Confidence.CHECKED), Receipt("boot", 10_000))
    found = [fact.data for fact in apply(asking.state, drawn).facts if isinstance(fact.data, IrregularityFound)]
    assert all(fact.irregularity is not Irregularity.CARD_OUT_OF_TURN for fact in found), asking.state.prompt


def entered(place: SeatNumber | None, cards: int | None) -> Check:
    """Cards of this place are taken, or of the seat that the sentence names; another number of them is not."""

    def check(asking: Asking, said: re.Match[str]) -> None:
        asked = _seat(said) if place is None else place
        _may_enter(asking, asked, cards)

    return check


def _may_enter(asking: Asking, place: SeatNumber, cards: int | None) -> None:
    offers = [each for each in asking.offered if each.command is Command.ENTER_CARDS and place in each.seats]
    assert offers, f"{asking.state.prompt!r}, and no cards of {place} are taken"
    if cards is not None:
        assert offers[0].amount == Bounds(cards, cards)
    asking.refused(EnterCards(place, DECK[:7]))


def announced_hands(asking: Asking, said: re.Match[str]) -> None:
    for seat in _seats(said["seats"]):
        _may_enter(asking, seat, 5)


def hands_looked_at(asking: Asking, said: re.Match[str]) -> None:
    announced_hands(asking, said)
    may_announce(asking, said)


def may_announce(asking: Asking, said: re.Match[str]) -> None:
    for seat in _seats(said["seats"]):
        asking.taken(Claim(seat), Actor.PLAYER)


def count(asking: Asking, _said: re.Match[str]) -> None:
    for number in (0, 40, DECK_CARDS):
        asking.taken(StubCount(number))
    for number in (-1, DECK_CARDS + 1):
        asking.refused(StubCount(number))


def supervisor_rules(asking: Asking, _said: re.Match[str]) -> None:
    asking.taken(Rule(Ruling.VOID, "seen", None), Actor.SUPERVISOR)
    asking.refused(Rule(Ruling.VOID, "seen", None))


def verify(asking: Asking, _said: re.Match[str]) -> None:
    """Nothing is paid and nothing goes on before a supervisor has cleared each win; nobody else may."""
    assert asking.state.prompted.steps == ()
    wins = [alert.alert for alert in asking.state.alerts if alert.alert.startswith("verify-")]
    assert wins
    for alert in wins:
        asking.taken(ClearAlert(alert), Actor.SUPERVISOR)
        asking.refused(ClearAlert(alert))


def open_table(asking: Asking, _said: re.Match[str]) -> None:
    asking.taken(OpenTable(), Actor.SUPERVISOR)


def load_shoe(asking: Asking, said: re.Match[str]) -> None:
    asking.taken(LoadShoe(int(said["decks"])))
    asking.refused(LoadShoe(int(said["decks"]) + 1))


def taken_from_tray(asking: Asking, _said: re.Match[str]) -> None:
    played = asking.state.round
    assert played is not None
    assert played.undelivered is not None
    assert played.hand_at(played.undelivered) is not None


def _in_cents(amount: str) -> int:
    return int(Fraction(amount) * 100)


def _steps_are_said(asking: Asking) -> None:
    """A screen that shows the steps shows what the sentence says."""
    for step in asking.state.prompted.steps:
        is_named = dollars(Cents(step.amount_cents)) in asking.state.prompt
        assert is_named or _is_losing_first_5(step) or not step.amount_cents, (
            f"{step} is not in {asking.state.prompt!r}"
        )


def _is_losing_first_5(step: PromptStep) -> bool:
    return step.spot is WagerName.FIRST_5 and step.action is PromptAction.TAKE


_WHOLE_REST: Final = r".*"
_STEP: Final = rf"(?:take|pay|return) {AMOUNT} on [A-Z0-9 /]+(?: \((?:red|black)\))?"
_CARDS: Final = r"pick up the hand|lay the hand|collect the cards|leave the cards under the 5 CARD BONUS"
_LIST: Final = rf"(?:{_STEP}|{_CARDS})(?:, (?:{_STEP}|{_CARDS}))*"
_PLACE: Final = r"(?:Show the players (?:5 Card Draw|Deuces Never Loses)\. Then place|Place)"
_STEPS: Final = rf", in steps of (?P<step>{AMOUNT})"

SENTENCES: Final[dict[str, Check]] = {
    # what stands in front of another sentence
    r"Keys of \S+ may be lost: what is not done here was not pressed\.": nothing,
    # no round
    r"The table is closed\. Open it to begin a round\.": open_table,
    r"No new round yet: .* clears it\)\.$": nothing,
    r"Waiting for \S+\.$": nothing,
    r"Waiting: .*\.$": nothing,
    r"No limits are configured for today\. Call the pit\.": nothing,
    r"Put (?P<decks>\d+) decks? into the shoe, and say that it is loaded\.": load_shoe,
    r"Burn \d+ cards?\.": nothing,
    # bets
    rf"{SEAT} has the button: 5 Card Draw or Deuces Never Loses\?": choose_game,
    r"Or pass it on\.": pass_button,
    rf"{_PLACE} your bets, then green: no more bets\.": bets_and_green,
    rf"{_PLACE} your bets\.": bets,
    r"No green yet: (?P<missing>.*)\.$": no_green,
    # the deal
    r"Before .* is dealt: .*\.$": nothing,
    r"Dealing [^.]*\.": nothing,
    r"Take the (?:hand|draw) from the tray: [^.]*\.": taken_from_tray,
    r"All hands are out\. Green: collect the rest of the deck\.": green,
    r"Deal by hand, in this order: [^.]*\. Green: all hands are out\.": green,
    r"The rest of the deck is coming out: put it in the discard rack\.": nothing,
    r"Count the rest of the deck and enter the count\.": count,
    r"Draw a card(?::| for) [^.]*\.": draw_a_card,
    r"Look under the dealer's open card: it makes no 21\.": nothing,
    r"Turn over the dealer's second card\.": nothing,
    r"The dealer has (?:soft )?\d+: draw a card for the dealer\.": draw_a_card,
    r"Put the rest of the deck into \S+\.": nothing,
    # players
    r"Insurance\? Next or green: no more insurance\.": insurance,
    rf"{SEAT}(?:, hand \d of \d)?: (?P<choices>[a-z]+(?:(?:, | or )[a-z]+)*)\?": hand_choices,
    rf"{SEAT}: how many cards, (?P<least>\d) to (?P<most>\d)\?": draws,
    rf"{SEAT}: fold, or play 2 to 3 antes \((?P<least>{AMOUNT}) to (?P<most>{AMOUNT})\),"
    rf" with a pair up to 4 \((?P<paired>{AMOUNT})\)(?:{_STEPS})?\.": play_bet,
    rf"{SEAT}: fold, or play (?P<least>{AMOUNT})(?: to (?P<most>{AMOUNT}))?"
    rf"(?:, with a pair up to (?P<paired>{AMOUNT}))?(?:{_STEPS})?\. The limits allow no more\.": play_bet,
    rf"{SEAT}: fold\. The limits allow no Play bet\.": no_play_bet,
    # cards that nobody read
    r"Turn over the card of the dealer's hand that lies furthest to the dealer's right, and enter it\.": entered(
        DEALER, 1
    ),
    rf"{SEAT} (?:plays|folds with a 2 Card Bonus): turn the two cards over and enter them\.": entered(None, 2),
    r"Turn the dealer's hand over and enter all its 3 cards, the open one too\.": entered(DEALER, 3),
    r"The dealer gives up .*?: .*?\.": nothing,
    r"Turn the 3 community cards over and enter them\.": entered(COMMUNITY, 3),
    rf"{SEAT}: turn the hand over and enter its cards\.": entered(None, None),
    # steps that the dealer ends
    r"Turn the dealer's other two cards over\.": nothing,
    r"Turn the 3 community cards over\.": nothing,
    rf"{SEAT}(?: folds)?: {_LIST}\.": nothing,
    r"Go on with (?:the fold of )?seat \d+\.": nothing,
    r"Go on with First 5\.": nothing,
    r"First 5: seats? (?P<seats>[\d, ]+) may announce a winning hand\.": may_announce,
    r"First 5: look at the hand of seats? (?P<seats>[\d, ]+), and enter it if it wins\.": hands_looked_at,
    r"First 5: seats? [\d, ]+ may claim a winning hand until the last player has decided\.": nothing,
    r"First 5\.": nothing,
    r"Turn over and enter the announced hand of seats? (?P<seats>[\d, ]+)\.": announced_hands,
    r"Next: (?:a hand that is not announced loses|the others lose)\.": next_,
    r"Take the losing FIRST 5 of seats? [\d, ]+; what lies there stays face down\.": nothing,
    r"Announced, and no win: seats? [\d, ]+\.": nothing,
    rf"{SEAT}(?:, not announced)?: expose the hand as dealt, pay {AMOUNT} on FIRST 5\.": nothing,
    r"Then next\.": next_,
    # a round that stands still
    rf"Do not pay yet\. Call a supervisor to verify: {_WHOLE_REST}": verify,
    rf"Stop\. Call a supervisor: {_WHOLE_REST}": supervisor_rules,
    r"Round void: .*Then next\.$": next_,
}
"""The form of each sentence, tried in this order, and what it promises."""
