"""An emulated shoe on a memory line, and somebody who listens to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from protocols.angel_eye import messages as a
from protocols.cards import Card
from protocols.listening import Heard, Saying
from protocols.registry import PROTOCOLS
from sim_hardware.deck import Deck, parse_script
from sim_hardware.ports import MemoryPort
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shoe_rig import ShoeRig

ANGEL_EYE, BEE_TEK, FELT_LINK = SHOE_KINDS["angel-eye-iiex"], SHOE_KINDS["bee-tek"], SHOE_KINDS["felt-link"]
STACKED = parse_script("8s Ah Kd 2c 3h Td Jc Qs ...")
CANNOT_READ = a.ErrorRaised(a.ErrorCode.CANNOT_READ, is_in_error_mode=True)
LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"


class Ear:
    """A listener on a talking shoe's line."""

    def __init__(self, rig: ShoeRig, port: MemoryPort) -> None:
        self.rig = rig
        self.port = port
        self.data = bytearray()
        port.far.on_data = self.data.extend

    async def heard(self) -> list[Heard]:
        """All that was said since this was last asked."""
        await asyncio.sleep(0.001)
        listener = PROTOCOLS[self.rig.kind.protocol].listener()
        listener.feed(bytes(self.data))
        self.data.clear()
        found = list(iter(listener.next, None))
        assert listener.end() is None
        return found

    async def said(self) -> list[object]:
        """The messages; of an Angel Eye's three copies one."""
        found = await self.heard()
        sayings = [heard.saying for heard in found if isinstance(heard.saying, Saying)]
        assert len(sayings) == len(found)
        if self.rig.kind is not ANGEL_EYE:
            return [saying.said for saying in sayings]
        assert [dict(saying.marks).get("copy") for saying in sayings] == [1, 2, 3] * (len(sayings) // 3)
        return [saying.said for saying in sayings[::3]]


@asynccontextmanager
async def shoe(
    kind: ShoeKind = ANGEL_EYE,
    settings: ShoeSettings | None = None,
    scripts: Sequence[Deck] = STACKED,
    auto_dealer: bool = False,
) -> AsyncIterator[tuple[ShoeRig, Ear]]:
    """A shoe that is up and filled, and somebody who has heard so."""
    port = MemoryPort()
    rig = ShoeRig(settings or ShoeSettings(seed=7), port, kind, scripts=scripts, auto_dealer=auto_dealer)
    ear = Ear(rig, port)
    await rig.start()
    try:
        yield rig, ear
    finally:
        await rig.stop()


def drawn(card: str, target: a.Target, index: int) -> a.WireCardDrawn:
    return a.WireCardDrawn(a.Place(target, index), Card.parse(card))
