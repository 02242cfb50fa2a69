"""What the bench says of an event in one line."""

from __future__ import annotations

from typing import Any

import pytest

from daemon.rules.wagers import GameName
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.games import GAMES
from daemon.tools.bench.wording import line_of
from tests.support.sentences import Says

BLACKJACK = GAMES[GameName.BLACKJACK].words


def said(kind: str, data: dict[str, Any]) -> str:
    line = line_of(EventHeard(sequence=1, kind=kind, round_id="table1-1", data=data, latency_ns=0), BLACKJACK)
    assert line is not None
    return line.split(maxsplit=1)[1]


def test_a_wager_that_is_taken_at_once_is_said_with_its_amount(says: Says) -> None:
    taken = {"seat": 5, "wager": {"wager": "blackjack", "pays_cents": -2500}, "why": "bust"}
    says(said("wager-taken", taken))


@pytest.mark.parametrize(("wagers", "amount"), [([], ""), ([{"pays_cents": 500}, {"pays_cents": 0}], ": 5.00")])
def test_a_settled_hand_has_an_amount_where_any_of_it_was_not_said_before(
    wagers: list[dict[str, int]], amount: str, says: Says
) -> None:
    hand = {"seat": 5, "cards": ["9s", "4d"], "hand": "lose", "total": 23, "wagers": wagers}
    says(said("hand-settled", hand))


def test_money_that_moves_and_a_standstill_are_said_as_the_dealer_is_told(says: Says) -> None:
    step = {"spot": "range", "action": "return", "amount_cents": 500, "seat": 1}
    says(said("dealer-prompted", {"sentence": "Round void: seat 1 has 4 cards, not 5. Then next.", "steps": [step]}))
    says(said("dealer-prompted", {"sentence": "Stop. Call a supervisor: kim reports misdeal.", "steps": []}))
    says(said("win-to-verify", {"seat": 2, "wager": "big_50", "pays_cents": 500_000, "threshold_cents": 300_000}))


def test_a_prompt_that_only_waits_has_no_line() -> None:
    waits = {"sentence": "Place your bets, then green: no more bets.", "steps": []}
    heard = EventHeard(sequence=1, kind="dealer-prompted", round_id=None, data=waits, latency_ns=0)
    assert line_of(heard, BLACKJACK) is None
