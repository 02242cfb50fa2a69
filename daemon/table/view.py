"""Making the picture that anybody may see of a table.

It is built up from what is public, never by leaving things out of the state, so a field added to the state is hidden
until somebody decides otherwise here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from daemon.rules.games import GAMES
from daemon.rules.limits import NO_LIMITS, Limits
from daemon.rules.money import Cents
from daemon.rules.results import RefusalCode
from daemon.rules.wagers import Wager
from daemon.table import alerts, may, stake_bounds, voiding
from daemon.table.games import PROCEDURES
from daemon.table.offers import Command, Offer
from daemon.table.picture import (
    AlertView,
    AskView,
    DeviceView,
    EvidenceView,
    PastRoundView,
    RulingView,
    SeatPicture,
    SeatView,
    ShoeView,
    SpotView,
    StandstillView,
    TableView,
    WantView,
)
from daemon.table.play import GamePlay
from daemon.table.round_facts import HandSettled
from daemon.table.same import Same
from daemon.table.sentences import in_english
from daemon.table.settings import TableSettings
from daemon.table.shoe import Shoe
from daemon.table.state import AWAITS_RULING, DECK_IS_FREE, Deck, PastRound, Phase, Round, TableState
from daemon.table.vocabulary import Ruling, SeatNumber, SourceKind

SPOTS_KEPT: Final = 8  # of each game, as long as settings and limits stay the same objects
_SENTENCE: Final = re.compile(r"(?:[^.?]|\.(?=\d))+[.?]")
_WHOM: Final = re.compile(r"^\s*Seat \d+: ")


def public(state: TableState) -> TableView:
    """Return what may be shown of this state."""
    offers = may.offers(state)
    play = PROCEDURES[state.settings.game].play
    picture = play.picture(state)
    return TableView(
        site=state.settings.site,
        table=state.settings.table,
        game=state.settings.game,
        phase=state.phase,
        opened=state.opened,
        round_id=state.round.id if state.round else None,
        round_number=state.rounds_opened,
        deck=_deck(state),
        prompt=state.prompt,
        prompt_said=state.prompted.said,
        rounds=_rounds(Same(state.recent)),
        seats=_seats(state, play),
        dealer_cards=picture.dealer_cards,
        button=picture.button,
        variant=picture.variant,
        community_cards=picture.community_cards,
        devices=tuple(
            DeviceView(device.name, device.presence, device.faults, device.identity)
            for device in state.devices
            if state.is_named(device.name)
        ),
        alerts=tuple(_alerts(state)),
        shoe=_shoe(state.shoe),
        games=tuple(offer.game for offer in state.settings.games),
        may=offers,
        ask=_ask(state, play),
        spots=_spots(state),
        standstill=_standstill(state, play),
        wants=tuple(_wants(state, offers)),
        dealer_backs=picture.dealer_backs,
        community_backs=picture.community_backs,
        dealer_gives_up=picture.dealer_gives_up,
        dealer_total=picture.dealer_total,
        at_ms=_ms(state.at.utc_ns),
        phase_since_ms=None if state.phase_since_utc_ns is None else _ms(state.phase_since_utc_ns),
        title=state.settings.title or state.settings.table,
        game_title=GAMES[state.settings.game].title,
        currency=state.settings.currency,
        chips_cents=state.settings.chips_cents,
    )


def _ms(utc_ns: int) -> int:
    """Return milliseconds: JavaScript cannot hold nanoseconds exactly."""
    return utc_ns // alerts.NS_PER_MS


def _alerts(state: TableState) -> Iterator[AlertView]:
    for alert in state.alerts:
        told = (alert.alert, alert.blocks_play, alert.message, alert.remedy, alert.cleared_by, alert.device)
        yield AlertView(*told, alerts.since_ms(state, alert.alert), alert.said, alert.remedy_said)


def _wants(state: TableState, offers: tuple[Offer, ...]) -> Iterator[WantView]:
    may_repeat = state.shoe is not None and state.shoe.decks > 1
    for offer in offers:
        if offer.command is Command.ENTER_CARDS:
            count = None if offer.amount is None else offer.amount.least
            yield from (WantView(seat, offer.hand, count, may_repeat) for seat in offer.seats)


def _ask(state: TableState, play: GamePlay) -> AskView | None:
    told = state.prompted
    if told.seat is None and not told.steps:
        return None
    is_question = told.seat is not None and play.asked(state) == told.seat
    question = _question(told.sentence) if is_question or "?" in told.sentence else None
    is_void = state.phase is Phase.VOIDING and state.round is not None
    undo = voiding.undoing(state.round) if is_void and state.round is not None else ()
    return AskView(told.seat, is_question, told.steps, question, undo)


def _question(prompt: str) -> str:
    """Return the sentence of a prompt that asks, without whom; where none has a question mark, all of it."""
    asking = [sentence for sentence in _SENTENCE.findall(prompt) if sentence.endswith("?")]
    return _WHOM.sub("", " ".join(asking) or prompt)


def _spots(state: TableState) -> tuple[SpotView, ...]:
    """Spots that this house has, with the limits of the round that runs, else of today."""
    limits = state.round.limits if state.round is not None else state.settings.limits.on(state.day) or NO_LIMITS
    return _spots_of(Same(state.settings), Same(limits))


@lru_cache(SPOTS_KEPT)
def _spots_of(of_table: Same[TableSettings], of_day: Same[Limits]) -> tuple[SpotView, ...]:
    settings, limits = of_table.value, of_day.value
    game, house, play = GAMES[settings.game], settings.house, PROCEDURES[settings.game].play
    spots: list[SpotView] = []
    for wager in game.spots:
        paytables = game.paytables_of(wager, house)
        if paytables:
            stakes = stake_bounds.by_limits(wager, paytables, house.money, limits, game.followed_in(wager, limits))
            asked = game.check_wager(Wager(wager, Cents(stakes.least)), (), house, limits)
            aggregate = next((limit.most for limit in limits.aggregates if limit.wager is wager), None)
            spots.append(
                SpotView(
                    wager,
                    play.spot_names[wager],
                    stakes.least,
                    stakes.most,
                    stakes.step,
                    needs_colour=asked is not None and asked.code is RefusalCode.COLOUR_MISSING,
                    aggregate_most_cents=aggregate,
                )
            )
    return tuple(spots)


@lru_cache(SPOTS_KEPT)
def _rounds(recent: Same[tuple[PastRound, ...]]) -> tuple[PastRoundView, ...]:
    """Return the rounds that are over. They stay the same while a round is played, and so does what is shown."""
    return tuple(
        PastRoundView(
            past.id,
            past.number,
            past.end,
            _ms(past.ended_utc_ns),
            None if past.began_utc_ns is None else _ms(past.began_utc_ns),
            past.take_cents,
            past.irregularity,
            past.nets,
        )
        for past in reversed(recent.value)
        if past.end is not None and past.ended_utc_ns is not None
    )


def _standstill(state: TableState, play: GamePlay) -> StandstillView | None:
    played = state.round
    if state.phase not in AWAITS_RULING or played is None or played.stop is None:
        return None
    stop = played.stop
    rulings = tuple(_ruling(state, play, ruling) for ruling in Ruling)
    since = None if state.phase_since_utc_ns is None else _ms(state.phase_since_utc_ns)
    evidence, why = tuple(_evidence(played)), (stop.reason, stop.irregularity, played.findings)
    return StandstillView(*why, rulings, since, evidence, stop.said, played.revision)


def _ruling(state: TableState, play: GamePlay, ruling: Ruling) -> RulingView:
    against = may.against(state, ruling)
    if against is None:
        return RulingView(ruling, None, _does(state, play, ruling))
    return RulingView(ruling, against.message(play.spot_names), _does(state, play, ruling), against.sentence)


def _does(state: TableState, play: GamePlay, ruling: Ruling) -> str:
    """Say what follows from a ruling. What the cards would come to is not said: nobody may rule by that."""
    assert state.round is not None, "it stands still"
    if ruling is Ruling.VOID:
        steps = voiding.steps_of(state.round)
        does = in_english(voiding.seat_sentences(steps), steps, play.spot_names)
        return f"The round has no result. {does}".strip()
    vouches = state.phase is Phase.INTERRUPTED or state.round.wants_voucher
    return "The round goes on where it stood." + (" It is on record that you vouch for the cards." if vouches else "")


def _evidence(played: Round) -> Iterator[EvidenceView]:
    for position, packet in enumerate(played.plan, start=1):
        hand = played.hand_at(position)
        if hand is None:
            yield EvidenceView(packet.seat, packet.cards, None, None, delivered=False)
        else:
            yield EvidenceView(packet.seat, packet.cards, hand.cards_counted, hand.evidence, hand.delivered)


def _deck(state: TableState) -> Deck:
    """Return the deck's state, also of a shoe: whether it can be dealt from, and whether it is."""
    if state.settings.source.kind is not SourceKind.SHOE:
        return state.deck
    if state.shoe is None or state.shoe.burn_due:
        return Deck.UNKNOWN
    return Deck.READY if state.phase in DECK_IS_FREE else Deck.IN_USE


