"""A record: one input with everything that followed from it, as the line that is kept, hashed and exported.

Theory of operation. A record is one line of JSON:

    {"offset":7,"rules":"1","input":{…},"facts":[{"sequence":9,"kind":"bet.placed","data":{…},"round":"7-12"}],
     "answer":{…},"carried":{…}}

`offset` counts the records from 1 and `sequence` the facts, both without holes. `rules` is the version of the rules in
force. What a record does not have is left out: facts, an answer (only requests have one), what is carried over.

The line is the record, byte for byte. Each record's hash is SHA-256 of the hash before it and its line. The first hash
is SHA-256 of the header, which names the journal. So with one hash everything up to it can be checked, with a few
lines of any language: no value has to be encoded again.

In the file a line is compressed (raw deflate, RFC 1951) with the dictionary that the journal was made with. The
dictionary is in the file, so a later version may make its journals with a better one. Its length says how far back a
line may refer: a journal keeps that permanently, so an older feltd reads what a newer one appends.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import Annotated, Final, TypeVar

import msgspec

from daemon.journal.encoding import Codec, fields_codec
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.table.carry_over import CarryOver
from daemon.table.facts import FactData
from daemon.table.inputs import Input
from daemon.table.step import Answer
from daemon.table.vocabulary import RoundId
from drivers.events import DeviceName, Receipt
from protocols.frozen import dataclass

_ValueT = TypeVar("_ValueT")

NOT_THAT_JSON: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not JSON of the wanted type."""

LEVEL: Final = 6
MEMORY_LEVEL: Final = 6  # more costs time and saves 0.1 % of the bytes
LINE_BYTES_MAX: Final = 16_000_000  # a damaged body could unpack to anything


@dataclass(frozen=True, slots=True)
class Carried:
    """What a start begins with, after the record that it stands in."""

    configured: int  # the offset of the configuration in force
    table: CarryOver
    receipts: tuple[tuple[DeviceName, Receipt], ...] = ()  # the last of each device's own events


INPUTS: Final[Codec[Input]] = Codec(Input, KINDS, omit_defaults=True)
ANSWERS: Final = Codec[Answer](Answer, KINDS)
CARRIED: Final = Codec[Carried](Carried, KINDS, omit_defaults=True)
# Facts are written in full: their bytes are what MQTT says, and a consumer need not know any default.
FACT_BODIES: Final[dict[str, Codec[FactData]]] = {kind: fields_codec(cls, KINDS) for cls, kind in FACT_KINDS.items()}


class Header(msgspec.Struct, frozen=True):
    """The first line of a journal. Its hash is the one that the first record is hashed onto."""

    journal: str
    format: int
    created_utc_ns: int


class Base(msgspec.Struct, frozen=True):
    """What the first record of the file follows: the header, or the last record that was pruned."""

    offset: int
    sequence: int
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class FactLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fact in its record. `data` are the bytes that MQTT says."""

    sequence: int
    kind: str
    data: msgspec.Raw
    round: RoundId | None = None


NOTHING: Final = msgspec.Raw()


class RecordLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record, as far as the journal has to look into it."""

    offset: int
    rules: str
    input: msgspec.Raw
    facts: tuple[FactLine, ...] = ()
    answer: msgspec.Raw = NOTHING
    carried: msgspec.Raw = NOTHING


class When(msgspec.Struct, frozen=True):
    """Of a time, the one that a person reads: from 1677 to 2262."""

    utc_ns: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Moment(msgspec.Struct, frozen=True):
    """Of an input, only when it happened."""

    at: When


class UnreadableRecordError(ValueError):
    """A stored body that is not a record."""


def read_json(text: bytes | msgspec.Raw, type_: type[_ValueT]) -> _ValueT:
    """Return the value of this JSON, or raise UnreadableRecordError: a disk or an editor can have changed any bit."""
    try:
        return msgspec.json.decode(text, type=type_)
    except NOT_THAT_JSON as error:
        raise UnreadableRecordError(f"its {type_.__name__.lower()} cannot be read") from error


def read_line(line: bytes) -> RecordLine:
    """Return the record of a line, or raise UnreadableRecordError."""
    try:
        return msgspec.json.decode(line, type=RecordLine)
    except NOT_THAT_JSON as error:
        raise UnreadableRecordError("it is not the line of a record") from error


def first_hash(header: bytes) -> bytes:
    """Return the hash that a journal begins with."""
    return hashlib.sha256(header).digest()


def next_hash(before: bytes, line: bytes) -> bytes:
    """Return the hash of a record."""
    return hashlib.sha256(before + line).digest()


def window_bits(dictionary: bytes) -> int:
    """Return the size of the window that holds the dictionary and a line. Negative: no header and no check sum."""
    return -14 if len(dictionary) < 1 << 14 else -15


class Packer:
    """Packs and unpacks the lines of one journal."""

    def __init__(self, dictionary: bytes) -> None:
        self._dictionary = dictionary
        self._window_bits = window_bits(dictionary)
        self._blank = zlib.compressobj(
            LEVEL, zlib.DEFLATED, self._window_bits, MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, dictionary
        )

    def pack(self, line: bytes) -> bytes:
        """Return what is stored of a line."""
        compressor = self._blank.copy()  # reading the dictionary again would take three times as long
        return compressor.compress(line) + compressor.flush()

    def unpack(self, body: bytes) -> bytes:
        """Return the line that was packed, or raise UnreadableRecordError."""
        decompressor = zlib.decompressobj(self._window_bits, self._dictionary)
        try:
            line = decompressor.decompress(body, LINE_BYTES_MAX)
        except zlib.error as error:
            raise UnreadableRecordError("it cannot be unpacked") from error
        if not decompressor.eof or decompressor.unused_data:
            raise UnreadableRecordError("it cannot be unpacked")
        return line
