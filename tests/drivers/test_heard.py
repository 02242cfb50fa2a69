"""Each report carries the bytes in which the device said it, and no others of long ago."""

from __future__ import annotations

import asyncio

from drivers.device import HEARD_BYTES_MAX
from drivers.events import ButtonPressed, DeviceReport, LinkUp
from drivers.profile import DeviceSettings
from drivers.transports.base import Chunk, Clock, Transport
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


class Noted:
    """A transport that notes when it is waited for, and what came."""

    def __init__(self, inner: Transport, order: list[str]) -> None:
        self._inner, self._order = inner, order

    async def read(self) -> Chunk:
        self._order.append("wait")
        chunk = await self._inner.read()
        self._order.append("key" if b"BUTTON" in chunk.data else "beat")
        return chunk

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    async def close(self) -> None:
        await self._inner.close()


@in_virtual_time
async def test_who_takes_a_report_goes_before_the_wait_for_the_next_bytes(way: MemoryWay, bench: Bench) -> None:
    """The line is woken by a report, and takes it one turn of the loop later."""
    order: list[str] = []
    loop, opened, reported = asyncio.get_running_loop(), way.open, bench._report

    async def open_noted(settings: DeviceSettings, clock: Clock) -> Transport:
        return Noted(await opened(settings, clock), order)

    def report_noted(report: DeviceReport) -> None:
        reported(report)
        loop.call_soon(order.append, "line")

    way.open = open_noted  # type: ignore[method-assign]
    bench._report = report_noted  # type: ignore[method-assign]
    await bench.link()
    bench.far.happen()
    await bench.heard(ButtonPressed)
    await asyncio.sleep(1)
    came = order.index("key")
    assert order[came : came + 3] == ["key", "line", "wait"]
