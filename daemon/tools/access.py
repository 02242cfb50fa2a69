"""`feltd access`: writes a broker's access list from the site's file of people.

Each user may publish commands only under their own name and read only their own answers, and each table only its own
topics. So the broker vouches for the user in a command's topic, and the table looks up in the same file what this
user is. Whatever the list does not name is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

import click

from daemon.config.option import FILE
from daemon.config.people import EVERY_TABLE, People, Person, Role, load_people
from daemon.errors import SetupError
from daemon.mqtt.commands import NAMES, RESEND
from daemon.mqtt.topics import VERSION
from daemon.tools.whole import write_whole
from protocols.frozen import dataclass

NATS_PASSWORDS: Final = "feltd-passwords.conf"
# Over NATS's own protocol a user could read every message that is on its way to a session, below $MQTT.sub.
NATS_CONNECTION: Final = "MQTT"
NATS_SESSIONS: Final = "$MQTT.sub.>"
DOCTOR_CHECK: Final = "doctor-check"  # a command that no table knows: feltd doctor tries with it who hears it
PUBLIC: Final = ("status", "state", "metrics", "device/+", "alert/+", "event/+")
Levels: TypeAlias = tuple[tuple[str, ...], ...]
"""A filter's levels, each with the names that it may have."""
# Each session that a user leaves behind gets a copy of every event: 1,500 of them made each command wait for a second.
SESSION_KEPT_MS: Final = 60_000
# One that is connected and acknowledges nothing is not left: without a bound it fills the disk, and then RabbitMQ takes
# no message from anybody.
UNREAD_BYTES_MAX: Final = 1 << 26
# What waits for a table that is away comes from its users: one player sent a gigabyte in seven seconds, on the disk.
KEPT_BYTES_MAX: Final = 1 << 28
KEPT_MAX: Final = 1_000_000  # RabbitMQ counts the bytes of bodies, and a command may have none
RETAINED: Final = ("status", "state", "device/+", "alert/+")


@dataclass(frozen=True, slots=True)
class Rights:
    """What one user may publish and read, as MQTT filters."""

    user: str
    publish: tuple[str, ...]
    read: tuple[str, ...]
    is_kept_for: bool = False  # whether the broker keeps messages while this user is away


def rights_of(people: People) -> Iterator[Rights]:
    """Yield every user's rights: first the tables', then the people's."""
    for name, table in people.tables.items():
        base = f"{VERSION}/{people.site}/{name}"
        # A table reads back what it retains, to remove what is no longer so and to notice a second table of its name.
        yield Rights(
            table.user,
            publish=tuple(f"{base}/{topic}" for topic in (*PUBLIC, "reply/+/#")),
            read=tuple(f"{base}/{topic}" for topic in ("cmd/+/+", *RETAINED)),
            is_kept_for=True,
        )
    for user, person in people.people.items():
        yield _rights_of_person(people, user, person)


def _rights_of_person(people: People, user: str, person: Person) -> Rights:
    is_everywhere = EVERY_TABLE in person.tables
    bases = [f"{VERSION}/{people.site}/{table}" for table in (("+",) if is_everywhere else person.tables)]
    read = tuple(f"{base}/{topic}" for base in bases for topic in PUBLIC)
    if person.role is Role.DISPLAY:
        return Rights(user, (), read)
    # By name, and not `+`: a broker keeps one retained message for each topic, and names are without number, of
    # commands as of tables.
    tables = people.tables if is_everywhere else person.tables
    commands = (RESEND,) if person.role is Role.COLLECTOR else NAMES
    return Rights(
        user,
        publish=tuple(
            f"{VERSION}/{people.site}/{table}/cmd/{user}/{command}"
            for table in tables
            for command in (*commands, DOCTOR_CHECK)
        ),
        read=(*read, *(f"{base}/reply/{user}/#" for base in bases)),
        is_kept_for=person.role is Role.COLLECTOR,
    )


def mosquitto(people: People) -> str:
    """Return an `acl_file` of Mosquitto."""
    blocks = [f"# Written by feltd access for the site {people.site}. Whatever is not here is refused.\n"]
    for rights in rights_of(people):
        lines = [f"user {rights.user}"]
        lines += [f"topic write {filter_}" for filter_ in rights.publish]
        lines += [f"topic read {filter_}" for filter_ in rights.read]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def nats(people: People) -> str:
    """Return an `authorization` block of NATS. Each password is a variable of a file of its own."""
    lines = [
        f"# Written by feltd access for the site {people.site}. The passwords are in a file beside this one,",
        '# a line for each user: PASSWORD_ANA_DIAZ: "a password or its bcrypt hash"',
        f"include ./{NATS_PASSWORDS}",
        "authorization {",
        "  users = [",
    ]
    for rights in rights_of(people):
        publish = [subject for filter_ in rights.publish for subject in _subjects(filter_)]
        read = [subject for filter_ in rights.read for subject in _subjects(filter_)]
        # NATS takes an empty list for "everything".
        allowed = json.dumps(publish) if publish else '{ deny: ">" }'
        allowed_to_read = json.dumps([*read, NATS_SESSIONS] if rights.is_kept_for else read)
        # Where NATS delivers QoS 1 to a session; the session's name there is a secret of it. Without this leave a user
        # has QoS 0: at QoS 1 each session that they leave behind is kept with whatever is published. NATS 2.15 gives
        # this leave to who is not denied it.
        kept_from = "" if rights.is_kept_for else f', deny: "{NATS_SESSIONS}"'
        lines += [
            f"    {{ user: {json.dumps(rights.user)}, password: ${password_variable(rights.user)},",
            f"      allowed_connection_types: [{NATS_CONNECTION}], permissions: {{",
            f"      publish: {allowed},",
            f"      subscribe: {{ allow: {allowed_to_read}{kept_from} }} }} }}",
        ]
    return "\n".join([*lines, "  ]", "}", ""])


