"""A disk that forgets what it was not told to keep, as a real one does when its power fails.

Theory of operation. QEMU reaches the disk over NBD (the protocol's doc/proto.md), as fixed newstyle with one export and
simple replies, on a socket of its own. What is written goes into a cache of sectors that only a flush makes stable.
`cut_after` names a write, counted from now; that write is the last that the disk takes, and no request is answered from
then on. The test waits at `cut`, kills QEMU and calls `lose`: of the sectors that no flush followed each is kept or
lost by a seeded coin, whatever order they were written in, and so a write of several sectors can be torn. A sector is
whole: 512 bytes, as disks promise.

Everything that QEMU asks is done by one thread in the order in which it came.
"""

from __future__ import annotations

import random
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

SECTOR: Final = 512

_GREETING: Final = struct.Struct(">8s8sH")
_FIXED_NEWSTYLE, _NO_ZEROES = 1, 2
_OPTION: Final = struct.Struct(">8sII")
_OPTION_REPLY: Final = struct.Struct(">QIII")
_OPTION_MAGIC: Final = 0x0003E889045565A9
_GO: Final = 7
_REPLY_ACK, _REPLY_INFO, _REPLY_UNKNOWN = 1, 3, 0x80000001
_EXPORT: Final = struct.Struct(">HQH")
_HAS_FLAGS, _SENDS_FLUSH = 1, 4
_REQUEST: Final = struct.Struct(">IHHQQI")
_REPLY: Final = struct.Struct(">IIQ")
_REPLY_MAGIC: Final = 0x67446698
_READ, _WRITE, _HANG_UP, _FLUSH = 0, 1, 2, 3
_NOT_SUPPORTED: Final = 95


class _GoneError(Exception):
    """QEMU has closed its end."""


class ForgetfulDisk:
    """The disk's content, and the count of what was written to it."""

    def __init__(self, content: bytes, seed: int) -> None:
        assert len(content) % SECTOR == 0, "a disk has whole sectors"
        self.cut: Final = threading.Event()
        self.writes = 0
        self.flushes = 0
        self.lost = 0
        self._stable: Final = bytearray(content)
        self._unflushed: Final[dict[int, bytes]] = {}
        self._chance: Final = random.Random(seed)
        self._last_write: int | None = None
        self._one_at_a_time: Final = threading.Lock()

    @property
    def content(self) -> bytes:
        """What it would have after a cut in which nothing survived that was not flushed."""
        return bytes(self._stable)

    def __str__(self) -> str:
        return f"{self.writes} writes, {self.flushes} flushes, {self.lost} sectors lost"

    def cut_after(self, writes: int) -> None:
        """Cut the power in so many writes from now."""
        with self._one_at_a_time:
            self._last_write = self.writes + writes

    def lose(self) -> None:
        """Forget, by chance, what was not made stable, and have power again."""
        with self._one_at_a_time:
            for place, sector in self._unflushed.items():
                if self._chance.random() < 0.5:  # a fair coin
                    self._stable[place : place + SECTOR] = sector
                else:
                    self.lost += 1
            self._unflushed.clear()
            self._last_write = None
            self.cut.clear()

    @contextmanager
    def plugged(self, path: Path) -> Iterator[None]:
        """Serve it at this socket to one QEMU."""
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            server.listen(1)
            serving = threading.Thread(target=self._serve, args=(server,), daemon=True)
            serving.start()
            try:
                yield
            finally:
                server.shutdown(socket.SHUT_RDWR)
                serving.join()
                path.unlink()

    def _serve(self, server: socket.socket) -> None:
        with suppress(OSError, _GoneError):
            link, _ = server.accept()
            with link:
                _negotiate(link, len(self._stable))
                while self._answer(link):
                    pass

    def _answer(self, link: socket.socket) -> bool:
        _, _, kind, handle, offset, length = _REQUEST.unpack(_take(link, _REQUEST.size))
        data = _take(link, length) if kind == _WRITE else b""
        if kind == _HANG_UP:
            return False
        with self._one_at_a_time:
            said, error = self._do(kind, offset, length, data)
        if self.cut.is_set():
            _take(link, 1 << 30)  # nothing more is answered, until QEMU is gone
        link.sendall(_REPLY.pack(_REPLY_MAGIC, error, handle) + said)
        return True

    def _do(self, kind: int, offset: int, length: int, data: bytes) -> tuple[bytes, int]:
        if kind == _READ:
            return self._read(offset, length), 0
        if kind == _WRITE:
            self._write(offset, data)
        elif kind == _FLUSH:
            self._flush()
        else:
            return b"", _NOT_SUPPORTED
        return b"", 0

    def _read(self, offset: int, length: int) -> bytes:
        places = range(offset, offset + length, SECTOR)
        return b"".join(self._unflushed.get(place) or self._stable[place : place + SECTOR] for place in places)

    def _write(self, offset: int, data: bytes) -> None:
        for start in range(0, len(data), SECTOR):
            self._unflushed[offset + start] = data[start : start + SECTOR]
        self.writes += 1
        if self.writes == self._last_write:
            self.cut.set()

    def _flush(self) -> None:
        for place, sector in self._unflushed.items():
            self._stable[place : place + SECTOR] = sector
        self._unflushed.clear()
        self.flushes += 1


def words(path: Path) -> tuple[str, ...]:
    """What QEMU is told, to find the disk at this socket."""
    where = f"file.server.type=unix,file.server.path={path}"
    return ("-drive", f"driver=raw,file.driver=nbd,{where},if=virtio,cache=writeback")


def _negotiate(link: socket.socket, size: int) -> None:
    """Agree to serve the one export there is; every option but that one is unknown here."""
    link.sendall(_GREETING.pack(b"NBDMAGIC", b"IHAVEOPT", _FIXED_NEWSTYLE | _NO_ZEROES))
    _take(link, 4)
    while True:
        _, option, length = _OPTION.unpack(_take(link, _OPTION.size))
        _take(link, length)
        if option == _GO:
            break
        link.sendall(_OPTION_REPLY.pack(_OPTION_MAGIC, option, _REPLY_UNKNOWN, 0))
    export = _EXPORT.pack(0, size, _HAS_FLAGS | _SENDS_FLUSH)
    link.sendall(_OPTION_REPLY.pack(_OPTION_MAGIC, _GO, _REPLY_INFO, len(export)) + export)
    link.sendall(_OPTION_REPLY.pack(_OPTION_MAGIC, _GO, _REPLY_ACK, 0))


def _take(link: socket.socket, length: int) -> bytes:
    taken = bytearray()
    while len(taken) < length:
        more = link.recv(min(length - len(taken), 1 << 20))
        if not more:
            raise _GoneError
        taken += more
    return bytes(taken)
