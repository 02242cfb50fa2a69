"""What a device report means whatever is being played: who is there, what is faulty, where the deck is.

What it means to the running round is a trigger of the game's procedure, returned by `note`. A shuffler that takes
commands is told its packet size as soon as it is there; one that does not is watched, and its counts are checked.
"""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from daemon.frozen import replace
from daemon.table import alerts, by_hand, keys, loading, moved_stakes, orders, seen_stakes
from daemon.table.draft import Draft
from daemon.table.facts import (
    DeckShuffled,
    DeviceAnomaly,
    DeviceCameBack,
    DeviceEventsLost,
    DeviceFaultCleared,
    DeviceFaulted,
    DeviceLost,
    DeviceModeChanged,
    DeviceRestarted,
    DeviceSetupFailed,
    DeviceStale,
    DeviceUp,
)
from daemon.table.procedure import Reported
from daemon.table.state import Deck, DeviceState, Presence
from daemon.table.vocabulary import SourceKind
from drivers.commands import CommandDue, Reshuffle, SetMode
from drivers.events import (
    FOREIGN_ORDER,
    Anomaly,
    ButtonPressed,
    CameBack,
    CardDrawn,
    CardReturned,
    CommandAnswered,
    CutCardDrawn,
    DealCleared,
    DeckLoaded,
    DeviceName,
    DeviceReport,
    EventsLost,
    FaultCleared,
    FaultKind,
    FaultRaised,
    KeyPressed,
    LinkLost,
    LinkUp,
    ModeChanged,
    PacketDispensed,
    PacketRemoved,
    ReadFailed,
    RemainderEjected,
    Restarted,
    SetupFailed,
    ShoeLockChanged,
    ShuffleFinished,
    ShuffleStarted,
    StakeSeen,
    WentStale,
)

_CARDS_MOVED: Final = {
    PacketDispensed: Reported.PACKET_DISPENSED,
    PacketRemoved: Reported.PACKET_REMOVED,
    RemainderEjected: Reported.REMAINDER_EJECTED,
}


_CARDS_OF_A_SHOE: Final = {
    CardDrawn: Reported.CARD_DRAWN,
    CutCardDrawn: Reported.CUT_CARD_DRAWN,
    CardReturned: Reported.CARD_RETURNED,
    ReadFailed: Reported.READ_FAILED,
    DealCleared: Reported.DEAL_CLEARED,
}


_NOT_DEALT_FROM_IT: Final = {
    CardDrawn: ("card-drawn", "a card left a shoe, and this game is not dealt from one"),
    CutCardDrawn: ("cut-card-drawn", "the cut card left a shoe, and this game is not dealt from one"),
    CardReturned: ("card-returned", "a card was put back into a shoe, and this game is not dealt from one"),
    ReadFailed: ("read-failed", "a shoe could not read a card, and this game is not dealt from one"),
    DealCleared: ("deal-cleared", "a shoe took its deal back, and this game is not dealt from one"),
    ShoeLockChanged: ("shoe-lock-changed", "a shoe was locked or unlocked, and this game is not dealt from one"),
}
"""What a shoe reports is kept in the journal; to a game that is not dealt from it, it means nothing."""

_AT_REST_AGAIN: Final = (LinkUp, CameBack, ModeChanged, DeckLoaded, ShuffleFinished, FaultCleared, *_CARDS_MOVED)
"""The machine has come to rest, or there is one again."""


def note(  # noqa: C901 - one branch a kind of event, and nothing else
    draft: Draft, report: DeviceReport
) -> Reported | None:
    """Put the report on record, and say what it means to a round, if anything. A button is the reducer's matter."""
    name, event = report.device, report.event
    _note_rest(draft, report)
    match event:
        case LinkUp():
            return _link_up(draft, name, event)
        case SetupFailed() | LinkLost() | WentStale() | CameBack():
            _presence(draft, name, event)
        case Restarted() | EventsLost() | Anomaly() | KeyPressed():
            return _trouble(draft, name, event)
        case FaultRaised() | FaultCleared():
            return _fault(draft, name, event)
        case ModeChanged():
            _mode(draft, name, event.cards_a_packet)
        case StakeSeen():
            moved_stakes.note(draft, name, event)
        case CommandAnswered():
            return _answered(draft, event)
        case DeckLoaded() | ShuffleStarted() | ShuffleFinished():
            return _deck(draft, name, event)
        case PacketDispensed() | PacketRemoved() | RemainderEjected() | ButtonPressed():
            return _cards_moved(draft, name, event)
        case CardDrawn() | CutCardDrawn() | CardReturned() | ReadFailed() | DealCleared() | ShoeLockChanged():
            return _out_of_a_shoe(draft, name, event)
        case _:
            assert_never(event)
    return None


