"""The configuration of `feltd page`: its file's sections, and the settings that come of them."""

from __future__ import annotations

import ssl
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, fields, replace
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta

from daemon.config.document import InvalidConfigurationError, has_sections, in_order, parsed, text_or_error
from daemon.config.files import (
    certificate_problems,
    certificates_problems,
    file_problems,
    is_of_a_unit,
    not_a_file,
    password_of,
    tls_of,
)
from daemon.config.lines import lines_of
from daemon.config.people import People, load_people
from daemon.config.problems import Problem, ProblemCode, nearest, shown
from daemon.config.reading import Text, known, read
from daemon.config.sections import FilePath, LogSection, MqttSection, Port, TlsSection, TopicWord
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttSettings
from protocols.frozen import dataclass

SectionT = TypeVar("SectionT", "ServerSection", "BrokerSection", "TlsSection")
DEFAULT_PORT: Final = 8050
LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSection:
    """Where the page listens, and which tables it shows. Without `tables` it shows every table of the site."""

    site: TopicWord
    tables: tuple[TopicWord, ...] = ()
    host: Text = LOOPBACK
    port: Port = DEFAULT_PORT
    names: tuple[Text, ...] = ()
    certificate_file: FilePath | None = None
    key_file: FilePath | None = None
    people_file: FilePath | None = None
    journals: dict[TopicWord, FilePath] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerSection:
    """The broker, and the user that reads what is public."""

    host: Text = "localhost"
    port: Port = 1883
    username: Text | None = None
    password_file: FilePath | None = None
    keepalive_s: Annotated[int, Meta(ge=5, le=3600)] = 10
    tls: TlsSection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSections:
    """A whole file."""

    page: ServerSection
    mqtt: BrokerSection = field(default_factory=BrokerSection)
    log: LogSection = field(default_factory=LogSection)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """What `feltd page` needs. `trial_users` may log in without a password at a broker that checks none."""

    site: str
    mqtt: MqttSettings
    tables: tuple[str, ...] = ()
    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    names: tuple[str, ...] = ()
    certificate: tuple[Path, Path] | None = None
    people_file: Path | None = None
    journals: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))
    trial_users: tuple[str, ...] = ()
    log_level: LogLevel = LogLevel.INFO

    def tls_context(self) -> ssl.SSLContext | None:
        """Return how the server proves its identity, or None where it listens on loopback without TLS."""
        if self.certificate is None:
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*self.certificate)
        return context


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPage:
    """A page's file in which nothing is wrong, as far as that can be said without the unit.

    `of_the_unit` are the files that it names and only the page's unit has; they were not tried. `readable` are those
    that the page's user has to read.
    """

    section: ServerSection
    of_the_unit: tuple[Path, ...]
    readable: tuple[Path, ...]


def is_page_file(file: Path) -> bool:
    """Return whether the file looks like the page's and not like a table's. One that cannot be read does not."""
    return has_sections(file, {"page"})


def load_page(file: Path) -> PageSettings:
    """Return what the file configures, or raise InvalidConfigurationError with every problem of it."""
    text, sections = _read(file)
    beside = file.absolute().parent
    _raise_if_any(file, text, _file_problems(sections, beside))
    return _settings(sections, beside)


def check_page(file: Path) -> CheckedPage:
    """Check the file and those that it names, without the page's unit. Raise InvalidConfigurationError with problems.

    It also refuses what the page starts in spite of, because the screens that nobody logs in to go on: a file of people
    or a journal that the page could not use.
    """
    text, sections = _read(file)
    beside = file.absolute().parent
    page, mqtt, tls = sections.page, sections.mqtt, sections.mqtt.tls or TlsSection()
    named = (mqtt.password_file, page.certificate_file, page.key_file, tls.ca_file, tls.certificate_file, tls.key_file)
    paths = [beside / path for path in (*named, page.people_file) if path is not None]
    of_the_unit = tuple(path for path in paths if is_of_a_unit(path))
    here = replace(
        sections,
        page=_without(page, of_the_unit, beside),
        mqtt=replace(_without(mqtt, of_the_unit, beside), tls=_without(tls, of_the_unit, beside)),
    )
    problems = [*_file_problems(here, beside), *_journal_problems(page, beside)]
    if page.certificate_file is not None and here.page.key_file is None:
        problems += certificates_problems(("page", "certificate_file"), beside / page.certificate_file)
    if page.people_file is not None:
        people = load_people(beside / page.people_file)
        problems += _problems_of_people(page, people)
    _raise_if_any(file, text, problems)
    readable = (file.absolute(), *(path for path in paths if path not in of_the_unit))
    return CheckedPage(section=page, of_the_unit=of_the_unit, readable=readable)


