"""Every frame of a felt-link line as a person reads it, in either direction."""

from __future__ import annotations

from typing import assert_never

from protocols.felt_link import messages as m
from protocols.felt_link.frame import Ack, AnyFrame, Frame, FrameReader, Nak
from protocols.felt_link.wording import from_frame
from protocols.listening import Listener, Saying


def listener() -> Listener[AnyFrame]:
    """Return a listener at the beginning of a stream."""
    return Listener(FrameReader(), _understood)


def _understood(frame: AnyFrame) -> Saying:
    match frame:
        case Ack() | Nak():
            return Saying(frame)
        case Frame():
            return _message(from_frame(frame))
        case _:
            assert_never(frame)


def _message(message: m.Reading) -> Saying:
    match message:
        case m.Numbered(seq, resent, event):
            return Saying(event, (("seq", seq), ("resent", resent)))
        case m.Order(command_id, command):
            return Saying(command, (("id", command_id),))
        case _:
            return Saying(message)
