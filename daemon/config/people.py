"""The site's file of people and terminals: who may do what at which table.

Theory of operation. The broker vouches for the user of a command: its access list lets a user publish only on topics
with their own name. This file says what each user is: their role, their tables and, for a player, their seats. The
tables and `feltd access`, which writes the broker's list, read the same file, so the two cannot disagree.

A table reads the file again when it has changed, before the next command. If the changed file has a problem, the
table keeps the list that it has, so that a typing mistake stops nobody, and reports the problem.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Annotated, Final, TypeAlias, TypeVar

from msgspec import Meta

from daemon.config.document import InvalidConfigurationError, has_sections, in_order, parsed, text_or_error
from daemon.config.lines import lines_of
from daemon.config.problems import KeyPath, Problem, ProblemCode, nearest, shown
from daemon.config.reading import known, read
from daemon.config.sections import TopicWord
from daemon.table.vocabulary import Actor, SeatNumber
from protocols.frozen import dataclass

ValueT = TypeVar("ValueT")
EVERY_TABLE: Final = "*"
_WRITABLE_BY_OTHERS: Final = 0o002

TableWord: TypeAlias = Annotated[
    str,
    Meta(pattern=r"\A(\*|[a-z0-9][a-z0-9_-]{0,31})\Z", description='a table of this file, or "*" for every table'),
]


class Role(Enum):
    """What a user is."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    TECHNICIAN = "technician"
    COLLECTOR = "collector"  # reads everything public, and asks for missing events
    DISPLAY = "display"  # reads everything public

    @property
    def actor(self) -> Actor | None:
        """Return the role at the table. None for a role that only reads."""
        return None if self in (Role.COLLECTOR, Role.DISPLAY) else Actor(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One user: a person, a terminal or a program."""

    role: Role
    tables: Annotated[tuple[TableWord, ...], Meta(min_length=1, description="a list of at least one table")]
    seats: tuple[Annotated[int, Meta(ge=1, le=20)], ...] = ()

    def is_at(self, table: str) -> bool:
        """Return whether this user belongs to the table."""
        return EVERY_TABLE in self.tables or table in self.tables

    def shares_a_table_with(self, other: Person) -> bool:
        """Return whether there is a table to which both belong."""
        return EVERY_TABLE in (*self.tables, *other.tables) or not set(self.tables).isdisjoint(other.tables)

    @property
    def own_seats(self) -> tuple[SeatNumber, ...] | None:
        """Return the seats that this user may act for. None means every seat."""
        return tuple(map(SeatNumber, self.seats)) if self.role is Role.PLAYER else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUser:
    """One table of the site, by the user with which its daemon logs in to the broker."""

    user: TopicWord


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """A whole file."""

    site: TopicWord
    tables: dict[TopicWord, TableUser]
    people: dict[TopicWord, Person] = field(default_factory=dict)


def examine_people(text: str) -> People | tuple[Problem, ...]:
    """Read the text, or return everything that is wrong with it."""
    document = parsed(text)
    if isinstance(document, Problem):
        return (document,)
    if "table" in document and "tables" not in document:
        found = "this is the file of a table: name the site's file of people here"
        return in_order([Problem(ProblemCode.UNKNOWN_KEY, ("table",), found, "")], lines_of(text))
    problems: list[Problem] = []
    people = read(People, document, problems)
    problems += _cross_check(people)
    return in_order(problems, lines_of(text)) if problems else people


def is_people_file(file: Path) -> bool:
    """Return whether the file looks like one of people and not like a table's. One that cannot be read does not."""
    return has_sections(file, {"tables", "people"})


def load_people(file: Path, site: str | None = None, table: str | None = None) -> People:
    """Read the file, or raise InvalidConfigurationError. With a table, the file has to be for it."""
    if _is_endless(file):
        problem = Problem(ProblemCode.UNREADABLE, (), "this file is a pipe, a socket or a device", "")
        raise InvalidConfigurationError(file, [problem])
    text = text_or_error(file)
    if file.stat().st_mode & _WRITABLE_BY_OTHERS:
        raise InvalidConfigurationError(file, [writable_by_all(file)])
    people = examine_people(text)
    if not isinstance(people, People):
        raise InvalidConfigurationError(file, people)
    if site is not None and table is not None:
        problems = tuple(for_another(people, site, table))
        if problems:
            raise InvalidConfigurationError(file, in_order(problems, lines_of(text)))
    return people


def writable_by_all(file: Path) -> Problem:
    """Return the problem that anybody on this machine could make themselves a supervisor."""
    allowed = f"a file that only its owner and group may write: chmod o-w {file}"
    return Problem(ProblemCode.WRITABLE_BY_ALL, (), "that every user of this machine may write this file", allowed)


def for_another(people: People, site: str, table: str) -> Iterator[Problem]:
    """Yield what tells that the file is not for this table."""
    if people.site != site:
        yield Problem(ProblemCode.OTHER_SITE, ("site",), shown(people.site), f'"{site}", as in the file of {table}')
    if table not in people.tables:
        allowed = f"{table} among them, because the file of {table} names this one"
        yield Problem(ProblemCode.UNKNOWN_TABLE, ("tables",), ", ".join(people.tables) or "none", allowed)


def _cross_check(file: People) -> Iterator[Problem]:
    users: set[str] = set()
    for name, table in _known_items(file.tables):
        if known(table.user) and table.user in users:
            yield Problem(ProblemCode.USER_TWICE, ("tables", name, "user"), shown(table.user), "a user for each table")
        users.add(table.user)
    for name, person in _known_items(file.people):
        if name in users:
            allowed = "a user that is not a table's"
            yield Problem(ProblemCode.USER_TWICE, ("people", name), shown(name), allowed)
        yield from _person(file, ("people", name), person)


def _person(file: People, where: KeyPath, person: Person) -> Iterator[Problem]:
    for place, table in enumerate(person.tables):
        if known(table, file.tables) and table != EVERY_TABLE and table not in file.tables:
            allowed = 'one of [tables], or "*"'
            key = (*where, "tables", place)
            yield Problem(ProblemCode.UNKNOWN_TABLE, key, shown(table), allowed, nearest(table, file.tables))
    if not known(person.role, person.seats):
        return
    if person.role is Role.PLAYER and not person.seats:
        yield Problem(ProblemCode.SEATS, (*where, "seats"), "nothing", "the seats that this player may act for")
    elif person.role is not Role.PLAYER and person.seats:
        yield Problem(
            ProblemCode.SEATS, (*where, "seats"), "seats", f"none: a {person.role.value} is not tied to a seat"
        )


def _known_items(table: Mapping[str, ValueT]) -> Iterator[tuple[str, ValueT]]:
    return ((name, value) for name, value in (table.items() if known(table) else ()) if known(value))


ReportPeople: TypeAlias = Callable[[InvalidConfigurationError | None], None]


class PeopleAtTable:
    """The users of one table, always as the file has them now."""

    def __init__(self, file: Path | None, site: str, table: str, report: ReportPeople) -> None:
        """Read the file, or raise InvalidConfigurationError. Without a file nobody is a user of the table.

        `report` is called with the error of a changed file, and with None when the file is good again.
        """
        self._file = file
        self._table = table
        self._site = site
        self._report = report
        self._seen = None if file is None else _identity(file)
        self._people = None if file is None else load_people(file, site, table)

    def person(self, user: str) -> Person | None:
        """Return the user's entry, or None if the user has none for this table."""
        self._follow()
        person = None if self._people is None else self._people.people.get(user)
        return person if person is not None and person.is_at(self._table) else None

    def users(self) -> tuple[str, ...]:
        """Return the users of this table who may give a command."""
        self._follow()
        everybody = {} if self._people is None else self._people.people
        return tuple(
            user for user, each in everybody.items() if each.role is not Role.DISPLAY and each.is_at(self._table)
        )

    def read_again(self) -> None:
        """Read the file now, and report its problem or that it is good."""
        if self._file is not None:
            self._read(self._file)

    def _follow(self) -> None:
        if self._file is not None and _identity(self._file) != self._seen:
            self._read(self._file)

    def _read(self, file: Path) -> None:
        self._seen = _identity(file)  # before reading: a file that is written meanwhile is then read again
        try:
            self._people = load_people(file, self._site, self._table)
        except InvalidConfigurationError as error:
            self._report(error)
        else:
            self._report(None)


def _is_endless(file: Path) -> bool:
    """Return whether reading it could wait without an end, or not end: a table reads it while it is played."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return False  # reading it says why
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _identity(file: Path) -> tuple[int, int, int] | None:
    """Return what changes when the file is written or replaced."""
    try:
        seen = file.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_ino, seen.st_size
