"""Reads the messages on `cmd/<name>`. A refusal says what would be accepted.

The name of a command is the public name of its action, and its data are the action's fields. Nothing is guessed or
converted: a stake in quotes is refused. This module does not look at expiry, phase or role; the table does. So a
command that is repeated gets the answer that it got the first time, even after it has expired.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Annotated, Final, get_args

import msgspec

from daemon.journal.encoding import Codec, fields_codec
from daemon.journal.kinds import KINDS
from daemon.journal.values import EncodingError
from daemon.mqtt.topics import LEVEL, LEVEL_DESCRIPTION, is_level
from daemon.table.inputs import Action, Request
from daemon.table.vocabulary import Actor, RequestId, RoundId
from drivers.events import Stamp

RESEND: Final = "resend"
COMMAND_BYTES_MAX: Final = 65_536
RESEND_EVENTS_MAX: Final = 1_000
NUMBER_MAX: Final = 10**12  # in cents 10,000 million dollars; a thousand times this is still exact in a double
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_Name = Annotated[
    str, msgspec.Meta(pattern=r"^[^\x00-\x1f]{1,64}$(?!\n)", description="1 to 64 characters on one line")
]

ACTIONS: Final[dict[str, Codec[Action]]] = {KINDS[action]: fields_codec(action, KINDS) for action in get_args(Action)}
NAMES: Final = (*sorted(ACTIONS), RESEND)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of every command. A repeated client and id gets the first answer, and nothing is done again.

    With `round` the command is for that round only. A command that ends a round has to name it.
    """

    id: _Name
    client: Annotated[str, msgspec.Meta(pattern=LEVEL, description=LEVEL_DESCRIPTION)]
    who: _Name
    role: Actor
    expires: Annotated[datetime, msgspec.Meta(tz=True)]
    round: _Name | None = None
    data: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))


class ResendData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The range of events to publish again, both ends included."""

    first: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="from")
    last: Annotated[int, msgspec.Meta(ge=1)] = msgspec.field(name="to")


@dataclass(frozen=True, slots=True)
class Resend:
    """A consumer's request for a range of events that it lacks."""

    id: str
    client: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Sender:
    """What could be read of the requester, for the answer's address."""

    id: str | None = None
    client: str | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message that cannot be read as a command. `where` is the place in it; `message` says what is expected."""

    sender: Sender
    code: str
    message: str
    where: str


def read(name: str, payload: bytes, at: Stamp) -> Request | Resend | Malformed:
    """Read the command in this message."""
    if len(payload) > COMMAND_BYTES_MAX:
        return Malformed(Sender(), "too-long", f"A command has at most {COMMAND_BYTES_MAX} bytes.", "$")
    sender = _sender(payload)
    if name not in NAMES:
        return Malformed(
            sender, "unknown-command", f"This command does not exist. The commands are {', '.join(NAMES)}.", "topic"
        )
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
    """Raise EncodingError if a number is beyond NUMBER_MAX: the journal could not write what follows from it."""
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
    """Read id and client from the payload, even if the rest of it is invalid."""
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
