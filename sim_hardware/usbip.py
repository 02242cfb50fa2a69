"""USB/IP: a Linux kernel anywhere sees the emulated device on its own bus.

Theory of operation. The kernel's documentation (Documentation/usb/usbip_protocol.rst) has two phases. On a new
connection a client asks for the list of devices, or imports one by its bus id. After an import the connection is the
cable: the client's kernel sends transfers and takes some back, we answer them in any order, and the end that closes the
connection pulls the plug. All numbers are big-endian but the eight bytes of a setup packet.

One device is imported by one client at a time. A device that is not plugged in is not listed.
"""

from __future__ import annotations

import asyncio
import errno
import struct
from functools import partial
from typing import Final

import structlog

from sim_hardware.usb_descriptors import IN, Descriptors
from sim_hardware.usb_device import Setup, Status, Transfer, UsbDevice

VERSION: Final = 0x0111
_ASK_LIST, _ASK_IMPORT, _TELL_LIST, _TELL_IMPORT = 0x8005, 0x8003, 0x0005, 0x0003
_SUBMIT, _UNLINK, _SUBMITTED, _UNLINKED = 1, 2, 3, 4
_ERROR: Final = 1
_HEADER_BYTES: Final = 48
_BUS_ID_BYTES: Final = 32
# Linux splits bulk transfers at 16 kB (usbfs), so a kernel never sends more.
TRANSFER_BYTES_MAX: Final = 1 << 20

log = structlog.get_logger("usbip")


class UsbipError(Exception):
    """The client does not speak USB/IP. Only its connection ends."""


def bus_id(number: int) -> str:
    """Return how Linux names the device on port `number` of bus 1."""
    return f"1-{number}"


def _exported(device: Descriptors, number: int) -> bytes:
    """Return the `struct usbip_usb_device`."""
    name = bus_id(number)
    triple = device.triple
    return struct.pack(
        ">256s32sIIIHHHBBBBBB", f"/emulated/{name}".encode(), name.encode(), 1, number, device.speed,
        device.vendor, device.product, device.release_bcd, triple.class_, triple.subclass, triple.protocol,
        Descriptors.CONFIGURATION, 1, len(device.interfaces),
    )  # fmt: skip


def _listed(device: Descriptors, number: int) -> bytes:
    triples = (interface.triple for interface in device.interfaces)
    interfaces = (struct.pack("4B", each.class_, each.subclass, each.protocol, 0) for each in triples)
    return _exported(device, number) + b"".join(interfaces)


