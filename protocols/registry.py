"""Every protocol that feltd speaks, one row each, by the name that profiles and commands use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from protocols import angel_eye, bee_tek, felt_link, modbus_tcp
from protocols.angel_eye import blinding as angel_eye_blinding
from protocols.angel_eye.device import DeviceConnection as AngelEyeShoe
from protocols.angel_eye.host import HostConnection as AngelEyeHost
from protocols.angel_eye.listening import listener as angel_eye_listener
from protocols.angel_eye.options import AngelEyeOptions
from protocols.bee_tek import blinding as bee_tek_blinding
from protocols.bee_tek.connection import DeviceConnection as BeeTekShoe
from protocols.bee_tek.connection import HostConnection as BeeTekHost
from protocols.bee_tek.connection import listener as bee_tek_listener
from protocols.blinding import BlindFrame
from protocols.codec import Codec, Role
from protocols.felt_link import blinding as felt_link_blinding
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.host import HostConnection
from protocols.felt_link.listening import listener as felt_link_listener
from protocols.felt_link.memory import DeviceMemory, HostMemory
from protocols.felt_link.messages import Identity
from protocols.frozen import dataclass
from protocols.listening import Listening
from protocols.modbus_tcp.connection import DeviceConnection as ContactBox
from protocols.modbus_tcp.connection import HostConnection as ContactHost
from protocols.modbus_tcp.connection import listener as modbus_tcp_listener

_NAMELESS: Final = Identity("nameless", "0", "0", ())


@dataclass(frozen=True, slots=True)
class WireProtocol:
    """One protocol. `host` and `device` make an end of a connection without a memory, given the time.

    A driver with a memory makes its end from the protocol's own classes. `listener` reads along without taking part.
    `to_read` explains to the reader of a recording what is particular to this protocol, line by line. Without
    `blind_frame` a recording of it cannot be given away.
    """

    name: str
    host: Callable[[int], Codec[object]]
    device: Callable[[int], Codec[object]]
    listener: Callable[[], Listening]
    to_read: tuple[str, ...]
    blind_frame: BlindFrame | None = None

    def end(self, role: Role, now_ns: int) -> Codec[object]:
        """Make the end of a connection that has this role."""
        return self.host(now_ns) if role is Role.HOST else self.device(now_ns)


PROTOCOLS: Final[Mapping[str, WireProtocol]] = {
    row.name: row
    for row in (
        WireProtocol(
            felt_link.NAME,
            host=lambda now_ns: HostConnection(HostMemory(), now_ns),
            device=lambda now_ns: DeviceConnection(_NAMELESS, DeviceMemory("0"), now_ns),
            listener=felt_link_listener,
            to_read=("seq 0 or none: not numbered; resent=yes: sent before",),
            blind_frame=felt_link_blinding.blind_frame,
        ),
        WireProtocol(
            angel_eye.NAME,
            host=lambda now_ns: AngelEyeHost(AngelEyeOptions(), now_ns),
            device=lambda now_ns: AngelEyeShoe(AngelEyeOptions(), now_ns),
            listener=angel_eye_listener,
            to_read=(
                "each report comes three times under one seq, copy=1 to 3.",
                "card-drawn-outside: the shoe had no game running, and why.",
                "card-again: its meaning is disputed, and the profile chooses.",
                "target, winner: of the shoe's own baccarat, in every game.",
                "A number instead of a name: its meaning is unknown.",
            ),
            blind_frame=angel_eye_blinding.blind_frame,
        ),
        WireProtocol(
            bee_tek.NAME,
            host=BeeTekHost,
            device=BeeTekShoe,
            listener=bee_tek_listener,
            to_read=(
                "the line has no check: a record that fits can still be wrong.",
                "unknown-text: its meaning is not known.",
            ),
            blind_frame=bee_tek_blinding.blind_frame,
        ),
        WireProtocol(
            modbus_tcp.NAME,
            host=ContactHost,
            device=ContactBox,
            listener=modbus_tcp_listener,
            to_read=("closed: the inputs from the one that was asked for first; the last byte is filled up.",),
            blind_frame=lambda data, _: data,  # a contact names no card and no device
        ),
    )
}
