"""The control interface of an emulated device: a Unix socket, lines of a few words, one line of answer each.

It is for a technician with a terminal, a script, or the bench. Any program that may open the socket may do everything,
so only its owner may open it.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from sim_hardware.words import ERROR, OK, Vocabulary, WordError

LINE_BYTES_MAX: Final = 8_192
"""A stacked deck of eight times 52 cards, with room."""


class ControlServer:
    """Answers on one device's socket."""

    def __init__(self, vocabulary: Vocabulary, path: Path) -> None:
        self.path: Final = path
        self._vocabulary: Final = vocabulary
        self._server: asyncio.Server | None = None
        self._talks: Final[set[asyncio.Task[None]]] = set()

    async def start(self) -> None:
        """Listen. Replace a socket that a dead emulator left behind, but not one that answers."""
        if await _answers(self.path):
            raise FileExistsError(f"another emulator answers on {self.path}: end it, or give another --control")
        try:
            self._server = await asyncio.start_unix_server(self._accept, self.path, limit=LINE_BYTES_MAX)
        except OSError as error:
            why = error.strerror or error
            raise OSError(f"no socket can be made at {self.path} ({why}): give another --control") from error
        self.path.chmod(0o600)

    async def stop(self) -> None:
        """Close all connections, and remove the socket."""
        if self._server is None:
            return
        self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._server.wait_closed()
        self.path.unlink(missing_ok=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                answer = self._vocabulary.answer(line.decode("utf-8", "replace"))
                writer.write(f"{answer}\n".encode())
                await writer.drain()
        except ValueError:
            writer.write(f"{ERROR} a line has at most {LINE_BYTES_MAX} bytes\n".encode())
        except OSError:
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


async def _answers(path: Path) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


async def tell(path: Path, line: str) -> str:
    """Say one line to a device. Return the text after its `ok`, or raise WordError with the text after its `error`."""
    reader, writer = await asyncio.open_unix_connection(path, limit=2 * LINE_BYTES_MAX)
    try:
        writer.write(f"{line}\n".encode())
        verdict, _, text = (await reader.readline()).decode().strip().partition(" ")
    finally:
        writer.close()
        await writer.wait_closed()
    if verdict != OK:
        raise WordError(text or f"no answer on {path}: the emulator ended")
    return text
