"""`feltd capture --for-the-project`: writes a recording again without what a site may not give away."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

import click

from protocols.blinding import KEY_BYTES_MIN, Blinding, blind_capture
from protocols.capture import CaptureError, read_capture, write_capture
from protocols.registry import PROTOCOLS

_KEY_BYTES: Final = 32


def write_blinded(recording: Path, key: Path, output: Path) -> None:
    """Write `recording` to `output` with cards and serial numbers replaced by the key."""
    try:
        capture = read_capture(recording.read_text(encoding="utf-8"))
    except (CaptureError, UnicodeDecodeError) as error:
        raise click.BadParameter(f"{recording}: {error}", param_hint="--for-the-project") from None
    protocol = PROTOCOLS.get(capture.notes.get("protocol", ""))
    if protocol is None or protocol.blind_frame is None:
        known = ", ".join(name for name, row in PROTOCOLS.items() if row.blind_frame is not None)
        wrong = f"{recording}: its note `protocol` names none of {known}"
        raise click.BadParameter(wrong, param_hint="--for-the-project")
    blinding = Blinding(_key(key))
    blinded = blind_capture(capture, protocol.listener, protocol.blind_frame, blinding)
    with os.fdopen(new_file(output, "--output"), "w", encoding="utf-8", newline="\n") as written:
        written.write(write_capture(blinded))
    click.echo(f"{len(blinded.chunks)} chunks in {output}. Keep {key} at the site: it tells the cards.", err=True)


def new_file(path: Path, option: str) -> int:
    """Create a file for its owner alone, and return its descriptor. An existing one is not overwritten."""
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}", param_hint=option) from None


def _key(path: Path) -> bytes:
    if not path.exists():
        with os.fdopen(new_file(path, "--key"), "wb") as written:
            written.write(secrets.token_bytes(_KEY_BYTES))
    key = path.read_bytes()
    if len(key) < KEY_BYTES_MIN:
        raise click.BadParameter(f"{path}: a key has at least {KEY_BYTES_MIN} bytes", param_hint="--key")
    return key