def _note_rest(draft: Draft, report: DeviceReport) -> None:
    """Note that a machine came to rest: it may take now what it refused, and has done what it accepted."""
    device = draft.state.device(report.device)
    if isinstance(report.event, _AT_REST_AGAIN) and (device.has_refused or device.size_accepted is not None):
        _put(draft, replace(device, has_refused=False, size_accepted=None))


def _is_source(draft: Draft, name: DeviceName) -> bool:
    return name == draft.state.settings.source.device


def _deals_now(draft: Draft, name: DeviceName) -> bool:
    """Return whether cards come out of this device: the source, or a shoe for draws that holds the rest of the deck."""
    shoe = draft.state.settings.shoe
    is_drawn_from = shoe is not None and name == shoe.device and draft.state.shoe is not None
    return is_drawn_from or _is_source(draft, name)


def _of_the_round(draft: Draft, trigger: Reported) -> Reported | None:
    """Return the trigger, or None if the round is dealt by hand: its deck left the machine before the round began."""
    return None if by_hand.is_dealt_by_hand(draft.state) else trigger


def _cards_moved(
    draft: Draft, name: DeviceName, event: PacketDispensed | PacketRemoved | RemainderEjected | ButtonPressed
) -> Reported | None:
    trigger = _CARDS_MOVED.get(type(event))
    gives_packets = _is_source(draft, name) and draft.state.settings.source.kind is not SourceKind.SHOE
    if trigger is not None and not gives_packets:
        # A table of several games has a machine for each. Cards of another one are on record, and touch no round.
        # Nor do packets of a shuffler that has the name of the round's shoe, in a file that waits for the round's end.
        draft.say(DeviceAnomaly(name, "not-the-source", "cards moved in it, and this game is not dealt from it"))
        return None
    if by_hand.is_dealt_by_hand(draft.state) and not isinstance(event, ButtonPressed):
        by_hand.came_out(draft, name, event)
        return None
    return trigger


def _record_broken(draft: Draft, name: DeviceName, *, has_keys: bool) -> Reported | None:
    """Return what a hole in the device's record means. Cards may have come out of the source. A pad has only keys.

    A key that was lost leaves the table waiting for what it asked, and never moves it: the dealer sees that and presses
    again. A seat that was selected is let go, because another selection may be what was lost.
    """
    if _is_source(draft, name):
        if draft.state.deck in (Deck.READY, Deck.SHUFFLING):  # one that a round is using is left to that round
            draft.state = replace(draft.state, deck=Deck.UNKNOWN)
            orders.request_reshuffle(draft)
        draft.state = replace(draft.state, batch=None)  # it may have been put back and another come out
        return _of_the_round(draft, Reported.EVIDENCE_LOST)
    if _deals_now(draft, name):
        return Reported.EVIDENCE_LOST
    if name not in draft.state.settings.dealing_devices and has_keys:
        keys.doubt(draft, name)
    return None


_ShoeEvent: TypeAlias = CardDrawn | CutCardDrawn | CardReturned | ReadFailed | DealCleared | ShoeLockChanged


def _out_of_a_shoe(draft: Draft, name: DeviceName, event: _ShoeEvent) -> Reported | None:
    shoe = draft.state.settings.shoe
    if shoe is not None and shoe.device == name:
        return _CARDS_OF_A_SHOE.get(type(event))
    draft.say(DeviceAnomaly(name, *_NOT_DEALT_FROM_IT[type(event)]))
    return None


def _put(draft: Draft, changed: DeviceState) -> None:
    others = (device for device in draft.state.devices if device.name != changed.name)
    draft.state = replace(draft.state, devices=tuple(sorted((*others, changed), key=lambda device: device.name)))


def _link_up(draft: Draft, name: DeviceName, event: LinkUp) -> Reported | None:
    who, before = event.identity, draft.state.device(name)
    was_met = before.identity is not None
    # The end of a fault may be in a hole of its record. What still stands it says again, or refuses to go on.
    faults = before.faults if event.resumed else ()
    _put(draft, replace(before, presence=Presence.UP, identity=who, faults=faults))
    draft.say(DeviceUp(name, who.model, who.serial, who.firmware, who.capabilities, event.resumed))
    if not was_met:
        seen_stakes.met(draft, name)
    # A pad that was never here has lost no key. A shuffler that was never here may have given out cards.
    is_new_pad = not was_met and name not in draft.state.settings.dealing_devices
    return None if event.resumed or is_new_pad else _record_broken(draft, name, has_keys=not seen_stakes.sees_only(who))


