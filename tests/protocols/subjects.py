"""The codecs in both roles, with traffic that their other ends could send, and how their owners react."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from protocols.angel_eye import frame as angel_frame
from protocols.angel_eye import messages as angel
from protocols.angel_eye.device import DeviceConnection as AngelEyeShoe
from protocols.angel_eye.events import Commanded
from protocols.angel_eye.options import BccForm
from protocols.angel_eye.wording import write_command, write_report
from protocols.bee_tek import messages as bee
from protocols.bee_tek.wording import write_line
from protocols.cards import DECK, Misread
from protocols.checksum import crc16, xor
from protocols.codec import Codec, Role
from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.events import Greeted, Ordered, Standing
from protocols.felt_link.frame import Ack, Nak, encode
from protocols.felt_link.host import HostConnection
from protocols.felt_link.wording import to_frame
from protocols.modbus_tcp import frame as modbus
from protocols.modbus_tcp.messages import Inputs, ReadInputs, Refused, write
from protocols.registry import PROTOCOLS

SILENCE_NS = 60_000_000_000
_CONTROL = re.compile(rb"[\x00-\x1f]")
_NOT_TEXT = re.compile(rb"[^\x20-\x7e]")


@dataclass(frozen=True)
class Subject:
    """A codec in one role, traffic that its other end could send, and how its owner reacts to an event.

    `seal` makes any bytes the inside of a frame that arrived whole. Of `blank` between frames nobody hears.
    """

    name: str
    role: Role
    traffic: Callable[[random.Random], bytes]
    react: Callable[[Codec[object], object], None]
    seal: Callable[[bytes], bytes]
    blank: bytes = b""

    def __str__(self) -> str:
        return f"{self.name}-{self.role.value}"


def felt_link_react(codec: Codec[object], event: object) -> None:
    if isinstance(codec, HostConnection) and isinstance(event, Greeted):
        if event.version is None or event.standing is Standing.REUSED:
            codec.refuse(m.HostRefusal.DEVICE, "", 0)
        else:
            codec.welcome(0)
    if isinstance(codec, DeviceConnection) and isinstance(event, Ordered):
        codec.answer(event.id, None, 0)


def from_a_device(source: random.Random) -> bytes:
    faces = tuple(source.choices((*DECK, *Misread), k=source.randrange(6)))
    seq = source.randrange(1, 12)
    identity = m.Identity("FS-1", "1", "1.0", ("shuffler",))
    return encode(
        to_frame(
            source.choice(
                (
                    m.Hello((1,), identity, source.choice("AB"), 1, seq),
                    m.Numbered(seq, seq % 2 == 0, m.PacketDispensed(1, len(faces), faces)),
                    m.Numbered(seq, False, m.DeckLoaded()),
                    m.Numbered(seq, False, m.WireCardDrawn(seq, source.choice((*DECK, *Misread)), "game")),
                    m.Beat(seq),
                    m.WireAnswer("a", None),
                )
            )
        )
    )


def from_a_host(source: random.Random) -> bytes:
    seq = source.randrange(4)
    said = source.choice(
        (
            m.Welcome(1, "0", 0),
            m.Beat(seq),
            Ack(seq),
            Nak(seq, "gap"),
            m.Order(source.choice("abc"), m.Dispense(1 + seq)),
            m.Refuse("device", ""),
        )
    )
    return encode(said if isinstance(said, Ack | Nak) else to_frame(said))


def angel_eye_react(codec: Codec[object], event: object) -> None:
    if isinstance(codec, AngelEyeShoe) and isinstance(event, Commanded):
        codec.answer(None)


def from_an_angel_eye(source: random.Random) -> bytes:
    place = angel.Place(source.choice((*angel.Target, 3)), source.randrange(11))
    face = source.choice((*DECK, *Misread))
    report: angel.WireReport = source.choice(
        (
            angel.Started(),
            angel.Standby(),
            angel.WireCutCardDrawn(),
            angel.WireCardDrawn(place, face),
            angel.CardDrawnOutside(source.choice(tuple(angel.OutsideReason)), 0, face),
            angel.CardAgain(place, face),
            angel.ErrorRaised(source.choice(tuple(angel.ErrorCode)), True),
            angel.PresetChanged("01", "0012"),
            angel.UnknownReport("Z", "", b"\x81"),
        )
    )
    frame = angel_frame.ReportFrame(ord("0") + source.randrange(3), write_report(report))
    answer = source.choice((b"", b"", b"", b"\x06", b"\x15\x21"))
    return angel_frame.encode(frame) * source.choice((3, 3, 2, 4)) + answer


def to_an_angel_eye(source: random.Random) -> bytes:
    command = source.choice(
        (angel.SetLock(True), angel.ConfirmProcess(), angel.AnswerError(angel.ErrorAnswer.USE_CARD))
    )
    text = source.choice((write_command(command), b"OPXX00"))
    return angel_frame.encode(angel_frame.CommandFrame(text, source.random() < 0.8, source.choice(tuple(BccForm))))


def from_a_bee_tek(source: random.Random) -> bytes:
    operation = source.choice((bee.Operation.GAME, bee.Operation.MANUAL_BURN_CARDS))
    line: bee.ShoeRecord = source.choice(
        (
            bee.CardPassed(operation, source.choice((*DECK, *Misread))),
            bee.Alarm(bee.Operation.GAME_ALARM, "E3", "E3 Card Not Read"),
            bee.Warned(source.randrange(256)),
            bee.UnknownText("Bee-Tek"),
        )
    )
    return write_line(line, suit_first=source.random() < 0.5).encode("ascii") + source.choice((b"\r\n", b"\r\n", b"\n"))


def from_a_box(source: random.Random) -> bytes:
    said = source.choice((Inputs(tuple(source.random() < 0.5 for _ in range(8))), Refused(2, source.randrange(1, 5))))
    return modbus.encode(modbus.Frame(source.randrange(4), 1, write(said)))


def to_a_box(source: random.Random) -> bytes:
    asked = ReadInputs(source.randrange(10), source.randrange(20))
    body = source.choice((write(asked), bytes((source.randrange(256),))))
    return modbus.encode(modbus.Frame(source.randrange(4), source.randrange(256), body))


def leave_alone(codec: Codec[object], event: object) -> None:
    pass


def felt_link_seal(line: bytes) -> bytes:
    text = _NOT_TEXT.sub(b"", line) + b"\x03"
    return b"\x02" + text + b"%04X" % crc16(text)


def angel_eye_report_seal(line: bytes) -> bytes:
    text = _CONTROL.sub(b"", line) + b"\x03"
    return b"\x05" + text + b"%02X" % xor(text)


def angel_eye_command_seal(line: bytes) -> bytes:
    text = b"\x02" + _CONTROL.sub(b"", line) + b"\x03"
    return text + b"%02X" % xor(text)


def line_seal(line: bytes) -> bytes:
    return line + b"\r\n"


def modbus_seal(line: bytes) -> bytes:
    return modbus.encode(modbus.Frame(1, 1, line[: modbus.LENGTH_MAX - 1] or b"\0"))


SUBJECTS = [
    Subject("felt-link", Role.HOST, from_a_device, felt_link_react, felt_link_seal, blank=b"\r\n"),
    Subject("felt-link", Role.DEVICE, from_a_host, felt_link_react, felt_link_seal, blank=b"\r\n"),
    Subject("angel-eye-iiex", Role.HOST, from_an_angel_eye, angel_eye_react, angel_eye_report_seal),
    Subject("angel-eye-iiex", Role.DEVICE, to_an_angel_eye, angel_eye_react, angel_eye_command_seal),
    Subject("bee-tek", Role.HOST, from_a_bee_tek, leave_alone, line_seal, blank=b" \r\n"),
    Subject("bee-tek", Role.DEVICE, from_a_bee_tek, leave_alone, line_seal, blank=b" \r\n"),
    Subject("modbus-tcp", Role.HOST, from_a_box, leave_alone, modbus_seal),
    Subject("modbus-tcp", Role.DEVICE, to_a_box, leave_alone, modbus_seal),
]


def broken_traffic(subject: Subject, source: random.Random, size: int) -> bytes:
    """Traffic with bytes changed, lost, repeated and put in."""
    data = bytearray()
    while len(data) < size:
        frame = bytearray(subject.traffic(source))
        for _ in range(source.choice((0, 0, 0, 1, 1, 3))):
            at = source.randrange(len(frame))
            match source.randrange(4):
                case 0:
                    frame[at] = source.randrange(256)
                case 1:
                    del frame[at:]
                case 2:
                    frame[at:at] = frame[:at]
                case _:
                    frame[at:at] = source.randbytes(source.randrange(20))
            frame = frame or bytearray(b"\0")
        data += frame
    return bytes(data)


def run(subject: Subject, chunks: Iterable[bytes]) -> tuple[list[object], bytes]:
    """Everything that a codec made of chunks and of the minute of silence after them, and everything that it said."""
    codec = PROTOCOLS[subject.name].end(subject.role, 0)
    events: list[object] = []
    said = bytearray()
    for chunk in chunks:
        codec.receive(chunk, 0)
        said += _drained(subject, codec, events)
    codec.handle_timeout(SILENCE_NS)
    said += _drained(subject, codec, events)
    return events, bytes(said)


def feed(subject: Subject, codec: Codec[object], chunk: bytes) -> None:
    """A chunk whose events and answers nobody keeps."""
    codec.receive(chunk, 0)
    _drained(subject, codec, [])


def _drained(subject: Subject, codec: Codec[object], events: list[object]) -> bytes:
    while (event := codec.next_event()) is not None:
        subject.react(codec, event)
        events.append(event)
    return codec.data_to_send()
