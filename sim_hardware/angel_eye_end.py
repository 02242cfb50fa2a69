"""The Angel Eye's end of its link: what happens at the shoe, in the bytes that public decoders know.

The shoe deals baccarat, whatever the table plays. With a referee it knows whose card comes next. Without one, the cards
of a deal go to player and banker in turn. What it sends while nobody listens is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, assert_never

from protocols.angel_eye import events as link
from protocols.angel_eye import messages as m
from protocols.angel_eye.device import DeviceConnection
from protocols.angel_eye.frame import ACK, ENQ, NAK, STX
from protocols.angel_eye.options import AngelEyeOptions
from protocols.felt_link.messages import Refusal
from sim_hardware import shoe_events as e
from sim_hardware.baccarat import Result, Side
from sim_hardware.talking_end import TalkingEnd

FRAMES: Final = re.compile(b"(?=[%s])" % re.escape(bytes((STX, ENQ, ACK, NAK))))
"""Where one frame ends and the next begins."""
_INDEX_MAX: Final = 10
_OUTSIDE: Final = {
    e.NoGame.LOCKED: m.OutsideReason.LOCKED,
    e.NoGame.IN_ERROR: m.OutsideReason.IN_ERROR,
    e.NoGame.SETTING: m.OutsideReason.SETTING_MODE,
}
_TARGETS: Final = {Side.PLAYER: m.Target.PLAYER, Side.BANKER: m.Target.BANKER}
_WINNERS: Final = {Side.PLAYER: m.Winner.PLAYER, Side.BANKER: m.Winner.BANKER, None: m.Winner.TIE}
_PAIRS: Final = {Side.PLAYER: m.Pairs.PLAYER.value, Side.BANKER: m.Pairs.BANKER.value}
_ANSWERS: Final = {
    m.ErrorAnswer.CLEAR: e.ShoeOrder.CLEAR_ERROR,
    m.ErrorAnswer.USE_CARD: e.ShoeOrder.USE_CARD,
    m.ErrorAnswer.DISCARD_CARD: e.ShoeOrder.DISCARD_CARD,
}
_ERRORS: Final = {
    e.ShoeError.CANNOT_READ: m.ErrorCode.CANNOT_READ,
    e.ShoeError.OVERDRAW: m.ErrorCode.OVERDRAW,
    e.ShoeError.PUSHED_BACK: m.ErrorCode.REVERSE_RUN_AT_EXIT,
}


class AngelEyeEnd(TalkingEnd[DeviceConnection]):
    """The shoe's link controller."""

    def __init__(self, options: AngelEyeOptions) -> None:
        super().__init__(lambda now_ns: DeviceConnection(options, now_ns))

    def report_event(self, event: e.ShoeEvent, now_ns: int) -> None:
        """Send the event's reports, each three times."""
        if self._connection is not None:
            for report in _reports(event):
                self._connection.send_report(report)

    def serve(self, data: bytes, now_ns: int, obey: Callable[[e.ShoeOrder], str | None]) -> None:
        """Take bytes. Do and answer each command once."""
        connection = self._connection
        if connection is None:
            return
        connection.receive(data, now_ns)
        for event in iter(connection.next_event, None):
            if isinstance(event, link.Commanded):
                refusal = obey(_order(event.command))
                connection.answer(None if refusal is None else _code(refusal))


def _reports(event: e.ShoeEvent) -> tuple[m.WireReport, ...]:
    match event:
        case e.PoweredOn():
            return (m.Started(),)
        case e.CardOut():
            return (_card(event),)
        case e.WireCutCardDrawn():
            return (m.WireCutCardDrawn(),)
        case e.ErrorBegan(error):
            return (m.ErrorRaised(_ERRORS[error], is_in_error_mode=True),)
        case e.ErrorEnded(error):
            return (m.ErrorCancelled(_ERRORS[error], is_in_error_mode=False),)
        case e.LockTurned(is_locked):
            return (m.LockChanged(is_locked),)
        case e.DealEnded(result):
            return (_ended(result), m.Standby())
        case e.DeckLoaded() | e.WireCardReturned() | e.WireButtonPressed():
            return ()  # it has no report of the first, its error says the second, and no key is on this link
        case _:
            assert_never(event)


def _card(out: e.CardOut) -> m.WireCardDrawn | m.CardDrawnOutside:
    if out.no_game is not None:
        return m.CardDrawnOutside(_OUTSIDE[out.no_game], 0, out.face)
    if out.side is not None:
        return m.WireCardDrawn(m.Place(_TARGETS[out.side], out.place), out.face)
    return m.WireCardDrawn(_place(out.spot, out.place), out.face)


def _ended(result: Result | None) -> m.GameEnded:
    if result is None:
        return m.GameEnded(m.Winner.FORCED_END, m.Pairs.NONE)
    return m.GameEnded(_WINNERS[result.winner], m.Pairs(sum(_PAIRS[side] for side in result.pairs)))


def _place(spot: e.Spot, place: int) -> m.Place:
    match spot:
        case e.Spot.FIRST:
            return m.Place(m.Target.FIRST_CARD, 0)
        case e.Spot.BURN:
            return m.Place(m.Target.BURN, min(place, _INDEX_MAX))
        case e.Spot.GAME:
            target = m.Target.PLAYER if place % 2 else m.Target.BANKER
            return m.Place(target, min((place + 1) // 2, _INDEX_MAX))
        case _:
            assert_never(spot)


def _order(command: m.Command) -> e.ShoeOrder:
    match command:
        case m.SetLock(is_locked):
            return e.ShoeOrder.LOCK if is_locked else e.ShoeOrder.UNLOCK
        case m.AnswerError(answer):
            return _ANSWERS[answer]
        case m.ConfirmProcess():
            return e.ShoeOrder.CONFIRM
        case _:
            assert_never(command)


def _code(refusal: str) -> m.NakCode:
    return m.NakCode.BUSY if refusal == Refusal.BUSY else m.NakCode.OTHER
