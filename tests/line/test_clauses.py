"""Clauses of "At the table as the documents say", live: emulated machine on a real tty, daemon, journal, Mosquitto."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.rules.wagers import GameName
from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import GUEST, EventHeard
from sim_hardware.faults import FaultName, NextTime, OnPacket
from tests.line.at_the_bench import SEATS, Table, bench, nothing_settled_twice


async def test_clause_1_an_ante_that_cannot_be_followed_is_refused_and_what_is_offered_is_taken(tmp_path: Path) -> None:
    """The bench's limit is 400.00. Its people sit at three seats; the fourth is the test's."""
    seat = SEATS + 1
    async with bench(tmp_path, game=GameName.BIG_RAISE, seats=seat) as table:
        table.people.pause_or_go_on()
        await table.until(lambda: "round-opened" in table.kinds())
        client, round_id = table.client, table.heard[-1].round_id
        client.listen(lambda heard: table.people.pause_or_go_on() if _asks(heard, seat) else None)
        antes = [
            await client.ask("bet", Actor.PLAYER, round_id, seat=seat, wager="ante", stake_cents=stake)
            for stake in (30_000, 20_000)
        ]
        table.people.pause_or_go_on()
        await table.until(lambda: any(_asks(heard, seat) for heard in table.heard))
        prompt = next(heard.data["sentence"] for heard in table.heard if _asks(heard, seat))
        plays = [
            await client.ask("decide", Actor.PLAYER, round_id, seat=seat, decision="play", stake_cents=stake)
            for stake in (60_000, 40_000)
        ]
        table.people.pause_or_go_on()
        await table.rounds(1)
    assert [answer["code"] for answer in antes] == ["cannot-be-followed", "accepted"]
    assert "400.00" in prompt
    assert "600.00" not in prompt
    assert [answer["accepted"] for answer in plays] == [False, True]
    table.sequence_is_whole()
    table.every_round_balances()


def _asks(heard: EventHeard, seat: int) -> bool:
    return heard.kind == "dealer-prompted" and heard.data["seat"] == seat and "play" in heard.data["sentence"]


@pytest.mark.parametrize("fault", [FaultName.SILENCE, FaultName.MID_PACKET_UNPLUG], ids=lambda fault: fault.value)
@pytest.mark.parametrize("game", [GameName.BIG_RAISE, GameName.BIG_DRAW], ids=lambda game: game.value)
async def test_clause_2_a_moments_silence_does_not_void_a_sound_round(
    game: GameName, fault: FaultName, tmp_path: Path
) -> None:
    """Both games change the packet size within a round: a packet in the old size would void it."""
    async with bench(tmp_path, game=game) as table:
        await table.rounds(1)
        table.rig.arm(fault, OnPacket(4))  # a hand of another size than the packet before it
        await table.rounds(3)
    assert "round-voided" not in table.kinds()
    assert table.kinds().count("device-lost") + table.kinds().count("device-stale") == 1
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()


async def test_clause_3_big_draws_game_is_chosen_and_shown_before_the_bets(tmp_path: Path) -> None:
    async with bench(tmp_path, game=GameName.BIG_DRAW) as table:
        table.people.pause_or_go_on()
        await table.until(lambda: "dealer-prompted" in table.kinds() and "has the button" in _prompt(table))
        round_id = table.heard[-1].round_id
        bet = {"seat": 1, "wager": "big_draw", "stake_cents": 500}
        too_early = await table.client.ask("bet", Actor.PLAYER, round_id, **bet)
        assert too_early["code"] == "not-while-choosing", too_early
        table.people.pause_or_go_on()
        await table.rounds(4)
    for ended in {heard.round_id for heard in table.heard if heard.kind == "round-settled"}:
        kinds = [heard.kind for heard in table.heard if heard.round_id == ended]
        order = [kinds.index(kind) for kind in ("round-opened", "game-chosen", "bet-placed", "betting-closed")]
        assert order == sorted(order), kinds
        shown = kinds[kinds.index("game-chosen") : kinds.index("bet-placed")]
        assert "dealer-prompted" in shown, "the dealer is told which side to show"
    assert "round-voided" not in table.kinds()
    table.sequence_is_whole()
    table.every_round_balances()


def _prompt(table: Table) -> str:
    return str(table.all_of("dealer-prompted")[-1]["sentence"])


async def test_clause_5_a_position_is_the_players_who_bet_there_first(tmp_path: Path) -> None:
    """The bench's player sits at seats 1 to 3; the broker vouches for another one who tries seat 1."""
    async with bench(tmp_path, game=GameName.BIG_RAISE) as table:
        waiting: list[EventHeard] = []
        table.client.listen(lambda heard: _pause_at_decision(table, waiting, heard))
        await table.until(lambda: bool(waiting))
        (asked,) = waiting
        seat, round_id = asked.data["seat"], asked.round_id
        fold = await table.client.ask_as(GUEST, "decide", round_id, seat=seat, decision="fold", stake_cents=None)
        holder = next(place["held_by"] for place in table.client.state["table"]["seats"] if place["seat"] == seat)
        by_dealer = await table.client.ask("decide", Actor.DEALER, round_id, seat=seat, decision="fold")
        table.people.pause_or_go_on()
        await table.rounds(2)
    decided = next(heard for heard in table.heard if heard.kind == "player-decided" and heard.round_id == round_id)
    assert (fold["code"], holder) == ("position-held", "bench-player")
    assert by_dealer["accepted"]
    assert (decided.data["seat"], decided.data["who"], decided.data["role"]) == (seat, "bench-dealer", "dealer")
    table.every_round_balances()


