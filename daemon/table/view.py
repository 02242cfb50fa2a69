"""The picture of a table that anybody may see: what is retained on MQTT and drawn on the panel.

It is built up from what is public, never by leaving things out of the state, so a field added to the state is hidden
until somebody decides otherwise here.
"""

from __future__ import annotations

from dataclasses import dataclass

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import GameName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.facts import AlertRaised
from daemon.table.games import PROCEDURES
from daemon.table.play import GamePlay
from daemon.table.round_facts import HandSettled, PlayedHand, SeatStake, SettledWager
from daemon.table.shoe import Shoe
from daemon.table.state import NO_CARDS_OUT, Deck, Phase, Presence, Round, TableState
from daemon.table.vocabulary import RoundId, SeatNumber, SourceKind
from drivers.events import DeviceName, FaultKind, Identity
from protocols.cards import Face


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its stakes, whether a hand lies there, and what it came to once that was shown."""

    seat: SeatNumber
    stakes: tuple[SeatStake, ...]
    cards_dealt: int | None
    delivered: bool
    reconciled: bool
    settled: HandSettled | None
    draws: int | None = None
    first_5: FirstFiveSettled | None = None
    hands: tuple[PlayedHand, ...] = ()  # in a game in which they lie open while they are played
    results: tuple[SettledWager, ...] = ()  # every wager that was paid or taken so far, also before its hand was shown


@dataclass(frozen=True, slots=True)
class DeviceView:
    """One device: whether it is there, who it says it is, and what is the matter with it."""

    device: DeviceName
    presence: Presence
    faults: tuple[FaultKind, ...]
    identity: Identity | None = None


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe that is dealt from, by numbers: which cards have left it stays the table's."""

    decks: int
    cards_gone: int
    burn_due: int
    is_last_round: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table, as far as it is public."""

    site: str
    table: str
    game: GameName
    phase: Phase
    opened: bool
    round_id: RoundId | None
    round_number: int
    deck: Deck
    prompt: str
    seats: tuple[SeatView, ...]
    devices: tuple[DeviceView, ...]
    alerts: tuple[AlertRaised, ...]
    dealer_cards: tuple[Face, ...] = ()
    community_cards: tuple[Face, ...] = ()
    shoe: ShoeView | None = None
    button: SeatNumber | None = None
    variant: Variant | None = None
    games: tuple[GameName, ...] = ()  # that the table can be changed over to, the one that is played among them


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
    )


def _deck(state: TableState) -> Deck:
    """Of a shoe as of a deck: whether it can be dealt from, and whether it is."""
    if state.settings.source.kind is not SourceKind.SHOE:
        return state.deck
    if state.shoe is None or state.shoe.burn_due:
        return Deck.UNKNOWN
    return Deck.READY if state.phase in NO_CARDS_OUT else Deck.IN_USE


def _shoe(shoe: Shoe | None) -> ShoeView | None:
    return None if shoe is None else ShoeView(shoe.decks, shoe.gone, shoe.burn_due, shoe.is_last_round)


def _seat(seat: SeatNumber, played: Round | None, play: GamePlay) -> SeatView:
    if played is None:
        return SeatView(seat, (), None, delivered=False, reconciled=False, settled=None)
    picture = play.seat_picture(played, seat)
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
        results=tuple(said.wager for said in played.said if said.seat == seat),
    )