def _shoe(shoe: Shoe | None) -> ShoeView | None:
    return None if shoe is None else ShoeView(shoe.decks, shoe.gone, shoe.burn_due, shoe.is_last_round)


def _seats(state: TableState, play: GamePlay) -> tuple[SeatView, ...]:
    seats, played = range(1, state.settings.seats + 1), state.round
    if played is None:
        return tuple([SeatView(SeatNumber(seat), (), None, False, False, None) for seat in seats])
    settled = {each.seat: each for each in played.settled}
    holders = {position.seat: position.who for position in played.positions}
    return tuple([_seat(seat, played, play, settled.get(seat), holders.get(seat)) for seat in map(SeatNumber, seats)])


def _seat(seat: SeatNumber, played: Round, play: GamePlay, settled: HandSettled | None, who: str | None) -> SeatView:
    picture = play.seat_picture(played, seat)
    reconciled = seat in played.reconciled
    shown = settled if reconciled or seat == played.showing else None
    return SeatView(
        seat=seat,
        stakes=played.stakes_of(seat),
        cards_dealt=picture.cards_dealt,
        delivered=picture.delivered,
        reconciled=reconciled,
        settled=shown,
        draws=picture.draws,
        first_5=picture.first_5,
        hands=picture.hands,
        results=tuple([said.wager for said in played.said if said.seat == seat]),
        open_cards=picture.open_cards,
        held_by=who,
        backs=_backs(picture) if shown is None else 0,
    )


def _backs(picture: SeatPicture) -> int:
    """Return how many cards of a seat lie face down. The hands of a game in which they lie open have none."""
    if picture.hands:
        return 0
    if picture.cards_dealt is None:
        return 1 if picture.delivered else 0
    return max(0, picture.cards_dealt - len(picture.open_cards))
