"""Every frame of the shoe's line as a person reads it: each copy on its own, and `R` undecided."""

from __future__ import annotations

from typing import assert_never

from protocols.angel_eye import messages as m
from protocols.angel_eye.copies import Copies
from protocols.angel_eye.frame import Ack, AnyFrame, CommandFrame, FrameReader, Nak, ReportFrame
from protocols.angel_eye.wording import nak_code, read_command, read_report, seq_text
from protocols.listening import Listener, Saying


def listener() -> Listener[AnyFrame]:
    """Return a listener at the beginning of a stream."""
    copies = Copies()
    return Listener(FrameReader(), lambda frame: _understood(frame, copies))


def _understood(frame: AnyFrame, copies: Copies) -> Saying:
    match frame:
        case ReportFrame(seq, data):
            copies.see_frame(frame)
            return Saying(read_report(data), (("seq", seq_text(seq)), ("copy", copies.seen)))
        case CommandFrame(text, covers_stx, form):
            marks = ("check_covers_stx", covers_stx), ("check_form", form)
            return Saying(_command(text), marks)
        case Ack():
            return Saying(frame)
        case Nak(code):
            return Saying(frame, (("meaning", nak_code(code)),))
        case _:
            assert_never(frame)


def _command(text: bytes) -> m.Command | m.UnknownCommand:
    command = read_command(text)
    return m.UnknownCommand(text.decode("latin-1"), command) if isinstance(command, m.NakCode) else command
