"""Rounds written shortly: what the tests of blackjack share."""

from __future__ import annotations

from collections.abc import Iterator

from daemon.rules.blackjack.house import HOUSE, BlackjackHouse
from daemon.rules.blackjack.play import Action, Play, deal, decide, draw
from daemon.rules.blackjack.record import HandRecord, RoundRecord, settle_record
from daemon.rules.blackjack.settle import BlackjackFindings
from daemon.rules.money import Cents
from daemon.rules.results import Refused, Settled, Voided, WagerResult
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import DECK, Card, parse_cards, parse_face

STAKE = 1000
BLACKJACK, INSURANCE, BAD_BEAT = WagerName.BLACKJACK, WagerName.INSURANCE, WagerName.BAD_BEAT


def wagers(blackjack: int = STAKE, insurance: int = 0, bad_beat: int = 0) -> list[Wager]:
    """The stakes that are not nothing."""
    stakes = {BLACKJACK: blackjack, INSURANCE: insurance, BAD_BEAT: bad_beat}
    return [Wager(name, Cents(stake)) for name, stake in stakes.items() if stake]


def hand(cards: str, *actions: str) -> HandRecord:
    """One final hand."""
    return HandRecord(tuple(parse_face(word) for word in cards.split()), tuple(Action(action) for action in actions))


def record(player: str, dealer: str, *hands: HandRecord) -> RoundRecord:
    """One round as somebody writes it down."""
    return RoundRecord(
        tuple(parse_face(word) for word in player.split()), tuple(parse_face(word) for word in dealer.split()), hands
    )


def stood(player: str, dealer: str) -> RoundRecord:
    """The commonest round: the first two cards, and nothing but standing."""
    return record(player, dealer, hand(player, "stand"))


def settled(
    written: RoundRecord, bets: list[Wager] | None = None, house: BlackjackHouse = HOUSE
) -> Settled[BlackjackFindings]:
    """A round that has a result, its accounts checked."""
    answer = settle_record(written, bets or wagers(), house)
    assert isinstance(answer, Settled), answer
    for result in answer.wagers:
        assert result.returned == result.stake + result.pays
        assert result.returned >= 0
    return answer


def pays(written: RoundRecord, house: BlackjackHouse = HOUSE, **stakes: int) -> dict[WagerName, int]:
    """What each wager nets the player."""
    return {result.name: result.pays for result in settled(written, wagers(**stakes), house).wagers}


def result_of(written: RoundRecord, name: WagerName, house: BlackjackHouse = HOUSE, **stakes: int) -> WagerResult:
    """One wager's result."""
    return next(result for result in settled(written, wagers(**stakes), house).wagers if result.name is name)


def refused(written: RoundRecord, house: BlackjackHouse = HOUSE, **stakes: int) -> Refused:
    """Why the round has a decision in it that was not allowed."""
    answer = settle_record(written, wagers(**stakes), house)
    assert isinstance(answer, Refused), answer
    return answer


def void(written: RoundRecord, house: BlackjackHouse = HOUSE, **stakes: int) -> Voided:
    """Why the round has no result; that every stake goes back is checked."""
    answer = settle_record(written, wagers(**stakes), house)
    assert isinstance(answer, Voided), answer
    for wager, result in zip(wagers(**stakes), answer.wagers, strict=True):
        assert (result.name, result.stake, result.pays, result.returned) == (wager.name, wager.stake, 0, wager.stake)
    return answer


def played(first_two: str, up: str, *moves: str, house: BlackjackHouse = HOUSE) -> Play:
    """A play after decisions (`hit`) and cards (`9c`), in the order in which they came; all must be allowed."""
    first, second = parse_cards(first_two)
    play: Play | Refused = deal(first, second, Card.parse(up))
    for move in moves:
        assert isinstance(play, Play), play
        is_decision = move in {action.value for action in Action}
        play = decide(play, Action(move), house) if is_decision else draw(play, Card.parse(move), house)
    assert isinstance(play, Play), play
    return play


BY_POINTS: dict[int, list[Card]] = {}
for _card in DECK:
    BY_POINTS.setdefault(1 if _card.rank.letter == "A" else min(_card.rank, 10), []).append(_card)


def cards_worth(points: tuple[int, ...], decks: int = 8) -> tuple[Card, ...]:
    """Some cards of these worths, none more often than so many decks hold it."""
    supply: dict[int, Iterator[Card]] = {worth: iter(BY_POINTS[worth] * decks) for worth in set(points)}
    return tuple(next(supply[worth]) for worth in points)
