"""What the shuffler is told: the packet size, the packets of the round and the rest of its deck, and to shuffle afresh.

Theory of operation. No handler orders anything. What the machine has to be told follows from the state: `due` reads it
there, at the end of every step, and `send_due_orders` orders it once. So an order that could not be given is given as
soon as it can be, whatever the way back was: a new connection, a link that is heard again, a machine at rest.

Nothing is ordered of a machine that is away or silent. A packet is ordered only from a machine that has said that it is
set to that packet's size: the size and the packet are one order to the table, because a packet of the old size would
void the round. A machine that refuses a size or a shuffle is in motion; it is left alone until it reports that it came
to rest, so an order and its refusal cannot chase each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from daemon.frozen import replace
from daemon.table import alerts
from daemon.table.draft import Draft
from daemon.table.said import Clause, SaidId
from daemon.table.state import DECK_IS_FREE, DeviceState, Phase, Presence, Round
from daemon.table.vocabulary import SourceKind
from drivers.commands import DeviceCommand, Dispense, EjectRemainder, Reshuffle, SetMode


def request_reshuffle(draft: Draft) -> None:
    """Have the cards in the machine shuffled before anything is dealt from them."""
    if _is_driven(draft):
        draft.state = replace(draft.state, reshuffle_owed=True)


def send_due_orders(draft: Draft) -> None:
    """Order what is due. The reducer calls this once, at the end of every step."""
    for command in tuple(due(draft)):
        draft.order_from(draft.state.settings.source.device, command)
        if isinstance(command, Dispense | EjectRemainder):
            draft.round = replace(draft.round, ordered=command)


def due(draft: Draft) -> Iterator[DeviceCommand]:
    """Give what the machine has to be told and has not been told, in the order of telling."""
    state = draft.state
    machine = state.device(state.settings.source.device)
    if not _is_driven(draft) or machine.presence is not Presence.UP or machine.has_refused:
        return
    wanted = cards_wanted(draft)
    if _cards_to_come(draft, machine) != wanted:
        yield SetMode(wanted)
    if state.reshuffle_owed and state.phase in DECK_IS_FREE and not _is_ordered(draft, Reshuffle()):
        yield Reshuffle()
    needed = None if state.round is None else _needed(state.phase, state.round)
    if needed is None or needed == draft.round.ordered or _is_ordered(draft, needed):
        return
    is_set = machine.cards_a_packet == _cards_to_come(draft, machine) == wanted
    if is_set or isinstance(needed, EjectRemainder):
        yield needed


def _needed(phase: Phase, played: Round) -> Dispense | EjectRemainder | None:
    """Return what the round waits for from the machine: its next packet, or the rest of the deck."""
    if played.remainder is not None or played.accounted:
        return None  # whatever is still dealt comes out of a shoe
    if phase is Phase.COLLECTING:
        return EjectRemainder()
    position = played.undelivered
    if phase is not Phase.DEALING or position is None or played.hand_at(position) is not None:
        return None
    return Dispense(position)


def _cards_to_come(draft: Draft, shuffler: DeviceState) -> int | None:
    """Return the packet size that the machine will have once it has done what it was ordered."""
    sizes = [
        each.command.cards_a_packet
        for each in draft.state.outstanding
        if each.device == shuffler.name and isinstance(each.command, SetMode)
    ]
    return sizes[-1] if sizes else shuffler.size_accepted or shuffler.cards_a_packet


def wrong_packets(draft: Draft) -> Clause | None:
    """Return why the next packet would not be one of this game, or None; it is looked at before any bet is taken.

    A machine that takes orders says what it is set to when it is told. One that takes none may never have said it: then
    only its packets show it, and each of them is counted.
    """
    source = draft.state.settings.source
    size, wanted = draft.state.device(source.device).cards_a_packet, cards_wanted(draft)
    is_unsaid = size is None and not source.takes_commands
    if source.kind is not SourceKind.SHUFFLER or size == wanted or is_unsaid:
        return None
    return Clause(SaidId.PACKETS_TO_SET, device=source.device, wanted=wanted)


def _is_driven(draft: Draft) -> bool:
    """Return whether the source has a motor to order. A shoe has none, whatever else can be ordered of it."""
    source = draft.state.settings.source
    return source.takes_commands and source.kind is SourceKind.SHUFFLER


def cards_wanted(draft: Draft) -> int:
    """Return how many cards the next packet has to have: the next of the plan, else the first of a round.

    While draws are due that nobody has planned yet, the machine is left as it is.
    """
    played = draft.state.round
    if played is None or played.accounted or draft.state.phase is Phase.VOIDING:
        return draft.play.first_packet_cards
    if len(played.hands) < len(played.plan):
        return played.plan[len(played.hands)].cards
    if played.plan and draft.play.draws_due(played):
        return played.plan[-1].cards
    return draft.play.first_packet_cards


def check_packet_size(draft: Draft) -> None:
    """Raise an alert for a shuffler that gives other packets than this game's, unless it is being set."""
    settings, wanted = draft.state.settings, cards_wanted(draft)
    if settings.source.kind is not SourceKind.SHUFFLER:
        return
    cards = draft.state.device(settings.source.device).cards_a_packet
    if cards not in (None, wanted) and not _is_ordered(draft, SetMode(wanted)):
        draft.raise_alert(alerts.wrong_mode(settings.source.device, cards, wanted))


def _is_ordered(draft: Draft, command: DeviceCommand) -> bool:
    device = draft.state.settings.source.device
    return any((due.device, due.command) == (device, command) for due in draft.state.outstanding)
