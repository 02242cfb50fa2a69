"""The files of the page: a fixed list, read once at the start."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "site"
TYPES: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, with the mark by which a browser knows that it has it already."""

    body: bytes
    kind: str
    etag: str


def page_files() -> dict[str, PageFile]:
    """Return every file by its path in the address."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    files = {f"/{path.relative_to(FOLDER).as_posix()}": _read(path) for path in paths}
    return {"/": files["/index.html"], **files}


def _read(path: Path) -> PageFile:
    body = path.read_bytes()
    return PageFile(body, TYPES[path.suffix], f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def build_of(files: dict[str, PageFile]) -> str:
    """Return a name for these files together. A page that was loaded from others loads itself anew."""
    return hashlib.sha256("".join(file.etag for file in files.values()).encode()).hexdigest()[:16]
