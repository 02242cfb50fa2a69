"""What only one kind of device can know is taken from no other: a hello can promise several kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from drivers import events as e
from drivers.profiles import PROFILES
from protocols.felt_link.messages import Capability
from sim_hardware import shoe_rig, shuffler_rig
from sim_hardware.pace import Pace
from sim_hardware.rig import numbered_boots
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.drivers.emulated import IN_VIRTUAL_TIME, SERIAL, Listener, Meeting, driven, meet, settings_for, started

VIRTUAL = next(iter(IN_VIRTUAL_TIME))
BOTH = (Capability.SHUFFLER, Capability.SHOE, Capability.FACES, Capability.COUNTS, Capability.BUTTONS)
CARDS_MOVED = (
    *(e.PacketDispensed, e.PacketRemoved, e.RemainderEjected),
    *(e.CardDrawn, e.CardReturned, e.CutCardDrawn),
)


def refused(heard: Listener, code: str) -> Sequence[e.DeviceEvent]:
    return [one for one in heard.of(e.Anomaly) if isinstance(one, e.Anomaly) and one.code == code]


def test_packets_of_a_machine_that_is_a_shoe_by_the_house_s_file_move_no_game(tmp_path: Path) -> None:
    async def story(meeting: Meeting) -> None:
        who = replace(shuffler_rig.identity(ShufflerSettings(), serial=SERIAL), capabilities=BOTH)
        settings = ShufflerSettings(observed=True, program=(2, 2), pace=Pace(0))
        rig = ShufflerRig(settings, meeting.port, who=who, boots=numbered_boots("boot"), auto_dealer=True)
        profile = PROFILES["felt-link-shoe"]
        async with started(rig), driven(settings_for(rig, profile, None, meeting), meeting.opening) as heard:
            await heard.until(lambda: heard.count(e.ShuffleFinished) == 1)
            rig.press("green")
            await heard.until(lambda: len(refused(heard, "not-a-shuffler")) == 4)  # two packets, out and taken
            assert heard.of(*CARDS_MOVED) == []

    meet(VIRTUAL, tmp_path, story)


def test_cards_of_a_machine_that_is_a_shuffler_by_the_house_s_file_move_no_game(tmp_path: Path) -> None:
    async def story(meeting: Meeting) -> None:
        who = replace(shoe_rig.identity(serial=SERIAL), capabilities=BOTH)
        kind = SHOE_KINDS["felt-link"]
        rig = ShoeRig(ShoeSettings(pace=Pace(0)), meeting.port, kind, who=who, boots=numbered_boots("boot"))
        profile = PROFILES["felt-link-shuffler-observed-faces"]
        async with started(rig), driven(settings_for(rig, profile, None, meeting), meeting.opening) as heard:
            await heard.until(lambda: heard.count(e.LinkUp) == 1)
            rig.draw()
            await heard.until(lambda: len(refused(heard, "not-a-shoe")) == 1)
            assert heard.of(*CARDS_MOVED) == []

    meet(VIRTUAL, tmp_path, story)
