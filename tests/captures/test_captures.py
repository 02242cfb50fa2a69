"""Recordings decode to what they always did, the emulator still says them, and a replay says them again in time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocols.capture import CaptureError, Chunk, Side, chunk_line, note_line, read_capture
from sim_hardware.loop import VirtualLoop, loop_ns
from sim_hardware.ports import MemoryPort
from sim_hardware.replay import Replay
from tests.captures.record import HERE, SCENES, SHOES, decoded, recorded, told

FILES = sorted(HERE.glob("*.capture"))
FIRST = "feltd-capture 1\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recording_decodes_to_the_frozen_events(file: Path) -> None:
    assert decoded(read_capture(file.read_text())) == file.with_suffix(".events").read_text()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_driver_tells_the_frozen_events_of_a_recording(file: Path) -> None:
    assert told(read_capture(file.read_text())) == file.with_suffix(".told").read_text()


def test_a_published_byte_string_says_where_it_is_from() -> None:
    published = [file for file in FILES if file.stem.startswith("published-")]
    notes = [read_capture(file.read_text()).notes for file in published]
    assert len(published) == 2
    assert all(note["kind"].startswith("published") and note["source"] for note in notes)


def test_every_scene_has_its_recording() -> None:
    assert {file.stem for file in FILES} >= {*SCENES, *SHOES}


@pytest.mark.parametrize("name", SHOES)
def test_an_emulated_shoe_on_a_tty_still_says_every_byte(name: str) -> None:
    def said(text: str) -> bytes:
        return b"".join(chunk.data for chunk in read_capture(text).said_by(Side.DEVICE))

    assert said(recorded(name)) == said((HERE / f"{name}.capture").read_text())


@pytest.mark.parametrize("name", SCENES)
def test_the_emulator_and_the_driver_still_say_every_byte_at_its_time(name: str) -> None:
    assert recorded(name) == (HERE / f"{name}.capture").read_text()


@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_a_replay_gives_the_devices_bytes_in_their_own_time(speed: float) -> None:
    capture = read_capture((HERE / "reboot.capture").read_text())
    heard: list[tuple[int, bytes]] = []

    async def play() -> None:
        port = MemoryPort()
        port.far.on_data = lambda data: heard.append((loop_ns(), data))
        replay = Replay(capture, port, speed)
        await replay.open()
        assert await replay.play() == len(capture.said_by(Side.DEVICE))
        await asyncio.sleep(1)
        await replay.close()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(play())
    said = capture.said_by(Side.DEVICE)
    assert b"".join(data for _, data in heard) == b"".join(chunk.data for chunk in said)
    for (at_ns, _), chunk in zip(heard, said, strict=True):
        assert at_ns == pytest.approx((chunk.offset_ns - said[0].offset_ns) / speed, abs=1_000)


def test_what_is_written_is_what_is_read() -> None:
    chunks = (Chunk(0, Side.DEVICE, b"\x02A"), Chunk(9, Side.HOST, bytes(range(256))), Chunk(9, Side.DEVICE, b"|"))
    text = FIRST + note_line("model", "M\n1 \x1b") + "".join(map(chunk_line, chunks)) + note_line("model", "N")
    capture = read_capture(text)
    assert capture.chunks == chunks
    assert dict(capture.notes) == {"model": "N"}


def test_a_line_that_was_being_written_is_left_out() -> None:
    assert read_capture(f"{FIRST}1 < 41\n2 < 42").chunks == (Chunk(1, Side.DEVICE, b"A"),)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "line 1"),
        ("feltd-capture 2\n", "line 1"),
        (f"{FIRST}1 < 4\n", "line 2"),
        (f"{FIRST}1 < 4a\n", "line 2"),
        (f"{FIRST}\n", "line 2"),
        (f"{FIRST}1 = 41\n", "line 2"),
        (f"{FIRST}2 < 41\n1 < 41\n", "line 3: earlier"),
    ],
)
def test_what_is_no_recording_is_named_by_its_line(text: str, wrong: str) -> None:
    with pytest.raises(CaptureError, match=wrong):
        read_capture(text)


def test_a_chunks_repr_shows_no_card() -> None:
    assert "41" not in repr(Chunk(0, Side.DEVICE, b"\x41"))