def _pause_at_decision(table: Table, waiting: list[EventHeard], heard: EventHeard) -> None:
    if heard.kind == "dealer-prompted" and "fold, or play" in heard.data["sentence"] and not waiting:
        waiting.append(heard)
        table.people.pause_or_go_on()


async def test_clause_6_a_large_win_is_not_paid_before_a_supervisor_has_cleared_it(tmp_path: Path) -> None:
    async with bench(tmp_path, verify_over_cents=2000) as table:
        held: list[EventHeard] = []
        table.client.listen(lambda heard: _pause_once(table, held, heard))
        await table.until(lambda: bool(held) and "Do not pay yet" in _prompt(table))
        prompt, (win,) = _prompt(table), held
        too_early = await table.client.ask("press", Actor.DEALER, win.round_id, button="next")
        (alert,) = [raised["alert"] for raised in table.all_of("alert-raised") if raised["alert"].startswith("verify-")]
        by_dealer = await table.client.ask("clear-alert", Actor.DEALER, alert=alert)
        table.people.pause_or_go_on()
        await table.rounds(table.tally.rounds + 2)
    assert (too_early["code"], by_dealer["code"]) == ("verify-first", "not-permitted")
    assert f"seat {win.data['seat']} wins" in prompt
    told = [heard for heard in table.heard if heard.round_id == win.round_id and heard.sequence > win.sequence]
    cleared = next(heard.sequence for heard in table.heard if heard.kind == "alert-cleared")
    paying = next(heard for heard in told if heard.kind == "dealer-prompted" and heard.data["steps"])
    done = next(heard for heard in told if heard.kind == "seat-reconciled")
    assert cleared < paying.sequence < done.sequence
    assert win.data["pays_cents"] in [step["amount_cents"] for step in paying.data["steps"]]
    table.sequence_is_whole()
    table.every_round_balances()


def _pause_once(table: Table, held: list[EventHeard], heard: EventHeard) -> None:
    if heard.kind == "win-to-verify" and not held:
        held.append(heard)
        table.people.pause_or_go_on()


async def test_clause_7_named_red_and_named_black_are_two_bets_of_one_seat(tmp_path: Path) -> None:
    """Both lie on the seat and are settled, and each step of the prompt says which of the two it is for."""
    seat, colours = SEATS + 1, ["black", "red"]
    named = '[games.big-50]\nred_black = "named"\n'
    async with bench(tmp_path, seats=seat, house_rules=named) as table:
        table.people.pause_or_go_on()
        await table.until(lambda: "round-opened" in table.kinds())
        round_id = table.heard[-1].round_id
        for colour in colours:
            bet = {"seat": seat, "wager": "red_black", "stake_cents": 500, "colour": colour}
            assert (await table.client.ask("bet", Actor.PLAYER, round_id, **bet))["accepted"]
        table.people.pause_or_go_on()
        await table.rounds(1)
    settled = next(data for data in table.all_of("hand-settled") if data["seat"] == seat)
    prompt = next(data for data in table.all_of("dealer-prompted") if data["seat"] == seat and data["steps"])
    assert [wager["colour"] for wager in settled["wagers"]] == colours
    assert [step["colour"] for step in prompt["steps"]] == colours
    assert all(f"({colour})" in prompt["sentence"] for colour in colours)
    table.every_round_balances()


