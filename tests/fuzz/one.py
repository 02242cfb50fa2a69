"""Atheris on one codec: ``python -m tests.fuzz.one angel-eye-iiex-host [options of libFuzzer]``."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["protocols"]):
    from tests.fuzz.checking import check
    from tests.protocols.subjects import SUBJECTS


def main() -> None:
    """Fuzz the codec named first until libFuzzer's options say to stop, or something breaks."""
    name, *options = sys.argv[1:]
    subject = next(one for one in SUBJECTS if str(one) == name)
    atheris.Setup([sys.argv[0], *options], lambda data: check(subject, data))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
