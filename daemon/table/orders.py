"""What the shuffler is told between hands: the packet size of this game, and to shuffle afresh when it must.

A machine in motion refuses, so what is owed is remembered and ordered again after the next thing that it reports,
never after a refusal: an order and its refusal can not chase each other.
"""

from __future__ import annotations

from dataclasses import replace

from daemon.table import alerts
from daemon.table.draft import Draft
from daemon.table.state import NO_CARDS_OUT, DeviceState, Presence
from daemon.table.vocabulary import SourceKind
from drivers.commands import DeviceCommand, Reshuffle, SetMode


def request_reshuffle(draft: Draft) -> None:
    """Whatever order the cards in the machine have, it is not to be dealt from."""
    if _is_driven(draft):
        draft.state = replace(draft.state, reshuffle_owed=True)
        send_due_orders(draft)


def send_due_orders(draft: Draft) -> None:
    """Order what is owed and not yet ordered."""
    shuffler = draft.state.device(draft.state.settings.source.device)
    if not _is_driven(draft) or shuffler.presence is not Presence.UP:
        return
    wanted = cards_wanted(draft)
    if _cards_to_come(draft, shuffler) != wanted:
        draft.order(shuffler.name, SetMode(wanted))
    if draft.state.reshuffle_owed and draft.state.phase in NO_CARDS_OUT and not _is_ordered(draft, Reshuffle()):
        draft.order(shuffler.name, Reshuffle())


def _cards_to_come(draft: Draft, shuffler: DeviceState) -> int | None:
    """The packet size that the machine will have once it has done what it was ordered."""
    due = [each.command for each in draft.state.outstanding if each.device == shuffler.name]
    ordered = [command.cards_a_packet for command in due if isinstance(command, SetMode)]
    return ordered[-1] if ordered else shuffler.cards_a_packet


def wrong_packets(draft: Draft) -> str | None:
    """Why the next packet would not be one of this game, or None; it is looked at before any bet is taken.

    A machine that takes orders says what it is set to when it is told. One that takes none may never have said it: then
    only its packets show it, and each of them is counted.
    """
    source = draft.state.settings.source
    size, wanted = draft.state.device(source.device).cards_a_packet, cards_wanted(draft)
    is_unsaid = size is None and not source.takes_commands
    if source.kind is not SourceKind.SHUFFLER or size == wanted or is_unsaid:
        return None
    return f"{source.device} has to be set to packets of {wanted}"


def _is_driven(draft: Draft) -> bool:
    """A shoe has no motor, whatever else can be ordered of it."""
    source = draft.state.settings.source
    return source.takes_commands and source.kind is SourceKind.SHUFFLER


def cards_wanted(draft: Draft) -> int:
    """How many cards the next packet has to have: the next of the plan, else the first of a round.

    While draws are due that nobody has planned yet, the machine is left as it is.
    """
    played = draft.state.round
    if played is None or played.accounted:
        return draft.play.first_packet_cards
    if len(played.hands) < len(played.plan):
        return played.plan[len(played.hands)].cards
    if played.plan and draft.play.draws_due(played):
        return played.plan[-1].cards
    return draft.play.first_packet_cards


def check_packet_size(draft: Draft) -> None:
    """A machine that gives other packets than this game's is somebody's matter, unless it is being set."""
    settings, wanted = draft.state.settings, cards_wanted(draft)
    cards = draft.state.device(settings.source.device).cards_a_packet
    if cards not in (None, wanted) and not _is_ordered(draft, SetMode(wanted)):
        draft.raise_alert(alerts.wrong_mode(settings.source.device, cards, wanted))


def _is_ordered(draft: Draft, command: DeviceCommand) -> bool:
    device = draft.state.settings.source.device
    return any((due.device, due.command) == (device, command) for due in draft.state.outstanding)