@pytest.mark.parametrize("profile", ["felt-link-shuffler-faces", "felt-link-shuffler-counts"])
async def test_clause_12_first_5_is_announced_and_silence_loses_where_the_house_has_it_so(
    profile: str, tmp_path: Path
) -> None:
    """Whatever the machine reads: a hand is paid if it was announced, and every other one stays unseen."""
    lost = '[games.big-draw]\nunannounced_first_5 = "lost"\n'
    async with bench(tmp_path, game=GameName.BIG_DRAW, profile=profile, house_rules=lost) as table:
        await table.until(lambda: bool(table.all_of("first-five-claimed")) and table.tally.rounds > 0)
        await table.rounds(table.tally.rounds + 1)
    claimed = {(heard.round_id, heard.data["seat"]) for heard in table.heard if heard.kind == "first-five-claimed"}
    settled = [heard for heard in table.heard if heard.kind == "first-five-settled"]
    paid = {(heard.round_id, heard.data["seat"]) for heard in settled if heard.data["wager"]["outcome"] != "lose"}
    unseen = {(heard.round_id, heard.data["seat"]) for heard in settled if heard.data["evidence"] == "not-shown"}
    everyone = {(heard.round_id, heard.data["seat"]) for heard in settled}
    assert paid
    assert paid == claimed & everyone
    assert unseen == everyone - claimed
    table.sequence_is_whole()
    table.every_round_balances()


async def test_clause_15_a_shuffler_that_takes_no_commands_deals_big_draw_with_a_shoe_for_the_draws(
    tmp_path: Path,
) -> None:
    """The first hands in packets that the dealer dials, the rest of the deck into the shoe, and each draw out of it."""
    observed, shoe = "felt-link-shuffler-observed", "bee-tek-manual"
    async with bench(tmp_path, game=GameName.BIG_DRAW, profile=observed, draws_from=shoe) as table:
        await table.rounds(2)
    assert "round-voided" not in table.kinds()
    assert any(data["drawn"] for data in table.all_of("hand-dealt"))
    nothing_settled_twice(table)
    table.sequence_is_whole()
    table.every_round_balances()


async def test_clause_13_what_people_see_has_a_word_and_holds_the_round(tmp_path: Path) -> None:
    """The dealer reports as soon as bets are closed; the bench's supervisor voids what stands still."""
    words = ["misdeal", "foul-hand", "card-off-table", "hands-exchanged"]
    async with bench(tmp_path) as table:

        def closed() -> int:
            return table.kinds().count("betting-closed")

        def hold_hands(heard: EventHeard) -> None:
            if heard.kind == "betting-closed" and closed() <= len(words):
                table.people.pause_or_go_on()

        table.client.listen(hold_hands)
        for number, word in enumerate(words):
            await table.until(lambda number=number: closed() > number)  # type: ignore[misc]
            round_id = table.heard[-1].round_id
            report = {"irregularity": word, "seat": 1}
            answer = await table.client.ask("report-irregularity", Actor.DEALER, round_id, **report)
            assert answer["accepted"], answer
            table.people.pause_or_go_on()
        await table.rounds(len(words) + 1)
    found = [(data["irregularity"], data["policy"]) for data in table.all_of("irregularity-found")]
    assert found == [(word, "supervisor") for word in words]
    assert [data["irregularity"] for data in table.all_of("round-voided")] == words
    assert table.kinds().count("round-settled") == 1
    table.sequence_is_whole()
    table.every_round_balances()


async def test_clause_13_an_entry_with_a_wrong_number_of_cards_leads_to_the_report(tmp_path: Path) -> None:
    """Of a machine that reads nothing; the report that the refusal names voids the round."""
    async with bench(tmp_path, profile="felt-link-shuffler-blind") as table:
        client = table.client
        client.listen(lambda heard: table.people.pause_or_go_on() if heard.kind == "cards-asked" else None)
        await table.until(lambda: "cards-asked" in table.kinds())
        asked = next(heard for heard in table.heard if heard.kind == "cards-asked")
        seat, four = asked.data["seat"], ["Ah", "Kh", "Qh", "Jh"]
        refused = await client.ask("enter-cards", Actor.DEALER, asked.round_id, seat=seat, cards=four)
        report = {"irregularity": "wrong-count", "seat": seat}
        reported = await client.ask("report-irregularity", Actor.DEALER, asked.round_id, **report)
        table.people.pause_or_go_on()
        await table.until(lambda: "alert-cleared" in table.kinds())
    assert refused["code"] == "wrong-count"
    assert f"report wrong-count at seat {seat}" in refused["message"]
    assert reported["accepted"]
    assert [data["irregularity"] for data in table.all_of("round-voided")] == ["wrong-count"]
    table.sequence_is_whole()


