"""The emulated shoe's named faults: each is seen, and no card is lost or made by any of them."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from protocols.angel_eye import messages as a
from protocols.bee_tek import messages as b
from protocols.cards import Card, Misread
from sim_hardware.deck import shuffled
from sim_hardware.faults import SHOE_FAULTS, Always, FaultName, NextTime, OnPacket
from sim_hardware.pace import Pace
from sim_hardware.shoe import Shoe, ShoeSettings, house_decks
from tests.sim_hardware.bench import in_virtual_time
from tests.sim_hardware.shoe_bench import ANGEL_EYE, BEE_TEK, CANNOT_READ, drawn, shoe


@in_virtual_time
async def test_a_worn_card_is_reported_and_not_named() -> None:
    for protocol, said in (
        (ANGEL_EYE, a.WireCardDrawn(a.Place(a.Target.BANKER, 1), Misread.UNREADABLE)),
        (BEE_TEK, b.CardPassed(b.Operation.MANUAL_BURN_CARDS, Misread.UNREADABLE)),
    ):
        async with shoe(protocol) as (rig, ear):
            rig.arm(FaultName.UNREADABLE_CARD, OnPacket(2))
            rig.draw()
            await ear.said()
            rig.draw()
            assert await ear.said() == [said]


@in_virtual_time
async def test_a_card_that_passes_unread_is_only_an_error() -> None:
    alarm = b.Alarm(b.Operation.GAME_ALARM, "E3", "E3 Card Not Read")
    for protocol, said in ((ANGEL_EYE, CANNOT_READ), (BEE_TEK, alarm)):
        async with shoe(protocol) as (rig, ear):
            await ear.said()
            rig.arm(FaultName.READ_ERROR, NextTime())
            rig.draw()
            assert await ear.said() == [said]
            assert len(rig.shoe.drawn) == 1


@in_virtual_time
async def test_an_extra_card_slips_out() -> None:
    async with shoe() as (rig, ear):
        await ear.said()
        rig.arm(FaultName.EXTRA_CARD, NextTime())
        rig.draw()
        assert await ear.said() == [drawn("8s", a.Target.PLAYER, 1), drawn("Ah", a.Target.BANKER, 1)]


@pytest.mark.parametrize(
    ("name", "missing", "unnamed"),
    [
        (FaultName.MISSING_CARD, 1, 0),
        (FaultName.DUPLICATE_CARD, 0, 0),
        (FaultName.FOREIGN_CARD, 0, 1),
        (FaultName.BOXED_CARD, 0, 1),
    ],
)
def test_what_is_wrong_with_the_decks_is_seen(name: FaultName, missing: int, unnamed: int) -> None:
    @in_virtual_time
    async def scenario() -> None:
        async with shoe(settings=ShoeSettings(seed=7, decks=2, referees=False), scripts=()) as (rig, ear):
            rig.arm(name, NextTime())
            rig.load()
            while rig.draw() is None:
                pass
            faces = [said.face for said in await ear.said() if isinstance(said, a.WireCardDrawn)]
            named = Counter(face for face in faces if isinstance(face, Card))
            assert len(faces) == 104 - missing
            assert len(faces) - named.total() == unnamed
            assert named != Counter(dict.fromkeys(named, 2))

    scenario()


@in_virtual_time
async def test_the_order_of_a_shoe_follows_from_the_seed_alone() -> None:
    async with shoe(settings=ShoeSettings(seed=7, decks=8, referees=False), scripts=()) as (rig, ear):
        while rig.draw() is None:
            pass
        faces = [said.face for said in await ear.said() if isinstance(said, a.WireCardDrawn)]
        assert faces == [piece.face for piece in shuffled(house_decks(8).pieces, 7, 1)]
        assert Counter(faces) == Counter(dict.fromkeys(faces, 8))
        assert len(faces) == 416


@pytest.mark.parametrize("name", SHOE_FAULTS)
def test_no_piece_is_lost_or_made_by_any_fault(name: FaultName) -> None:
    @in_virtual_time
    async def scenario() -> None:
        settings = ShoeSettings(seed=7, decks=1, behind_cut=10, burn_cards=3, pace=Pace(speed=100))
        async with shoe(settings=settings, scripts=(), auto_dealer=True) as (rig, _):
            rig.arm(name, Always())
            seen: set[int] = set()
            for _ in range(300):
                await asyncio.sleep(0.02)
                pieces = pieces_of(rig.shoe)
                assert len(pieces) == len(set(pieces)) == (51 if is_short(rig.shoe, name) else 52)
                seen.add(rig.shoe.loads)
            assert len(seen) > 1 or name is FaultName.PUT_BACK  # the same card each time

    scenario()


def pieces_of(mechanism: Shoe) -> list[int]:
    return [piece.number for piece in (*mechanism.inside, *mechanism.drawn)]


def is_short(mechanism: Shoe, name: FaultName) -> bool:
    """The shoe was filled once before the fault was switched on."""
    return name is FaultName.MISSING_CARD and mechanism.loads > 1
