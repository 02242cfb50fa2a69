"""The site's file of people, without which a table takes no command: written for its first table, then added to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from daemon.config.people import People, Role, examine_people, load_people
from daemon.errors import SetupError
from daemon.tools.setup.text import PEOPLE, TableAnswers
from daemon.tools.setup.words import topic_word
from protocols.frozen import dataclass

PROGRAMS: Final = (
    ("metrics", Role.DISPLAY, "What feltd metrics logs in with."),  # feltd-metrics@.service names it
    ("page", Role.COLLECTOR, "What feltd page reads with."),  # systemd/feltd-page.example.toml names it
)
"""Users of every table that are programs."""
EVERY_TABLE: Final = "*"


@dataclass(frozen=True, slots=True)
class SiteFile:
    """The site's file: what it says now, and who is in it. `people` is None before it is there."""

    path: Path
    text: str = ""
    people: People | None = None

    def knows(self, table: str) -> bool:
        return self.people is not None and table in self.people.tables

    @property
    def has_supervisor(self) -> bool:
        """Return whether a supervisor of every table is there; an earlier setup may have left that question open."""
        named = () if self.people is None else self.people.people.values()
        return any(person.role is Role.SUPERVISOR and EVERY_TABLE in person.tables for person in named)

    def user_of(self, table: str) -> str | None:
        """Return the user with which this table's daemon logs in, if the file says it."""
        return self.people.tables[table].user if self.people is not None and table in self.people.tables else None


def site_file(table_file: Path, table: TableAnswers) -> SiteFile:
    """Read the file beside the table's, or raise what keeps it from being this table's: a mistake, or another site."""
    path = table_file.with_name(PEOPLE)
    if not path.exists():
        return SiteFile(path)
    people = load_people(path)
    if people.site != table.site:
        message = f"{path} is the file of the site {people.site}, and the table is of {table.site}."
        remedy = (
            f"Answer {people.site} if they are the same casino. If not, put the table's file into another directory."
        )
        raise SetupError("setup.other-site", message, remedy)
    return SiteFile(path, path.read_text(encoding="utf-8"), people)


def ask_people(there: SiteFile, table: TableAnswers, user: str | None) -> str | None:
    """Ask who deals and who supervises. Return the text of the file with this table, or None if it needs no change."""
    if there.knows(table.name):
        click.echo(f"{there.path} has the users of this table.")
        return None
    click.echo(f"Who may do what stands in {there.path}, for all tables of the site.")

    display = f"{table.name}-display"

    def free(text: str) -> str:
        return _free(text, there, (user or table.name, display))

    dealer = click.prompt("User of the dealer's screen", default=f"{table.name}-dealer", value_proc=free)
    own = ["", f"[tables.{table.name}]", f'user = "{user or table.name}"']
    added = [*own, *_person_lines(dealer, Role.DEALER, table.name)]
    if display not in _users(there):
        told = "# What feltd check and a display at the table log in with."
        added += ["", told, *_person_lines(display, Role.DISPLAY, table.name)[1:]]
    if not there.has_supervisor:
        ask = "User of a supervisor, for every table; it stands in the record (empty: none yet)"
        supervisor = click.prompt(ask, default="", show_default=False, value_proc=lambda text: text and free(text))
        added += _person_lines(supervisor, Role.SUPERVISOR, EVERY_TABLE) if supervisor else []
    if there.people is None:
        for program, role, what in PROGRAMS:
            added += ["", f"# {what}", *_person_lines(program, role, EVERY_TABLE)[1:]]
    return _checked("\n".join([*_head(there, table), *added, ""]), there.path)


def users_of(people: People, table: str) -> Iterator[str]:
    """Yield every user that logs in to the broker for this table."""
    yield people.tables[table].user
    yield from (user for user, person in people.people.items() if person.is_at(table))


def _free(text: str, there: SiteFile, taken: Iterable[str]) -> str:
    if text in {*taken, *_users(there)}:
        raise click.BadParameter(f"{text} is a user already, and each terminal and person has one of their own")
    return topic_word(text)


def _users(there: SiteFile) -> set[str]:
    """Return every user that the file has, or will have."""
    users = {program for program, _, _ in PROGRAMS}
    if there.people is not None:
        users |= {*there.people.people, *(table.user for table in there.people.tables.values())}
    return users


def _head(there: SiteFile, table: TableAnswers) -> list[str]:
    if there.people is not None:
        return [there.text.rstrip(), "", f"# Added by feltd setup on {table.first_day}."]
    return [
        "# Who may do what at the tables of one site; systemd/people.example.toml explains every role. A user is what",
        "# a person, a terminal or a program logs in to the broker with. Tables follow a change without a restart.",
        "# Then write the broker's list: feltd access --broker mosquitto --out /etc/mosquitto/feltd.acl FILE",
        "",
        f'site = "{table.site}"',
    ]


def _person_lines(user: str, role: Role, table: str) -> list[str]:
    return ["", f"[people.{user}]", f'role = "{role.value}"', f'tables = ["{table}"]']


def _checked(text: str, path: Path) -> str:
    """Return the text, or raise SetupError: what is there is written so that nothing can be put behind it."""
    if not isinstance(examine_people(text), People):
        message = f"The table cannot be put behind what stands in {path}."
        raise SetupError(
            "setup.people-by-hand", message, "Add the table and its users with an editor, and begin again."
        )
    return text
