"""The same clauses under limits and options of the house, live: emulated machine on a tty, daemon, journal, Mosquitto.

The bench's people sit at the first seats; the last seat is the test's, who presses what is just not allowed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from daemon.config.command import check_config
from daemon.rules.money import Cents, dollars
from daemon.rules.wagers import GameName, WagerName
from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import GUEST, EventHeard
from daemon.tools.bench.world import configuration
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_words import stacked
from tests.line.at_the_bench import SEATS, Table, bench, settings
from tests.support.sentences import Says

SEAT = SEATS + 1
BLACKJACK = "angel-eye-iiex"


def _pausing(table: Table, *, when: Callable[[EventHeard], bool]) -> list[EventHeard]:
    """Have everybody pause at each of these events; the list has those that came."""
    came: list[EventHeard] = []

    def look(heard: EventHeard) -> None:
        if when(heard):
            came.append(heard)
            if not table.people.is_paused:
                table.people.pause_or_go_on()

    table.client.listen(look)
    return came


def _asks(sentence: str, seat: int | None = None) -> Callable[[EventHeard], bool]:
    def is_it(heard: EventHeard) -> bool:
        asked = heard.kind == "dealer-prompted" and sentence in heard.data["sentence"]
        return asked and seat in (None, heard.data["seat"])

    return is_it


def _go_on(table: Table) -> None:
    if table.people.is_paused:
        table.people.pause_or_go_on()


async def _bet(table: Table, round_id: str | None, wager: str, stake_cents: int) -> dict[str, Any]:
    return dict(await table.client.ask("bet", Actor.PLAYER, round_id, seat=SEAT, wager=wager, stake_cents=stake_cents))


async def _play(table: Table, round_id: str | None, stake_cents: int) -> dict[str, Any]:
    data = {"seat": SEAT, "decision": "play", "stake_cents": stake_cents}
    return dict(await table.client.ask("decide", Actor.PLAYER, round_id, **data))


@dataclass(frozen=True)
class AnteCase:
    """Limits, the Ante that they refuse, one that they take, and a bonus that would take its right to play away."""

    limits: str
    too_much: int
    taken: int
    bonus: int | None = None
    play_most: int | None = None


ANTES = {
    "one large wager": AnteCase("large_wagers_a_hand_max = 1", 501, 500, bonus=501),
    "two wagers": AnteCase("wagers_a_hand_max = 2", 20_001, 2_000, bonus=100),
    "Play's own most": AnteCase("[limits.wagers.play]\nmost_cents = 5000", 2_501, 2_000, play_most=5_000),
    "Play's own least": AnteCase("[limits.wagers.play]\nleast_cents = 1000", 499, 500),
    "Play's own step": AnteCase("[limits.wagers.play]\nleast_cents = 500\nstep_cents = 500", 501, 500),
}


@pytest.mark.parametrize("case", ANTES.values(), ids=ANTES)
async def test_clause_1_an_ante_is_refused_by_every_limit_that_would_refuse_its_play_bet(
    case: AnteCase, tmp_path: Path
) -> None:
    async with bench(tmp_path, game=GameName.BIG_RAISE, seats=SEAT, limits=case.limits) as table:
        opened = _pausing(table, when=lambda heard: heard.kind == "round-opened" and not table.people.is_paused)
        await table.until(lambda: bool(opened))
        round_id = opened[0].round_id
        too_much = await _bet(table, round_id, "ante", case.too_much)
        taken = await _bet(table, round_id, "ante", case.taken)
        bonus = None if case.bonus is None else await _bet(table, round_id, "two_card_bonus", case.bonus)
        asked = _pausing(table, when=_asks("fold, or play", SEAT))
        _go_on(table)
        await table.until(lambda: bool(asked))
        prompt = asked[0].data["sentence"]
        most = case.play_most or 3 * case.taken
        too_high = await _play(table, round_id, 4 * case.taken + 500)
        too_low = await _play(table, round_id, 2 * case.taken - 1)
        played = await _play(table, round_id, 2 * case.taken)
        _go_on(table)
        await table.until(lambda: "round-settled" in table.kinds())
    assert (too_much["code"], taken["code"]) == ("cannot-be-followed", "accepted"), too_much
    assert bonus is None or bonus["code"] == "cannot-be-followed", bonus
    assert dollars(Cents(2 * case.taken)) in prompt
    assert dollars(Cents(most)) in prompt
    assert (too_high["accepted"], too_low["accepted"], played["code"]) == (False, False, "accepted")
    table.sequence_is_whole()
    table.every_round_balances()


@pytest.mark.parametrize("stays", [True, False], ids=["by default", "lost by the house's option"])
async def test_clause_4_the_five_card_bonus_of_a_fold_stays_in_play(stays: bool, tmp_path: Path) -> None:
    own = '[games.big-raise-holdem]\nfive_card_bonus = "BRH-04"\n'
    rules = own if stays else f"{own}five_card_bonus_on_fold = false\n"

    def folds() -> list[EventHeard]:
        return [heard for heard in table.heard if heard.kind == "fold-settled" and _has_bonus(table, heard)]

    async with bench(tmp_path, game=GameName.BIG_RAISE, house_rules=rules) as table:
        await table.until(lambda: bool(folds()))
        await table.rounds(table.tally.rounds + 2)
    fold = folds()[0]
    at_fold = [wager["wager"] for wager in fold.data["wagers"]]
    later = [
        [wager["wager"] for wager in heard.data["wagers"]]
        for heard in table.heard
        if heard.kind == "hand-settled" and (heard.round_id, heard.data["seat"]) == (fold.round_id, fold.data["seat"])
    ]
    assert ("five_card_bonus" in at_fold) is not stays
    assert later == ([["five_card_bonus"]] if stays else [])
    table.sequence_is_whole()
    table.every_round_balances()


def _has_bonus(table: Table, fold: EventHeard) -> bool:
    closed = next(heard for heard in table.heard if heard.kind == "betting-closed" and heard.round_id == fold.round_id)
    wagers = [stake["wager"] for stake in closed.data["stakes"] if stake["seat"] == fold.data["seat"]]
    return "five_card_bonus" in wagers


async def test_clause_5_a_house_can_give_each_player_one_position(tmp_path: Path) -> None:
    async with bench(tmp_path, seats=SEAT, house_rules="one_position_a_player = true\n") as table:
        opened = _pausing(table, when=lambda heard: heard.kind == "round-opened")
        await table.until(lambda: bool(opened))
        bet = {"wager": "poker_hand", "stake_cents": 500}
        answers = [
            await table.client.ask_as(user, "bet", opened[0].round_id, seat=seat, **bet)
            for user, seat in ((GUEST, SEAT), (GUEST, SEAT), (GUEST, 1), ("bench-player", SEAT), ("bench-player", 1))
        ]
        by_dealer = await table.client.ask("bet", Actor.DEALER, opened[0].round_id, seat=2, **bet)
    assert [each["code"] for each in answers] == [
        "accepted",
        "accepted",
        "one-position",
        "position-held",
        "accepted",
    ]
    assert by_dealer["accepted"]


async def test_clause_6_a_house_can_have_a_large_win_only_told(tmp_path: Path) -> None:
    async with bench(tmp_path, house_rules='large_wins = "tell"\n', verify_over_cents=500) as table:
        await table.until(lambda: "win-to-verify" in table.kinds())
        await table.rounds(table.tally.rounds + 1)
    alerts = [raised for raised in table.all_of("alert-raised") if raised["alert"].startswith("verify-")]
    assert alerts
    assert not any(raised["blocks_play"] for raised in alerts)
    assert not any("Do not pay yet" in data["sentence"] for data in table.all_of("dealer-prompted"))
    table.every_round_balances()


async def test_clause_7_insurance_is_no_more_than_half_of_a_stake_that_cannot_be_halved(tmp_path: Path) -> None:
    """Chips of one dollar: half of 15.00 is 7.00, because 8.00 would be more than half."""
    rules = "[games.bad-beat-blackjack]\ndecks = 1\n\n[money]\nchip_cents = 100\n"
    game = {"game": GameName.BLACKJACK, "profile": BLACKJACK, "seats": SEAT, "house_rules": rules}
    async with bench(tmp_path, **game) as table:
        opened = _pausing(table, when=lambda heard: heard.kind == "round-opened")
        offered = _pausing(table, when=_asks("Insurance?"))
        for number in range(1, 61):
            await table.until(lambda number=number: len(opened) >= number or bool(offered))  # type: ignore[misc]
            if offered:
                break
            assert (await _bet(table, opened[-1].round_id, "blackjack", 1_500))["accepted"]
            _go_on(table)
        round_id = offered[0].round_id
        insure = {"seat": SEAT, "decision": "insure"}
        answers = [
            await table.client.ask("decide", Actor.PLAYER, round_id, stake_cents=stake, **insure)
            for stake in (800, 750, 600, 700)
        ]
    assert [answer["accepted"] for answer in answers] == [False, False, False, True], answers


FLUSH_HOUSE_AND_FOURS = "5c 6c 7c 8c 9c  Kh Kd Ks Qh Qd  4h 4d 4s 4c 2h  ..."
ODDS = {"straight flush": 500, "full house": 20, "four of a kind": 100}
FLOOR_CENTS = 200_000
"""50 times the 40.00 that may lie on another spot: the POKER HAND's own most would make it 1250.00."""


