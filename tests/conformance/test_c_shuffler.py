"""A shuffler of another author in another language passes the conformance suite, as a vendor runs it.

`shuffler.c` was written from SPEC.md alone, by somebody who had read no other file of feltd. It is compiled here and
put behind a pseudo-terminal. `feltd selftest --conformance --move` then examines it, and hands beside it do what is
asked.
"""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import shutil
import subprocess
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from protocols.felt_link.requirements import REQUIREMENTS
from tests.tools.selftest.test_command import config, started

SOURCE = Path(__file__).with_name("shuffler.c")
NOT_FROM_OUTSIDE = {"FL-07", "FL-30", "FL-43", "FL-45", "FL-46"}
HANDS = {b"Take": b"t", b"Put": b"l", b"Press": 10 * b"k"}
PATIENCE_S = 600.0
"""The examination waits for the device's own timers, and takes about a minute on an idle machine."""
COMPILER = shutil.which("gcc") or shutil.which("cc")

needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="a C compiler is missing: install gcc to try felt-link's specification on another author's"
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shuffler, compiled as strictly as its compiler can."""
    assert COMPILER is not None
    built = tmp_path_factory.mktemp("c") / "shuffler"
    strict = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror")
    subprocess.run([COMPILER, *strict, "-o", built, SOURCE], check=True, timeout=120)
    return built


class CShuffler:
    """The running program: the name of its tty, and its hands."""

    def __init__(self, path: str, hands: int) -> None:
        self.path = path
        self._hands = hands

    def do(self, letter: bytes) -> None:
        os.write(self._hands, letter)


@asynccontextmanager
async def running(program: Path) -> AsyncIterator[CShuffler]:
    """The shuffler on a pseudo-terminal, one side of which stays open here, so that it outlives its hosts."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(program, str(reading), stdin=ours, stdout=ours, pass_fds=(reading,))
    try:
        yield CShuffler(os.ttyname(theirs), writing)
    finally:
        os.close(writing)  # it ends when its hands are gone
        async with asyncio.timeout(60):
            await process.wait()
        for end in (ours, theirs, reading):
            os.close(end)


def wanted(asked: bytes) -> Iterator[bytes]:
    """What hands do for a request."""
    return (letter for word, letter in HANDS.items() if re.match(word, asked))


async def examined(shuffler: CShuffler, folder: Path, *options: str) -> dict[str, Any]:
    """The report of `feltd selftest`, with everything done by hand that it asks for."""
    file = config(folder, f"serial:{shuffler.path}", "felt-link-shuffler-counts")
    async with started(file, "--json", *options) as process:
        assert process.stderr is not None

        async def hands() -> None:
            assert process.stderr is not None
            async for asked in process.stderr:
                for letter in wanted(asked):
                    shuffler.do(letter)

        at_hand = asyncio.create_task(hands())
        try:
            assert process.stdout is not None
            async with asyncio.timeout(PATIENCE_S):
                report: dict[str, Any] = json.loads(await process.stdout.read())
        finally:
            at_hand.cancel()
            await asyncio.gather(at_hand, return_exceptions=True)
        return report


@pytest.mark.long
@needs_compiler
@pytest.mark.timeout(680)
async def test_a_shuffler_in_c_meets_every_requirement_and_passes_every_check(program: Path, tmp_path: Path) -> None:
    async with running(program) as shuffler:
        report = await examined(shuffler, tmp_path, "--conformance", "--move")
    verdicts = {check["name"]: check for check in report["requirements"]}
    assert list(verdicts) == [one.number for one in REQUIREMENTS]
    failed = [check for check in (*report["checks"], *report["requirements"]) if check["verdict"] == "failed"]
    assert failed == []
    assert {name for name, check in verdicts.items() if check["verdict"] == "left-out"} == NOT_FROM_OUTSIDE
