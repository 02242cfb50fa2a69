"""The files of the page: a fixed list, read once at the start, and sent as small as they can be.

A browser is sent a script or a style sheet without its comments and indentation, packed with gzip. Every line keeps its
number, so an error that a browser reports names the line in the file.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path
from typing import Final

from protocols.frozen import dataclass

FOLDER: Final = Path(__file__).parent / "site"
TYPES: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_WITH_COMMENTS: Final = frozenset({".js", ".css"})
_COMMENT: Final = re.compile(r"/\*.*?\*/ ?|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_INDENTATION: Final = re.compile(r"^[ ]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, as it is sent and as it is sent packed, with the mark by which a browser knows that it has it."""

    body: bytes
    packed: bytes
    kind: str
    etag: str


def page_files() -> dict[str, PageFile]:
    """Return every file by its path in the address."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    files = {f"/{path.relative_to(FOLDER).as_posix()}": _read(path) for path in paths}
    return {"/": files["/index.html"], **files}


def _read(path: Path) -> PageFile:
    text = path.read_text(encoding="utf-8")
    body = (without_comments(text) if path.suffix in _WITH_COMMENTS else text).encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    return PageFile(body, gzip.compress(body, 9, mtime=0), TYPES[path.suffix], etag)


def without_comments(text: str) -> str:
    """Return a script or a style sheet without its comments and indentation, line for line.

    It does not parse: our scripts have no comment marks inside texts, and no text over several lines. A test holds them
    to that.
    """
    bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    return _INDENTATION.sub("", bare)


def build_of(files: dict[str, PageFile]) -> str:
    """Return a name for these files together. A page that was loaded from others loads itself anew."""
    return hashlib.sha256("".join(file.etag for file in files.values()).encode()).hexdigest()[:16]
