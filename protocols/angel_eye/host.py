"""The host's end of the shoe's link.

Theory of operation. The shoe speaks when something happens and asks for no acknowledgement: each report comes three
times, and the host takes the first sound copy. The other copies vote only on what is in doubt (see `copies`). A
report of which all three copies were lost leaves no trace unless the range of SEQ is known, and then only as a step in
the numbers. Nothing is kept from one connection to the next.

The host is silent. Only where commands are armed can it say something, one command at a time:

    QUIET --order--> ASKED --ACK, NAK, two seconds--> QUIET

A command is never repeated by itself: an answer carries no number, so it could belong to either of two commands.
"""

from __future__ import annotations

from typing import Final, assert_never

from protocols.angel_eye import messages as m
from protocols.angel_eye.copies import Copies, Sighting
from protocols.angel_eye.events import Accepted, HostSideEvent, Oddity, Refused, ShoeOddity, ShoeReported, Unanswered
from protocols.angel_eye.frame import Ack, AnyFrame, CommandFrame, FrameReader, Nak, ReportFrame, encode
from protocols.angel_eye.limits import ANSWER_NS_MAX, COPIES, VOTE_NS_MAX
from protocols.angel_eye.options import AngelEyeOptions, CardAgainMeans
from protocols.angel_eye.wording import nak_code, read_report, seq_text, write_command
from protocols.codec import Gap
from protocols.errors import LocalProtocolError
from protocols.link_end import LinkEnd


class HostConnection(LinkEnd[AnyFrame, HostSideEvent]):
    """One connection of a host to one shoe."""

    __slots__ = ("_asked", "_asked_ns", "_copies", "_expected_seq", "_options", "_rival_ns")

    def __init__(self, options: AngelEyeOptions, now_ns: int) -> None:
        super().__init__(FrameReader(), now_ns)
        self._options: Final = options
        self._copies: Final = Copies()
        self._expected_seq: int | None = None
        self._asked: m.Command | None = None
        self._asked_ns = 0
        self._rival_ns = 0

    @property
    def asked(self) -> m.Command | None:
        """Return the command that waits for its answer, or None."""
        return self._asked

    def send_command(self, command: m.Command, now_ns: int) -> None:
        """Send a command. An event tells its answer, or that there was none."""
        options = self._options
        if not options.commands_armed:
            raise LocalProtocolError("commands are not armed in this shoe's profile: nothing is written to it")
        if self._asked is not None:
            raise LocalProtocolError("a command waits for its answer already, and the shoe takes one at a time")
        text = write_command(command)
        self._out.extend(encode(CommandFrame(text, options.command_bcc_covers_stx, options.command_bcc_form)))
        self._asked, self._asked_ns = command, now_ns

    def next_timeout_ns(self) -> int | None:
        """Return when a command has waited too long for its answer, or a rival for the vote."""
        due = [] if self._asked is None else [self._asked_ns + ANSWER_NS_MAX]
        if self._copies.rival is not None:
            due.append(self._rival_ns + VOTE_NS_MAX)
        return min(due, default=None)

    def handle_timeout(self, now_ns: int) -> None:
        """Give up a command that has waited too long, and close a vote that has."""
        rival = self._copies.rival
        if rival is not None and now_ns >= self._rival_ns + VOTE_NS_MAX:
            self._close_vote(rival, stands=self._copies.close_vote())
        if self._asked is not None and now_ns >= self._asked_ns + ANSWER_NS_MAX:
            self._emit(Unanswered(self._asked))
            self._asked = None

    def _on_frame(self, frame: AnyFrame, now_ns: int) -> None:
        match frame:
            case ReportFrame():
                self._on_report(frame, now_ns)
            case Ack() | Nak():
                self._on_answer(frame)
            case CommandFrame():
                self._emit(ShoeOddity(Oddity.COMMAND_HEARD, "a command is on the line from the shoe"))
            case _:
                assert_never(frame)

    def _on_answer(self, answer: Ack | Nak) -> None:
        command, self._asked = self._asked, None
        if command is None:
            self._emit(ShoeOddity(Oddity.ANSWER_UNASKED, "the shoe answers a command that was not given or given up"))
        elif isinstance(answer, Ack):
            self._emit(Accepted(command))
        else:
            self._emit(Refused(command, nak_code(answer.code)))

    def _on_report(self, frame: ReportFrame, now_ns: int) -> None:
        rival = self._copies.rival
        if rival is not None and frame.seq != rival.seq:
            self._close_vote(rival, stands=self._copies.close_vote())
        match self._copies.see_frame(frame):
            case Sighting.COPY:
                pass
            case Sighting.SURPLUS:
                self._on_surplus(frame)
            case Sighting.RIVAL:
                self._rival_ns = now_ns
            case Sighting.OUTVOTED:
                assert rival is not None
                self._close_vote(rival, stands=False)
            case Sighting.CONTRADICTION:
                if rival is not None and rival != frame:  # three copies that say three things
                    self._contradict(rival)
                self._contradict(frame)
            case Sighting.NEW:
                report = self._meant(frame)
                self._judge_seq(frame.seq, is_first=isinstance(report, m.Started))
                self._emit(ShoeReported(frame.seq, report))

    def _close_vote(self, rival: ReportFrame, *, stands: bool) -> None:
        if stands:
            self._contradict(rival)
        else:
            said = f"a copy of SEQ {seq_text(rival.seq)} was damaged, and the others outvote it"
            self._emit(ShoeOddity(Oddity.COPY_OUTVOTED, said))

    def _contradict(self, frame: ReportFrame) -> None:
        said = f"SEQ {seq_text(frame.seq)} came again over another content"
        self._emit(ShoeOddity(Oddity.SEQ_CONTRADICTED, said))
        self._emit(ShoeReported(frame.seq, self._meant(frame), is_contradiction=True))

    def _on_surplus(self, frame: ReportFrame) -> None:
        """Report a fourth copy. `S` is the exception: a shoe that is reset twice sends the same bytes again."""
        report, count = self._meant(frame), self._copies.count
        if isinstance(report, m.Started):
            if count % COPIES == 1:
                self._emit(ShoeReported(frame.seq, report))
        else:
            said = f"SEQ {seq_text(frame.seq)} came {count} times over the same content"
            self._emit(ShoeOddity(Oddity.SEQ_REPEATED, said))

    def _meant(self, frame: ReportFrame) -> m.ShoeReport:
        report = read_report(frame.data)
        if not isinstance(report, m.CardAgain):
            return report
        match self._options.card_again_means:
            case CardAgainMeans.RETRANSMISSION:
                return m.CardResent(report.place, report.face)
            case CardAgainMeans.REDEAL:
                return m.CardRedealt(report.place, report.face)
            case _:
                assert_never(self._options.card_again_means)

    def _judge_seq(self, seq: int, *, is_first: bool) -> None:
        """Report a gap in SEQ. After `S`, or on a new connection, the first SEQ may be any."""
        seqs = self._options.seq_range
        if seqs is None:
            return
        if seq not in seqs:
            self._expected_seq = None
            self._emit(ShoeOddity(Oddity.SEQ_OUTSIDE_RANGE, f"SEQ {seq_text(seq)} is not in the profile's range"))
            return
        expected, self._expected_seq = self._expected_seq, seqs.after(seq)
        if not is_first and expected is not None and expected != seq:
            least = seqs.steps(expected, seq)
            self._emit(Gap(None, f"SEQ {seq_text(expected)} was due and {seq_text(seq)} came: {least} reports or more"))
