"""A rig and a host on one memory line, in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import wraps
from typing import ParamSpec

from protocols.felt_link import messages as m
from sim_hardware.deck import Deck
from sim_hardware.loop import run
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.sim_hardware.host import Host

P = ParamSpec("P")


def in_virtual_time(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Run a coroutine test in the virtual loop, its callbacks in a seeded order."""

    @wraps(test)
    def runs(*args: P.args, **kwargs: P.kwargs) -> None:
        run(test(*args, **kwargs), seed=1)

    return runs


@asynccontextmanager
async def bench(
    settings: ShufflerSettings | None = None,
    *,
    speed: float = 1,
    scripts: Sequence[Deck] = (),
    auto_dealer: bool = False,
    loaded: bool = True,
) -> AsyncIterator[tuple[ShufflerRig, Host]]:
    """A shuffler that is linked to its host."""
    port = MemoryPort()
    host = Host(port.far)
    settings = settings or ShufflerSettings(seed=7, pace=Pace(speed=speed))
    rig = ShufflerRig(settings, port, scripts=scripts, boots=numbered_boots("boot"), auto_dealer=auto_dealer)
    await rig.start(loaded=loaded)
    try:
        await host.until(lambda: bool(host.boots))
        yield rig, host
    finally:
        await rig.stop()
        host.close()


async def shuffled(host: Host) -> None:
    """Wait for the first deck to be ready."""
    await host.until(lambda: bool(host.of(m.ShuffleFinished)))


async def deal(host: Host, position: int) -> m.PacketDispensed:
    """Order one packet and wait for it."""
    dispensed: Awaitable[m.PacketDispensed] = host.next(m.PacketDispensed)
    assert await host.order(m.Dispense(position)) is None
    return await dispensed
