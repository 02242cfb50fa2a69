"""One table and several games: what each is dealt from, its own options, and one place that knows them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.config.edges import warnings
from daemon.config.load import examine, load
from daemon.config.sections import SECTIONS, Sections
from daemon.config.settings import Config
from daemon.rules.big_50 import Big50House
from daemon.rules.big_draw import DealStyle, DrawStyle
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.games import PROCEDURES
from tests.daemon.config.files import GOOD, changed
from tests.support.sentences import Says

SEVERAL = (
    changed('"big-50"', '"big-raise-holdem"\nother_games = ["big-50"]')
    + """
[games.big-50]
deals_from = "counter"
red_black = "named"

[games.big-raise-holdem]
play_in_whole_antes = true

[devices.counter]
profile = "felt-link-shuffler-counts"
address = "tcp:10.0.0.9:4001"
"""
)


def loaded(directory: Path, text: str) -> Config:
    file = directory / "t.toml"
    file.write_text(text)
    return load(file)


def test_every_game_that_can_be_configured_can_be_dealt_and_the_other_way_round() -> None:
    assert list(SECTIONS) == list(PROCEDURES) == list(GameName)


def test_a_file_with_one_game_offers_that_one(tmp_path: Path) -> None:
    table = loaded(tmp_path, GOOD).table
    assert [offer.game for offer in table.games] == [GameName.BIG_50]
    assert table.offered == ()
    assert table.playing(GameName.BIG_RAISE) is None


def test_each_game_has_its_own_device_and_options(tmp_path: Path) -> None:
    table = loaded(tmp_path, SEVERAL).table
    assert [(offer.game, offer.source.device) for offer in table.games] == [
        (GameName.BIG_RAISE, "shuffler"),
        (GameName.BIG_50, "counter"),
    ]
    assert (table.game, table.source.device) == (GameName.BIG_RAISE, "shuffler")
    assert isinstance(table.options, BigRaiseHouse)
    big_50 = table.playing(GameName.BIG_50)
    assert big_50 is not None
    assert (big_50.game, big_50.source.device, big_50.source.reads_faces) == (GameName.BIG_50, "counter", False)
    assert isinstance(big_50.options, Big50House)


def test_changing_there_and_back_leaves_the_settings_as_they_were(tmp_path: Path) -> None:
    table = loaded(tmp_path, SEVERAL).table
    there = table.playing(GameName.BIG_50)
    assert there is not None
    assert there.playing(GameName.BIG_RAISE) == table


def test_an_edge_is_told_of_every_offered_game(tmp_path: Path) -> None:
    bounded = SEVERAL + "[money]\nedge_percent_max = 1\n"
    told = {sentence.partition(" by ")[0] for sentence in warnings(loaded(tmp_path, bounded))}
    assert {"two_card_bonus", "range"} <= told


def problems(text: str) -> list[str]:
    found = examine(text)
    return [] if isinstance(found, Sections) else [problem.sentence(Path("t.toml")) for problem in found]


def test_a_paytable_of_a_game_that_is_not_offered_is_looked_at_too() -> None:
    """Somebody means to offer it one day."""
    own = """
[games.big-raise-holdem.two_card_bonus_pays]
name = "ours"
source = "ours"
rows = { "two pair" = "30 to 1" }
"""
    (told,) = problems(GOOD + own)
    assert told.startswith("t.toml:24: games.big-raise-holdem.two_card_bonus_pays: found ")


def test_a_device_that_one_of_the_games_cannot_be_dealt_from_is_told_at_that_game(says: Says) -> None:
    swapped = SEVERAL.replace('deals_from = "counter"\n', "").replace(
        "[games.big-raise-holdem]", '[games.big-raise-holdem]\ndeals_from = "counter"'
    )
    says("\n".join(problems(swapped.replace("felt-link-shuffler-counts", "felt-link-shoe"))))


def test_a_device_that_is_missing_for_all_games_is_told_of_once(says: Says) -> None:
    misspelt = changed('"big-50"', '"big-50"\nother_games = ["big-raise-holdem"]').replace(
        'deals_from = "shuffler"', 'deals_from = "shufler"'
    )
    says("\n".join(problems(misspelt)))


def test_the_table_needs_no_device_of_its_own_where_each_game_has_one() -> None:
    assert problems(changed('deals_from = "shuffler"\n', "") + "[games.big-50]\ndeals_from = 'shuffler'\n") == []


def test_the_seats_are_at_most_those_of_the_game_with_fewest(says: Says) -> None:
    many = changed("seats = 6", "seats = 11").replace('"big-50"', '"big-raise-holdem"\nother_games = ["big-50"]')
    says("\n".join(problems(many)))


BIG_DRAW = changed('"big-50"', '"big-draw"').replace("seats = 6", "seats = 5")


def test_big_draws_options_are_its_sections(tmp_path: Path) -> None:
    options = """
