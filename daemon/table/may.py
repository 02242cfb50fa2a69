"""What would be accepted now, found by asking the table itself.

Theory of operation. Each command that a person could give is tried on a draft that is thrown away: the same checks and
the same rows decide about it as when a person asks, so what is offered cannot differ from what is taken. Only what to
try stands here. Which decisions and keys a game has is said by `GamePlay.keyed`, and its bets by its rules.

No hidden card may show in an offer. A decision is tried with the player's own cards out of sight, as if nobody had read
them; then the handler answers what some hand could do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Final, TypeAlias, get_args

from daemon.frozen import replace
from daemon.rules.games import GAMES
from daemon.rules.limits import Limits
from daemon.rules.money import Cents
from daemon.rules.wagers import Colour, Wager, WagerName
from daemon.table import betting, findings, keys, reducer, stake_bounds
from daemon.table.alerts import DECK_CARDS
from daemon.table.draft import Refusal
from daemon.table.games import PROCEDURES
from daemon.table.inputs import (
    Action,
    Bet,
    ChangeDeck,
    ChangeGame,
    ClearAlert,
    ClearBets,
    CloseTable,
    CountDeck,
    Decide,
    EnterCards,
    LoadShoe,
    OpenTable,
    OrderReshuffle,
    Press,
    ReportIrregularity,
    Request,
    Rule,
    StubCount,
    VoidRound,
)
from daemon.table.offers import Bounds, Command, Offer, seats_by
from daemon.table.play import GamePlay
from daemon.table.procedure import Asked
from daemon.table.requests import MAY, TRIGGERS
from daemon.table.same import Same
from daemon.table.settings import Positions, TableSettings
from daemon.table.stakes import as_wager
from daemon.table.state import Round, TableState
from daemon.table.vocabulary import (
    COMMUNITY,
    DEALER,
    FIRST_SEAT,
    Actor,
    Decision,
    Evidence,
    RequestId,
    RoundId,
    Ruling,
    SeatNumber,
)
from drivers.events import Button, Stamp
from protocols.cards import DECK

_ROLES: Final = MappingProxyType({kind: tuple(role for role in Actor if role in MAY[kind]) for kind in MAY})
_ROLES_OF_STAFF: Final = {kind: tuple(role for role in _ROLES[kind] if role is not Actor.PLAYER) for kind in _ROLES}
_STAFF: Final = {kind: Actor.DEALER if Actor.DEALER in roles else roles[0] for kind, roles in _ROLES.items()}
_SEAT_ONLY: Final = tuple(kind for kind in get_args(Action) if [part.name for part in fields(kind)] == ["seat"])
_OF_PLAYERS: Final = (Asked.DECIDE, Asked.CHOOSE_GAME, Asked.PASS_BUTTON)
_KEYS: Final = {  # that mean the same in every game, by the phases in which they mean something
    game: {phase: tuple(b for b in Button if keys.always(b) in rows.asked) for phase, rows in procedure.rows.items()}
    for game, procedure in PROCEDURES.items()
}
STAKES_KEPT: Final = 200
"""Seats with different chips whose further bets are remembered. A full table has some dozens while bets are taken."""
SETTINGS_KEPT: Final = 8
REQUESTS_KEPT: Final = 512
CARDS_MOST: Final = 5  # of a packet, in any game
_ABOUT_THE_CARDS: Final = ("wrong-count", "duplicate-card", "differs-from-record", "not-this-hand", "up-card-missing")
"""Refusals of an entry that do not say that nothing may be entered there."""

Said: TypeAlias = Mapping[SeatNumber, Mapping[Button, Action]]
"""What each player who is asked could say, by the key that says it."""
_ByRules: TypeAlias = tuple[Bounds | None, Refusal | None, Sequence[SeatNumber]]


def offers(state: TableState) -> tuple[Offer, ...]:
    """Return everything that somebody could ask now without being refused."""
    said = {seat: _said_by_keys(state, seat) for seat in _deciding(state)}
    return (*_press(state, said), *_decide(state, said), *(offer for kind in _KINDS for offer in kind(state)))


# --- asking the table ---


def _refusal(state: TableState, action: Action, role: Actor) -> Refusal | None:
    running = None if state.round is None else state.round.id
    return reducer.refusal(state, _request(action, role, running))


@lru_cache(REQUESTS_KEPT, typed=True)  # commands that say nothing have one hash: their types differ
def _request(action: Action, role: Actor, running: RoundId | None) -> Request:
    """Return what is tried again and again. It does not expire, so no matter when it is asked."""
    return Request(Stamp(0, 0), RequestId(""), "", role, None, action, running)


def _is_taken(state: TableState, action: Action) -> bool:
    """Return whether it is taken from the staff; where that depends on the role, ask `_takers`."""
    return _refusal(state, action, _STAFF[type(action)]) is None


def _roles_at(state: TableState, kind: type[Action], seat: SeatNumber) -> tuple[Actor, ...]:
    """Return who may ask for a seat: of the players its holder, and none where the dealer bet for one.

    Nor does a player clear chips that count as no bet.
    """
    held = None if state.round is None else state.round.position_of(seat)
    no_bet = kind is ClearBets and state.round is not None and not state.round.stakes_of(seat)
    for_dealer = held is not None and held.who is None and state.settings.positions is not Positions.ANYBODY
    without_player = no_bet or for_dealer
    return (_ROLES_OF_STAFF if without_player else _ROLES)[kind]


def _takers(state: TableState, action: Action) -> tuple[Actor, ...]:
    return tuple(role for role in _ROLES[type(action)] if _refusal(state, action, role) is None)


def _has_row(state: TableState, trigger: Asked) -> bool:
    return trigger in PROCEDURES[state.settings.game].rows[state.phase].asked


def _play(state: TableState) -> GamePlay:
    return PROCEDURES[state.settings.game].play


def _seats(state: TableState) -> list[SeatNumber]:
    return [SeatNumber(seat) for seat in range(FIRST_SEAT, state.settings.seats + 1)]


def _command(kind: type[Action]) -> Command:
    """Return the trigger that a command causes: they have one name."""
    return Command(TRIGGERS[kind].value)


# --- keys and decisions ---


def _press(state: TableState, said: Said) -> Iterator[Offer]:
    seat = None if state.round is None else state.round.selected or _play(state).asked(state)
    decisions = said.get(seat, {}) if seat is not None else {}
    with_a_row = _KEYS[state.settings.game][state.phase]
    taken = tuple(
        button.value
        for button in (Button if decisions else with_a_row)
        if button in decisions or (button in with_a_row and _is_taken(state, Press(button)))
    )
    if taken:
        yield Offer(Command.PRESS, _ROLES[Press], choices=taken)


def _said_by_keys(state: TableState, seat: SeatNumber) -> Mapping[Button, Action]:
    """Return what the keys of the game would ask for this seat, as far as it would be taken."""
    played = state.round
    if played is None or not any(_has_row(state, trigger) for trigger in _OF_PLAYERS):
        return {}
    keyed, unseen = _play(state).keyed, _unseen(state, seat)
    meant = {button: action for button in Button if (action := keyed(played, seat, button)) is not None}
    return {button: action for button, action in meant.items() if _is_taken(unseen, action)}


def _unseen(state: TableState, seat: SeatNumber) -> TableState:
    """Return the table as if no device had read the cards of this seat: what is offered must not depend on them."""
    if state.round is None:
        return state
    hands = tuple(
        replace(hand, faces=None) if hand.seat == seat and hand.evidence is Evidence.SEEN_BY_DEVICE else hand
        for hand in state.round.hands
    )
    return replace(state, round=replace(state.round, hands=hands))


def _decide(state: TableState, said: Said) -> Iterator[Offer]:
    for seat, keyed in said.items():
        decided = [action for action in keyed.values() if isinstance(action, Decide)]
        for decision in dict.fromkeys(action.decision for action in decided):
            amount = _amount(state, seat, decision, [way for way in decided if way.decision is decision])
            yield Offer(Command.DECIDE, _roles_at(state, Decide, seat), (seat,), (decision.value,), amount=amount)
        yield from _chosen_at(state, seat, tuple(keyed.values()))


def _chosen_at(state: TableState, seat: SeatNumber, taken: Sequence[Action]) -> Iterator[Offer]:
    """Yield what a key says that is not a decision on cards: one word beside the seat."""
    for kind in dict.fromkeys(map(type, taken)):
        words = [part.name for part in fields(kind) if part.name != "seat"]
        if kind is not Decide and len(words) == 1:
            choices = tuple(getattr(action, words[0]).value for action in taken if type(action) is kind)
            yield Offer(_command(kind), _roles_at(state, kind, seat), (seat,), choices)


def _deciding(state: TableState) -> Sequence[SeatNumber]:
    """Return the seat that is asked; where nobody is first, as for insurance, everybody who plays."""
    if state.round is None:
        return ()
    asked = _play(state).asked(state)
    if asked is not None:
        return (asked,)
    return state.round.players if _has_row(state, Asked.DECIDE) else ()


def _amount(state: TableState, seat: SeatNumber, decision: Decision, ways: Sequence[Decide]) -> Bounds | None:
    """Return the stake that a decision puts down, or the cards that it gives up."""
    stakes = _play(state).puts_down(state, seat, decision)
    if stakes is not None:
        return stakes
    counts = [way.discards for way in ways if way.discards is not None]
    return Bounds(min(counts), max(counts)) if counts else None


# --- bets ---


def _bet(state: TableState) -> Iterator[Offer]:
    if not _has_row(state, Asked.BET) or state.round is None:
        return
    settings, limits = Same(state.settings), Same(state.round.limits)
    alike = _seats_alike(state.round, _seats(state))
    by_rules = [(_stakes_by_rules(settings, limits, lying), seats) for lying, seats in alike.items()]
    roles = {seat: _roles_at(state, Bet, seat) for seat in _seats(state)}
    for place, (wager, colours) in enumerate(_ways_to_bet(settings)):
        taken = [(*stakes[place], seats) for stakes, seats in by_rules]
        said = {seat: (each, roles[seat]) for seat, each in _stakes_taken(state, wager, colours, taken).items()}
        for (amount, who), seats in seats_by(said):
            yield Offer(Command.BET, who, seats, (wager.value,), colours, amount=amount)


def _seats_alike(played: Round, seats: Sequence[SeatNumber]) -> Mapping[tuple[Wager, ...], Sequence[SeatNumber]]:
    """Return seats by what lies there. Where the same lies, the same may be put."""
    alike: dict[tuple[Wager, ...], list[SeatNumber]] = {}
    for seat in seats:
        alike.setdefault(tuple(map(as_wager, played.stakes_of(seat))), []).append(seat)
    return alike


def _names_a_seat(state: TableState) -> Iterator[Offer]:
    """Commands that say nothing but a seat."""
    for kind in _SEAT_ONLY:
        if _has_row(state, TRIGGERS[kind]):
            taken = {seat: _roles_at(state, kind, seat) for seat in _seats(state) if _is_taken(state, kind(seat))}
            for roles, seats in seats_by(taken):
                yield Offer(_command(kind), roles, seats)


def _stakes_taken(
    state: TableState, wager: WagerName, colours: Sequence[Colour], by_rules: Sequence[_ByRules]
) -> Mapping[SeatNumber, Bounds]:
    """Return the stakes that each seat may put there: what the rules take, if the game takes this wager now at all."""
    possible = [(stakes, refused, seats) for stakes, refused, seats in by_rules if stakes is not None]
    if not possible:
        return {}
    # What is not of the rules is the same for every seat. No stake at all is the quickest to be refused.
    _, refused, seats = possible[0]
    if _refusal(state, Bet(seats[0], wager, 0, next(iter(colours), None)), Actor.DEALER) != refused:
        return {}
    return {seat: stakes for stakes, _, seats in possible for seat in seats}


@lru_cache(SETTINGS_KEPT)
def _ways_to_bet(settings: Same[TableSettings]) -> tuple[tuple[WagerName, tuple[Colour, ...]], ...]:
    """Return every wager of the game, without and with a colour."""
    return tuple((wager, colours) for wager in GAMES[settings.value.game].spots for colours in ((), tuple(Colour)))


@lru_cache(STAKES_KEPT)
def _stakes_by_rules(
    settings: Same[TableSettings], limits: Same[Limits], lying: tuple[Wager, ...]
) -> tuple[tuple[Bounds | None, Refusal | None], ...]:
    """Return what rules and limits take beside what lies there, of each way to bet, and how they refuse no stake.

    A bet of one seat leaves those of the others alone, so it is asked for again and again.
    """
    house, game = settings.value.house, GAMES[settings.value.game]

    def refusal(wager: WagerName, colour: Colour | None, stake_cents: int) -> Refusal | None:
        return betting.objection(settings.value, limits.value, lying, Wager(wager, Cents(stake_cents), colour))

    def by_rules(wager: WagerName, colour: Colour | None) -> tuple[Bounds | None, Refusal | None]:
        followed_in = game.followed_in(wager, limits.value)
        paytables = game.paytables_of(wager, house)
        allowed = stake_bounds.by_limits(wager, paytables, house.money, limits.value, followed_in)
        return stake_bounds.bounds(allowed, partial(refusal, wager, colour)), refusal(wager, colour, 0)

    return tuple(by_rules(wager, next(iter(colours), None)) for wager, colours in _ways_to_bet(settings))


# --- cards that people read, and what they see ---


def _enter_cards(state: TableState) -> Iterator[Offer]:
    if not _has_row(state, Asked.ENTER_CARDS) or state.round is None:
        return
    for place in (COMMUNITY, DEALER, *_seats(state)):
        several = len(_play(state).seat_picture(state.round, place).hands) if place >= FIRST_SEAT else 0
        for hand in range(1, several + 1) if several > 1 else (None,):
            roles = tuple(role for role in _ROLES[EnterCards] if _may_enter(state, place, hand, role))
            if roles:
                count = _count_wanted(state, place, hand, roles[0])
                yield Offer(Command.ENTER_CARDS, roles, (place,), hand=hand, amount=count)


def _count_wanted(state: TableState, place: SeatNumber, hand: int | None, role: Actor) -> Bounds | None:
    """Return how many cards are asked for; None where that depends on the cards that lie there already."""

    def is_miscounted(cards: int) -> bool:
        refusal = _refusal(state, EnterCards(place, DECK[:cards], hand), role)
        return refusal is not None and refusal.code == "wrong-count"

    counts = range(1, CARDS_MOST + 1) if is_miscounted(0) else ()
    return next((Bounds(cards, cards) for cards in counts if not is_miscounted(cards)), None)


def _may_enter(state: TableState, place: SeatNumber, hand: int | None, role: Actor) -> bool:
    """Return whether some cards are taken there. No card is named in the question, so none decides about the answer."""
    refusal = _refusal(state, EnterCards(place, (), hand), role)
    return refusal is None or refusal.code in _ABOUT_THE_CARDS


def _report(state: TableState) -> Iterator[Offer]:
    if state.round is not None and _has_row(state, Asked.REPORT):
        places = (COMMUNITY, DEALER, *_seats(state))
        seats = tuple(place for place in places if findings.has_hand(state.round, place))
        yield Offer(Command.REPORT, _ROLES[ReportIrregularity], seats)


def _count(state: TableState) -> Iterator[Offer]:
    if _has_row(state, Asked.STUB_COUNT):
        yield Offer(Command.STUB_COUNT, _ROLES[StubCount], amount=Bounds(0, DECK_CARDS))


# --- rulings, and what concerns the table itself ---


def _rule(state: TableState) -> Iterator[Offer]:
    if _has_row(state, Asked.RULE):
        taken = tuple(ruling.value for ruling in Ruling if _is_taken(state, Rule(ruling, "", None)))
        yield Offer(Command.RULE, _ROLES[Rule], choices=taken)
    if _has_row(state, Asked.VOID_ROUND):  # where there is a row for it, it is refused to no supervisor
        yield Offer(Command.VOID_ROUND, _ROLES[VoidRound])


def against(state: TableState, ruling: Ruling) -> Refusal | None:
    """Return why this ruling would be refused, or None."""
    return _refusal(state, Rule(ruling, "", None), Actor.SUPERVISOR)


def _clear_alert(state: TableState) -> Iterator[Offer]:
    for alert in state.alerts:
        takers = _takers(state, ClearAlert(alert.alert))
        if takers:
            yield Offer(Command.CLEAR_ALERT, takers, choices=(alert.alert,))


def _of_the_table(state: TableState) -> Iterator[Offer]:
    games = tuple(offer.game for offer in state.settings.games)
    taken = tuple(game.value for game in games if _is_taken(state, ChangeGame(game)))
    if taken:
        yield Offer(Command.CHANGE_GAME, _ROLES[ChangeGame], choices=taken)
    decks = _play(state).shoe(state.settings).decks
    if loaders := _takers(state, LoadShoe(decks)):
        yield Offer(Command.LOAD_SHOE, loaders, amount=Bounds(decks, decks))
    for command, action in _PLAIN.items():
        if _is_taken(state, action):
            yield Offer(command, _ROLES[type(action)])


_PLAIN: Final[MappingProxyType[Command, Action]] = MappingProxyType(
    {
        Command.OPEN_TABLE: OpenTable(),
        Command.CLOSE_TABLE: CloseTable(),
        Command.RESHUFFLE: OrderReshuffle(),
        Command.CHANGE_DECK: ChangeDeck(),
        Command.COUNT_DECK: CountDeck(),
    }
)
_KINDS: Final[tuple[Callable[[TableState], Iterator[Offer]], ...]] = (
    _bet,
    _enter_cards,
    _names_a_seat,
    _report,
    _count,
    _rule,
    _clear_alert,
    _of_the_table,
)
