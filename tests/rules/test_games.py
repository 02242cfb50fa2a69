"""The catalogue: every game answers the same questions, and every paytable says where it comes from."""

from __future__ import annotations

import pytest

from daemon.rules.big_raise_pays import ANTE_BONUS, FIVE_CARD_BONUSES
from daemon.rules.game import GameSpec
from daemon.rules.games import GAMES
from daemon.rules.limits import NO_LIMITS
from daemon.rules.money import Cents
from daemon.rules.registry import part_of
from daemon.rules.results import RefusalCode
from daemon.rules.wagers import GameName, Wager, WagerName
from tests.support.sentences import Says


def test_all_games_are_there_by_their_names() -> None:
    assert list(GAMES) == list(GameName) == [game.name for game in GAMES.values()]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name.value)
def test_every_published_paytable_names_its_document(game: GameSpec) -> None:  # type: ignore[type-arg]
    for wager in WagerName:
        for paytable in game.paytables_of(wager, game.house):
            assert paytable.source.startswith(f"{game.title} rules")
            assert paytable.name


def test_a_five_card_bonus_is_of_the_same_document_as_the_rest() -> None:
    assert {paytable.source for paytable in FIVE_CARD_BONUSES} == {ANTE_BONUS.source}


@pytest.mark.parametrize(
    ("name", "wager", "paytables"),
    [
        (GameName.BIG_50, WagerName.RANGE, ["Big 50 Range"]),
        (GameName.BIG_50, WagerName.ANTE, []),
        (GameName.BIG_RAISE, WagerName.PLAY, ["Big Raise Hold'em Ante and Play"]),
        (GameName.BIG_RAISE, WagerName.FIVE_CARD_BONUS, []),
        (GameName.BIG_DRAW, WagerName.FIRST_5, ["5 Card Draw First 5", "Deuces Never Loses First 5"]),
        (GameName.BIG_DRAW, WagerName.RANGE, []),
    ],
)
def test_a_spot_has_the_paytables_by_which_it_may_be_paid(
    name: GameName, wager: WagerName, paytables: list[str]
) -> None:
    game = GAMES[name]
    assert [paytable.name for paytable in game.paytables_of(wager, game.house)] == paytables


def test_a_hands_bets_are_checked_each_beside_the_others() -> None:
    game = GAMES[GameName.BIG_50]
    once, twice = Wager(WagerName.RANGE, Cents(100)), Wager(WagerName.BIG_50, Cents(100))
    assert game.check_wagers([once, twice], game.house, NO_LIMITS) is None
    for bets in ([once, once], [twice, once, once], [once, twice, once]):
        refused = game.check_wagers(bets, game.house, NO_LIMITS)
        assert refused is not None
        assert refused.code is RefusalCode.ALREADY_PLACED


def test_a_game_whose_module_has_another_kind_of_part_is_named(says: Says) -> None:
    with pytest.raises(AssertionError) as raised:
        part_of(GameName.BIG_50, "daemon.rules", str)
    says(raised.value)
