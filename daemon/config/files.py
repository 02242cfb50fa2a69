"""The files that a configuration consists of: its own, and those that it names for the broker."""

from __future__ import annotations

import os
import ssl
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Never

from daemon.config.problems import KeyPath, Problem, ProblemCode
from daemon.config.sections import JournalSection, MqttSection, TlsSection
from daemon.mqtt.settings import TlsSettings

_CREDENTIALS: Final = Path("/run/credentials")
_FOR_OTHERS: Final = 0o007
_READABLE: Final = "a file that this user can read"
_CERTIFICATES: Final = "certificates in PEM form, which begin with -----BEGIN CERTIFICATE-----"
_PRIVATE_KEY: Final = "the private key of certificate_file in PEM form, without a password"
_DER: Final = b"\x30"  # DER begins with the tag of a SEQUENCE


class UnreadableError(Exception):
    """A file cannot be read. The words follow "this file" or "which"."""


def text_of(path: Path) -> str:
    """Return a file's text, or raise UnreadableError. The mark with which Windows editors begin it is left out."""
    data = _content(path)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise UnreadableError("is UTF-16 text; save it as UTF-8") from None
        lines = data[: error.start].split(b"\n")
        where = f"line {len(lines)}, column {len(lines[-1]) + 1}"
        said = f"has the byte 0x{data[error.start]:02X} in {where}, which is not UTF-8 text; save the file as UTF-8"
        raise UnreadableError(said) from None


def first_line(path: Path) -> str:
    """Return the first line of a file, in which a password stands. Raise UnreadableError."""
    return text_of(path).partition("\n")[0]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UnreadableError("does not exist") from None
    except PermissionError:
        raise UnreadableError("may not be read by this user") from None
    except IsADirectoryError:
        raise UnreadableError("is a directory") from None
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None


def password_of(mqtt: MqttSection, beside: Path) -> str | None:
    """Return the password: the first line of a file of its own, so that no secret is in a configuration.

    Return None if there is none, or if it is a credential that systemd has not given to this process.
    """
    given = os.environ.get("CREDENTIALS_DIRECTORY")
    if given is not None and mqtt.password_credential is not None:
        credential = Path(given, mqtt.password_credential)
        # Debian 12's systemd names the directory also to ExecReload=, and does not let it look inside.
        with suppress(PermissionError):
            # The unit gives an empty one where the house has none.
            if credential.exists() and (password := first_line(credential)):
                return password
    return None if mqtt.password_file is None else first_line(beside / mqtt.password_file)


def is_of_a_unit(path: Path) -> bool:
    """Return whether systemd gives this file to a unit, and not to this process."""
    return path.is_relative_to(_CREDENTIALS) and not os.access(path, os.R_OK)


def credentials_given() -> list[str]:
    """Return the names of the credentials that systemd gave to this process."""
    given = os.environ.get("CREDENTIALS_DIRECTORY")
    with suppress(OSError):
        return sorted(each.name for each in Path(given).iterdir()) if given is not None else []
    return []


def journal_problems(journal: JournalSection, beside: Path) -> Iterator[Problem]:
    """Yield what a start would refuse of the paths of [journal]. A file that is not there may be on its way."""
    path = beside / journal.path
    with suppress(OSError):
        # Where a lock file remembers a journal, the path was right, and the start says that something took its place.
        if not path.with_name(f"{path.name}.lock").exists():
            yield from not_a_file(("journal", "path"), path)
    if journal.key_file is None or os.environ.get("CREDENTIALS_DIRECTORY") is not None:
        return  # a credential of the unit goes before it, and the start says what is wrong with either
    key, signs = ("journal", "key_file"), beside / journal.key_file
    unreadable = list(_unreadable(key, signs))
    yield from unreadable
    if not unreadable:
        from daemon.journal.signing import JournalKeyError, Signer  # only a table that signs needs it

        try:
            Signer.load(signs)
        except JournalKeyError as error:
            allowed = "an Ed25519 key in PEM without a password: openssl genpkey -algorithm ed25519"
            yield Problem(ProblemCode.NOT_ALLOWED, key, error.message.removesuffix("."), allowed)


def tls_of(tls: TlsSection | None, beside: Path) -> TlsSettings | None:
    """Return the settings of a [mqtt.tls], with the paths that start at the file's directory."""
    if tls is None:
        return None
    ca, certificate, key = (
        None if path is None else beside / path for path in (tls.ca_file, tls.certificate_file, tls.key_file)
    )
    return TlsSettings(ca_file=ca, certificate_file=certificate, key_file=key)


