"""A machine's clock that a test sets, for a process of its own: the machine's real clock stays as it is.

Theory of operation. libfaketime, of Debian's package faketime, stands between the process and the C library. It reads
how far the wall clock is off from a file, at each look at the clock, so the step comes while the process runs. The
monotonic clock is left alone, as by `date -s`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

import pytest

from daemon.tools.bench import client as bench_client


class SetClock:
    """The clock of one machine: of each process that is started with `prefix`, and of the bench's people."""

    def __init__(self, directory: Path) -> None:
        self.is_off_by = timedelta()
        self._file = directory / "clock"
        self.set_off(timedelta())

    def set_off(self, by: timedelta) -> None:
        """Set the clock so that it is off by so much from now on."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{by.total_seconds():+.0f}", encoding="ascii")
        new.rename(self._file)  # no look at the clock finds half a file
        self.is_off_by = by

    def set_at(self, moment: datetime) -> None:
        """Set the clock to this moment."""
        self.set_off(moment - datetime.now(moment.tzinfo))

    @property
    def prefix(self) -> tuple[str, ...]:
        """Return the beginning of a command whose process goes by this clock."""
        library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
        assert library is not None, "these tests need faketime: make test installs it, or apt-get install faketime"
        file = f"FAKETIME_TIMESTAMP_FILE={self._file}"
        return ("env", f"LD_PRELOAD={library}", file, "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1")

    @contextmanager
    def of_the_people(self) -> Iterator[None]:
        """Have the bench's people go by it too: their terminals stand on the same machine."""
        clock = self

        class Terminal(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Self:
                return super().now(tz) + clock.is_off_by

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bench_client, "datetime", Terminal)
            yield
