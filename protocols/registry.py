"""Every protocol that we speak, by the name that profiles and commands use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from protocols.codec import Codec, Role
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.host import HostConnection
from protocols.felt_link.memory import DeviceMemory, HostMemory
from protocols.felt_link.messages import Identity

MakeCodec: TypeAlias = Callable[[Role, int], Codec[object]]

_NOBODY: Final = Identity("nameless", "0", "0", ())


def _felt_link(role: Role, now_ns: int) -> Codec[object]:
    if role is Role.HOST:
        return HostConnection(HostMemory(), now_ns)
    return DeviceConnection(_NOBODY, DeviceMemory("0"), now_ns)


PROTOCOLS: Final[Mapping[str, MakeCodec]] = {"felt-link": _felt_link}
"""Makes one end of a connection that has no past; whoever has one builds it from the protocol's own classes."""