def _aggregate(most_cents: int, *, shares_all: bool) -> str:
    mosts = {WagerName.POKER_HAND: 2_500, WagerName.RED_BLACK: 2_500, WagerName.BIG_50: 4_000, WagerName.RANGE: 2_500}
    own = f"aggregate_most_cents = {most_cents}\naggregate_shares_all = {str(shares_all).lower()}\n"
    return "".join(
        f"[limits.wagers.{name.value}]\nmost_cents = {most}\n{own if name is WagerName.POKER_HAND else ''}"
        for name, most in mosts.items()
    )


@pytest.mark.parametrize("shares_all", [False, True], ids=["by default", "all rows share by the house's option"])
async def test_clause_7_winners_share_an_aggregate_limit_and_rows_under_50_to_1_are_paid_whole(
    shares_all: bool, tmp_path: Path
) -> None:
    async with bench(tmp_path, limits=_aggregate(FLOOR_CENTS, shares_all=shares_all)) as table:
        assert isinstance(table.rig, ShufflerRig)
        for _ in range(6):  # the seats that sit out differ from round to round
            table.rig.stack_next(stacked(FLUSH_HOUSE_AND_FOURS.split()))
        await table.until(lambda: any(len(_poker_hands(table, each)) == len(ODDS) for each in _settled(table)))
    shared = next(each for each in _settled(table) if len(_poker_hands(table, each)) == len(ODDS))
    won = _poker_hands(table, shared)
    prizes = {row: odds * won[row]["stake_cents"] for row, odds in ODDS.items()}
    counted = {row: prize for row, prize in prizes.items() if shares_all or ODDS[row] >= 50}
    assert sum(won[row]["pays_cents"] for row in counted) == FLOOR_CENTS
    for row, prize in prizes.items():
        due = Fraction(prize * FLOOR_CENTS, sum(counted.values())) if row in counted else prize
        assert abs(won[row]["pays_cents"] - due) < 1, won
        assert won[row]["pays_cents"] + won[row]["aggregate_cut_cents"] == prize
    paid = [
        step["amount_cents"]
        for heard in table.heard
        if heard.kind == "dealer-prompted" and heard.round_id == shared
        for step in heard.data["steps"]
    ]
    assert all(wager["pays_cents"] in paid for wager in won.values()), paid
    table.sequence_is_whole()
    table.every_round_balances()


