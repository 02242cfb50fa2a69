"""Every input that fuzzing begins with, or that once broke a codec, played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.angel_eye.frame import FrameReader as AngelEyeReader
from protocols.angel_eye.frame import ReportFrame
from protocols.codec import Garbage
from protocols.felt_link.frame import NOT_A_FRAME
from protocols.felt_link.frame import FrameReader as FeltLinkReader
from tests.fuzz.checking import check, sealed
from tests.fuzz.corpus import CORPUS
from tests.protocols.subjects import SUBJECTS, Subject

BY_NAME = {str(subject): subject for subject in SUBJECTS}
INPUTS = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


def test_every_codec_has_inputs_and_every_input_a_codec() -> None:
    assert {path.parent.name for path in INPUTS} == BY_NAME.keys()


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_harms_nothing(path: Path) -> None:
    check(BY_NAME[path.parent.name], path.read_bytes())


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_sealed_lines_are_frames_that_arrived_whole(subject: Subject) -> None:
    data = sealed(subject, b"1D\x81\xb8\n1S")
    if subject.name == "bee-tek":
        assert data == b"1D\x81\xb8\r\n1S\r\n"
        return
    if subject.name == "modbus-tcp":
        assert data == b"\0\1\0\0\0\5\0011D\x81\xb8" + b"\0\1\0\0\0\3\0011S"
        return
    reader = FeltLinkReader() if subject.name == "felt-link" else AngelEyeReader()
    reader.feed(data)
    found = list(iter(reader.next, None))
    assert len(found) == 2
    reasons = {one.reason for one in found if isinstance(one, Garbage)}
    assert reasons <= {NOT_A_FRAME}
    assert all(isinstance(one, ReportFrame) for one in found) == (str(subject) == "angel-eye-iiex-host")
