"""The example configuration is good as it stands, and shows every key there is."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import click
import pytest
from click.testing import CliRunner
from msgspec import inspect

from daemon.config.command import check_config
from daemon.config.hints import key_of
from daemon.config.load import examine, load
from daemon.config.sections import SECTIONS, Sections
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttSettings
from daemon.rules.games import GAMES
from daemon.rules.house import House, keys_of, scale_of
from daemon.rules.wagers import GameName
from daemon.table.settings import PayingStyle, Reconciling
from daemon.table.vocabulary import Irregularity
from daemon.tools.rules.advise import ADVISORS, advise_command
from daemon.tools.rules.audit import audit_command
from daemon.tools.rules.houses import houses_of

LONG: Final = "FELTD_SOAK" in os.environ
EXAMPLE = Path(__file__).resolve().parents[2] / "systemd" / "feltd.example.toml"
WHOLE = re.sub(r"(?m)^#(?=[^ \n])", "", EXAMPLE.read_text(encoding="utf-8"))
"""The example with every key that may be left out."""


def missing(kind: type[Any], table: dict[str, Any], path: str = "") -> Iterator[str]:
    """Keys that a section declares and a table does not have. Of many tables alike, one shows them all."""
    hints = get_type_hints(kind)
    for field in keys_of(kind) if issubclass(kind, House) else fields(kind):
        key = key_of(field)
        if key in table:
            yield from missing_inside(hints[field.name], table[key], f"{path}{key}.")
        else:
            yield path + key
            yield from missing_with(hints[field.name], f"{path}{key}.")


def missing_with(hint: Any, path: str) -> Iterator[str]:  # noqa: ANN401  a type
    """With a table that may be left out all of its keys are, too; another table alike may show only some of them."""
    for part in get_args(hint):
        if isinstance(part, type) and is_dataclass(part):
            yield from missing(part, {}, path)


def missing_inside(hint: Any, value: Any, path: str) -> Iterator[str]:  # noqa: ANN401  a type, and what TOML has
    if isinstance(value, dict) and "rows" in value:  # a paytable, whose rows are the house's own
        return
    match inspect.type_info(hint):
        case inspect.UnionType():
            yield from missing_inside(next(part for part in get_args(hint) if part is not type(None)), value, path)
        case inspect.DataclassType(cls=kind):
            yield from missing(kind, value, path)
        case inspect.VarTupleType():
            yield from missing_inside(get_args(hint)[0], value[0], path)
        case inspect.DictType() if get_args(hint) == (GameName, House):
            for game, kind in SECTIONS.items():
                yield from missing(kind, value.get(game.value, {}), f"{path}{game.value}.")
        case inspect.DictType():
            yield from missing_in_named(hint, value, path)
        case _:
            return


def missing_in_named(hint: Any, value: dict[str, Any], path: str) -> Iterator[str]:  # noqa: ANN401  the same
    names, kind = get_args(hint)
    if issubclass(names, Irregularity):
        yield from (path + name.value for name in Irregularity if name.value not in value)
    elif not (isinstance(kind, type) and issubclass(kind, Enum)):
        lacking = [set(missing_inside(kind, inner, path)) for inner in value.values()]
        yield from set.intersection(*lacking)


def test_the_example_is_good_as_it_stands() -> None:
    config = load(EXAMPLE)
    assert (config.table.site, config.table.table, config.table.seats) == ("harbour", "table7", 6)


def test_the_example_is_good_with_everything_in_it() -> None:
    assert isinstance(examine(WHOLE), Sections)


def test_the_example_shows_every_key() -> None:
    assert list(missing(Sections, tomllib.loads(WHOLE))) == []


def test_every_key_of_the_example_is_taken_by_the_audits_of_every_game(tmp_path: Path) -> None:
    """Counting takes minutes, so only the house is made here that each game is counted for."""
    houses = houses_of(written(tmp_path, WHOLE))
    assert {game: type(house) for game, house in houses.items()} == {g: type(s.house) for g, s in GAMES.items()}
    assert houses[GameName.BIG_50].poker_hand_pays.name == "Royal Flush, house"
    assert houses[GameName.BIG_RAISE].five_card_paytable.name == "5 Card Bonus, house"
    assert houses[GameName.BLACKJACK].bad_beat_paytable.name == "Bad Beat, house"
    assert all(house.money.chip == 100 for house in houses.values())


CARDS_ADVISED_ON: Final = {"big-raise-holdem": "Ac Ad 7h"}
"""What a player of the game sees, where it is not five cards."""


def test_check_config_takes_the_example_with_everything_in_it(tmp_path: Path) -> None:
    takes_everything(tmp_path, check_config)


@pytest.mark.soak
@pytest.mark.timeout(3600 if LONG else 120)
@pytest.mark.parametrize("game", GAMES if LONG else [GameName.BIG_50])
def test_the_audit_takes_the_example_with_everything_in_it(game: GameName, tmp_path: Path) -> None:
    """The other games are counted by `make soak`: their houses were made above, and counting takes minutes."""
    takes_everything(tmp_path, audit_command, "--game", game.value, "--config")


@pytest.mark.parametrize("advised", ADVISORS)
def test_every_advice_takes_the_example_with_everything_in_it(advised: str, tmp_path: Path) -> None:
    cards = CARDS_ADVISED_ON.get(advised, "Kc Qc Jc Tc 2h")
    takes_everything(tmp_path, advise_command, advised, cards, "--config")


def takes_everything(tmp_path: Path, command: click.Command, *arguments: str) -> None:
    (tmp_path / "table7.password").write_text("secret")
    (tmp_path / "table7.password").chmod(0o600)
    (tmp_path / "people.example.toml").write_text((EXAMPLE.parent / "people.example.toml").read_text())
    without_files = re.sub(r"(?m)^(ca|certificate|key)_file = .*$", "", WHOLE)
    whole = re.sub(r"(?m)^password_file = .*$", 'password_file = "table7.password"', without_files)
    done = CliRunner().invoke(command, [*arguments, str(written(tmp_path, whole))])
    assert done.exit_code == 0, done.output


def written(directory: Path, text: str) -> Path:
    file = directory / "feltd.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_the_example_calls_a_default_is_one() -> None:
    config = load(EXAMPLE)
    told, silent = examine(WHOLE), examine(EXAMPLE.read_text(encoding="utf-8"))
    assert isinstance(told, Sections)
    assert isinstance(silent, Sections)
    for section, keys in {
        "table": ["reconciling", "paying", "stub_count_rounds_max"],
        "mqtt": ["host", "port", "version", "keepalive_s", "session_expiry_s"],
        "log": ["level"],
    }.items():
        for key in keys:
            assert getattr(getattr(told, section), key) == getattr(getattr(silent, section), key), key
    for game in (GameName.BIG_50, GameName.BLACKJACK):
        for option in keys_of(type(GAMES[game].house)):
            if scale_of(option) is None:
                assert getattr(told.games[game], option.name) == option.default, f"{game.value}.{option.name}"
    assert (config.table.reconciling, config.table.paying) == (Reconciling.STEP, PayingStyle.PICK_AND_PAY)
    assert config.log_level is LogLevel.INFO
    assert config.mqtt == MqttSettings()