[games.big-draw]
draw = "face-up"
deal = "one-at-a-time"
first_5_needs_big_draw = true
first_5_alone_least_cents = 500
first_5_alone_waits = true
"""
    table = loaded(tmp_path, BIG_DRAW.replace("felt-link-shuffler-faces", "felt-link-shoe") + options).table
    assert table.options == BigDrawAtTable(
        draw=DrawStyle.FACE_UP,
        deal=DealStyle.ONE_AT_A_TIME,
        first_5_needs_big_draw=True,
        first_5_alone_least_cents=Cents(500),
        first_5_alone_waits=True,
    )
    assert loaded(tmp_path, BIG_DRAW).table.options == BigDrawAtTable()


def test_hands_that_are_paid_one_by_one_cannot_share_what_a_deal_may_pay(says: Says) -> None:
    shared = BIG_DRAW.replace("[devices", "[limits.wagers.big_draw]\naggregate_most_cents = 4000000\n\n[devices", 1)
    assert problems(shared) == []
    (told,) = problems(shared + '[games.big-draw]\ndraw = "face-up"\n')
    says(told)


def with_limit(game: str, wager: str, cents: int, options: str) -> list[str]:
    """The codes and sentences of a file with this aggregate limit, 400.00 being the most of each wager."""
    limited = changed('"big-50"', f'"{game}"').replace(
        "[devices", f"[limits.wagers.{wager}]\naggregate_most_cents = {cents}\n\n[devices", 1
    )
    return problems(limited + options)


def test_an_aggregate_limit_is_held_against_the_paytable_that_the_house_pays_by(says: Says) -> None:
    """It was held against the published one: a house's own got a limit that the law does not allow, or none."""
    five_cards = '[games.big-raise-holdem]\nfive_card_bonus = "BRH-04"\n'
    assert with_limit("big-raise-holdem", "five_card_bonus", 2_000_000, five_cards) == []
    (too_low,) = with_limit("big-raise-holdem", "five_card_bonus", 1_999_900, five_cards)
    says(too_low)
    own = '[games.big-50.poker_hand_pays]\nname = "ours"\nsource = "filed"\nrows = { "royal flush" = "40 to 1" }\n'
    (no_such_odds,) = with_limit("big-50", "poker_hand", 2_000_000, own)
    says(no_such_odds)


def test_a_bonus_that_a_fold_is_paid_at_once_cannot_be_shared(says: Says) -> None:
    own = '[games.big-raise-holdem.two_card_bonus_pays]\nname = "ours"\nsource = "filed"\n'
    (told,) = with_limit(
        "big-raise-holdem", "two_card_bonus", 2_000_000, own + 'rows = { "pair of aces" = "60 to 1" }\n'
    )
    says(told)


def test_a_shuffler_gives_five_at_once(says: Says) -> None:
    (told,) = problems(BIG_DRAW + '[games.big-draw]\ndeal = "one-at-a-time"\n')
    says(told)


def test_big_draw_is_dealt_from_a_shoe_as_well() -> None:
    assert problems(BIG_DRAW.replace("felt-link-shuffler-faces", "felt-link-shoe")) == []


TWO_DEVICES = (
    BIG_DRAW.replace("[journal]", '[games.big-draw]\ndraws_from = "shoe"\n\n[journal]')
    + """
[devices.shoe]
profile = "felt-link-shoe"
address = "tcp:10.0.0.9:4002"
"""
)


def test_draws_can_come_from_a_shoe_of_their_own(tmp_path: Path) -> None:
    table = loaded(tmp_path, TWO_DEVICES).table
    assert table.shoe is not None
    assert (table.source.device, table.shoe.device) == ("shuffler", "shoe")
    assert table.dealing_devices == {"shuffler", "shoe"}
    assert problems(TWO_DEVICES.replace("shuffler-faces", "shuffler-observed")) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (TWO_DEVICES.replace('draws_from = "shoe"', 'draws_from = "sho"'), "[unknown-device]"),
        (TWO_DEVICES.replace('draws_from = "shoe"', 'draws_from = "shuffler"'), "[wrong-role]"),
        (TWO_DEVICES.replace("felt-link-shuffler-faces", "felt-link-shoe"), "[wrong-role]"),
    ],
)
def test_what_draws_cannot_come_from(text: str, code: str) -> None:
    (told,) = problems(text)
    assert "games.big-draw.draws_from: " in told
    assert told.endswith(code)
