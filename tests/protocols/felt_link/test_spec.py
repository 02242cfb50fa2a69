"""The specification and the code say the same: figures, words and the frames of the example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocols.felt_link import limits, usb, wording
from protocols.felt_link import messages as m
from protocols.felt_link.frame import Ack, AnyFrame, Frame, FrameReader
from protocols.felt_link.requirements import REQUIREMENTS, Requirement

SPEC = (Path(limits.__file__).parent / "SPEC.md").read_text(encoding="utf-8")
NS_A_MS = 1_000_000


def section(title: str) -> str:
    found = re.search(rf"^##+ {re.escape(title)}$(.*?)(?=^##|\Z)", SPEC, re.MULTILINE | re.DOTALL)
    assert found, title
    return found[1]


def first_column(text: str) -> set[str]:
    return set(re.findall(r"^\| `(\S+)` \|", text, re.MULTILINE))


def example() -> Iterator[tuple[str, bytes]]:
    for line in re.findall(r"^([DH]  <.*)$", SPEC, re.MULTILINE):
        speaker, frame = line.split("  ")[:2]
        for name, byte in (("<STX>", b"\x02"), ("<ETX>", b"\x03"), ("<ACK>", b"\x06"), ("<NAK>", b"\x15")):
            frame = frame.replace(name, byte.decode())
        yield speaker, frame.split("   ")[0].encode()


def test_every_limit_has_the_same_figure_in_code_and_specification() -> None:
    written = {name: int(value) for name, value in re.findall(r"^\| ([A-Z_]+) \| (\d+) \|", SPEC, re.MULTILINE)}
    coded = {name: value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int)}
    in_ms = {
        name: value // NS_A_MS if name.endswith("_NS") else value for name, value in coded.items() if name != "_MS"
    }
    assert written == in_ms


def test_every_limit_that_the_text_names_is_in_the_table() -> None:
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", SPEC))
    assert named <= {name for name in vars(limits) if name.isupper()}


def test_the_specified_version_is_the_one_that_we_speak() -> None:
    assert re.search(r"^# felt-link, version (\d+)$", SPEC, re.MULTILINE)
    assert limits.VERSIONS == (1,)


def test_the_numbers_of_the_usb_binding_are_those_of_the_specification() -> None:
    said = section("Over USB")
    triple = re.search(r"bInterfaceProtocol \| `(..)`, `(..)`, `(..)` \(vendor-specific, (..)\)", said)
    assert triple
    numbers = tuple(int(number, 16) for number in triple.groups()[:3])
    assert numbers == (usb.INTERFACE_CLASS, usb.INTERFACE_SUBCLASS, usb.INTERFACE_PROTOCOL)
    assert bytes(numbers[1:]).decode() == triple[4]
    assert f"packets of at least {usb.NOTICE_BYTES} bytes" in said
    assert "the lowest first" in said
    assert usb.encode_notice(258) == b"\x02\x01\0\0"


def test_the_events_of_the_specification_are_those_that_we_read() -> None:
    sections = ("Shuffler events", "Shoe events", "Stake events")
    assert set().union(*(first_column(section(title)) for title in sections)) == set(wording._EVENTS)


def test_the_commands_of_the_specification_are_those_that_we_read() -> None:
    assert first_column(section("7. Commands")) == set(wording._COMMANDS)


def test_the_numbered_requirements_are_those_that_a_device_is_judged_by() -> None:
    rows = re.findall(r"^\| (FL-\d\d) \| (.*) \| (\d+) \|$", section("11. What a device must do"), re.MULTILINE)
    assert tuple(Requirement(number, int(place), text) for number, text, place in rows) == REQUIREMENTS
    assert [number for number, _, _ in rows] == [f"FL-{number:02}" for number in range(1, len(rows) + 1)]


def test_nothing_else_is_demanded_without_a_number() -> None:
    """A sentence with "must" outside section 11 repeats one of its rows."""
    before = SPEC[: SPEC.index("## 11.")]
    demanded = re.findall(r"[^.]*\bmust\b[^.]*\.", before)
    assert len(demanded) == 3, demanded


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (m.FaultKind, "Shuffler events"),
        (m.Refusal, "7. Commands"),
        (m.HostRefusal, "4. Beginning"),
        (m.Capability, "4. Beginning"),
    ],
)
def test_every_word_that_we_use_is_in_the_specification(words: type[m.FaultKind], title: str) -> None:
    assert set(words) <= set(re.findall(r"`([a-z-]+)`", section(title)))


def test_every_frame_of_the_example_is_sound_and_says_something() -> None:
    found = []
    for _, data in example():
        reader = FrameReader()
        reader.feed(data)
        frame = reader.next()
        assert isinstance(frame, Frame | Ack), data
        assert not isinstance(frame, Frame) or not isinstance(
            wording.from_frame(frame), m.Meaningless | m.Unintelligible | m.BadOrder
        )
        found.append(frame)
    assert len(found) == 16


def said(speaker: str) -> list[AnyFrame]:
    reader = FrameReader()
    reader.feed(b"".join(data for who, data in example() if who == speaker))
    return list(iter(reader.next, None))  # type: ignore[arg-type]


def test_only_the_host_acknowledges_in_the_example() -> None:
    assert Ack(1) in said("H")
    assert not any(isinstance(frame, Ack) for frame in said("D"))
