"""What the drills type: the commands of the guides, as files beside a script of tests/package."""

from __future__ import annotations

from pathlib import Path

from tests.docs.shell_blocks import shell_blocks, typed_in_drills

HERE = Path(__file__).parent


def guide(directory: Path) -> dict[str, Path]:
    """Write a file for each block that a drill types, and return them by name."""
    drilled, files = typed_in_drills(), dict[str, Path]()
    for block in shell_blocks():
        if block.name in drilled:
            file = directory / f"guide-{block.section}-{block.number}.sh"
            file.write_text(block.text, encoding="utf-8")
            files[file.name] = file
    return files


def scenario(script: str) -> str:
    """Return a script after what every machine of a drill does alike."""
    return (HERE / "machine.sh").read_text(encoding="utf-8") + (HERE / script).read_text(encoding="utf-8")