async def test_clause_14_green_is_offered_when_it_is_taken_and_a_deck_change_is_recommended(tmp_path: Path) -> None:
    """The reminder stops no play. Before green was taken, the last prompt of each round's bets offered it."""
    async with bench(tmp_path, house_rules="deck_change_rounds = 2\n") as table:
        await table.rounds(3)
    alerts = [data for data in table.all_of("alert-raised") if data["alert"] == "change-deck-shuffler"]
    assert [alert["blocks_play"] for alert in alerts] == [False]
    before: dict[str | None, str] = {}
    for heard in table.heard:
        if heard.kind == "dealer-prompted":
            before[heard.round_id] = heard.data["sentence"]
        if heard.kind == "betting-closed":
            assert before[heard.round_id] == "Place your bets, then green: no more bets."
    prompts = [data["sentence"] for data in table.all_of("dealer-prompted")]
    assert any("No green yet" in sentence and "shuffling" in sentence for sentence in prompts)
    table.sequence_is_whole()
    table.every_round_balances()


async def test_clause_8_a_void_is_put_back_before_the_next_round_takes_bets(tmp_path: Path) -> None:
    """The void, its steps and its alert, then the dealer's word, then the next round: in this order for everybody."""
    async with bench(tmp_path) as table:
        await table.rounds(1)
        table.rig.arm(FaultName.SHORT_HAND, NextTime())
        await table.rounds(3)
    (voided,) = [heard for heard in table.heard if heard.kind == "round-voided"]
    assert voided.data["irregularity"] == "wrong-count"
    of_round = [heard for heard in table.heard if heard.sequence >= voided.sequence]
    kinds = [heard.kind for heard in of_round]
    (prompt,) = [heard for heard in of_round if heard.kind == "dealer-prompted" and heard.round_id == voided.round_id]
    returned = [(stake["seat"], stake["stake_cents"]) for stake in voided.data["returned"]]
    assert [(step["seat"], step["amount_cents"]) for step in prompt.data["steps"]] == returned
    alert = f"void-{voided.round_id}"
    raised, cleared = (
        next(heard.sequence for heard in of_round if heard.kind == kind and heard.data["alert"] == alert)
        for kind in ("alert-raised", "alert-cleared")
    )
    opened = next(heard.sequence for heard in of_round if heard.kind == "round-opened")
    assert voided.sequence < raised < prompt.sequence < cleared < opened
    assert kinds.index("bet-placed") > kinds.index("round-opened")
    table.sequence_is_whole()
    table.every_round_balances()


@pytest.mark.parametrize("profile", ["felt-link-shuffler-faces", "felt-link-shuffler-counts"])
async def test_clauses_9_to_11_folds_steps_and_cards_face_up(profile: str, tmp_path: Path) -> None:
    """A machine that reads every card and one that reads none: the same things are said in the same order."""
    async with bench(tmp_path, game=GameName.BIG_RAISE, profile=profile) as table:
        await table.until(lambda: {"fold-settled", "player-cards-shown"} <= set(table.kinds()))
        await table.rounds(table.tally.rounds + 3)
    for round_id in {heard.round_id for heard in table.heard if heard.kind == "round-settled"}:
        kinds = [heard.kind for heard in table.heard if heard.round_id == round_id]
        decided = [place for place, kind in enumerate(kinds) if kind == "player-decided"]
        done = [place for place, kind in enumerate(kinds) if kind in ("fold-settled", "player-cards-shown")]
        assert len(done) == len(decided), "11: every Play turns its cards up, 9: every fold is settled"
        turns = sorted([*decided, *done])
        assert turns[::2] == decided, "each before the next player decides"
        shown = kinds.index("dealer-hand-shown")
        assert max(turns) < shown < kinds.index("community-shown")
        between = kinds[shown : kinds.index("community-shown")]
        assert "dealer-prompted" in between, "10: which card goes stands until the community cards lie open"
        first_result = min((kinds.index(kind) for kind in ("hand-settled",) if kind in kinds), default=len(kinds))
        assert kinds.index("community-shown") < first_result
    assert "round-voided" not in table.kinds()
    table.sequence_is_whole()
    table.every_round_balances()
