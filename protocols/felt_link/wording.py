"""Frames to messages and back: which word means what, and which fields follow it.

A sound frame can still have no meaning in this version. Outside the numbering it is `Meaningless`, and is ignored.
Inside the numbering it is an event, `Unintelligible`, and takes its number and its acknowledgement like any other: if
the host refused it, the device would send it again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar, assert_never

from protocols.felt_link import messages as m
from protocols.felt_link.fields import FieldError, Fields, count_text, faces_text
from protocols.felt_link.frame import Frame
from protocols.felt_link.limits import (
    CAPABILITIES_MAX,
    CARDS_MAX,
    SEATS_MAX,
    SEQ_MAX,
    STAKE_MAX,
    VERSION_MAX,
    VERSIONS_MAX,
)

RESENT: Final = "R"

MeaningT = TypeVar("MeaningT")

_EVENTS: Final[Mapping[str, Callable[[Fields], m.WireEvent]]] = {
    "DECK": lambda f: m.DeckLoaded(),
    "SHUFFLING": lambda f: m.ShuffleStarted(),
    "SHUFFLED": lambda f: m.ShuffleFinished(f.count()),
    "PACKET": lambda f: m.PacketDispensed(f.cards(), f.count(), f.faces()),
    "REMOVED": lambda f: m.PacketRemoved(f.cards()),
    "REMAINDER": lambda f: m.RemainderEjected(f.count(), f.faces()),
    "CARD": lambda f: m.WireCardDrawn(f.cards(), f.face(), f.word()),
    "BACK": lambda f: m.WireCardReturned(f.cards()),
    "CUT": lambda f: m.WireCutCardDrawn(f.number(0, CARDS_MAX)),
    "BUTTON": lambda f: m.WireButtonPressed(f.word()),
    "STAKE": lambda f: m.StakeSeen(f.number(1, SEATS_MAX), f.word(), f.number(0, STAKE_MAX)),
    "FAULT": lambda f: m.WireFaultRaised(f.word(), f.text()),
    "CLEARED": lambda f: m.WireFaultCleared(f.word()),
    "MODE": lambda f: m.ModeChanged(f.cards()),
    "POWER": lambda f: m.PowerReturned(),
}

_COMMANDS: Final[Mapping[str, Callable[[Fields], m.WireCommand]]] = {
    "mode": lambda f: m.SetMode(f.cards()),
    "dispense": lambda f: m.Dispense(f.cards()),
    "eject": lambda f: m.EjectRemainder(),
    "reshuffle": lambda f: m.Reshuffle(),
    "lock": lambda f: m.Lock(),
    "unlock": lambda f: m.Unlock(),
    "lamp": lambda f: m.SetLamp(f.number(0, 1) == 1),
}


def to_frame(message: m.Message) -> Frame:
    """Return the frame that says this."""
    if isinstance(message, m.Numbered):
        kind, *fields = _event_fields(message.event)
        return Frame(kind, message.seq, RESENT if message.resent else "", tuple(fields))
    kind, *fields = _plain_fields(message)
    return Frame(kind, 0, "", tuple(fields))


def _plain_fields(message: m.Hello | m.Welcome | m.Refuse | m.Beat | m.Order | m.WireAnswer) -> tuple[str, ...]:
    match message:
        case m.Hello():
            return ("HELLO", *_hello_fields(message))
        case m.Welcome(version, boot, seq):
            return ("WELCOME", str(version), boot, str(seq))
        case m.Refuse(reason, detail):
            return ("REFUSE", reason, detail)
        case m.Beat(seq):
            return ("BEAT", str(seq))
        case m.Order(command_id, command):
            return ("DO", command_id, *_command_fields(command))
        case m.WireAnswer(command_id, None):
            return ("ANSWER", command_id, "accepted")
        case m.WireAnswer(command_id, refusal):
            return ("ANSWER", command_id, "refused", str(refusal))
        case _:
            assert_never(message)


def _hello_fields(hello: m.Hello) -> tuple[str, ...]:
    identity = hello.identity
    versions = ",".join(str(version) for version in hello.versions)
    who = (identity.model, identity.serial, identity.firmware, ",".join(identity.capabilities))
    return (versions, *who, hello.boot, str(hello.first_kept), str(hello.next_seq))


def _event_fields(event: m.WireEvent) -> tuple[str, ...]:  # noqa: C901 - one branch an event, and nothing else
    match event:
        case m.DeckLoaded():
            return ("DECK",)
        case m.ShuffleStarted():
            return ("SHUFFLING",)
        case m.ShuffleFinished(count):
            return ("SHUFFLED", count_text(count))
        case m.PacketDispensed(position, count, faces):
            return ("PACKET", str(position), count_text(count), faces_text(faces))
        case m.PacketRemoved(position):
            return ("REMOVED", str(position))
        case m.RemainderEjected(count, faces):
            return ("REMAINDER", count_text(count), faces_text(faces))
        case m.WireCardDrawn(number, face, where):
            return ("CARD", str(number), str(face), where)
        case m.WireCardReturned(number):
            return ("BACK", str(number))
        case m.WireCutCardDrawn(number):
            return ("CUT", str(number))
        case m.WireButtonPressed(key):
            return ("BUTTON", key)
        case m.StakeSeen(seat, spot, stake_cents):
            return ("STAKE", str(seat), spot, str(stake_cents))
        case m.WireFaultRaised(fault, detail):
            return ("FAULT", str(fault), detail)
        case m.WireFaultCleared(fault):
            return ("CLEARED", str(fault))
        case m.ModeChanged(cards):
            return ("MODE", str(cards))
        case m.PowerReturned():
            return ("POWER",)
        case _:
            assert_never(event)


def _command_fields(command: m.WireCommand) -> tuple[str, ...]:
    match command:
        case m.SetMode(cards):
            return ("mode", str(cards))
        case m.Dispense(position):
            return ("dispense", str(position))
        case m.EjectRemainder():
            return ("eject",)
        case m.Reshuffle():
            return ("reshuffle",)
        case m.Lock():
            return ("lock",)
        case m.Unlock():
            return ("unlock",)
        case m.SetLamp(lit):
            return ("lamp", str(int(lit)))
        case _:
            assert_never(command)


def from_frame(frame: Frame) -> m.Reading:
    """Return what a frame says."""
    if frame.seq:
        return _read_event(frame)
    read = _PLAIN.get(frame.kind)
    if read is None:
        return m.Meaningless(frame.kind, "not a message of this version")
    try:
        return _whole(read, Fields(frame.fields))
    except FieldError as wrong:
        return m.Meaningless(frame.kind, str(wrong))


def _read_event(frame: Frame) -> m.Numbered | m.Unintelligible:
    resent = RESENT in frame.flags
    try:
        return m.Numbered(frame.seq, resent, _whole(_known_event(frame.kind), Fields(frame.fields)))
    except FieldError as wrong:
        return m.Unintelligible(frame.seq, resent, frame.kind, str(wrong), "|".join(frame.fields))


def _known_event(kind: str) -> Callable[[Fields], m.WireEvent]:
    if kind not in _EVENTS:
        raise FieldError("not an event of this version")
    return _EVENTS[kind]


def _whole(read: Callable[[Fields], MeaningT], fields: Fields) -> MeaningT:
    meaning = read(fields)
    fields.end()
    return meaning


def _read_hello(f: Fields) -> m.Hello:
    versions = _versions(f)
    identity = m.Identity(f.name(), f.name(), f.name(), f.words(CAPABILITIES_MAX))
    hello = m.Hello(versions, identity, f.boot(), f.number(1, SEQ_MAX), f.number(1, SEQ_MAX))
    if hello.first_kept > hello.next_seq:
        raise FieldError("the first kept event lies after the next one")
    return hello


def _versions(f: Fields) -> tuple[int, ...]:
    words = f.words(VERSIONS_MAX)
    if not words or not all(word.isdecimal() and 1 <= int(word) <= VERSION_MAX for word in words):
        raise FieldError("the versions are not a list of numbers")
    return tuple(int(word) for word in words)


def _read_order(f: Fields) -> m.Order | m.BadOrder:
    command_id, command = f.command_id(), f.rest()
    read = _COMMANDS.get(command[0]) if command else None
    if read is None:
        return m.BadOrder(command_id, m.Refusal.UNKNOWN_COMMAND)
    try:
        return m.Order(command_id, _whole(read, Fields(command[1:])))
    except FieldError:
        return m.BadOrder(command_id, m.Refusal.BAD_ARGUMENT)


def _read_answer(f: Fields) -> m.WireAnswer:
    command_id, verdict = f.command_id(), f.word()
    if verdict == "refused":
        return m.WireAnswer(command_id, f.word())
    if verdict == "accepted":
        return m.WireAnswer(command_id, None)
    raise FieldError("an answer is accepted or refused")


_PLAIN: Final[Mapping[str, Callable[[Fields], m.Message | m.BadOrder]]] = {
    "HELLO": _read_hello,
    "WELCOME": lambda f: m.Welcome(f.number(1, VERSION_MAX), f.boot(), f.seq()),
    "REFUSE": lambda f: m.Refuse(f.word(), f.text()),
    "BEAT": lambda f: m.Beat(f.seq()),
    "DO": _read_order,
    "ANSWER": _read_answer,
}