def _presence(draft: Draft, name: DeviceName, event: SetupFailed | LinkLost | WentStale | CameBack) -> None:
    match event:
        case SetupFailed(code, problem, remedy):
            draft.say(DeviceSetupFailed(name, code, problem, remedy, alerts.told(code, problem)))
            alert = alerts.setup(name, code, problem, remedy)
            if draft.state.alert(alert.alert) != alert:  # the alert names its cause, and that can become another one
                draft.lower_alert(alert.alert)
            draft.raise_alert(alert)
        case LinkLost(reason, code):
            draft.say(DeviceLost(name, reason, alerts.told(code, reason)))
            _gone(draft, name, Presence.AWAY, reason, code)
        case WentStale(silence_ns):
            draft.say(DeviceStale(name, silence_ns))
            _gone(draft, name, Presence.STALE, f"silent for {silence_ns / 1e9:.1f} s", "silent")
        case CameBack():
            _put(draft, replace(draft.state.device(name), presence=Presence.UP))
            draft.say(DeviceCameBack(name))
        case _:
            assert_never(event)


def _trouble(draft: Draft, name: DeviceName, event: Restarted | EventsLost | Anomaly | KeyPressed) -> Reported | None:
    before = draft.state.device(name).identity
    has_keys = before is None or not seen_stakes.sees_only(before)
    match event:
        case Restarted():
            # It forgot its orders, its mode and its faults, and reports again what still is so.
            draft.drop_orders(name)
            _put(draft, DeviceState(name, draft.state.device(name).presence))
            draft.say(DeviceRestarted(name))
            seen_stakes.forget(draft, name, is_told_again=True)
            return _record_broken(draft, name, has_keys=has_keys)
        case EventsLost(missing, reason, code):
            draft.say(DeviceEventsLost(name, missing, reason, alerts.told(code, reason)))
            seen_stakes.forget(draft, name, is_told_again=False)
            return _record_broken(draft, name, has_keys=has_keys)
        case Anomaly(code, detail):
            draft.say(DeviceAnomaly(name, code, detail))
            if code == FOREIGN_ORDER:
                blocks_play = name in draft.state.settings.dealing_devices
                draft.raise_alert(alerts.foreign_order(name, blocks_play=blocks_play))
        case KeyPressed(key):
            draft.say(DeviceAnomaly(name, "unmapped-key", f"key {key} has no meaning in this table's configuration"))
        case _:
            assert_never(event)
    return None


def _gone(draft: Draft, name: DeviceName, presence: Presence, reason: str, code: str) -> None:
    was_up = draft.state.device(name).presence is Presence.UP
    _put(draft, replace(draft.state.device(name), presence=presence))
    if was_up:
        blocks_play = name in draft.state.settings.dealing_devices
        draft.raise_alert(alerts.missing(name, reason, code, blocks_play=blocks_play))


def _distrust_cards_inside(draft: Draft, name: DeviceName) -> None:
    """Distrust the cards inside after a fault: the machine does not vouch for them, whatever their state was."""
    if name == draft.state.settings.source.device and draft.state.deck is not Deck.IN_USE:
        draft.state = replace(draft.state, deck=Deck.UNKNOWN)
        orders.request_reshuffle(draft)


def _fault(draft: Draft, name: DeviceName, event: FaultRaised | FaultCleared) -> Reported | None:
    device = draft.state.device(name)
    others = tuple(kind for kind in device.faults if kind is not event.fault)
    match event:
        case FaultRaised(kind, detail, code):
            _put(draft, replace(device, faults=(*others, kind)))
            draft.say(DeviceFaulted(name, kind, detail))
            blocks_play = name in draft.state.settings.dealing_devices
            draft.raise_alert(alerts.fault(name, kind, detail, code, blocks_play=blocks_play))
            _distrust_cards_inside(draft, name)
            return _of_the_round(draft, Reported.DEVICE_FAULT) if _deals_now(draft, name) else None
        case FaultCleared(kind):
            _put(draft, replace(device, faults=others))
            draft.say(DeviceFaultCleared(name, kind))
            return None
        case _:
            assert_never(event)


