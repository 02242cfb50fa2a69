"""Wakes the devices when something was plugged in, so that they do not wait for their next try.

udev announces each device on a netlink socket, after its rules have set owner and name. Any user may listen. The
message is a hint to try at once; only opening the port shows what is there. In a container, or behind
RestrictAddressFamilies, there is no such socket. Then the next try finds the device a second later.

The kernel's own messages come on another group and too early: the port is there, but may not be opened yet.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Final, TypeAlias

Pause: TypeAlias = Callable[[float], Coroutine[Any, Any, None]]

# linux/netlink.h, and systemd's sd-device/device-monitor.c for the group that udev sends to.
_NETLINK_KOBJECT_UEVENT: Final = 15
_UDEV_GROUP: Final = 2
_MESSAGE_BYTES_MAX: Final = 16_384
# Opening and closing a device makes messages too (bind, unbind, change), so only what is new counts.
_ADDED: Final = re.compile(rb"ACTION=add\0")
_OURS: Final = re.compile(rb"SUBSYSTEM=(?:tty|usb)\0")


def listen() -> socket.socket | None:
    """Return a socket that receives udev's messages, or None where that is not allowed."""
    try:
        heard = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, _NETLINK_KOBJECT_UEVENT)
    except OSError:
        return None
    try:
        heard.bind((0, _UDEV_GROUP))
    except OSError:
        heard.close()
        return None
    return heard


class HotPlug:
    """Listens while it is entered. Each device has a pause of its own, so that no device takes another's hint."""

    def __init__(self, heard: socket.socket | None) -> None:
        self._heard: Final = heard
        self._hints: Final[list[asyncio.Event]] = []

    def __enter__(self) -> HotPlug:
        if self._heard is not None:
            asyncio.get_running_loop().add_reader(self._heard, self._on_readable, self._heard)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._heard is not None:
            asyncio.get_running_loop().remove_reader(self._heard)
            self._heard.close()

    def pause(self) -> Pause:
        """Return a sleep for one device. It ends early if something was plugged in during it, or since the last one."""
        hint = asyncio.Event()
        self._hints.append(hint)

        async def sleep(seconds: float) -> None:
            try:
                async with asyncio.timeout(seconds):
                    await hint.wait()
            except TimeoutError:
                pass
            finally:
                hint.clear()

        return sleep

    def _on_readable(self, heard: socket.socket) -> None:
        try:
            message = heard.recv(_MESSAGE_BYTES_MAX)
        except BlockingIOError:
            return
        except OSError:  # ENOBUFS: messages were lost, and one of them can have been for us
            self._hint()
            return
        if _ADDED.search(message) and _OURS.search(message):
            self._hint()

    def _hint(self) -> None:
        for hint in self._hints:
            hint.set()
