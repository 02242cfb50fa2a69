"""Random dealers at a table that changes over as well: no round changes its game, none ends twice."""

from __future__ import annotations

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from daemon.rules.big_50 import Big50House
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.wagers import GameName
from daemon.table.inputs import ChangeDeck, ChangeGame, Configured, CountDeck
from daemon.table.round_facts import HandSettled, RoundOpened, RoundVoided
from daemon.table.settings import OfferedGame
from daemon.table.vocabulary import Evidence, Irregularity
from tests.table.playing import SEES_ALL, Table, settings
from tests.table.test_procedure import LONG, RandomTable

CARDS = {GameName.BIG_50: 5, GameName.BIG_RAISE: 2}
OFFERED = (
    OfferedGame(GameName.BIG_50, SEES_ALL, Big50House()),
    OfferedGame(GameName.BIG_RAISE, SEES_ALL, BigRaiseHouse()),
)


class RandomShift(RandomTable):
    """All that a random table does, and changes of game and deck, and starts in between."""

    def __init__(self) -> None:
        super().__init__()
        supervised = (Irregularity.UNREADABLE_CARD, Irregularity.MISSING_HAND)
        self.settings = settings(offered=OFFERED, seats=3, supervised=supervised)
        self.table = Table(self.settings).ready()

    @rule(game=st.sampled_from([*CARDS, GameName.BIG_DRAW]))
    def change_game(self, game: GameName) -> None:
        before = self.table.state
        accepted = self.table.ask(ChangeGame(game)).accepted
        free = before.round is None or (not before.round.plan and not before.round.stakes)
        assert accepted == (game in CARDS and game is not before.settings.game and free)
        assert self.table.state.settings.game is (game if accepted else before.settings.game)

    @rule(action=st.sampled_from([ChangeDeck(), CountDeck()]))
    def mind_the_deck(self, action: ChangeDeck | CountDeck) -> None:
        self.table.ask(action)

    @rule()
    def start_again(self) -> None:
        """With the same file, so whatever is played goes on."""
        before = self.table.state
        self.table.take(Configured(before.at, before.day, before.journal, "rules-1", self.settings))
        assert self.table.state.settings == before.settings
        assert self.table.state.round == before.round
        self.table.link_up()

    @invariant()
    def what_was_settled_had_the_right_count(self) -> None:
        games = {fact.round_id: fact.data.game for fact in self.table.record if isinstance(fact.data, RoundOpened)}
        for fact in self.table.record:
            if isinstance(fact.data, HandSettled):
                is_shown = fact.data.evidence is not Evidence.NOT_SHOWN
                assert len(fact.data.cards) == (CARDS[games[fact.round_id]] if is_shown else 0)

    @invariant()
    def a_change_gives_no_stake_back(self) -> None:
        voids = (void for void in self.table.said(RoundVoided) if void.reason.startswith("changed over"))
        assert all(void.returned_cents == 0 for void in voids)


RandomShift.TestCase.settings = hypothesis_settings(
    max_examples=2000 if LONG else 50, stateful_step_count=60, deadline=None, database=None, derandomize=not LONG
)
TestRandomShift = RandomShift.TestCase
