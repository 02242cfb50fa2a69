"""Wins that an aggregate limit cut: an export shows that the deal paid all of the limit, and a forged cut is found."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from daemon.rules.blackjack.paytables import BAD_BEATS
from daemon.rules.limits import AggregateLimit, Limits, LimitSchedule, share
from daemon.rules.money import Cents
from daemon.rules.paytable_text import read_paytable
from daemon.table.round_facts import RoundSettled
from daemon.table.vocabulary import Decision
from daemon.tools.journal import verify
from tests.journal.played import journal_of
from tests.table.blackjack_playing import SIDE, Blackjack, house_of
from tests.table.playing import TODAY
from tests.tools.journal.tampering import BASE, Bundle, checked, exported, written

MOST = 10_000
ROUNDS = 2


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A natural is paid 4.00 at once, and two wins of 120.00 share what is left of 100.00."""
    own = read_paytable("ours", "ours", BAD_BEATS, {"19 beaten": "60 to 1", "player wins": "2 to 1"})
    limits = Limits(aggregates=(AggregateLimit(SIDE, Cents(MOST), shares_all=True),))
    table = Blackjack(house_of(bad_beat_pays=own), limits=LimitSchedule(((TODAY, limits),)))
    for played in range(1, ROUNDS + 1):
        table.deal("Ac Tc Tc 9c Kd 9d 9h As", 1, 2, 3, side=200)
        table.next()
        table.says(2, Decision.STAND).says(3, Decision.STAND).finish()
        assert [table.pays(seat)[SIDE] for seat in (1, 2, 3)] == [400 * played, 4800 * played, 4800 * played]
        while len(table.said(RoundSettled)) < played:
            table.next()
    return journal_of(tmp_path_factory.mktemp("cut") / "journal.db", table.inputs)


@pytest.mark.parametrize("first_round", [None, "t7-2"])
def test_a_deal_that_paid_all_of_its_limit_fits_and_the_limit_is_named(
    path: Path, tmp_path: Path, first_round: str | None
) -> None:
    done = checked(exported(path, tmp_path / "given", first_round))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"deals paid the aggregate limit of '{SIDE.value}', 100.00\n" in done.stdout


def _less(line: bytes, cents: int) -> bytes:
    """As much less for the win of seat 3, which was cut, and for the whole round."""
    line = re.sub(
        rb'("seat":3,"cards".*?)"pays_cents":4800,"returned_cents":5000(.*?)"aggregate_cut_cents":7200',
        b'\\1"pays_cents":%d,"returned_cents":%d\\2"aggregate_cut_cents":%d'
        % (4800 - cents, 5000 - cents, 7200 + cents),
        line,
        count=1,
    )
    said = re.search(rb'"returned_cents":(\d+),"take_cents":(-?\d+)', line)
    if said is None:
        return line
    took = b'"returned_cents":%d,"take_cents":%d' % (int(said[1]) - cents, int(said[2]) + cents)
    return line.replace(said[0], took)


@pytest.mark.parametrize("cents", [1, 4800, -1])
def test_a_house_that_says_it_was_cut_and_paid_less_or_more_than_the_limit_is_found(
    path: Path, tmp_path: Path, cents: int
) -> None:
    given = exported(path, tmp_path / "given")
    forger = Bundle(given)
    for place, line in enumerate(forger.lines):
        forger.lines[place] = _less(line, cents)
    assert forger.lines != Bundle(given).lines
    forger.hash_again()
    forger.write()
    done = checked(given)
    assert done.returncode == 1
    assert done.stdout.count("wins were cut, and the deal did not pay all of an aggregate limit") == ROUNDS
    assert f"{ROUNDS} places do not fit" in done.stdout


def _for_another(line: bytes, cents: int) -> bytes:
    """As much less for the win of seat 3, and as much more for that of seat 2. The deal pays the same."""
    for seat, less in ((2, -cents), (3, cents)):
        line = re.sub(
            rb'("seat":%d,"cards".*?)"pays_cents":4800,"returned_cents":5000(.*?)"aggregate_cut_cents":7200' % seat,
            b'\\1"pays_cents":%d,"returned_cents":%d\\2"aggregate_cut_cents":%d'
            % (4800 - less, 5000 - less, 7200 + less),
            line,
            count=1,
        )
    return line


@pytest.mark.parametrize("cents", [300, -1000, 4700])
def test_a_house_that_gives_one_winners_share_to_another_is_found(path: Path, tmp_path: Path, cents: int) -> None:
    """The deal paid all of its limit, and the check looked no further."""
    given = exported(path, tmp_path / "given")
    forger = Bundle(given)
    forger.lines = [_for_another(line, cents) for line in forger.lines]
    forger.hash_again()
    forger.write()
    done = checked(given)
    assert done.stdout.count("wins were cut, and the deal did not pay all of an aggregate limit") == ROUNDS
    assert f"{ROUNDS} places do not fit" in done.stdout


def test_shares_by_the_rule_fit_whatever_the_wins_are() -> None:
    """Some are told before the others and paid in full, some when all of the limit is paid."""
    for seed in range(2_000):
        dice = Random(seed)
        chip = Cents(dice.choice([1, 25, 100]))
        prizes = [Cents(chip * dice.choice([1, 2, 7, dice.randint(1, 500)])) for _ in range(dice.randint(1, 8))]
        late = [chip * dice.randint(1, 50) for _ in range(dice.randint(0, 2))]
        first = dice.randrange(len(prizes))
        left = Cents(dice.randint(chip, sum(prizes[first:])))
        pays = [*prizes[:first], *share(left, prizes[first:], chip), *[0] * len(late)]
        check = verify.Check(BASE, "", {})
        check.chip, check.limits = chip, [("w", sum(prizes[:first]) + left, 0)]
        wins = zip(pays, [*prizes, *late], strict=True)
        told = [
            {"wager": "w", "odds": 100, "pays_cents": paid, "aggregate_cut_cents": win - paid} for paid, win in wins
        ]
        check.check_cuts(f"seed {seed}", told)
        assert check.faults == 0, (prizes, pays)


@pytest.mark.parametrize(
    "change",
    [lambda limits: [], lambda limits: json.loads(json.dumps(limits).replace(str(MOST), str(MOST + 1)))],
    ids=["no limit", "another limit"],
)
def test_without_such_a_limit_in_the_configuration_no_win_may_be_cut(
    path: Path, tmp_path: Path, change: Callable[[object], object]
) -> None:
    given = exported(path, tmp_path / "given", "t7-2")
    base = json.loads((given / "base.json").read_text())
    base["limits"] = change(base["limits"])
    written(given, base)
    done = checked(given)
    assert done.returncode == 1
    assert "1 places do not fit" in done.stdout
