"""The configuration of `feltd page`: its file's sections, and the settings that come of them."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from dataclasses import field
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

from msgspec import Meta

from daemon.config.document import InvalidConfigurationError, in_order, parsed, text_or_error
from daemon.config.files import certificate_problems, file_problems, password_of, tls_of
from daemon.config.lines import lines_of
from daemon.config.problems import Problem, ProblemCode, shown
from daemon.config.reading import Text, known, read
from daemon.config.sections import FilePath, LogSection, MqttSection, Port, TlsSection, TopicWord
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttSettings
from protocols.frozen import dataclass

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


def load_page(file: Path) -> PageSettings:
    """Return what the file configures, or raise InvalidConfigurationError with every problem of it."""
    text = text_or_error(file)
    document = parsed(text)
    if isinstance(document, Problem):
        raise InvalidConfigurationError(file, [document], "feltd page --config")
    problems: list[Problem] = []
    sections = read(PageSections, document, problems)
    problems += _cross_check(sections.page)
    beside = file.absolute().parent
    if not problems:
        problems += _file_problems(sections, beside)
    if problems:
        raise InvalidConfigurationError(file, in_order(problems, lines_of(text)), "feltd page --config")
    return _settings(sections, beside)


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
