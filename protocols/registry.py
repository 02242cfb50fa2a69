"""Every protocol that we speak, by the name that profiles and commands use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from protocols import angel_eye, bee_tek, felt_link
from protocols.angel_eye.device import DeviceConnection as AngelEyeShoe
from protocols.angel_eye.host import HostConnection as AngelEyeHost
from protocols.angel_eye.listening import listener as angel_eye_listener
from protocols.angel_eye.options import AngelEyeOptions
from protocols.bee_tek.connection import DeviceConnection as BeeTekShoe
from protocols.bee_tek.connection import HostConnection as BeeTekHost
from protocols.bee_tek.listening import listener as bee_tek_listener
from protocols.codec import Codec, Role
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.host import HostConnection
from protocols.felt_link.listening import listener as felt_link_listener
from protocols.felt_link.memory import DeviceMemory, HostMemory
from protocols.felt_link.messages import Identity
from protocols.listening import Listening

MakeCodec: TypeAlias = Callable[[Role, int], Codec[object]]

_NOBODY: Final = Identity("nameless", "0", "0", ())


def _felt_link(role: Role, now_ns: int) -> Codec[object]:
    if role is Role.HOST:
        return HostConnection(HostMemory(), now_ns)
    return DeviceConnection(_NOBODY, DeviceMemory("0"), now_ns)


def _angel_eye(role: Role, now_ns: int) -> Codec[object]:
    options = AngelEyeOptions()
    return AngelEyeHost(options, now_ns) if role is Role.HOST else AngelEyeShoe(options, now_ns)


def _bee_tek(role: Role, now_ns: int) -> Codec[object]:
    return BeeTekHost(now_ns) if role is Role.HOST else BeeTekShoe(now_ns)


PROTOCOLS: Final[Mapping[str, MakeCodec]] = {
    felt_link.NAME: _felt_link,
    angel_eye.NAME: _angel_eye,
    bee_tek.NAME: _bee_tek,
}
"""Makes one end of a connection that has no past; whoever has one builds it from the protocol's own classes."""

LISTENERS: Final[Mapping[str, Callable[[], Listening]]] = {
    felt_link.NAME: felt_link_listener,
    angel_eye.NAME: angel_eye_listener,
    bee_tek.NAME: bee_tek_listener,
}
"""Makes what reads along without taking part."""
