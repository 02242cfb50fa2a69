"""`feltd decode` as a technician uses it, and how each thing that can be heard is shown."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from daemon.tools.decode.rendering import as_json, as_text, row
from protocols.cards import parse_face
from protocols.felt_link import messages as m
from protocols.felt_link.frame import encode
from protocols.felt_link.wording import to_frame
from protocols.listening import Heard
from protocols.registry import PROTOCOLS
from tests.protocols.subjects import SUBJECTS, Subject, broken_traffic
from tests.support.interrupts import interruptible
from tests.support.processes import gone_afterwards
from tests.support.sentences import Says

FELTD = Path(sys.executable).with_name("feltd")
EIGHT = bytes.fromhex("05 31 44 81 B8 03 34 46")
LINES = b" [Game]<Card:4S> \r\n [Manual Burn Cards]<Card:H3> \r\n"


def decode(protocol: str, data: bytes, *words: str | Path) -> subprocess.CompletedProcess[bytes]:
    command: list[str | Path] = [FELTD, "decode", "--protocol", protocol, *words]
    return subprocess.run(command, input=data, capture_output=True, timeout=180, check=True)


def heard(protocol: str, data: bytes) -> list[Heard]:
    listener = PROTOCOLS[protocol].listener()
    listener.feed(data)
    return list(iter(listener.next, None))


def test_the_literal_of_the_device_page_on_the_standard_input() -> None:
    done = decode("angel-eye-iiex", EIGHT, "-")
    assert done.stdout.split() == [
        b"0",
        b"card-drawn",
        b"seq=1",
        b"copy=1",
        b"target=player",
        b"index=1",
        b"face=8s",
        *b"05 31 44 81 B8 03 34 46".split(),
    ]
    assert done.stderr == b"8 bytes, 1 valid frames, pieces of damage: 0 (0 bytes)\n"


def test_a_file_as_json(tmp_path: Path) -> None:
    file = tmp_path / "bee-tek.bin"
    file.write_bytes(LINES + b"\xff\r\n")
    told = [json.loads(line) for line in decode("bee-tek", b"", file, "--json").stdout.splitlines()]
    assert told[0] == {
        "offset": 1,
        "event": "card-passed",
        "damage": False,
        "fields": {"operation": "game", "face": "4s"},
        "raw": LINES[:19].strip().hex(" ").upper(),
    }
    assert told[1]["fields"] == {"operation": "manual-burn-cards", "face": "3h"}
    assert told[2] == {
        "offset": len(LINES),
        "event": "damage",
        "damage": True,
        "fields": {"reason": "not a line of printable text"},
        "raw": "FF",
    }


def test_felt_link_in_both_directions() -> None:
    data = b"\x02BUTTON|11||green\x030173" + b"\x0641\x03D33E"
    first, second = (line.split() for line in decode("felt-link", data).stdout.splitlines())
    assert first[:5] == [b"0", b"button-pressed", b"seq=11", b"resent=no", b"key=green"]
    assert second[:3] == [b"22", b"ack", b"seq=41"]


def test_damage_is_shown_as_such_and_counted() -> None:
    done = decode("angel-eye-iiex", b"\xff" + EIGHT + EIGHT[:4])
    first, _, last = done.stdout.splitlines()
    assert first.split()[:2] == [b"0", b"DAMAGE"]
    assert b'reason="unfinished when the bytes ended"' in last
    assert done.stderr == b"13 bytes, 1 valid frames, pieces of damage: 2 (5 bytes)\n"


def test_a_frame_is_shown_while_the_stream_is_still_open_and_an_interrupt_ends_it_well() -> None:
    command: list[str | Path] = [FELTD, "decode", "--protocol", "angel-eye-iiex"]
    pipe = subprocess.PIPE
    with (
        interruptible(),
        gone_afterwards(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)) as running,
    ):
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(EIGHT)
        assert b"face=8s" in running.stdout.readline()
        running.stdin.write(EIGHT[:1])
        running.send_signal(signal.SIGINT)
        assert b"1 valid frames" in running.stderr.read()
        assert running.wait(timeout=180) == 0


def test_a_reader_that_goes_away_is_no_defect() -> None:
    command = f"{FELTD} decode --protocol bee-tek {{}} | head -n 1"
    done = subprocess.run(["bash", "-c", command.format("<(yes hello)")], capture_output=True, timeout=180, check=True)
    assert b"Traceback" not in done.stderr


def test_an_unknown_protocol_is_answered_with_those_there_are() -> None:
    done = subprocess.run([FELTD, "decode", "--protocol", "angel"], capture_output=True, timeout=180)
    assert done.returncode == 2
    assert b"angel-eye-iiex" in done.stderr


RECORDING = Path(__file__).resolve().parents[2] / "captures" / "reboot.capture"


@pytest.mark.parametrize("side", ["device", "host"])
def test_a_recording_says_itself_what_its_line_speaks_and_shows_one_side(side: str, says: Says) -> None:
    command: list[str | Path] = [FELTD, "decode", RECORDING, "--side", side]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=True)
    frozen = RECORDING.with_suffix(".events").read_text().partition(f"# from the {side}\n")[2].partition("# ")[0]
    assert done.stdout == frozen
    says(done.stderr)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"raw bytes\n", b"name the protocol of the line: --protocol felt-link, angel-eye-iiex, bee-tek"),
        (b"feltd-capture 1\n1 < 4\n", b"it begins like a recording, but it is not one: line 2"),
        (b"feltd-capture 1\nby \xff\n", b"it is not UTF-8"),
        (b"feltd-capture 1\nprotocol dice\n", b"the recording has the protocol 'dice'; known are felt-link"),
        (b"feltd-capture 1\n1 < 41\n", b"name the protocol of the line"),
    ],
)
def test_what_cannot_be_decoded_is_told_and_not_guessed(text: bytes, told: bytes, tmp_path: Path) -> None:
    file = tmp_path / "line"
    file.write_bytes(text)
    done = subprocess.run([FELTD, "decode", file], capture_output=True, timeout=180)
    assert (done.returncode, done.stdout) == (2, b"")
    assert told in b" ".join(done.stderr.split())


def test_a_live_stream_that_nobody_named_is_refused_before_it_is_waited_for() -> None:
    with gone_afterwards(subprocess.Popen([FELTD, "decode"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)) as running:
        assert running.stderr is not None
        assert b"name the protocol of the line" in running.stderr.read()
        assert running.wait(timeout=180) == 2


def test_help_says_that_cards_are_shown_in_clear() -> None:
    done = subprocess.run([FELTD, "decode", "--help"], capture_output=True, timeout=180, check=True)
    assert b"every card in clear" in done.stdout


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_whatever_is_heard_can_be_shown(subject: Subject) -> None:
    for one in heard(subject.name, broken_traffic(subject, random.Random(1), 20_000)):
        shown = row(one)
        assert as_text(shown).isascii()
        assert as_text(shown).isprintable()
        assert json.loads(as_json(shown))["raw"] == one.data.hex(" ").upper()


def test_a_letter_that_would_move_the_cursor_is_shown_escaped() -> None:
    (told,) = heard("angel-eye-iiex", b"\x051\x9b\x81\x0328")
    assert "letter=" in as_text(row(told))
    assert as_text(row(told)).isprintable()


@pytest.mark.parametrize(("faces", "shown"), [("-", "-"), ("", "none"), ("Ah ?? [] ##", "Ah,??,[],##")])
def test_a_list_that_is_empty_is_not_one_that_is_unknown(faces: str, shown: str) -> None:
    read = None if faces == "-" else tuple(parse_face(word) for word in faces.split())
    (told,) = heard("felt-link", encode(to_frame(m.Numbered(1, False, m.RemainderEjected(None, read)))))
    assert f"count=- faces={shown} " in as_text(row(told))
