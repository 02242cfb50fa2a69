"""`emulate replay` as a program on TCP: what it plays, that it ends by itself, and what it refuses."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocols.capture import Side, read_capture
from tests.sim_hardware.free_port import free_port
from tests.sim_hardware.test_program import PROGRAM, failed

CAPTURE = Path(__file__).parents[1] / "captures" / "clean-round.capture"


SPELLINGS = {
    "replay FILE": ("replay", str(CAPTURE)),
    "--replay FILE": ("--replay", str(CAPTURE)),
    "--replay=FILE": (f"--replay={CAPTURE}",),
}


@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
async def test_it_plays_to_whoever_connects_and_ends(spelling: tuple[str, ...]) -> None:
    port = free_port()
    words = (*spelling, "--tcp", str(port), "--speed", "0", "--delay", "0")
    playing = await asyncio.create_subprocess_exec(*PROGRAM, *words, stdout=asyncio.subprocess.PIPE)
    assert playing.stdout is not None
    introduced = (await playing.stdout.readline()).decode()
    assert introduced.startswith("FeltSim SD-1, recorded 2026-")
    assert introduced.endswith(f"at tcp:127.0.0.1:{port}\n")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    chunks = read_capture(CAPTURE.read_text()).said_by(Side.DEVICE)
    whole = b"".join(chunk.data for chunk in chunks)
    assert await reader.readexactly(len(whole)) == whole
    writer.close()
    said = (await playing.stdout.read()).decode()
    assert await playing.wait() == 0
    assert said == f"{len(chunks)} chunks played, 0 bytes heard\n"


async def test_what_is_no_recording_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("feltd-capture 1\nnonsense\n")
    status, complaint = await failed("replay", str(file), "--tcp", "0")
    assert status == 2
    assert "line 2" in complaint


@pytest.mark.parametrize("words", [("replay", str(CAPTURE)), ("--replay", str(CAPTURE))], ids=["replay", "--replay"])
async def test_it_has_one_port(words: tuple[str, ...]) -> None:
    status, complaint = await failed(*words)
    assert status == 2
    assert "--pty or --tcp" in complaint
