"""Every block of a document that a reader types into a shell, and which of them the drills in containers type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.docs.documents import ROOT, blocks

_FOLDERS = ("daemon", "drivers", "protocols", "sim_hardware", "systemd", "tests")
_DRILLS = ROOT / "tests" / "package"
_TITLE = re.compile(r"(?m)^## (.*)$")
_TYPED = re.compile(r"\bguide(?:_until)? ([a-z0-9-]+ \d+)(?: table\d (\d+))?")


@dataclass(frozen=True, slots=True)
class ShellBlock:
    """One block between fences, by document, section, and its place there from 1 on."""

    document: str
    section: str
    number: int
    text: str

    @property
    def name(self) -> str:
        """Return what a drill calls it: `guide the-broker 2`."""
        return f"{self.section} {self.number}"

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def shell_blocks() -> tuple[ShellBlock, ...]:
    """Return those of all documents, in their order."""
    paths = [*sorted(ROOT.glob("*.md")), *(path for tree in _FOLDERS for path in sorted((ROOT / tree).rglob("*.md")))]
    return tuple(found for path in paths for found in _blocks_of(path.relative_to(ROOT).as_posix()))


def _blocks_of(document: str) -> Iterator[ShellBlock]:
    text = (ROOT / document).read_text(encoding="utf-8")
    _, *parts = _TITLE.split(text)
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        for number, block in enumerate(blocks(body, "sh"), 1):
            yield ShellBlock(document, slug, number, block)


def typed_by_drills() -> str:
    """Return all that the drills type: their own text, and the blocks."""
    drilled = typed_in_drills()
    own = (script.read_text(encoding="utf-8") for script in sorted(_DRILLS.glob("*.sh")))
    return "".join([*own, *(block.text for block in shell_blocks() if block.name in drilled)])


def typed_in_drills() -> dict[str, set[int]]:
    """Return the blocks that the scripts of tests/package type, each with the lines that are typed alone, or with 0."""
    typed: dict[str, set[int]] = {}
    for script in sorted(_DRILLS.glob("*.sh")):
        for name, line in _TYPED.findall(script.read_text(encoding="utf-8")):
            typed.setdefault(name, set()).add(int(line or 0))
    return typed
