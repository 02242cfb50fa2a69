"""Signed checkpoints: who can show that a journal is the one that this table wrote.

Theory of operation. A chain of hashes shows that a journal was not changed since a person took down one of its hashes.
A signature shows who took it down. Now and then, at a round's end, the daemon signs a line that names the journal, a
record and its hash. Everybody with the public key can check it, and with it every record up to there.

The key is Ed25519 in PEM (`openssl genpkey -algorithm ed25519`). It belongs into a systemd credential or a file that
only feltd's user can read. A person who has it can sign another journal, so auditors keep the public key themselves.
Without a key the journal is unsigned, and says so.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from daemon.errors import SetupError
from daemon.journal.reading import Checkpoint


class Statement(msgspec.Struct, frozen=True, tag_field="kind", tag="journal-checkpoint"):
    """The line that is signed."""

    journal: str
    offset: int
    hash: str
    utc_ns: int


class JournalKeyError(SetupError):
    """The key that signs the journal cannot be read, or is not an Ed25519 key."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(
            "journal-key",
            f"{path}: {what}.",
            "Make a key with openssl genpkey -algorithm ed25519, readable by the user that runs feltd.",
        )


class Signer:
    """Signs checkpoints. `public_key` are the 32 bytes by which everybody can check them."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes_raw()

    @classmethod
    def load(cls, path: Path) -> Signer:
        """Read the key from its file, or raise JournalKeyError."""
        try:
            key = load_pem_private_key(path.read_bytes(), password=None)
        except OSError as error:
            raise JournalKeyError(path, error.strerror or "it cannot be read") from None
        except (ValueError, TypeError):  # the error could quote the key
            raise JournalKeyError(path, "it is not a private key in PEM without a password") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise JournalKeyError(path, "it is not an Ed25519 key")
        return cls(key)

    def checkpoint(self, journal: str, offset: int, hash_: bytes, utc_ns: int) -> Checkpoint:
        """Sign that this record of the journal has this hash."""
        line = msgspec.json.encode(Statement(journal, offset, hash_.hex(), utc_ns))
        return Checkpoint(offset, line, self.public_key, self._key.sign(line))

    def fault_of_own(self, checkpoint: Checkpoint, journal: str, hash_: bytes) -> str | None:
        """Return what is wrong with a checkpoint that this signer should have made of this record, or None."""
        if checkpoint.key != self.public_key:
            return "its checkpoint is signed by another key than this table's"
        return fault_of(checkpoint, journal, hash_)


def fault_of(checkpoint: Checkpoint, journal: str, hash_: bytes) -> str | None:
    """Return what is wrong with a checkpoint of this record, or None."""
    try:
        Ed25519PublicKey.from_public_bytes(checkpoint.key).verify(checkpoint.signature, checkpoint.line)
        said = msgspec.json.decode(checkpoint.line, type=Statement)
    except (InvalidSignature, ValueError):
        return "the signature of its checkpoint is not valid"
    if (said.journal, said.offset, said.hash) != (journal, checkpoint.offset, hash_.hex()):
        return "its checkpoint was signed for another content"
    return None
