"""Reads the messages on `cmd/<user>/<name>`. A refusal says what would be accepted.

The name of a command is the public name of its action, and its data are the action's fields. Nothing is guessed or
converted: a stake in quotes is refused. The user is the topic's, which the broker vouches for, and their role and
seats are those of the site's file of people. Nothing in the message says who sent it.

This module does not look at phase, round or past expiry; the table does. So an accepted command that is repeated gets
the answer that it got the first time, even after it has expired.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

from daemon.config.people import Person, Role
from daemon.journal.encoding import Codec, fields_codec
from daemon.journal.kinds import KINDS
from daemon.journal.values import EncodingError
from daemon.table.inputs import Action, Request
from daemon.table.vocabulary import RequestId, RoundId
from drivers.events import Stamp
from protocols.frozen import dataclass

RESEND: Final = "resend"
RESEND_EVENTS_MAX: Final = 1_000
VALID_S_MAX: Final = 600  # a command is for what its sender sees now; later it could fall on another round
TEXT_MAX: Final = 500  # the journal keeps a reason permanently
# A reason is shown in terminals and on screens. They obey control characters and end a line at U+2028; a mark of
# direction shows a text in another order than it has; and a character that draws nothing hides in it, so that two names
# look the same. Those are Unicode's Default_Ignorable_Code_Point and controls of Egyptian signs. Python and JavaScript
# spell what is above U+FFFF differently, and the contract gives this pattern to both: there each stands for itself.
_MARKS: Final = (
    r"\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ufe00-\ufe0f\ufeff\ufff0-\ufffc\ufffe\uffff"
    "\U00013430-\U00013440\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FILLERS: Final = r"\u115f\u1160\u2800\u3164\uffa0" "\U00016fe4\U0001d159"  # letters that show nothing
_BLANKS: Final = r" \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_UNSEEN: Final = rf"\x00-\x1f\x7f-\x9f{_MARKS}{_FILLERS}"
TEXT_PATTERN: Final = rf"^[{_BLANKS}]*[^{_UNSEEN}{_BLANKS}][^{_UNSEEN}]*$(?!\n)"  # blanks alone are refused
_PATTERN_SAID: Final = "Expected `str` matching regex"  # as msgspec says it; what follows is the pattern, of 600 signs
ITEMS_MAX: Final = 60  # cards of one entry: a deck has 52
NUMBER_MAX: Final = 9 * 10**12  # a time in ms until 2255; in cents, a thousand times this is still exact in a double
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NAME_IS: Final = "1 to 64 visible characters on one line"
_Name = Annotated[str, msgspec.Meta(pattern=TEXT_PATTERN, max_length=64, description=_NAME_IS)]

ACTIONS: Final[dict[str, Codec[Action]]] = {
    KINDS[action]: fields_codec(action, KINDS, is_new=True) for action in get_args(Action)
}
NAMES: Final = (*sorted(ACTIONS), RESEND)

MalformedCode: TypeAlias = Literal[
    "bad-response-topic",
    "expires-too-late",
    "malformed",
    "not-known",
    "not-permitted",
    "overtaken",
    "retained",
    "too-long",
    "too-many",
    "unknown-command",
]
"""What is said of a command that the table does not see."""
ResendCode: TypeAlias = Literal["no-such-events", "not-delivered", "resent"]
"""What is said of a consumer's request."""


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of every command. A repeated `id` of a user does nothing again, and gets the answer that was accepted.

    With `round` the command is for that round only. Bets, decisions and what ends a round have to name it. `expires`
    is at most ten minutes ahead.
    """

    id: _Name
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
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message that is refused before the table sees it. `where` is the place in it that `message` speaks of."""

    id: str | None
    code: MalformedCode
    message: str
    where: str | None = None


