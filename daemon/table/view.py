"""Making the picture that anybody may see of a table.

It is built up from what is public, never by leaving things out of the state, so a field added to the state is hidden
until somebody decides otherwise here.
"""

from __future__ import annotations

from collections.abc import Iterator

from daemon.rules.games import GAMES
from daemon.rules.limits import NO_LIMITS
from daemon.table import may, stake_bounds
from daemon.table.games import PROCEDURES
from daemon.table.picture import (
    AskView,
    DeviceView,
    RulingView,
    SeatView,
    ShoeView,
    SpotView,
    StandstillView,
    TableView,
)
from daemon.table.play import GamePlay
from daemon.table.shoe import Shoe
from daemon.table.state import DECK_IS_FREE, Deck, Phase, Round, TableState
from daemon.table.vocabulary import Ruling, SeatNumber, SourceKind


def public(state: TableState) -> TableView:
    """Return what may be shown of this state."""
    play, seats = PROCEDURES[state.settings.game].play, range(1, state.settings.seats + 1)
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
        seats=tuple(_seat(SeatNumber(seat), state.round, play) for seat in seats),
        dealer_cards=picture.dealer_cards,
        button=picture.button,
        variant=picture.variant,
        community_cards=picture.community_cards,
        devices=tuple(
            DeviceView(device.name, device.presence, device.faults, device.identity) for device in state.devices
        ),
        alerts=state.alerts,
        shoe=_shoe(state.shoe),
        games=tuple(offer.game for offer in state.settings.games),
        may=may.offers(state),
        ask=_ask(state, play),
        spots=tuple(_spots(state, play)),
        standstill=_standstill(state),
    )


def _ask(state: TableState, play: GamePlay) -> AskView | None:
    if state.prompt_seat is None and not state.prompt_steps:
        return None
    is_question = state.prompt_seat is not None and play.asked(state) == state.prompt_seat
    return AskView(state.prompt_seat, is_question, state.prompt_steps)


def _spots(state: TableState, play: GamePlay) -> Iterator[SpotView]:
    """Spots that this house has, with the limits of the round that runs, else of today."""
    game, house = GAMES[state.settings.game], state.settings.house
    limits = state.round.limits if state.round is not None else state.settings.limits.on(state.day) or NO_LIMITS
    for wager in game.spots:
        paytables = game.paytables_of(wager, house)
        if paytables:
            stakes = stake_bounds.by_limits(wager, paytables, house.money, limits)
            yield SpotView(wager, play.spot_names[wager], stakes.least, stakes.most, stakes.step)


def _standstill(state: TableState) -> StandstillView | None:
    if state.phase not in (Phase.HELD, Phase.INTERRUPTED) or state.round is None or state.round.stop is None:
        return None
    stop = state.round.stop
    rulings = tuple(RulingView(ruling, may.against(state, ruling)) for ruling in Ruling)
    return StandstillView(stop.reason, stop.irregularity, state.round.findings, rulings)


def _deck(state: TableState) -> Deck:
    """Of a shoe as of a deck: whether it can be dealt from, and whether it is."""
    if state.settings.source.kind is not SourceKind.SHOE:
        return state.deck
    if state.shoe is None or state.shoe.burn_due:
        return Deck.UNKNOWN
    return Deck.READY if state.phase in DECK_IS_FREE else Deck.IN_USE


def _shoe(shoe: Shoe | None) -> ShoeView | None:
    return None if shoe is None else ShoeView(shoe.decks, shoe.gone, shoe.burn_due, shoe.is_last_round)


def _seat(seat: SeatNumber, played: Round | None, play: GamePlay) -> SeatView:
    if played is None:
        return SeatView(seat, (), None, delivered=False, reconciled=False, settled=None)
    picture, position = play.seat_picture(played, seat), played.position_of(seat)
    shown = seat == played.showing or seat in played.reconciled
    settled = next((settled for settled in played.settled if settled.seat == seat), None)
    return SeatView(
        seat=seat,
        stakes=played.stakes_of(seat),
        cards_dealt=picture.cards_dealt,
        delivered=picture.delivered,
        reconciled=seat in played.reconciled,
        settled=settled if shown else None,
        draws=picture.draws,
        first_5=picture.first_5,
        hands=picture.hands,
        open_cards=picture.open_cards,
        held_by=None if position is None else position.who,
        results=tuple(said.wager for said in played.said if said.seat == seat),
    )
