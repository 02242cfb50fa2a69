"""The cable between a device and its port, which may be bad: frames arrive damaged, twice, or not at all.

The cable knows of frames only where they begin. A fault that is on strikes frames in both directions by chance, from a
seed. A fault armed for the next time or for a packet strikes the next frame that the device sends. Only one byte of a
frame is ever changed: the check of every protocol must find that.
"""

from __future__ import annotations

import re
from typing import Final

from sim_hardware.deck import draw
from sim_hardware.faults import Always, FaultBoard, FaultName
from sim_hardware.pace import S

LINES: Final = re.compile(rb"(?<=\n)")
"""Where one line of text ends and the next begins."""
SILENCE_NS: Final = 10 * S
"""How long a silence armed for one occasion lasts: longer than any freshness limit should be."""
_FRAME_FAULTS: Final = (FaultName.DROPPED_FRAMES, FaultName.CORRUPTED_FRAMES, FaultName.REPEATED_FRAMES)


class Cable:
    """Both directions of one cable. Mutable: it counts frames, and remembers until when it is silent."""

    def __init__(self, faults: FaultBoard, seed: int, frames: re.Pattern[bytes]) -> None:
        """`frames` matches the empty text between one frame of this protocol and the next."""
        self._faults: Final = faults
        self._seed: Final = seed
        self._frames: Final = frames
        self._passed = 0
        self.struck = 0
        """How many frames a fault has changed, in both directions."""
        self._silent_until_ns = 0

    def from_device(self, data: bytes, now_ns: int) -> bytes:
        """Return what arrives at the host of the device's bytes."""
        arming = self._faults.strike_frame(FaultName.SILENCE) if data else None
        if arming is not None and not isinstance(arming, Always):
            self._silent_until_ns = now_ns + SILENCE_NS
        if self._is_silent(now_ns):
            return b""
        return b"".join(self._pass(frame, is_ours=True) for frame in self._cut(data))

    def from_host(self, data: bytes, now_ns: int) -> bytes:
        """Return what arrives at the device of the host's bytes."""
        if self._is_silent(now_ns):
            return b""
        return b"".join(self._pass(frame, is_ours=False) for frame in self._cut(data))

    def _is_silent(self, now_ns: int) -> bool:
        return now_ns < self._silent_until_ns or self._faults.is_always(FaultName.SILENCE)

    def _cut(self, data: bytes) -> list[bytes]:
        return [frame for frame in self._frames.split(data) if frame]

    def _pass(self, frame: bytes, *, is_ours: bool) -> bytes:
        self._passed += 1
        for place, name in enumerate(_FRAME_FAULTS):
            if self._is_struck(name, place, is_ours):
                self.struck += 1
                frame = self._spoil(name, frame)
        return frame

    def _is_struck(self, name: FaultName, place: int, is_ours: bool) -> bool:
        arming = self._faults.armed.get(name)
        if isinstance(arming, Always):
            return self._chance(place) % 100 < arming.percent
        return is_ours and self._faults.strike_frame(name) is not None

    def _spoil(self, name: FaultName, frame: bytes) -> bytes:
        if name is FaultName.DROPPED_FRAMES or not frame:
            return b""
        if name is FaultName.REPEATED_FRAMES:
            return frame + frame
        struck = self._chance(len(_FRAME_FAULTS)) % len(frame)
        changed = frame[struck] ^ (1 + self._chance(len(_FRAME_FAULTS) + 1) % 255)
        return frame[:struck] + bytes((changed,)) + frame[struck + 1 :]

    def _chance(self, place: int) -> int:
        return int.from_bytes(draw(self._seed, self._passed, place)[:8], "big")
