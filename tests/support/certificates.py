"""A certificate authority for an afternoon, and a broker's certificate from it, made by openssl."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Certificates:
    """Where they lie."""

    authority: Path
    certificate: Path
    key: Path


def certificates(directory: Path, name: str = "localhost") -> Certificates:
    """For a server of this name. The authority names no key usage, as many a house's own authority."""
    authority, authority_key = directory / "authority.pem", directory / "authority.key"
    certificate, key, request = directory / "server.pem", directory / "server.key", directory / "server.csr"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    _openssl(
        "req", "-x509", *curve, "-keyout", authority_key, "-out", authority, "-subj", "/CN=felt test", "-days", "2"
    )
    _openssl("req", *curve, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
    extension = directory / "extension"
    extension.write_text(f"subjectAltName=DNS:{name}\n")
    signed_by = ("-CA", authority, "-CAkey", authority_key, "-CAcreateserial", "-days", "2")
    _openssl("x509", "-req", "-in", request, *signed_by, "-extfile", extension, "-out", certificate)
    return Certificates(authority, certificate, key)


def client_certificate(made: Certificates, user: str) -> Certificates:
    """From the same authority, for a client whose common name is this user, as is the other name that NATS reads."""
    directory = made.authority.parent
    certificate, key, request = directory / f"{user}.pem", directory / f"{user}.key", directory / f"{user}.csr"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    signed_by = ("-CA", made.authority, "-CAkey", directory / "authority.key", "-CAcreateserial", "-days", "2")
    _openssl("req", *curve, "-keyout", key, "-out", request, "-subj", f"/CN={user}")
    extension = directory / f"{user}.extension"
    extension.write_text(f"extendedKeyUsage=clientAuth\nsubjectAltName=DNS:{user}\n")
    _openssl("x509", "-req", "-in", request, *signed_by, "-extfile", extension, "-out", certificate)
    return Certificates(made.authority, certificate, key)


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
