"""felt-link's frames without what they say of cards and serial numbers (see `protocols.blinding`)."""

from __future__ import annotations

from dataclasses import replace

from protocols.blinding import Blinding, hidden
from protocols.cards import Face
from protocols.felt_link import messages as m
from protocols.felt_link.frame import Frame, FrameReader, encode
from protocols.felt_link.wording import from_frame, to_frame


def blind_frame(data: bytes, blinding: Blinding) -> bytes:
    """Replace the faces of an event and the serial number of a hello. Cover an event that cannot be understood."""
    reader = FrameReader()
    reader.feed(data)
    frame = reader.next()
    if not isinstance(frame, Frame):
        return data
    match from_frame(frame):
        case m.Hello(identity=identity) as hello:
            blinded = replace(hello, identity=replace(identity, serial=blinding.name(identity.serial)))
            return encode(to_frame(blinded))
        case m.Numbered(event=m.PacketDispensed() | m.RemainderEjected() as event) as numbered:
            return encode(to_frame(replace(numbered, event=replace(event, faces=_blind_faces(event.faces, blinding)))))
        case m.Numbered(event=m.WireCardDrawn() as event) as numbered:
            return encode(to_frame(replace(numbered, event=replace(event, face=blinding.face(event.face)))))
        case m.Unintelligible() | m.Meaningless():
            return encode(replace(frame, fields=tuple(map(hidden, frame.fields))))
        case _:
            return data


def _blind_faces(faces: tuple[Face, ...] | None, blinding: Blinding) -> tuple[Face, ...] | None:
    return None if faces is None else tuple(map(blinding.face, faces))