def _settled(table: Table) -> list[str | None]:
    return [heard.round_id for heard in table.heard if heard.kind == "round-settled"]


def _poker_hands(table: Table, round_id: str | None) -> dict[str, dict[str, Any]]:
    """What the round's hands won on POKER HAND, by the rows of the stacked deck."""
    hands = [heard.data for heard in table.heard if heard.kind == "hand-settled" and heard.round_id == round_id]
    wagers = [wager for hand in hands for wager in hand["wagers"] if wager["wager"] == WagerName.POKER_HAND.value]
    return {wager["row"]: wager for wager in wagers if wager["row"] in ODDS}


def test_clause_7_an_aggregate_limit_has_its_floor_from_the_highest_wager_of_the_game(
    tmp_path: Path, says: Says
) -> None:
    """The same file as the bench above, by one cent less."""
    for most_cents, status in ((FLOOR_CENTS, 0), (FLOOR_CENTS - 1, 1)):
        asked = settings(tmp_path, limits=_aggregate(most_cents, shares_all=False))
        told = CliRunner().invoke(check_config, [str(configuration(asked, 1883, "serial:/dev/ttyS0"))])
        assert told.exit_code == status, told.exception
    says(str(told.exception))


async def test_clause_11_four_antes_are_checked_against_the_pair_when_the_cards_lie_face_up(tmp_path: Path) -> None:
    """No device read the hand: the bet is taken on the player's word, and held as soon as the cards are entered."""
    counts = "felt-link-shuffler-counts"
    async with bench(tmp_path, game=GameName.BIG_RAISE, profile=counts, seats=SEAT) as table:
        opened = _pausing(table, when=lambda heard: heard.kind == "round-opened")
        asked = _pausing(table, when=_asks("fold, or play", SEAT))
        held = _pausing(table, when=lambda heard: heard.kind == "round-held")
        while not held:
            await _four_antes(table, opened, asked)
            await table.until(lambda: bool(held) or table.people.is_paused)
        round_id = held[0].round_id
        await _stands_still(table)
        revision = table.client.state["table"]["standstill"]["revision"]
        rule = {"ruling": "continue", "reason": "the rest goes back", "revision": revision}
        ruled = await table.client.ask("rule", Actor.SUPERVISOR, round_id, **rule)
        _go_on(table)
        await table.until(lambda: "stake-corrected" in table.kinds())
    of_round = [heard for heard in table.heard if heard.round_id == round_id]
    found = next(heard for heard in of_round if heard.kind == "irregularity-found")
    corrected = next(heard.data for heard in of_round if heard.kind == "stake-corrected")
    assert (found.data["irregularity"], found.data["seat"]) == ("raise-without-pair", SEAT)
    assert not any(heard.kind == "dealer-hand-shown" and heard.sequence < found.sequence for heard in of_round)
    assert ruled["accepted"]
    assert (corrected["seat"], corrected["stake_cents"], corrected["returned_cents"]) == (SEAT, 3_000, 1_000)
    table.sequence_is_whole()


async def _stands_still(table: Table) -> None:
    """Wait until the table's picture has what its supervisor rules on: events come before it."""
    shown = asyncio.Event()
    table.client.listen_to_state(shown.set)
    while table.client.state["table"]["standstill"] is None:
        shown.clear()
        await asyncio.wait_for(shown.wait(), table.patience_s)


async def _four_antes(table: Table, opened: list[EventHeard], asked: list[EventHeard]) -> None:
    """Bet in the round that has just opened, and play four antes whatever the hand is."""
    await table.until(lambda: bool(opened))
    round_id = opened.pop().round_id
    assert (await _bet(table, round_id, "ante", 1_000))["accepted"]
    _go_on(table)
    await table.until(lambda: bool(asked))
    asked.clear()
    assert (await _play(table, round_id, 4_000))["accepted"]
    _go_on(table)