def read(user: str, person: Person | None, name: str, payload: bytes, at: Stamp) -> Request | Resend | Malformed:
    """Read the command in this message of `user`, whose entry in the file of people is `person`."""
    request_id = id_of(payload)
    if person is None:
        message = f"{user} is not a user of this table. Users of a table stand in its site's file of people."
        return Malformed(request_id, "not-known", message)
    if name not in NAMES:
        existing = f"This command does not exist. The commands are {', '.join(NAMES)}."
        return Malformed(request_id, "unknown-command", existing, "topic")
    if person.role is Role.DISPLAY or (person.role is Role.COLLECTOR and name != RESEND):
        message = f"{user} is a {person.role.value} and may not give the command {name}."
        return Malformed(request_id, "not-permitted", message)
    top = "$"
    try:
        command = msgspec.json.decode(payload, type=Command)
        if _utc_ns(command.expires) > at.utc_ns + VALID_S_MAX * 10**9:
            message = f"A command is valid for at most {VALID_S_MAX} s. Compare also the clock of the sender."
            return Malformed(request_id, "expires-too-late", message, "$.expires")
        top = "$.data"
        asked = _resend(command) if name == RESEND else _within_bounds(_request(user, person, name, command, at))
        _expect_once_each(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        message, _, where = str(error).partition(" - at ")
        if message.startswith(_PATTERN_SAID):
            message = f"Expected {_NAME_IS}"
        return Malformed(request_id, "malformed", f"{message}.", top + where.strip("`").removeprefix("$"))
    except EncodingError as error:
        said = f"{error.what[:1].upper()}{error.what[1:]}."
        return Malformed(request_id, "malformed", said, error.where("$.data"))
    return asked


def _expect_once_each(payload: bytes) -> None:
    """Raise ValidationError if a field is there twice: a program between us could read the other one."""

    def once(pairs: list[tuple[str, object]]) -> None:
        names = [name for name, _ in pairs]
        if len(names) > len(set(names)):
            raise msgspec.ValidationError("A field is there twice")

    json.loads(payload, object_pairs_hook=once, parse_int=str, parse_float=str)


def _request(user: str, person: Person, name: str, command: Command, at: Stamp) -> Request:
    assert person.role.actor is not None, "a role that only reads was refused before"
    return Request(
        at=at,
        id=RequestId(command.id),
        who=user,
        role=person.role.actor,
        expires_utc_ns=_utc_ns(command.expires),
        action=ACTIONS[name].decode(bytes(command.data)),
        round_id=None if command.round is None else RoundId(command.round),
        seats=person.own_seats,
    )


def _within_bounds(request: Request) -> Request:
    """Raise EncodingError if a number, a text or a list is too long: the journal keeps it, and what follows from it."""
    for field in fields(request.action):
        expected = _exceeded(getattr(request.action, field.name))
        if expected is not None:
            error = EncodingError(expected)
            error.path.append(field.name)
            raise error
    return request


def _exceeded(value: object) -> str | None:
    """Return what would have been accepted, or None if the value is within bounds."""
    match value:
        case int() if abs(value) > NUMBER_MAX:
            return f"expected a whole number from -{NUMBER_MAX} to {NUMBER_MAX}"
        case str() if len(value) > TEXT_MAX:
            return f"expected at most {TEXT_MAX} characters"
        case str() if re.match(TEXT_PATTERN, value) is None:
            return "expected a text on one line, not empty, each character visible"
        case tuple() if len(value) > ITEMS_MAX:
            return f"expected at most {ITEMS_MAX} of them"
        case _:
            return None


def _resend(command: Command) -> Resend:
    data = msgspec.json.decode(command.data, type=ResendData)
    return Resend(command.id, data.first, data.last)


def id_of(payload: bytes) -> str | None:
    """Read the id from the payload, even if the rest of it is invalid, so that the sender knows what was refused."""
    try:
        said = msgspec.json.decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    request = said.get("id") if isinstance(said, dict) else None
    return request if isinstance(request, str) else None


def _utc_ns(moment: datetime) -> int:
    passed = moment - _EPOCH
    return ((passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1_000
