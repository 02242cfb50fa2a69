"""The shoe's end of the link: reports three times over, commands answered at once or by the shoe's program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from protocols.angel_eye import frame as f
from protocols.angel_eye import messages as m
from protocols.angel_eye.events import Commanded, DeviceSideEvent, HostOddity, RefusedAtOnce
from protocols.angel_eye.limits import COPIES
from protocols.angel_eye.options import AngelEyeOptions, SeqRange
from protocols.angel_eye.wording import read_command, write_report
from protocols.codec import Garbage
from protocols.errors import LocalProtocolError
from protocols.link_end import LinkEnd

# The range of a real shoe is not known. The one SEQ on record is the digit 1.
SEQS: Final = SeqRange(ord("0"), ord("9"))

_REFUSED_FOR: Final[Mapping[str, m.NakCode]] = {
    f.CHECK_FAILED: m.NakCode.BCC,
    f.CHECK_CUT_OFF: m.NakCode.BCC,
    f.CUT_OFF: m.NakCode.NO_ETX,
    f.TOO_LONG: m.NakCode.LENGTH,
}


class DeviceConnection(LinkEnd[f.AnyFrame, DeviceSideEvent]):
    """One connection of a shoe. Its program reports what happens, and answers each `Commanded`."""

    __slots__ = ("_options", "_seq", "_seqs", "_waiting")

    def __init__(self, options: AngelEyeOptions, now_ns: int) -> None:
        super().__init__(f.FrameReader(), now_ns)
        self._options: Final = options
        self._seqs: Final = options.seq_range or SEQS
        self._seq = self._seqs.last
        self._waiting: m.Command | None = None

    def send_report(self, report: m.WireReport) -> int:
        """Send a report three times, and return its SEQ."""
        self._seq = self._seqs.after(self._seq)
        self._out.extend(f.encode(f.ReportFrame(self._seq, write_report(report))) * COPIES)
        return self._seq

    def answer(self, refusal: m.NakCode | None) -> None:
        """Accept the command that waits, or refuse it."""
        if self._waiting is None:
            raise LocalProtocolError("no command waits for an answer")
        self._waiting = None
        self._say(refusal)

    def _say(self, refusal: m.NakCode | None) -> None:
        self._out.extend(f.encode(f.Ack() if refusal is None else f.Nak(refusal)))

    def _refuse(self, code: m.NakCode) -> None:
        self._say(code)
        self._emit(RefusedAtOnce(code))

    def _on_damage(self, damage: Garbage, now_ns: int) -> None:
        if damage.data[0] == f.STX:
            self._refuse(_REFUSED_FOR[damage.reason])

    def _on_frame(self, frame: f.AnyFrame, now_ns: int) -> None:
        match frame:
            case f.CommandFrame():
                self._on_command(frame)
            case f.ReportFrame() | f.Ack() | f.Nak():
                self._emit(HostOddity())
            case _:
                assert_never(frame)

    def _on_command(self, frame: f.CommandFrame) -> None:
        options = self._options
        command = read_command(frame.text)
        if (frame.covers_stx, frame.form) != (options.command_bcc_covers_stx, options.command_bcc_form):
            self._refuse(m.NakCode.BCC)
        elif self._waiting is not None:
            self._refuse(m.NakCode.BUSY)
        elif isinstance(command, m.NakCode):
            self._refuse(command)
        else:
            self._waiting = command
            self._emit(Commanded(command))
