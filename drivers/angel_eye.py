"""The driver of the Angel Eye II-EX: its reports in the table's language, and the two commands that a table may give.

Theory of operation. The shoe deals baccarat. It reports where it believes that each card went, when its own game ended,
and who won. To any other game that is information: the place of a card becomes a `Claim`, and the rest stays in the
tap. The shoe also referees baccarat. A card that baccarat does not allow is an overdraw. Until a person or the host
answers it, each card is reported as one outside a game. At a table with another game an overdraw is a fault, and such
cards void the round.

A card's check is one byte and its report comes three times, so a card is `CHECKED`. A card that contradicts another
report under the same number is `DISPUTED`. A card that the shoe repeats by itself (`R`, read as a retransmission) is
news only if it never came: then a report was lost, and the driver says so before the card. The driver writes nothing
before the first sound report of a connection.

An error that stops the shoe is a fault until the shoe says that it is over. Any other error is an anomaly.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Final, assert_never

from drivers import events as e
from drivers.commands import NOT_CAPABLE, QUEUE_FULL, CommandDue, DeviceCommand, DriverRefusal, Lock, Unlock
from drivers.errors import LostEventsCode
from drivers.profile import Capability, DeviceSettings
from drivers.shoe import ShoeDriver
from protocols.angel_eye import events as link
from protocols.angel_eye import messages as m
from protocols.angel_eye.host import HostConnection
from protocols.angel_eye.limits import COPIES
from protocols.angel_eye.options import AngelEyeOptions
from protocols.cards import Face

NOT_ANSWERED: Final[DriverRefusal] = "not-answered"  # the shoe may have done it
NOT_SENT: Final[DriverRefusal] = "not-sent"
NOT_IDENTIFIED: Final[DriverRefusal] = "not-identified"  # no report of such a shoe has come since the port was opened
_SHORTEST_REPORT_BYTES: Final = 6  # ENQ, SEQ, one letter, ETX, two digits
_COMMANDS_WAITING_MAX: Final = 8
_ANSWERS_REMEMBERED: Final = 64

_OUTSIDE: Final = {
    m.OutsideReason.LOCKED: e.OutsideGame.LOCKED,
    m.OutsideReason.IN_ERROR: e.OutsideGame.IN_ERROR,
    m.OutsideReason.SETTING_MODE: e.OutsideGame.SETTING_MODE,
}
_FAULTS: Final = {
    m.ErrorCode.CANNOT_READ: e.FaultKind.READER,
    m.ErrorCode.CARD_CODE: e.FaultKind.READER,
    m.ErrorCode.REVERSE_RUN_AT_EXIT: e.FaultKind.JAM,
    m.ErrorCode.REVERSE_RUN_MIDWAY: e.FaultKind.JAM,
}
_UNREAD: Final = frozenset({m.ErrorCode.CANNOT_READ, m.ErrorCode.CARD_CODE})
# A table that plays another game does not understand this error by its name alone.
_EXPLAINED: Final = {m.ErrorCode.OVERDRAW: ": the shoe referees baccarat, and takes this card for one too many"}
_PUSHED_BACK: Final = frozenset({m.ErrorCode.REVERSE_RUN_AT_EXIT, m.ErrorCode.REVERSE_RUN_MIDWAY})


class AngelEyeDriver(ShoeDriver[link.HostSideEvent]):
    """One Angel Eye over all its connections."""

    _link: HostConnection

    def __init__(self, settings: DeviceSettings, resume_from: e.Receipt | None) -> None:
        self._options: Final = settings.profile.options or AngelEyeOptions()
        super().__init__(
            settings, lambda now_ns: HostConnection(self._options, now_ns), hiding_bytes=COPIES * _SHORTEST_REPORT_BYTES
        )
        self._errors: Final[set[m.ErrorCode | int]] = set()
        self._drawn: Final[dict[m.Place, Face]] = {}  # in the shoe's present game
        self._waiting: Final[deque[CommandDue]] = deque()  # the first is with the shoe, or goes there next
        self._answers: Final[OrderedDict[e.CommandId, str | None]] = OrderedDict()

    def connected(self, now_ns: int) -> None:
        """Begin a new connection. Do not repeat a command of the old one: the shoe may have done it.

        The end of an error is not reported twice, so every fault of the old connection ends here. The table keeps its
        own alert.
        """
        was_asked = self._link.asked is not None
        super().connected(now_ns)
        for place, due in enumerate(self._waiting):
            self._note_answer(due.id, NOT_ANSWERED if was_asked and place == 0 else NOT_SENT)
        self._waiting.clear()
        for kind in sorted({_fault(error) for error in self._errors}, key=lambda kind: kind.value):
            self._report_event(e.FaultCleared(kind))
        self._errors.clear()
        self._drawn.clear()

    def send(self, due: CommandDue, now_ns: int) -> e.CommandAnswered | None:
        """Lock or unlock the shoe, where commands are armed."""
        if due.id in self._answers:
            return e.CommandAnswered(due.id, self._answers[due.id])
        armed = self._options.commands_armed and self._settings.profile.can(Capability.COMMANDS)
        if not armed or _wire_command(due.command) is None:
            return e.CommandAnswered(due.id, NOT_CAPABLE)
        if self._link.heard_ns is None:
            return e.CommandAnswered(due.id, NOT_IDENTIFIED)
        if any(waiting.id == due.id for waiting in self._waiting):
            return None
        if len(self._waiting) >= _COMMANDS_WAITING_MAX:
            return e.CommandAnswered(due.id, QUEUE_FULL)
        self._waiting.append(due)
        self._order_next(now_ns)
        return None

    def _order_next(self, now_ns: int) -> None:
        if self._link.asked is None and self._waiting:
            wanted = _wire_command(self._waiting[0].command)
            assert wanted is not None
            self._link.send_command(wanted, now_ns)

    def _answer(self, refusal: str | None) -> None:
        self._note_answer(self._waiting.popleft().id, refusal)
        self._order_next(self._now_ns)

    def _note_answer(self, command_id: e.CommandId, refusal: str | None) -> None:
        self._answers[command_id] = refusal
        while len(self._answers) > _ANSWERS_REMEMBERED:
            self._answers.popitem(last=False)
        self._report_event(e.CommandAnswered(command_id, refusal))

    def _understand(self, event: link.HostSideEvent) -> None:
        match event:
            case link.ShoeReported(_, report, is_contradiction):
                disputed = e.Confidence.DISPUTED if is_contradiction else e.Confidence.CHECKED
                self._on_report(report, disputed)
            case link.Accepted():
                self._answer(None)
            case link.Refused(_, code):
                self._answer(code.name.lower() if isinstance(code, m.NakCode) else f"code-{code:02x}")
            case link.Unanswered():
                self._answer(NOT_ANSWERED)
            case link.ShoeOddity(code, detail):
                self._report_event(e.Anomaly(code.value, detail))
            case _:
                assert_never(event)

    def _on_report(self, report: m.ShoeReport, confidence: e.Confidence) -> None:
        match report:
            case m.Started():
                self._errors.clear()
                self._drawn.clear()
                self._report_event(e.Restarted(""))
            case m.Standby() | m.GameEnded():
                self._drawn.clear()
            case m.WireCutCardDrawn():
                self._report_event(e.CutCardDrawn(None))
            case m.WireCardDrawn() | m.CardDrawnOutside() | m.CardResent() | m.CardRedealt():
                self._on_card(report, confidence)
            case m.ErrorRaised() | m.ErrorCancelled():
                self._on_error(report)
            case m.LockChanged(is_locked):
                self._report_event(e.ShoeLockChanged(is_locked))
            case m.PresetChanged(address, value):
                self._report_event(e.Anomaly("preset-changed", f"preset {address} of the shoe is now {value}"))
            case m.UnknownReport(letter, reason, _):
                unclear = f"report {letter!a} cannot be understood: {reason}"
                self._report_event(e.EventsLost(1, unclear, LostEventsCode.UNCLEAR_REPORT.value))
            case _:
                assert_never(report)

    def _on_card(
        self, card: m.WireCardDrawn | m.CardDrawnOutside | m.CardResent | m.CardRedealt, confidence: e.Confidence
    ) -> None:
        match card:
            case m.CardDrawnOutside(reason, _, face):
                if reason is m.OutsideReason.LOCKED and self._options.deals_locked:
                    self._report_event(e.CardDrawn(face, confidence))
                    return
                outside = e.OutsideGame.OTHER if isinstance(reason, int) else _OUTSIDE[reason]
                self._report_event(e.CardDrawn(face, confidence, outside=outside))
                return
            case m.WireCardDrawn():
                pass
            case m.CardResent(place, face) if place in self._drawn:
                if self._drawn[place] == face:
                    return
                confidence = e.Confidence.DISPUTED
            case m.CardResent():
                unknown = "the shoe repeats a card that had never come"
                self._report_event(e.EventsLost(1, unknown, LostEventsCode.REPEATED_UNKNOWN.value))
            case m.CardRedealt():
                self._drawn.clear()
                self._report_event(e.DealCleared())
            case _:
                assert_never(card)
        self._drawn[card.place] = card.face
        self._report_event(e.CardDrawn(card.face, confidence, claim=_claim(card.place)))

    def _on_error(self, report: m.ErrorRaised | m.ErrorCancelled) -> None:
        match report:
            case m.ErrorRaised(error, is_in_error_mode):
                self._say_what_it_did(error)
                if is_in_error_mode:
                    self._errors.add(error)
                    self._report_event(e.FaultRaised(_fault(error), _error_text(error)))
                else:
                    self._report_event(e.Anomaly("shoe-error", f"{_error_text(error)}; the shoe goes on"))
            case m.ErrorCancelled(error, _):
                was_raised = error in self._errors
                self._errors.discard(error)
                if was_raised and _fault(error) not in map(_fault, self._errors):
                    self._report_event(e.FaultCleared(_fault(error)))
            case _:
                assert_never(report)

    def _say_what_it_did(self, error: m.ErrorCode | int) -> None:
        if error in _UNREAD:
            self._report_event(e.ReadFailed(_error_text(error)))
        elif error in _PUSHED_BACK:
            self._report_event(e.CardReturned(None))


def _wire_command(command: DeviceCommand) -> m.Command | None:
    """Return the shoe's own command, or None for what this shoe cannot do."""
    match command:
        case Lock():
            return m.SetLock(is_locked=True)
        case Unlock():
            return m.SetLock(is_locked=False)
        case _:
            return None


def _claim(place: m.Place) -> e.Claim:
    target = f"target-{place.target}" if isinstance(place.target, int) else _words(place.target.name)
    return e.Claim(target, place.index)


def _fault(error: m.ErrorCode | int) -> e.FaultKind:
    return e.FaultKind.OTHER if isinstance(error, int) else _FAULTS.get(error, e.FaultKind.OTHER)


def _error_text(error: m.ErrorCode | int) -> str:
    if isinstance(error, int):
        return f"error {error}"
    return f"error {error.value}, {_words(error.name)}{_EXPLAINED.get(error, '')}"


def _words(name: str) -> str:
    return name.lower().replace("_", "-")
