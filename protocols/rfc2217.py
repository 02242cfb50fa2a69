"""RFC 2217, the client's end: a serial port whose speed is set through the Telnet connection that carries its bytes.

Theory of operation. Telnet escapes the byte FF (IAC) and puts its own words between the data: offers and demands of
options (WILL, WONT, DO, DONT), and what belongs to an option between SB and SE. We offer COM-PORT-OPTION and want
BINARY in both directions, or Telnet would change line ends. An offer is answered only when it changes something, which
is how Telnet keeps two sides from answering each other endlessly (RFC 1143).

    NEGOTIATING --agreed--> SETTING --set--> READY
         |                     |                |
         +------ refused ------+--- refused ----+--> REFUSED

Once the server agrees we throw away what it has kept, then set speed, data bits, parity and stop bits, and wait until
it has answered each with what we asked for; a server answers with what it did instead when it cannot. Bytes of the
device that come before that may have been read at another speed, so they are dropped. Modem lines and flow control are
set without waiting, because servers differ in how they answer.

All of this is between us and the server: nothing of it is written to the device.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum
from typing import Final

_IAC: Final = 0xFF
_SUB_BYTES_MAX: Final = 64  # the longest of RFC 2217 is a signature, a text of which we need no more


class _Verb(IntEnum):
    """RFC 854."""

    SE = 240
    SB = 250
    WILL = 251
    WONT = 252
    DO = 253
    DONT = 254


class _Option(IntEnum):
    """RFC 856, 858, 2217."""

    BINARY = 0
    SUPPRESS_GO_AHEAD = 3
    COM_PORT = 44


class _Command(IntEnum):
    """RFC 2217, section 3. The server's answer is the same with 100 more."""

    SET_BAUDRATE = 1
    SET_DATASIZE = 2
    SET_PARITY = 3
    SET_STOPSIZE = 4
    SET_CONTROL = 5
    FLOWCONTROL_SUSPEND = 8
    FLOWCONTROL_RESUME = 9
    SET_LINESTATE_MASK = 10
    SET_MODEMSTATE_MASK = 11
    PURGE_DATA = 12


_ANSWER: Final = 100
_EIGHT_BITS, _NO_PARITY, _ONE_STOP_BIT = b"\x08", b"\x01", b"\x01"
_NO_FLOW_CONTROL: Final = b"\x01"
_DTR: Final = {True: b"\x08", False: b"\x09"}
_RTS: Final = {True: b"\x0b", False: b"\x0c"}
_PURGE_RECEIVED: Final = b"\x01"
_NO_NOTICES: Final = b"\x00"

_OURS: Final = frozenset({_Option.BINARY, _Option.SUPPRESS_GO_AHEAD, _Option.COM_PORT})
"""The options that we offer. Of the server's options we want the same: some servers offer COM-PORT-OPTION."""


class Stage(Enum):
    """How far the setting of the port has come."""

    NEGOTIATING = "negotiating"
    SETTING = "setting"
    READY = "ready"
    REFUSED = "refused"


class _Input(Enum):
    """What changes the stage."""

    AGREED = "agreed"
    SET = "set"
    REFUSED = "refused"


TRANSITIONS: Final[Mapping[tuple[Stage, _Input], Stage]] = {
    (Stage.NEGOTIATING, _Input.AGREED): Stage.SETTING,
    (Stage.NEGOTIATING, _Input.REFUSED): Stage.REFUSED,
    (Stage.SETTING, _Input.SET): Stage.READY,
    (Stage.SETTING, _Input.REFUSED): Stage.REFUSED,
    (Stage.READY, _Input.REFUSED): Stage.REFUSED,
}


class _Reading(Enum):
    """The place of the next byte in Telnet's grammar."""

    DATA = "data"
    IAC = "after IAC"
    OPTION = "the option of a verb"
    SUB = "between SB and SE"
    SUB_IAC = "after IAC between SB and SE"


