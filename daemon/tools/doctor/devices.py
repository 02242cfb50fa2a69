"""Configured devices: whether they can be opened, and what they send. Nothing is ever written to them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from daemon.clock import stamp
from daemon.tools.doctor.findings import Finding, fine, problem, warning
from drivers.addresses import SerialAddress
from drivers.errors import LinkError, SetupCode, SetupError, SetupProblem
from drivers.felt_link import problem_of
from drivers.link_driver import unknowable
from drivers.profile import NEVER_NS, DeviceSettings
from drivers.transports import open_transport
from drivers.transports.base import Transport
from drivers.transports.holders import Holder, holders
from protocols import felt_link
from protocols.codec import Garbage
from protocols.felt_link.messages import Hello
from protocols.listening import Heard
from protocols.registry import PROTOCOLS

LISTEN_S: Final = 2.5
"""A felt-link device that no host has welcomed says hello every second."""


def check_ports_differ(devices: Iterable[DeviceSettings]) -> Iterator[Finding]:
    """Report serial ports that two devices of the table have under different names."""
    first_at: dict[Path, DeviceSettings] = {}
    for settings in devices:
        if isinstance(settings.address, SerialAddress) and Path(settings.address.path).exists():
            port = Path(settings.address.path).resolve()
            first = first_at.setdefault(port, settings)
            if first is not settings:
                said = f"has the port of {first.name}: {first.address} and {settings.address} are both {port}."
                yield problem("device", settings.name, said, "Give each device the address of its own port.")


async def check_device(settings: DeviceSettings, listen_s: float = LISTEN_S, daemon: Holder | None = None) -> Finding:
    """Open a device and listen, unless that could take it from the table's running daemon.

    A tty refuses the second program. A device server often gives its port to the newest connection and drops the one
    before: the table would lose its device in the middle of a round.
    """
    if daemon is not None and not isinstance(settings.address, SerialAddress):
        said = f"is left to the running daemon, {daemon}; see its message device/{settings.name}."
        return fine("device", settings.name, said)
    refused = None if settings.profile.protocol == felt_link.NAME else unknowable(settings)
    if refused is not None:
        return problem("device", settings.name, refused.problem, refused.remedy)
    try:
        transport = await open_transport(settings, stamp)
    except SetupError as error:
        return _not_opened(settings, error.problem)
    except LinkError as error:
        return problem("device", settings.name, f"{error}.", "Check its power and cable, and the address.")
    try:
        if settings.profile.is_asked:
            return fine(
                "device", settings.name, "its port opens. It says nothing before it is asked, and doctor does not."
            )
        return _judged(settings, await _listen(settings, transport, listen_s))
    except LinkError as error:
        return problem("device", settings.name, f"was opened and then lost: {error}.", "Check its power and cable.")
    finally:
        await transport.close()


def _not_opened(settings: DeviceSettings, wrong: SetupProblem) -> Finding:
    if wrong.code is SetupCode.PORT_BUSY and isinstance(settings.address, SerialAddress):
        held_by = holders(Path(settings.address.path).resolve())
        if any(holder.program.startswith("feltd") for holder in held_by):
            return fine("device", settings.name, f"is in use by {held_by[0]}; not disturbed.")
        if held_by:
            stop = f"Stop {', '.join(map(str, held_by))}."
            return problem("device", settings.name, f"{wrong.problem} It is {held_by[0]}.", stop)
    return problem("device", settings.name, wrong.problem, wrong.remedy)


async def hello_of(settings: DeviceSettings, listen_s: float = LISTEN_S) -> Hello | None:
    """Open a device, and return its felt-link hello if one comes. Raise SetupError or LinkError."""
    transport = await open_transport(settings, stamp)
    try:
        return _first_hello(await _listen(settings, transport, listen_s))
    finally:
        await transport.close()


async def _listen(settings: DeviceSettings, transport: Transport, listen_s: float) -> list[Heard]:
    listener, heard = PROTOCOLS[settings.profile.protocol].listener(), list[Heard]()
    try:
        async with asyncio.timeout(listen_s):
            while _first_hello(heard) is None:
                listener.feed((await transport.read()).data)
                heard += iter(listener.next, None)
    except TimeoutError:
        pass
    return heard


def _judged(settings: DeviceSettings, heard: list[Heard]) -> Finding:
    hello = _first_hello(heard)
    if hello is not None:
        refused = problem_of(hello, settings)  # as the daemon would judge it
        if refused is not None:
            return problem("device", settings.name, refused.problem, refused.remedy)
        who = hello.identity
        said = f"{who.model}, serial number {who.serial}, firmware {who.firmware} answers."
        return fine("device", settings.name, said)
    sound = sum(not isinstance(one.saying, Garbage) for one in heard)
    if sound:
        return fine("device", settings.name, f"sends {settings.profile.protocol}: {sound} valid frames.")
    if heard:
        remedy = "Check the profile: its protocol or its speed may be wrong."
        said = f"sends bytes that are not {settings.profile.protocol}."
        return problem("device", settings.name, said, remedy)
    if settings.profile.freshness.stale_ns == NEVER_NS:
        return fine(
            "device", settings.name, "its port opens. This device sends only when a card is drawn, so draw one."
        )
    said = f"its port opens, but the device sent nothing in {LISTEN_S:g} s."
    return warning("device", settings.name, said, "Check the device's power, the cable, and the profile's speed.")


def _first_hello(heard: list[Heard]) -> Hello | None:
    messages = (one.saying.said for one in heard if not isinstance(one.saying, Garbage))
    return next((said for said in messages if isinstance(said, Hello)), None)
