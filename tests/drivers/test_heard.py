"""Each report carries the bytes in which the device said it, and no others of long ago."""

from __future__ import annotations

import asyncio

from drivers.device import HEARD_BYTES_MAX
from drivers.events import ButtonPressed, LinkUp
from protocols.felt_link import messages as m
from protocols.felt_link.frame import encode
from protocols.felt_link.wording import to_frame
from tests.drivers.far_end import GREEN
from tests.drivers.ways import Bench, MemoryWay, in_virtual_time

LONG_S = 20


@in_virtual_time
async def test_a_report_has_the_bytes_of_its_frame(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    await asyncio.sleep(LONG_S)  # meanwhile the device says that it is alive
    bench.far.happen()
    await bench.heard(ButtonPressed)
    frame = encode(to_frame(m.Numbered(1, False, GREEN)))
    heard = bench.reports[-1].heard.encode("latin-1")
    assert heard.endswith(frame)
    assert len(heard) < 3 * len(frame), "what was heard long before is in it"
    assert frame.decode("latin-1") not in repr(bench.reports[-1])


@in_virtual_time
async def test_noise_before_a_frame_is_kept_as_far_as_there_is_room(way: MemoryWay, bench: Bench) -> None:
    await bench.link()
    bench.far.say(b"\xff" * 2 * HEARD_BYTES_MAX)
    bench.far.happen()
    await bench.heard(ButtonPressed)
    assert next(type(report.event) for report in bench.reports if report.heard) is LinkUp
    assert b"\xff" in b"".join(report.heard.encode("latin-1") for report in bench.reports)
    assert max(len(report.heard) for report in bench.reports) <= HEARD_BYTES_MAX
