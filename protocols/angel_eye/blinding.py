"""The shoe's frames without what they say of cards (see `protocols.blinding`). It never says a serial number."""

from __future__ import annotations

from dataclasses import replace

from protocols.angel_eye import messages as m
from protocols.angel_eye.frame import FrameReader, ReportFrame, encode
from protocols.angel_eye.wording import read_report, write_report
from protocols.blinding import Blinding, hidden_bytes
from protocols.cards import Card


def blind_frame(data: bytes, blinding: Blinding) -> bytes:
    """Replace the card of a report. Cover the payload of a report that cannot be understood."""
    reader = FrameReader()
    reader.feed(data)
    frame = reader.next()
    if not isinstance(frame, ReportFrame):
        return data
    match read_report(frame.data):
        case m.WireCardDrawn(face=Card()) | m.CardDrawnOutside(face=Card()) | m.CardAgain(face=Card()) as report:
            report = replace(report, face=blinding.face(report.face))
            return encode(ReportFrame(frame.seq, write_report(report)))
        case m.UnknownReport():
            return encode(ReportFrame(frame.seq, frame.data[:1] + hidden_bytes(frame.data[1:])))
        case _:
            return data
