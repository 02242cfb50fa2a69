"""The checker in an export compares the bets with the stakes that betting closed with, and takes every true event."""

from __future__ import annotations

import json
import random
import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from hypothesis.stateful import RuleBasedStateMachine

from daemon.journal.kinds import FACT_KINDS
from daemon.journal.record import FACT_BODIES
from daemon.rules.games import GAMES
from daemon.rules.house import narrowed
from daemon.table.settings import TableSettings
from daemon.tools.journal.verify import Check
from tests.table.test_blackjack_random import RandomBlackjack
from tests.table.test_procedure import RandomBigRaise, RandomTable, walked
from tests.table.test_random_seen_stakes import RandomWatched, RandomWatchedBigRaise
from tests.tools.journal.tampering import BASE, Bundle, checked

TABLES: Final = 8
FOUND: Final = "the stakes are not the bets that were placed"


def paytables(settings: TableSettings) -> list[str]:
    """The texts of all that the table can pay by."""
    playing = [settings.playing(offer.game) for offer in settings.games]
    houses = [(GAMES[each.game], each.house) for each in playing if each is not None]
    spots = [(spec, narrowed(house, type(spec.house)), spot) for spec, house in houses for spot in spec.spots]
    return sorted({table.text() for spec, house, spot in spots for table in spec.paytables_of(spot, house)})


def checking(machine: type[RandomTable] | type[RandomBlackjack]) -> type[RuleBasedStateMachine]:
    """The machine, whose rounds are then told to the checker."""

    class Checked(machine):  # type: ignore[valid-type, misc]
        def teardown(self) -> None:
            check = Check({**BASE, "paytables": paytables(self.table.state.settings)}, "", {})
            for fact in self.table.record:
                kind = FACT_KINDS[type(fact.data)]
                check.check_event(kind, fact.round_id or "", json.loads(FACT_BODIES[kind].encode(fact.data)), "")
            assert check.faults == 0

    Checked.__name__ = f"Checked{machine.__name__}"
    return Checked


TestBig50 = walked(checking(RandomTable), TABLES)
TestBigRaise = walked(checking(RandomBigRaise), TABLES)
TestBig50Watched = walked(checking(RandomWatched), TABLES)
TestBigRaiseWatched = walked(checking(RandomWatchedBigRaise), TABLES)
TestBlackjack = walked(checking(RandomBlackjack), TABLES)


def test_a_chip_that_changes_at_a_start_counts_from_the_next_round_on() -> None:
    """The table ends a round by the settings with which it began: an honest one was named after such a start."""
    check = Check({**BASE, "chip": 100}, "", {})
    check.check_event("round-opened", "one", {"number": 1}, "")
    line = b'{"offset":2,"input":{"kind":"configured","settings":{"money":{"chip":500}}}}'
    check.check_record(line, sha256(b"\0" + line).hexdigest())
    assert check.chip == 100
    check.check_event("betting-closed", "one", {"stakes": []}, "")
    check.check_event("round-voided", "one", {"returned": [], "undone": [], "returned_cents": 0}, "")
    check.check_event("round-opened", "two", {"number": 2}, "")
    assert check.chip == 500
    assert check.faults == 0


def test_a_bet_that_was_forged_after_it_was_placed_is_found_where_betting_closed(bundle: Path) -> None:
    """What a player put down is changed, and everything that follows from it is left as it was."""
    forger = Bundle(bundle)
    place = random.Random(1).choice([n for n in forger.with_facts(b"bet-placed") if n <= forger.signed[-1]])
    at = forger.lines[place].index(b'"bet-placed"')
    line = forger.lines[place]
    forger.lines[place] = line[:at] + re.sub(rb'"stake_cents":(\d+)', rb'"stake_cents":9\1', line[at:], count=1)
    forger.hash_again()
    forger.write()
    closed = next(n for n in forger.with_facts(b"betting-closed") if n > place)
    assert checked(bundle).stdout.startswith(f"record {closed + 1}: {FOUND}\n")


def test_a_bet_that_was_left_out_of_the_stakes_is_found(bundle: Path) -> None:
    forger = Bundle(bundle)
    place = forger.with_facts(b"betting-closed")[0]
    record = json.loads(forger.lines[place])
    closed = next(fact["data"] for fact in record["facts"] if fact["kind"] == "betting-closed")
    del closed["stakes"][0]
    forger.lines[place] = json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()
    forger.hash_again()
    forger.write()
    assert checked(bundle).stdout.startswith(f"record {place + 1}: {FOUND}\n")
