"""A million random rounds of blackjack, in random houses, settled from the written record; and in what time.

The clock runs only while rounds are settled. Dealing them, which takes longer, is the test's own work.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from time import perf_counter

import pytest

from daemon.rules.blackjack.record import settle_record
from daemon.rules.results import Settled
from tests.rules.blackjack.dealt import deal_round, random_house

SEED = 7
ROUNDS = 1_000_000
BATCH = 10_000


@pytest.mark.timeout(1800)
def test_a_million_random_rounds_settle() -> None:
    chance = Random(SEED)
    seconds = 0.0
    ends: Counter[str] = Counter()
    for _ in range(ROUNDS // BATCH):
        dealt = [deal_round(random_house(chance), chance) for _ in range(BATCH)]
        started = perf_counter()
        answers = [settle_record(round_.record, round_.wagers, round_.house) for round_ in dealt]
        seconds += perf_counter() - started
        ends.update(answer.findings.bad_beat.value for answer in answers if isinstance(answer, Settled))
    sys.stdout.write(f"\n{ROUNDS:,} rounds, seed {SEED}: {seconds:.1f} s, {seconds / ROUNDS * 1e6:.0f} us a round\n")
    sys.stdout.writelines(f"{count:9,}  {case}\n" for case, count in ends.most_common())
    assert ends.total() == ROUNDS, f"seed {SEED}"