class UsbipServer:
    """Where emulated devices are plugged in for kernels elsewhere."""

    def __init__(self, port: int = 0, host: str = "127.0.0.1") -> None:
        self._host: Final = host
        self.port = port
        self._server: asyncio.Server | None = None
        self._devices: Final[dict[str, tuple[int, UsbDevice]]] = {}
        self._cables: Final[dict[str, _Cable]] = {}
        self._clients: Final[dict[asyncio.Task[None], asyncio.StreamWriter]] = {}

    @property
    def how_to_attach(self) -> str:
        """Return the commands, for root where the kernel is. Debian's package is called usbip."""
        attach = f"usbip --tcp-port {self.port} attach --remote {self._host} --busid {bus_id(1)}"
        return f"modprobe vhci-hcd && {attach}"

    async def open(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Pull every plug and stop listening."""
        if self._server is not None:
            self._server.close()
        for name in tuple(self._devices):
            self._pull(name)
        for writer in self._clients.values():
            writer.transport.abort()
        await asyncio.gather(*self._clients, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None

    def plug(self, device: UsbDevice) -> str:
        """Offer a device on the first free port, and return its bus id. A client's kernel has to import it."""
        number = next(n for n in range(1, 256) if bus_id(n) not in self._devices)
        self._devices[bus_id(number)] = number, device
        return bus_id(number)

    def unplug(self, device: UsbDevice) -> None:
        """Take it from the client that has it, and no longer offer it."""
        for name, (_, plugged) in tuple(self._devices.items()):
            if plugged is device:
                self._pull(name)

    def _pull(self, name: str) -> None:
        del self._devices[name]
        if name in self._cables:
            self._cables[name].pull()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients[task] = writer
        try:
            await self._serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the other end is gone, which is how a cable is pulled there
        except UsbipError as error:
            log.warning("usbip-client-dropped", reason=str(error))
        finally:
            del self._clients[task]
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            version, code, _ = struct.unpack(">HHI", await reader.readexactly(8))
            if version != VERSION:
                raise UsbipError(f"version {version:#06x} of USB/IP is not ours: {VERSION:#06x}")
            if code == _ASK_LIST:
                listed = b"".join(_listed(device.descriptors, number) for number, device in self._devices.values())
                writer.write(struct.pack(">HHII", VERSION, _TELL_LIST, 0, len(self._devices)) + listed)
            elif code == _ASK_IMPORT:
                await self._import(reader, writer)
            else:
                raise UsbipError(f"operation {code:#06x} is neither a list nor an import")

    async def _import(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = (await reader.readexactly(_BUS_ID_BYTES)).rstrip(b"\0").decode("ascii", "replace")
        if name not in self._devices or name in self._cables:
            writer.write(struct.pack(">HHI", VERSION, _TELL_IMPORT, _ERROR))
            return
        number, device = self._devices[name]
        writer.write(struct.pack(">HHI", VERSION, _TELL_IMPORT, 0) + _exported(device.descriptors, number))
        self._cables[name] = cable = _Cable(device, reader, writer)
        log.info("usbip-attached", bus_id=name)
        try:
            await cable.run()
        finally:
            del self._cables[name]
            device.reset()
            log.info("usbip-detached", bus_id=name)


class _Cable:
    """One imported device's connection."""

    def __init__(self, device: UsbDevice, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._device: Final = device
        self._reader: Final = reader
        self._writer: Final = writer
        self._under_way: Final[dict[int, Transfer]] = {}

    def pull(self) -> None:
        """Unplug. The client's kernel sees its port go dead."""
        self._device.reset()
        self._writer.transport.abort()

    async def run(self) -> None:
        """Carry transfers until the plug is pulled at either end."""
        self._device.reset()
        while True:
            header = await self._reader.readexactly(_HEADER_BYTES)
            command, sequence, _, is_in, endpoint = struct.unpack_from(">5I", header)
            if command == _SUBMIT:
                await self._submitted(header, sequence, endpoint | IN if is_in else endpoint)
            elif command == _UNLINK:
                self._unlink(sequence, *struct.unpack_from(">I", header, 20))
            else:
                raise UsbipError(f"command {command} is neither a submission nor an unlinking")
            await self._writer.drain()

    async def _submitted(self, header: bytes, sequence: int, endpoint: int) -> None:
        length: int = struct.unpack_from(">i", header, 24)[0]
        if not 0 <= length <= TRANSFER_BYTES_MAX:
            raise UsbipError(f"a transfer of {length} bytes: at most {TRANSFER_BYTES_MAX} are taken")
        data = b"" if endpoint & IN else await self._reader.readexactly(length)
        if endpoint & ~IN == 0:
            answer = self._device.control(Setup.decode(header[40:48]), data)
            self._answer(sequence, endpoint, len(data), Status.STALLED if answer is None else Status.OK, answer or b"")
            return
        done = partial(self._done, sequence, endpoint, len(data))
        self._under_way[sequence] = transfer = Transfer(endpoint, done, data, length)
        self._device.submit(transfer)

    def _done(self, sequence: int, endpoint: int, written: int, status: Status, data: bytes) -> None:
        del self._under_way[sequence]
        self._answer(sequence, endpoint, written, status, data)

    def _answer(self, sequence: int, endpoint: int, written: int, status: Status, data: bytes) -> None:
        code = 0 if status is Status.OK else -errno.EPIPE
        length = len(data) if endpoint & IN else written if status is Status.OK else 0
        self._writer.write(struct.pack(">5I5i8x", _SUBMITTED, sequence, 0, 0, 0, code, length, 0, 0, 0) + data)

    def _unlink(self, sequence: int, victim: int) -> None:
        """Say whether it was still here: the client's kernel then knows if it is taken back, or answered already."""
        transfer = self._under_way.get(victim)
        taken_back = transfer is not None and self._device.cancel(transfer)
        if taken_back:
            del self._under_way[victim]
        code = -errno.ECONNRESET if taken_back else 0
        self._writer.write(struct.pack(">5Ii24x", _UNLINKED, sequence, 0, 0, 0, code))