class PortControl:
    """One connection. Mutable: the state of its reading, the options that are on, the settings not answered yet."""

    def __init__(self, *, baud: int, dtr: bool, rts: bool) -> None:
        self.stage = Stage.NEGOTIATING
        self.refusal: str | None = None
        """Why there will be no port, once it is refused."""
        self._control: Final = (_NO_FLOW_CONTROL, _DTR[dtr], _RTS[rts])
        self._unanswered: Final[dict[int, bytes]] = {
            _Command.SET_BAUDRATE: baud.to_bytes(4, "big"),
            _Command.SET_DATASIZE: _EIGHT_BITS,
            _Command.SET_PARITY: _NO_PARITY,
            _Command.SET_STOPSIZE: _ONE_STOP_BIT,
        }
        self._reading = _Reading.DATA
        self._verb = 0
        self._sub: Final = bytearray()
        self._ours: Final[set[int]] = set(_OURS)  # offered, or on
        self._theirs: Final[set[int]] = {_Option.BINARY, _Option.SUPPRESS_GO_AHEAD}  # wanted, or on
        self._is_suspended = False
        self._held: Final = bytearray()
        self._to_send: Final = bytearray()
        for option in sorted(self._theirs):
            self._say(_Verb.DO, option)
        for option in sorted(self._ours):
            self._say(_Verb.WILL, option)

    def receive(self, data: bytes) -> bytes:
        """Take received bytes, and return those of the device among them."""
        of_device = bytearray()
        for byte in data:
            if self._is_data(byte) and self.stage is Stage.READY:
                of_device.append(byte)
        return bytes(of_device)

    def send(self, data: bytes) -> None:
        """Queue bytes for the device. The server may suspend them for a while."""
        self._held.extend(data.replace(b"\xff", b"\xff\xff"))

    def data_to_send(self) -> bytes:
        """Return the bytes due on the connection. The device's are among them only while the port is ready."""
        if self.stage is Stage.READY and not self._is_suspended:
            self._to_send.extend(self._held)
            self._held.clear()
        data = bytes(self._to_send)
        self._to_send.clear()
        return data

    @property
    def held_bytes(self) -> int:
        """Return how many bytes wait while the server suspends us."""
        return len(self._held)

    # Telnet.

    def _is_data(self, byte: int) -> bool:
        """Read one byte, and return whether it is one of the device's."""
        match self._reading:
            case _Reading.DATA if byte != _IAC:
                return True
            case _Reading.DATA:
                self._reading = _Reading.IAC
            case _Reading.IAC:
                return self._after_iac(byte)
            case _Reading.OPTION:
                self._reading = _Reading.DATA
                self._negotiate(self._verb, byte)
            case _Reading.SUB if byte == _IAC:
                self._reading = _Reading.SUB_IAC
            case _Reading.SUB:
                self._keep(byte)
            case _Reading.SUB_IAC:
                self._after_iac_in_sub(byte)
        return False

    def _after_iac(self, byte: int) -> bool:
        if byte in (_Verb.WILL, _Verb.WONT, _Verb.DO, _Verb.DONT):
            self._verb, self._reading = byte, _Reading.OPTION
            return False
        self._reading = _Reading.SUB if byte == _Verb.SB else _Reading.DATA
        self._sub.clear()
        return byte == _IAC  # any other command of Telnet means nothing here

    def _keep(self, byte: int) -> None:
        if len(self._sub) < _SUB_BYTES_MAX:
            self._sub.append(byte)

    def _after_iac_in_sub(self, byte: int) -> None:
        """Read IAC IAC as one such byte, and IAC SE as the end. With anything else the rest is damage."""
        if byte == _IAC:
            self._reading = _Reading.SUB
            self._keep(byte)
            return
        self._reading = _Reading.DATA
        if byte == _Verb.SE:
            self._take_answer(bytes(self._sub))

    def _negotiate(self, verb: int, option: int) -> None:
        match verb:
            case _Verb.DO:
                self._demanded(option)
            case _Verb.DONT if option in self._ours:
                self._ours.discard(option)
                self._lose_option(option)
            case _Verb.WILL:
                self._offered(option)
            case _Verb.WONT if option in self._theirs:
                self._theirs.discard(option)
                self._lose_option(option)

    def _demanded(self, option: int) -> None:
        """Answer a demand. Our own options were offered at the beginning, so a demand for them needs no answer."""
        if option not in self._ours:
            self._say(_Verb.WONT, option)
        elif option == _Option.COM_PORT:
            self._agree()

    def _offered(self, option: int) -> None:
        if option in self._theirs:
            return
        if option != _Option.COM_PORT:
            self._say(_Verb.DONT, option)
            return
        self._theirs.add(option)
        self._say(_Verb.DO, option)
        self._agree()

    def _lose_option(self, option: int) -> None:
        if option == _Option.COM_PORT and _Option.COM_PORT not in self._ours | self._theirs:
            self._refuse("the server does not let the port be set (it speaks Telnet without RFC 2217)")
        elif option == _Option.BINARY:
            self._refuse("the server does not carry bytes as they are (Telnet's binary mode)")

    def _say(self, verb: int, option: int) -> None:
        self._to_send.extend((_IAC, verb, option))

    # The port.

    def _agree(self) -> None:
        if self.stage is not Stage.NEGOTIATING:
            return
        self._move(_Input.AGREED)
        self._send_suboption(_Command.SET_LINESTATE_MASK, _NO_NOTICES)
        self._send_suboption(_Command.SET_MODEMSTATE_MASK, _NO_NOTICES)
        self._send_suboption(_Command.PURGE_DATA, _PURGE_RECEIVED)
        for value in self._control:
            self._send_suboption(_Command.SET_CONTROL, value)
        for command, value in self._unanswered.items():
            self._send_suboption(command, value)

    def _send_suboption(self, command: int, value: bytes) -> None:
        escaped = value.replace(b"\xff", b"\xff\xff")
        self._to_send.extend(bytes((_IAC, _Verb.SB, _Option.COM_PORT, command)) + escaped + bytes((_IAC, _Verb.SE)))

    def _take_answer(self, sub: bytes) -> None:
        if len(sub) < 2 or sub[0] != _Option.COM_PORT or sub[1] < _ANSWER:
            return
        command, value = sub[1] - _ANSWER, sub[2:]
        if command in (_Command.FLOWCONTROL_SUSPEND, _Command.FLOWCONTROL_RESUME):
            self._is_suspended = command == _Command.FLOWCONTROL_SUSPEND
        elif command in self._unanswered and self.stage is Stage.SETTING:
            self._take_setting(_Command(command), value)

    def _take_setting(self, command: _Command, value: bytes) -> None:
        wanted = self._unanswered.pop(command)
        if value != wanted:
            got = int.from_bytes(value, "big")
            self._refuse(f"asked for {command.name.lower()} {int.from_bytes(wanted, 'big')}, the server set {got}")
        elif not self._unanswered:
            self._move(_Input.SET)

    def _refuse(self, reason: str) -> None:
        if self.stage is not Stage.REFUSED:
            self.refusal = reason
            self._move(_Input.REFUSED)

    def _move(self, moved_by: _Input) -> None:
        self.stage = TRANSITIONS[self.stage, moved_by]
