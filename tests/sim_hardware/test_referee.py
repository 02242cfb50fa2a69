"""The referee in a baccarat shoe: every third card by the rules, an overdraw and its answers on the line."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from protocols.angel_eye import messages as a
from protocols.angel_eye.frame import CommandFrame, encode
from protocols.angel_eye.options import BccForm
from protocols.angel_eye.wording import write_command
from protocols.cards import Card, Misread, parse_cards
from sim_hardware.baccarat import Referee, Result, Side
from sim_hardware.deck import parse_script
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import ShoeKind
from tests.sim_hardware.bench import in_virtual_time
from tests.sim_hardware.shoe_bench import ANGEL_EYE, BEE_TEK, FELT_LINK, Ear, drawn, shoe

WORTH = {0: "Td", 1: "Ad", **{points: f"{points}d" for points in range(2, 10)}}
DRAWS_ON_THIRD = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
"""The banker's third card as the table on every casino's wall has it: its points, and the player's third cards."""


def dealt(*cards: str) -> Referee:
    referee = Referee()
    for card in cards:
        assert referee.take_card(Card.parse(card)) is not None
    return referee


@pytest.mark.parametrize(("player", "banker"), list(itertools.product(range(10), repeat=2)))
def test_who_draws_a_third_card(player: int, banker: int) -> None:
    first_four = (WORTH[player], WORTH[banker], "Ks", "Qh")
    after_four = dealt(*first_four).next_side()
    if max(player, banker) >= 8:
        assert after_four is None
    elif player > 5:
        assert after_four is (Side.BANKER if banker < 6 else None)
    else:
        assert after_four is Side.PLAYER
        for third in range(10):
            draws = banker < 3 or str(third) in DRAWS_ON_THIRD.get(banker, "")
            assert dealt(*first_four, WORTH[third]).next_side() is (Side.BANKER if draws else None)


def test_cards_go_round_and_the_hand_is_forgotten() -> None:
    referee = Referee()
    told = [referee.take_card(card) for card in parse_cards("2s 3s 2h Ks 9c")]
    assert told == [(Side.PLAYER, 1), (Side.BANKER, 1), (Side.PLAYER, 2), (Side.BANKER, 2), (Side.PLAYER, 3)]
    assert referee.next_side() is Side.BANKER
    assert referee.take_card(Misread.UNREADABLE) == (Side.BANKER, 3)
    assert referee.take_card(Card.parse("2c")) is None
    assert referee.end_hand() == Result(None, frozenset({Side.PLAYER}))
    assert referee.take_card(Card.parse("2c")) == (Side.PLAYER, 1)
    assert referee.end_hand() is None


def test_a_card_that_goes_back_is_dealt_again() -> None:
    referee = dealt("2s", "3s")
    referee.put_back()
    assert referee.next_side() is Side.BANKER
    Referee().put_back()


NATURAL = "9s 2d Ks 3d 4c 5c 6c 7c ..."  # nine for the player: the fifth card is one too many
FOUR = [
    drawn("9s", a.Target.PLAYER, 1),
    drawn("2d", a.Target.BANKER, 1),
    drawn("Ks", a.Target.PLAYER, 2),
    drawn("3d", a.Target.BANKER, 2),
]
RAISED = a.ErrorRaised(a.ErrorCode.OVERDRAW, is_in_error_mode=True)
CANCELLED = a.ErrorCancelled(a.ErrorCode.OVERDRAW, is_in_error_mode=False)
WON = a.GameEnded(a.Winner.PLAYER, a.Pairs.NONE)


def outside(card: str) -> a.CardDrawnOutside:
    return a.CardDrawnOutside(a.OutsideReason.IN_ERROR, 0, Card.parse(card))


@in_virtual_time
async def test_the_fifth_card_after_a_natural_is_an_overdraw_until_somebody_answers_it() -> None:
    async with shoe(scripts=parse_script(NATURAL)) as (rig, ear):
        for _ in range(6):
            rig.draw()
        assert await ear.said() == [a.Started(), *FOUR, RAISED, outside("4c"), outside("5c")]
        assert rig.cancel_error() is None
        rig.end_deal()
        rig.draw()
        assert await ear.said() == [CANCELLED, WON, a.Standby(), drawn("6c", a.Target.PLAYER, 1)]


@pytest.mark.parametrize(
    ("answer", "follows"),
    [
        (a.ErrorAnswer.USE_CARD, [CANCELLED, WON, a.Standby(), drawn("5c", a.Target.BANKER, 1)]),
        (a.ErrorAnswer.DISCARD_CARD, [CANCELLED, RAISED, outside("5c")]),
        (a.ErrorAnswer.CLEAR, [outside("5c")]),  # refused: it is for the other errors
    ],
)
def test_an_overdraw_has_answers_of_its_own(answer: a.ErrorAnswer, follows: list[object]) -> None:
    @in_virtual_time
    async def scenario() -> None:
        async with shoe(scripts=parse_script(NATURAL)) as (rig, ear):
            for _ in range(5):
                rig.draw()
            await ear.said()
            assert (await answered(ear, answer)) is (answer is not a.ErrorAnswer.CLEAR)
            rig.draw()
            assert await ear.said() == follows

    scenario()


@pytest.mark.parametrize("answer", [a.ErrorAnswer.USE_CARD, a.ErrorAnswer.DISCARD_CARD])
def test_the_answers_to_an_overdraw_are_refused_for_any_other_error(answer: a.ErrorAnswer) -> None:
    @in_virtual_time
    async def scenario() -> None:
        async with shoe() as (rig, ear):
            rig.draw()
            rig.put_back()
            await ear.said()
            assert not await answered(ear, answer)
            assert await answered(ear, a.ErrorAnswer.CLEAR)

    scenario()


@in_virtual_time
async def test_a_shoe_without_a_referee_lets_every_card_pass() -> None:
    async with shoe(settings=ShoeSettings(seed=7, referees=False), scripts=parse_script(NATURAL)) as (rig, ear):
        for _ in range(6):
            rig.draw()
        rig.end_deal()
        *_, fifth, _, ended, _ = await ear.said()
        assert fifth == drawn("4c", a.Target.PLAYER, 3)
        assert ended == a.GameEnded(a.Winner.FORCED_END, a.Pairs.NONE)


@pytest.mark.parametrize(("kind", "has_one"), [(ANGEL_EYE, True), (BEE_TEK, False), (FELT_LINK, False)])
def test_only_a_kind_that_deals_baccarat_has_a_referee(kind: ShoeKind, has_one: bool) -> None:
    @in_virtual_time
    async def scenario() -> None:
        async with shoe(kind) as (rig, _):
            assert (rig.shoe.referee is not None) is has_one

    scenario()


@in_virtual_time
async def test_a_dealer_who_needs_no_telling_deals_whole_hands() -> None:
    async with shoe(scripts=(), auto_dealer=True) as (_, ear):
        await asyncio.sleep(200)
        said = await ear.said()
        ends = [one for one in said if isinstance(one, a.GameEnded)]
        assert len(ends) > 5
        assert a.Winner.FORCED_END not in {end.winner for end in ends}
        assert not any(isinstance(one, a.ErrorRaised) for one in said)


async def answered(ear: Ear, answer: a.ErrorAnswer) -> bool:
    """Whether the shoe takes this answer."""
    ear.port.far.write(encode(CommandFrame(write_command(a.AnswerError(answer)), True, BccForm.DIGITS)))
    await asyncio.sleep(0.001)
    is_taken = ear.data.endswith(b"\x06")
    del ear.data[-1 if is_taken else -2 :]
    return is_taken