def _mode(draft: Draft, name: DeviceName, cards_a_packet: int) -> None:
    _put(draft, replace(draft.state.device(name), cards_a_packet=cards_a_packet))
    draft.say(DeviceModeChanged(name, cards_a_packet))
    if _is_source(draft, name):
        orders.check_packet_size(draft)


def _answered(draft: Draft, event: CommandAnswered) -> Reported | None:
    due = next((due for due in draft.state.outstanding if due.id == event.command), None)
    if due is None:
        return None  # after a crash it was sent twice and answered twice, or it was dropped when the device restarted
    place = draft.state.outstanding.index(due)
    before, after = draft.state.outstanding[:place], draft.state.outstanding[place + 1 :]
    if isinstance(due.command, SetMode):
        # Answers come in the order of the commands, so an older size has been lost. Left outstanding, it would pass for
        # the size to come, and this one would be ordered again with each answer.
        before = tuple(older for older in before if (older.device, type(older.command)) != (due.device, SetMode))
    draft.state = replace(draft.state, outstanding=(*before, *after))
    if event.refusal is not None:
        return _refused(draft, due, event.refusal)
    match due.command:
        case Reshuffle():
            draft.state = replace(draft.state, reshuffle_owed=False)
        case SetMode(cards_a_packet):
            _put(draft, replace(draft.state.device(due.device), size_accepted=cards_a_packet))
        case _:
            pass  # what comes of it is told by what the device reports next
    return None


def _refused(draft: Draft, due: CommandDue, reason: str) -> Reported | None:
    """Return what a refused order means. What the round waits for stops it. The rest is ordered again at rest."""
    if isinstance(due.command, SetMode | Reshuffle):
        _put(draft, replace(draft.state.device(due.device), has_refused=True))
        draft.say(DeviceAnomaly(due.device, "order-refused", f"refused to {_name_of(due)}: {reason}"))
        return None
    if draft.state.round is not None and draft.round.ordered == due.command:
        draft.round = replace(draft.round, ordered=None)
    draft.raise_alert(alerts.order_refused(due.device, _name_of(due), reason))
    return Reported.ORDER_REFUSED


def _name_of(due: CommandDue) -> str:
    """Return the command in words: ``EjectRemainder`` is ``eject remainder``."""
    words = type(due.command).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in words).strip()


def _deck(draft: Draft, name: DeviceName, event: DeckLoaded | ShuffleStarted | ShuffleFinished) -> Reported | None:
    if name != draft.state.settings.source.device:
        return None
    if draft.state.settings.source.kind is SourceKind.SHOE:
        return loading.reported(draft, name, event)
    match event:
        case DeckLoaded():
            _note_deck(draft, Deck.UNKNOWN)
        case ShuffleStarted():
            draft.state = replace(draft.state, reshuffle_owed=False)
            _note_deck(draft, Deck.SHUFFLING)
        case ShuffleFinished(count):
            _shuffled(draft, name, count)
            return None
        case _:
            assert_never(event)
    return _of_the_round(draft, Reported.DECK_DISTURBED)


def _shuffled(draft: Draft, name: DeviceName, count: int | None) -> None:
    draft.say(DeckShuffled(name, count))
    whole = count in (None, alerts.DECK_CARDS)
    _note_deck_faults(draft, name, None if whole else count)
    _note_deck(draft, Deck.READY if whole else Deck.UNKNOWN)
    if not whole:
        orders.request_reshuffle(draft)


def _note_deck(draft: Draft, deck: Deck) -> None:
    """Note the deck, unless its rest is inside and its hands are out. A machine need not count what it shuffles."""
    played = draft.state.round
    if draft.state.deck is not Deck.IN_USE or played is None or played.remainder is not None:
        draft.state = replace(draft.state, deck=deck)


def _note_deck_faults(draft: Draft, name: DeviceName, wrong_count: int | None) -> None:
    """Begin a fault for a wrong count, which is the fault itself, and end it with a whole deck."""
    device = draft.state.device(name)
    others = tuple(kind for kind in device.faults if kind not in (FaultKind.SHORT_DECK, FaultKind.LONG_DECK))
    if wrong_count is None:
        _put(draft, replace(device, faults=others))
        return
    kind = FaultKind.SHORT_DECK if wrong_count < alerts.DECK_CARDS else FaultKind.LONG_DECK
    _put(draft, replace(device, faults=(*others, kind)))
    draft.raise_alert(alerts.wrong_deck(name, wrong_count))
