"""Commands: what comes in on `cmd/<name>`, read strictly, and refused in words that say what would be taken.

The name of a command is the public name of its action, and its data are the action's fields. Nothing is guessed
and nothing is converted: a stake in quotes is refused. Whether the table takes a command now, who may give it
and whether it has expired, is the table's to say, so that a repeat of a command that was done gets the answer of
then, not a lecture on its expiry.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Annotated, Final, get_args

import msgspec

from daemon.journal.encoding import Codec, EncodingError, fields_codec
from daemon.journal.kinds import KINDS
from daemon.mqtt.topics import LEVEL, is_level
from daemon.table.inputs import Action, Request
from daemon.table.vocabulary import Actor, RequestId, RoundId
from drivers.events import Stamp

RESEND: Final = "resend"
COMMAND_BYTES_MAX: Final = 65_536
RESEND_EVENTS_MAX: Final = 1_000
NUMBER_MAX: Final = 10**12  # ten thousand million dollars in cents; a thousandfold payout is still exact in a double
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_Name = Annotated[
    str, msgspec.Meta(pattern=r"^[^\x00-\x1f]{1,64}$(?!\n)", description="1 to 64 characters on one line")
]

ACTIONS: Final[dict[str, Codec[Action]]] = {KINDS[action]: fields_codec(action, KINDS) for action in get_args(Action)}
NAMES: Final = (*sorted(ACTIONS), RESEND)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every command says beside its data. The same client and id again is answered, not done again.

    With `round` it is meant for that round and no other; what ends a round has to say which.
    """

    id: _Name
    client: Annotated[str, msgspec.Meta(pattern=LEVEL, description="1 to 64 of A-Z a-z 0-9 . _ -")]
    who: _Name
    role: Actor
    expires: Annotated[datetime, msgspec.Meta(tz=True)]
    round: _Name | None = None
    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))


class ResendData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which events to say again, both ends included."""

    first: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="from")
    last: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="to")


@dataclass(frozen=True, slots=True)
class Resend:
    """A consumer found a hole and asks for this range."""

    id: str
    client: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sender:
    """As much as could be read of who asks, for the answer's address."""

    id: str | None = None
    client: str | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """This is no command: `where` is the place in the message, and the message says what would be taken."""

    sender: Sender
    code: str
    message: str
    where: str


def read(name: str, payload: bytes, at: Stamp) -> Request | Resend | Malformed:
    """The command in this message."""
    if len(payload) > COMMAND_BYTES_MAX:
        return Malformed(Sender(), "too-long", f"A command has at most {COMMAND_BYTES_MAX} bytes.", "$")
    sender = _sender(payload)
    if name not in NAMES:
        return Malformed(sender, "unknown-command", f"There is no such command; there are {', '.join(NAMES)}.", "topic")
    try:
        command = msgspec.json.decode(payload, type=Command)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return _malformed(sender, error, "$")
    try:
        return _resend(command) if name == RESEND else _within_bounds(_request(name, command, at))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return _malformed(sender, error, "$.data")
    except EncodingError as error:
        return Malformed(sender, "malformed", f"{error.what[:1].upper()}{error.what[1:]}.", error.where("$.data"))


def _malformed(sender: Sender, error: Exception, top: str) -> Malformed:
    message, _, where = str(error).partition(" - at ")
    return Malformed(sender, "malformed", f"{message}.", top + where.strip("`").removeprefix("$"))


def _request(name: str, command: Command, at: Stamp) -> Request:
    return Request(
        at=at,
        client=command.client,
        id=RequestId(command.id),
        who=command.who,
        role=command.role,
        expires_utc_ns=_utc_ns(command.expires),
        action=ACTIONS[name].decode(bytes(command.data)),
        round_id=None if command.round is None else RoundId(command.round),
    )


def _within_bounds(request: Request) -> Request:
    """Nobody counts or stakes so much, and what follows from a number without end could not be written down."""
    for field in fields(request.action):
        value = getattr(request.action, field.name)
        if type(value) is int and abs(value) > NUMBER_MAX:
            error = EncodingError(f"expected a whole number from -{NUMBER_MAX} to {NUMBER_MAX}")
            error.path.append(field.name)
            raise error
    return request


def _resend(command: Command) -> Resend:
    data = msgspec.json.decode(command.data, type=ResendData)
    return Resend(command.id, command.client, data.first, data.last)


def _sender(payload: bytes) -> Sender:
    """The address of even a broken command, as far as it can be had."""
    try:
        said = msgspec.json.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Sender()
    if not isinstance(said, dict):
        return Sender()
    request, client = said.get("id"), said.get("client")
    return Sender(
        id=request if isinstance(request, str) else None,
        client=client if isinstance(client, str) and is_level(client) else None,
    )


def _utc_ns(moment: datetime) -> int:
    passed = moment - _EPOCH
    return ((passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1_000