def _without(section: SectionT, paths: Collection[Path], beside: Path) -> SectionT:
    """Return the section without the keys that name one of these files."""
    named = {each.name: getattr(section, each.name) for each in fields(section) if each.name.endswith("_file")}
    left_out: dict[str, Any] = {key: None for key, path in named.items() if path and beside / path in paths}
    return replace(section, **left_out)


def _read(file: Path) -> tuple[str, PageSections]:
    text = text_or_error(file)
    document = parsed(text)
    if isinstance(document, Problem):
        raise InvalidConfigurationError(file, [document])
    problems: list[Problem] = []
    sections = read(PageSections, document, problems)
    _raise_if_any(file, text, (*problems, *_cross_check(sections.page)))
    return text, sections


def _raise_if_any(file: Path, text: str, problems: Iterable[Problem]) -> None:
    if found := list(problems):
        raise InvalidConfigurationError(file, in_order(found, lines_of(text)))


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a listener at this host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _cross_check(page: ServerSection) -> Iterator[Problem]:
    certificate, key = page.certificate_file, page.key_file
    if (certificate is None) != (key is None):
        missing = "key_file" if key is None else "certificate_file"
        yield Problem(ProblemCode.MISSING_KEY, ("page", missing), "nothing", "certificate_file and key_file together")
    if known(page.host) and certificate is None and not is_loopback(page.host):
        allowed = "127.0.0.1, or certificate_file and key_file beside it: a password must not travel in the clear"
        yield Problem(ProblemCode.NOT_ALLOWED, ("page", "host"), shown(page.host), allowed)


def _file_problems(sections: PageSections, beside: Path) -> Iterator[Problem]:
    yield from file_problems(_as_mqtt(sections.mqtt), beside)
    page = sections.page
    if page.certificate_file is not None and page.key_file is not None:
        yield from certificate_problems(("page",), beside / page.certificate_file, beside / page.key_file)


def _journal_problems(page: ServerSection, beside: Path) -> Iterator[Problem]:
    """Yield the journals that are not files, or of tables that are not shown. One that is not there may come."""
    for table, name in page.journals.items():
        path, key = beside / name, ("page", "journals", table)
        if page.tables and table not in page.tables:
            allowed = "the tables of `tables`, which are shown"
            yield Problem(ProblemCode.UNKNOWN_TABLE, key, shown(table), allowed, nearest(table, page.tables))
        with suppress(OSError):
            yield from not_a_file(key, path)


def _problems_of_people(page: ServerSection, people: People) -> Iterator[Problem]:
    if people.site != page.site:
        allowed = f'"{people.site}", as in the file of people'
        yield Problem(ProblemCode.OTHER_SITE, ("page", "site"), shown(page.site), allowed)
    for place, table in enumerate(page.tables):
        if table not in people.tables:
            key, allowed = ("page", "tables", place), "one of [tables] in the file of people"
            yield Problem(ProblemCode.UNKNOWN_TABLE, key, shown(table), allowed, nearest(table, people.tables))


def _as_mqtt(section: BrokerSection) -> MqttSection:
    return MqttSection(username=section.username, password_file=section.password_file, tls=section.tls)


def _settings(sections: PageSections, beside: Path) -> PageSettings:
    page, broker = sections.page, sections.mqtt
    certificate = None
    if page.certificate_file is not None and page.key_file is not None:
        certificate = (beside / page.certificate_file, beside / page.key_file)
    return PageSettings(
        site=page.site,
        tables=page.tables,
        host=page.host,
        port=page.port,
        names=page.names,
        certificate=certificate,
        people_file=None if page.people_file is None else beside / page.people_file,
        journals=MappingProxyType({table: beside / journal for table, journal in page.journals.items()}),
        log_level=sections.log.level,
        mqtt=MqttSettings(
            host=broker.host,
            port=broker.port,
            user=broker.username,
            password=password_of(_as_mqtt(broker), beside),
            tls=tls_of(broker.tls, beside),
            keepalive_s=broker.keepalive_s,
            session_expiry_s=0,  # a page that comes back reads the retained state; it needs no queue at the broker
        ),
    )
