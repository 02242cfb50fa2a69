"""The drivers of shoes against the emulated ones, on a real tty and behind a device server: every card in order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers import events as e
from drivers.profile import Capability
from drivers.profiles import PROFILES
from protocols.cards import Misread
from sim_hardware.deck import shuffled
from sim_hardware.faults import Always, FaultName, OnPacket
from sim_hardware.ports import Port, PtyPort, TcpPort
from sim_hardware.shoe import ShoeSettings, house_decks
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shoe_rig import ShoeRig
from tests.drivers.emulated import Listener, driven, nothing_left, settings_for, started
from tests.sim_hardware.free_port import free_port

SEED = 7
CARDS = 30
ORDER = [piece.face for piece in shuffled(house_decks(2).pieces, SEED, 1)]
SETTINGS = ShoeSettings(seed=SEED, decks=2, referees=False)
every_shoe = pytest.mark.parametrize("kind", SHOE_KINDS.values(), ids=SHOE_KINDS)
every_port = pytest.mark.parametrize(
    "make", [lambda path: PtyPort(path / "tty"), lambda _: TcpPort(free_port())], ids=["pty", "tcp"]
)


@asynccontextmanager
async def shoe_and_driver(kind: ShoeKind, port: Port) -> AsyncIterator[tuple[ShoeRig, Listener]]:
    rig = ShoeRig(SETTINGS, port, kind)
    with nothing_left():
        async with started(rig), driven(settings_for(rig, PROFILES[kind.profile])) as heard:
            await heard.until(lambda: heard.count(e.LinkUp) == 1)
            yield rig, heard


@every_port
@every_shoe
async def test_every_card_comes_once_and_in_order(kind: ShoeKind, make: Callable[[Path], Port], tmp_path: Path) -> None:
    async with shoe_and_driver(kind, make(tmp_path)) as (rig, heard):
        for _ in range(CARDS):
            assert rig.draw() is None
        await heard.until(lambda: len(heard.faces) >= CARDS)
        assert heard.faces == ORDER[:CARDS]
        assert not heard.count(e.EventsLost)


@every_shoe
async def test_a_shoe_that_was_unplugged_is_up_again_and_only_felt_link_has_kept_its_cards(
    kind: ShoeKind, tmp_path: Path
) -> None:
    async with shoe_and_driver(kind, PtyPort(tmp_path / "tty")) as (rig, heard):
        rig.draw()
        await heard.until(lambda: len(heard.faces) == 1)
        rig.unplug()
        rig.draw()
        await heard.until(lambda: heard.count(e.LinkLost) == 1)
        rig.replug()
        await heard.until(lambda: heard.count(e.LinkUp) == 2)
        rig.draw()
        is_kept = PROFILES[kind.profile].can(Capability.KEEPS_EVENTS)
        expected = ORDER[:3] if is_kept else [ORDER[0], ORDER[2]]
        await heard.until(lambda: len(heard.faces) == len(expected))
        assert heard.faces == expected
        assert [event.resumed for event in heard.events if isinstance(event, e.LinkUp)] == [False, is_kept]


@pytest.mark.parametrize("name", [FaultName.CORRUPTED_FRAMES, FaultName.DROPPED_FRAMES])
async def test_three_copies_carry_an_angel_eye_over_a_bad_line_or_its_loss_is_not_silent(name: FaultName) -> None:
    async with shoe_and_driver(SHOE_KINDS["angel-eye-iiex"], TcpPort(free_port())) as (rig, heard):
        rig.arm(name, Always(25))
        for _ in range(CARDS):
            rig.draw()
        rig.disarm(name)
        rig.draw()
        await heard.until(lambda: bool(heard.faces) and heard.faces[-1] == ORDER[CARDS])
        assert rig.emulator.cable.struck > CARDS // 2
        was = iter(ORDER)
        assert all(face in was for face in heard.faces), "in order, none invented"
        assert name is FaultName.DROPPED_FRAMES or len(heard.faces) == CARDS + 1 or heard.count(e.EventsLost)


@every_shoe
async def test_a_card_that_cannot_be_read_is_never_named(kind: ShoeKind) -> None:
    async with shoe_and_driver(kind, TcpPort(free_port())) as (rig, heard):
        rig.arm(FaultName.UNREADABLE_CARD, OnPacket(2))
        for _ in range(3):
            rig.draw()
        await heard.until(lambda: len(heard.faces) == 3)
        assert heard.faces == [ORDER[0], Misread.UNREADABLE, ORDER[2]]
