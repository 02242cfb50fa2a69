"""Finding the key that signs the journal. Only a table that has one imports the library for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from daemon.journal.signing import Signer

CREDENTIAL: Final = "journal-key"  # the name in LoadCredential= (systemd.exec(5), "Credentials")


def find_signer(environ: Mapping[str, str], configured: Path | None) -> Signer | None:
    """Return the signer by systemd's credential, else by the configured file, else None."""
    directory = environ.get("CREDENTIALS_DIRECTORY")
    credential = None if directory is None else Path(directory, CREDENTIAL)
    path = credential if credential is not None and credential.exists() else configured
    if path is None:
        return None
    from daemon.journal.signing import Signer

    return Signer.load(path)
