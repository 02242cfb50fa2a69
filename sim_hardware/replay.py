"""A recording played back: the device's side of it, in its own time, to whoever is at the other end.

It answers nothing. A host that waits for answers (felt-link's acknowledged events, commands) sees the recorded ones.
"""

from __future__ import annotations

import asyncio
from typing import Final

from protocols.capture import Capture, Side
from sim_hardware.loop_time import loop_ns
from sim_hardware.pace import S
from sim_hardware.ports import Port


class Replay:
    """Plays once over a port. It is the port's user."""

    def __init__(self, capture: Capture, port: Port, speed: float) -> None:
        """Speed 2 is twice as fast as life; 0 does not wait."""
        self.port: Final = port
        self.heard_bytes = 0
        self._chunks: Final = capture.said_by(Side.DEVICE)
        self._speed: Final = speed
        self._plugged = asyncio.Event()

    async def open(self) -> None:
        """Be there."""
        await self.port.open(self)

    async def play(self, delay_s: float = 0.0) -> int:
        """Wait for a line, then play; how many chunks went out. The first comes after `delay_s`."""
        await self._plugged.wait()
        await asyncio.sleep(delay_s)
        begun_ns = loop_ns()
        first_ns = self._chunks[0].offset_ns if self._chunks else 0
        for chunk in self._chunks:
            await self._wait_until(begun_ns, chunk.offset_ns - first_ns)
            self.port.write(chunk.data)
        return len(self._chunks)

    async def close(self) -> None:
        """Be gone."""
        await self.port.close()

    async def _wait_until(self, begun_ns: int, offset_ns: int) -> None:
        """Timed from the beginning, so that no lateness adds up."""
        if self._speed > 0:
            due_ns = begun_ns + int(offset_ns / self._speed)
            await asyncio.sleep(max(0, due_ns - loop_ns()) / S)

    def on_plugged(self) -> None:
        self._plugged.set()

    def on_data(self, data: bytes) -> None:
        self.heard_bytes += len(data)

    def on_unplugged(self) -> None:
        """The recording has its own unpluggings."""
