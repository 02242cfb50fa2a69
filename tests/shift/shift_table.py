"""A table through a shift in virtual time: change of games, wear of the machine, crashes of the process, midnight."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from daemon.rules.wagers import GameName
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.games import GAMES
from sim_hardware.faults import FaultName
from sim_hardware.loop import NS_PER_S
from sim_hardware.shuffler_rig import ShufflerRig
from tests.shift import wear
from tests.support.virtual_table import House, Log, VirtualTable

SEATS: Final = 5
ZONE: Final = "America/Los_Angeles"
START: Final = datetime(2026, 10, 31, 23, 0, tzinfo=ZoneInfo(ZONE))
"""An hour before a midnight at which the limits change, and three before the clocks go back."""
LAST_TROUBLE_SEEN_TO_S: Final = 600.0
LIMITS: Final = """\
[[limits]]
first_day = 2020-01-01
authorised_most_cents = 30000

[[limits]]
first_day = 2026-11-01
authorised_most_cents = 40000
"""


@dataclass(frozen=True, slots=True)
class Spell:
    """One game for so long."""

    game: GameName
    hours: float


@dataclass
class ShiftLog(Log):
    """Everything that was heard in the shift, and what was done to it."""

    moments_s: list[float] = field(default_factory=list)
    troubles: list[tuple[float, str]] = field(default_factory=list)

    def hear(self, heard: EventHeard) -> None:
        super().hear(heard)
        self.moments_s.append(asyncio.get_running_loop().time())

    def unexplained(self) -> list[str]:
        """Return the alerts that none of the troubles before them can have raised."""
        pairs = zip(self.heard, self.moments_s, strict=True)
        alerts = ((heard.data["alert"], at_s) for heard, at_s in pairs if heard.kind == "alert-raised")
        return [f"{name} at {at_s:.0f} s" for name, at_s in alerts if not self._has_reason(name, at_s)]

    def _has_reason(self, alert: str, at_s: float) -> bool:
        if alert.startswith("verify-") or alert in self._voids():
            return True  # a large win is not trouble, and a void has its reason beside it
        recent = (what for since_s, what in self.troubles if since_s <= at_s <= since_s + wear.CAN_ALERT_S)
        return any(alert in wear.WEAR[what].alerts for what in recent)

    def _voids(self) -> set[str]:
        return {f"void-{heard.round_id}" for heard in self.of("round-voided")}


class ShiftTable(VirtualTable):
    """One table through a day. Each game is dealt by its usual device, and it is the shuffler that wears."""

    log: ShiftLog

    def __init__(self, directory: Path, seed: int, games: Sequence[GameName], *, speed: float = 1.0) -> None:
        deals = {game: GAMES[game].profiles[0] for game in games}
        house = House(deals, SEATS, speed, ZONE, LIMITS, round(START.timestamp()) * NS_PER_S)
        super().__init__(directory, seed, house, ShiftLog())

    async def work(self, spells: Sequence[Spell], *, wear_times: float) -> None:
        """Play the shift, spell by spell, under so many times the ordinary wear. What breaks is raised here."""
        async with self.open():
            wearing = asyncio.create_task(self._wear(wear_times)) if wear_times else None
            try:
                for spell in spells:
                    await self.change_over(spell.game)
                    await self.let_pass(spell.hours * 3600)
                if wearing is not None:
                    wearing.cancel()
                    self._end_all_wear()
                    await self.let_pass(LAST_TROUBLE_SEEN_TO_S)
                await self.close()
            finally:
                if wearing is not None:
                    wearing.cancel()

    def put_on_duty(self, game: GameName) -> None:
        if not isinstance(self.rigs[self.source_of(game)], ShufflerRig):
            self._heal()  # nothing may wait for a packet to strike, because none comes for long
        super().put_on_duty(game)

    def _shufflers(self) -> list[ShufflerRig]:
        return [rig for rig in self.rigs.values() if isinstance(rig, ShufflerRig)]

    def _heal(self) -> None:
        for rig in self._shufflers():
            for name in list(rig.faults.armed):
                rig.disarm(name)

    def _end_all_wear(self) -> None:
        self._heal()
        for rig in self._shufflers():
            rig.close_door()
            rig.replug()

    async def _wear(self, times: float) -> None:
        while True:
            after_s, what = wear.next_trouble(self.chance, times)
            await asyncio.sleep(after_s)
            rig = self.rig
            if not isinstance(rig, ShufflerRig) and isinstance(what, FaultName):
                continue  # a shuffler that deals nothing does not wear
            self.log.troubles.append((asyncio.get_running_loop().time(), str(what)))
            if what == wear.CRASH:
                self.crash()
                continue
            (shuffler,) = self._shufflers()
            wear.begin(shuffler, what)
            await asyncio.sleep(wear.WEAR[what].lasts_s)
            wear.end(shuffler, what)
