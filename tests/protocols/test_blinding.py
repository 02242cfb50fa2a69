"""A recording that can be given away: other cards, other serial numbers, and everything else as it was."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from protocols.blinding import Blinding, blind_capture
from protocols.capture import Capture, Chunk, Side, read_capture, write_capture
from protocols.cards import DECK, Misread
from protocols.codec import Garbage
from protocols.registry import PROTOCOLS
from tests.captures.record import HERE
from tests.protocols.subjects import SUBJECTS, Subject, broken_traffic

KEY = bytes(range(32))
FILES = sorted(HERE.glob("*.capture"))


def blinded(capture: Capture, key: bytes = KEY) -> Capture:
    protocol = PROTOCOLS[capture.notes["protocol"]]
    assert protocol.blind_frame is not None
    return blind_capture(capture, protocol.listener, protocol.blind_frame, Blinding(key))


def stream(capture: Capture, side: Side = Side.DEVICE) -> bytes:
    return b"".join(chunk.data for chunk in capture.said_by(side))


def kinds(capture: Capture) -> list[str]:
    listener = PROTOCOLS[capture.notes["protocol"]].listener()
    listener.feed(stream(capture))
    return [
        "damage" if isinstance(heard.saying, Garbage) else type(heard.saying.said).__name__
        for heard in iter(listener.next, None)
    ]


def test_a_key_exchanges_the_cards_of_a_deck_one_for_one() -> None:
    here, elsewhere = Blinding(KEY), Blinding(KEY[::-1])
    assert {here.face(card) for card in DECK} == set(DECK)
    assert [here.face(card) for card in DECK] != [elsewhere.face(card) for card in DECK]
    assert [here.face(misread) for misread in Misread] == list(Misread)
    assert here.name("10042") == here.name("10042") != elsewhere.name("10042")
    assert len(here.name("SIM-SHOE-1")) == 10


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="16"):
        Blinding(b"secret")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_blinded_recording_has_the_same_frames_at_the_same_times(file: Path) -> None:
    capture = read_capture(file.read_text())
    other = blinded(capture)
    assert kinds(other) == kinds(capture)
    assert [(chunk.offset_ns, chunk.side) for chunk in other.chunks] == [
        (chunk.offset_ns, chunk.side) for chunk in capture.chunks
    ]
    assert [len(chunk.data) for chunk in other.chunks] == [len(chunk.data) for chunk in capture.chunks]
    assert stream(other, Side.HOST) == stream(capture, Side.HOST)
    assert read_capture(write_capture(other)) == other


def test_the_cards_of_a_blinded_recording_are_others() -> None:
    capture = read_capture((HERE / "bee-tek-shoe.capture").read_text())
    here = Blinding(KEY)
    drawn = [card for card in DECK if f":{card}>".upper().encode() in stream(capture).upper()]
    assert len(drawn) > 3
    assert all(f":{here.face(card)}>".upper().encode() in stream(blinded(capture)).upper() for card in drawn)


def test_a_serial_number_and_the_person_who_recorded_are_not_told() -> None:
    capture = read_capture((HERE / "clean-round.capture").read_text())
    other = blinded(capture)
    assert capture.notes["serial"].encode() in stream(capture)
    assert capture.notes["serial"].encode() not in stream(other)
    assert other.notes["serial"] != capture.notes["serial"]
    assert "by" not in other.notes
    assert "blinded" in other.notes


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_any_bytes_are_blinded_and_damage_names_no_card(subject: Subject) -> None:
    for seed in range(10):
        data = broken_traffic(subject, random.Random(seed), 300)
        chunks = Chunk(0, Side.DEVICE, data[:100]), Chunk(1, Side.DEVICE, data[100:])
        capture = Capture({"protocol": subject.name}, chunks)
        listener = PROTOCOLS[subject.name].listener()
        listener.feed(stream(blinded(capture)))
        for heard in iter(listener.next, None):
            if isinstance(heard.saying, Garbage):
                assert not any(str(card).encode() in heard.data for card in DECK), f"seed {seed}"


@pytest.mark.parametrize("written", ["4S", "S4", "4s", "s4", "10H", "TH"])
def test_a_shoes_own_order_and_case_stay(written: str) -> None:
    capture = Capture({"protocol": "bee-tek"}, (Chunk(0, Side.DEVICE, f" [Game]<Card:{written}> \r\n".encode()),))
    (text,) = [chunk.data.decode() for chunk in blinded(capture).chunks]
    other = text.split(":")[1].split(">")[0]
    is_suit_first = written[0].lower() in "cdhs"
    assert (other[0].lower() in "cdhs") is is_suit_first
    assert other == (other.upper() if written.isupper() else other.lower())