def password_variable(user: str) -> str:
    """Return the name of the variable that holds this user's password in a configuration of NATS.

    Each user has another one: `ana_diaz` becomes ANA_uDIAZ, or a new colleague would have the password of `ana-diaz`.
    """
    return "PASSWORD_" + user.upper().replace("_", "_u").replace("-", "_")


def _subjects(filter_: str) -> Iterator[str]:
    subject = filter_.replace("/", ".").replace("+", "*").replace("#", ">")
    yield subject
    if subject.endswith(".>"):  # MQTT's a/# also means a itself, and NATS asks leave for both
        yield subject.removesuffix(".>")


def rabbitmq(people: People) -> str:
    """Return definitions for `rabbitmqctl import_definitions`. They leave users and their passwords as they are."""
    permissions, topics = [], []
    for rights in rights_of(people):
        # A session is a queue that is named after the client id, so a client id has to begin with its user's name.
        session = _session(re.escape(rights.user))
        permissions.append(
            {
                "user": rights.user,
                "vhost": "/",
                "configure": f"^{session}$",
                "write": rf"^({session}|amq\.topic)$",
                "read": rf"^({session}|amq\.topic)$",
            }
        )
        topics.append(
            {
                "user": rights.user,
                "vhost": "/",
                "exchange": "amq.topic",
                "write": "|".join(map(_pattern, merged(rights.publish))) or "^$",
                "read": "|".join(map(_pattern, merged(rights.read))),
            }
        )
    definitions = {"permissions": permissions, "topic_permissions": topics, "policies": list(_policies(people))}
    return json.dumps(definitions, indent=2) + "\n"


def _session(user: str) -> str:
    return rf"mqtt-subscription-{user}(:.*)?qos[01]"


def _policies(people: People) -> Iterator[dict[str, object]]:
    """Yield how RabbitMQ soon forgets each session that was left, and bounds those of collectors and tables."""
    left = {"expires": SESSION_KEPT_MS, "max-length-bytes": UNREAD_BYTES_MAX}
    kept = {"max-length-bytes": KEPT_BYTES_MAX, "max-length": KEPT_MAX}
    for rights in rights_of(people):  # one for each: RabbitMQ 4.3 refuses a long pattern
        yield {
            "vhost": "/",
            "name": f"felt-session-{rights.user}",
            "pattern": f"^{_session(re.escape(rights.user))}$",
            "apply-to": "queues",
            "definition": kept if rights.is_kept_for else left,
            "priority": 0,
        }


def merged(filters: Iterable[str]) -> list[Levels]:
    """Take filters that differ in one level alone for one: RabbitMQ 4.3 refuses a long pattern, and does not start."""
    rows: list[Levels] = [tuple((level,) for level in filter_.split("/")) for filter_ in filters]
    for place in reversed(range(max(map(len, rows), default=0))):
        alike: dict[tuple[Levels, Levels, bool], list[str]] = {}
        for row in rows:
            here = row[place] if place < len(row) else ()
            alike.setdefault((row[:place], row[place + 1 :], here == ("#",)), []).extend(here)
        rows = [(*before, *((tuple(here),) if here else ()), *after) for (before, after, _), here in alike.items()]
    return rows


def _pattern(levels: Levels) -> str:
    below = levels[-1] == ("#",)
    known = levels[:-1] if below else levels
    return "^" + r"\.".join(map(_spelled, known)) + (r"(\..+)?$" if below else "$")


def _spelled(names: tuple[str, ...]) -> str:
    # Over AMQP a binding may have `#` in any place: as a table it would reach into what lies below.
    each = ["[^.#]+" if name == "+" else re.escape(name) for name in names]
    return each[0] if len(each) == 1 else f"({'|'.join(each)})"


BROKERS: Final[Mapping[str, Callable[[People], str]]] = MappingProxyType(
    {"mosquitto": mosquitto, "nats": nats, "rabbitmq": rabbitmq}
)


@click.command()
@click.option("--broker", type=click.Choice(tuple(BROKERS)), required=True, help="The broker that reads the list.")
@click.option("--out", type=click.Path(path_type=Path), help="Replace this list of the broker, whole or not at all.")
@click.argument("file", type=FILE)
def access(broker: str, out: Path | None, file: Path) -> None:
    """Write a broker's access list from the site's file of people.

    The list goes to the standard output, or with --out into a file, which keeps its owner and rights. With an error
    that file stays as it was. The list has no passwords: those stay in the broker's own files. Write it again and
    reload the broker whenever a user or a table is added to the file.
    """
    text = BROKERS[broker](load_people(file))
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        write_whole(out, text)
    except OSError as error:
        message = f"{out}: this list cannot be written: {error.strerror}. It is as it was."
        raise SetupError("list-not-written", message, "Run this as a user who may write there.") from error
