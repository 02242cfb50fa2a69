"""Bad Beat Blackjack in a table's file: every option of the house, and the only devices that it is dealt from."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from daemon.config.load import examine, load
from daemon.config.sections import Sections
from daemon.config.settings import Config
from daemon.rules.blackjack.house import (
    BadBeatOption,
    BlackjackHouse,
    BlackjackPays,
    DoubleOn,
    Insurance,
    SplitAces,
    UnpeekedTakes,
)
from daemon.rules.blackjack.paytables import BadBeatCase
from daemon.table.blackjack.house import house_of, shoe_rules
from daemon.table.shoe import ShoeRules
from daemon.table.vocabulary import SourceKind
from drivers.profile import Capability, DeviceRole, Profile
from drivers.profiles import PROFILES
from tests.daemon.config.files import GOOD
from tests.support.sentences import Says

AT_A_SHOE = GOOD.replace('"big-50"', '"bad-beat-blackjack"').replace("felt-link-shuffler-faces", "felt-link-shoe")
EVERY_OPTION = """
[games.bad-beat-blackjack]
option = 2
paytable = "L3"
bad_beat_alone = true
decks = 8
burn_cards = 3
dealer_hits_soft_17 = false
blackjack_pays = "6 to 5"
peek = false
unpeeked_blackjack_takes = "original"
double_on = "9-11"
double_after_split = false
hands_max = 2
split_aces = "never"
late_surrender = false
insurance = "up-to-half"
"""
OWN = """
[games.bad-beat-blackjack.bad_beat_pays]
name = "ours"
source = "ours"
rows = { "20 beaten" = "19 to 1", "player wins" = "push" }
"""


def loaded(directory: Path, text: str) -> Config:
    file = directory / "t.toml"
    file.write_text(text)
    return load(file)


def problems(text: str) -> list[str]:
    found = examine(text)
    return [] if isinstance(found, Sections) else [problem.sentence(Path("t.toml")) for problem in found]


def test_without_a_word_from_the_house_it_is_the_usual_game(tmp_path: Path) -> None:
    table = loaded(tmp_path, AT_A_SHOE).table
    assert table.options == BlackjackHouse()
    assert table.source.kind is SourceKind.SHOE
    assert shoe_rules(table) == ShoeRules(decks=6, burn_cards=1, cards_a_round=5 * (table.seats + 1))


def test_every_option_reaches_the_rules(tmp_path: Path) -> None:
    table = loaded(tmp_path, AT_A_SHOE + EVERY_OPTION).table
    usual, options = BlackjackHouse(), table.options
    assert isinstance(options, BlackjackHouse)
    same = [each.name for each in fields(usual) if getattr(usual, each.name) == getattr(options, each.name)]
    assert same == ["money", "bad_beat_pays", "insurance_within_half"]
    house = house_of(table)
    assert (house.option, house.bad_beat_paytable.name, house.decks) == (BadBeatOption.FIRST_SPLIT_HAND, "L3", 8)
    assert (house.peek, house.unpeeked_blackjack_takes) == (False, UnpeekedTakes.ORIGINAL)
    assert (house.double_on, house.double_after_split) == (DoubleOn.NINE_TO_ELEVEN, False)
    assert (house.hands_max, house.split_aces, house.late_surrender) == (2, SplitAces.NEVER, False)
    assert (house.insurance, house.blackjack_pays) == (Insurance.UP_TO_HALF, BlackjackPays.SIX_TO_FIVE)
    assert (house.bad_beat_alone, house.dealer_hits_soft_17) == (True, False)


def test_a_paytable_of_the_houses_own_is_in_force(tmp_path: Path) -> None:
    house = house_of(loaded(tmp_path, AT_A_SHOE + OWN).table)
    assert str(house.bad_beat_paytable.award_for(BadBeatCase.BEATEN_20)) == "19 to 1"


def test_it_is_not_dealt_from_a_shuffler(says: Says) -> None:
    text = AT_A_SHOE.replace("felt-link-shoe", "felt-link-shuffler-faces")
    says("\n".join(problems(text)))


@pytest.mark.parametrize("profile", [each for each in PROFILES.values() if each.role is DeviceRole.SHOE])
def test_every_shoe_reads_faces(profile: Profile) -> None:
    """So the role alone keeps out a source that reads none."""
    assert profile.can(Capability.FACES)


@pytest.mark.parametrize(
    "line",
    ["decks = 9", "decks = 0", "hands_max = 5", "burn_cards = -1", "option = 3", 'option = "1"', 'paytable = "P6"'],
)
def test_what_no_house_can_have_is_refused(line: str) -> None:
    (told,) = problems(f"{AT_A_SHOE}\n[games.bad-beat-blackjack]\n{line}\n")
    assert f"games.bad-beat-blackjack.{line.split()[0]}" in told