def not_a_file(key: KeyPath, path: Path) -> Iterator[Problem]:
    """Yield that something else than a file lies where this key names a journal. Raise OSError if nobody can tell."""
    if path.exists() and not path.is_file():
        kind, example = ("directory", path) if path.is_dir() else ("pipe or a device", path.parent)
        allowed = f"the path of a file, as {example / 'journal.db'}"
        yield Problem(ProblemCode.NOT_ALLOWED, key, f"{path}, which is a {kind}", allowed)


def file_problems(mqtt: MqttSection, beside: Path) -> Iterator[Problem]:
    """Yield what is wrong with the files that [mqtt] names."""
    if mqtt.password_file is not None:
        key, path = ("mqtt", "password_file"), beside / mqtt.password_file
        yield from list(_unreadable(key, path, is_text=True)) or [*_open_to_all(key, path), *_no_password(key, path)]
    tls = mqtt.tls or TlsSection()
    if tls.ca_file is not None:
        yield from certificates_problems(("mqtt", "tls", "ca_file"), beside / tls.ca_file)
    if tls.certificate_file is not None and tls.key_file is not None:
        yield from certificate_problems(("mqtt", "tls"), beside / tls.certificate_file, beside / tls.key_file)


def _unreadable(key: KeyPath, path: Path, *, is_text: bool = False) -> Iterator[Problem]:
    try:
        text_of(path) if is_text else _content(path)
    except UnreadableError as error:
        yield Problem(ProblemCode.UNREADABLE, key, f"{path}, which {error}", _READABLE)


def _open_to_all(key: KeyPath, path: Path) -> Iterator[Problem]:
    if path.stat().st_mode & _FOR_OTHERS:
        yield readable_by_all(key, path)


def _no_password(key: KeyPath, path: Path) -> Iterator[Problem]:
    if not first_line(path).strip():
        of_unit = " of the file that LoadCredential= of the unit names" if path.is_relative_to(_CREDENTIALS) else ""
        allowed = f"the password in the first line{of_unit}"
        yield Problem(ProblemCode.NOT_ALLOWED, key, f"{path}, whose first line is empty", allowed)


def readable_by_all(key: KeyPath, path: Path) -> Problem:
    """Return the problem that anybody on this machine could log in to the broker as this table."""
    allowed = f"a file that only its owner and group can open: chmod o= {path}"
    return Problem(ProblemCode.READABLE_BY_ALL, key, f"{path}, which every user of this machine can open", allowed)


def certificates_problems(key: KeyPath, path: Path) -> Iterator[Problem]:
    """Yield what is wrong with a file of certificates whose key is not there, or somebody else's."""
    if unreadable := list(_unreadable(key, path)):
        yield from unreadable
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except (ssl.SSLError, OSError):
        yield Problem(ProblemCode.TLS_FILE, key, f"{path}, which holds {_kind(path)}", _CERTIFICATES)


def certificate_problems(section: KeyPath, certificate: Path, private_key: Path) -> Iterator[Problem]:
    """Yield what is wrong with the certificate of our own that a section of the file names, and with its key."""
    at_certificate, at_key = (*section, "certificate_file"), (*section, "key_file")
    if unreadable := [*_unreadable(at_certificate, certificate), *_unreadable(at_key, private_key)]:
        yield from unreadable
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(certificate, private_key, _refuse_to_be_asked)
    except UnreadableError as error:
        yield Problem(ProblemCode.TLS_FILE, at_key, f"{private_key}, which {error}", _PRIVATE_KEY)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            yield Problem(ProblemCode.TLS_FILE, at_key, f"{private_key}, which is another's key", _PRIVATE_KEY)
        elif b"-----BEGIN CERTIFICATE-----" not in _content(certificate):
            said = f"{certificate}, which holds {_kind(certificate)}"
            yield Problem(ProblemCode.TLS_FILE, at_certificate, said, _CERTIFICATES)
        else:
            yield Problem(
                ProblemCode.TLS_FILE, at_key, f"{private_key}, which holds {_kind(private_key)}", _PRIVATE_KEY
            )
    else:
        yield from _open_to_all(at_key, private_key)


def _refuse_to_be_asked() -> Never:
    raise UnreadableError("asks for a password")  # OpenSSL would ask at the terminal, where a daemon has none


def _kind(path: Path) -> str:
    """Return what a file holds instead of what is wanted."""
    data = _content(path)
    if data.startswith(_DER):
        return "DER instead of PEM (convert it: openssl x509 -inform der -in FILE -out FILE.pem)"
    if b"PRIVATE KEY-----" in data:
        return "a private key"
    if b"-----BEGIN CERTIFICATE-----" in data:
        return "a certificate"
    return "neither a certificate nor a key"
