"""The example configuration is good as it stands, and shows every key there is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

from msgspec import inspect

from daemon.config.load import examine, load
from daemon.config.reading import key_of
from daemon.config.sections import Sections
from daemon.logs import LogLevel
from daemon.mqtt.settings import MqttSettings
from daemon.table.settings import PayingStyle, Reconciling
from daemon.table.vocabulary import Irregularity

EXAMPLE = Path(__file__).resolve().parents[2] / "systemd" / "feltd.example.toml"
WHOLE = re.sub(r"(?m)^#(?=[^ \n])", "", EXAMPLE.read_text(encoding="utf-8"))
"""The example with every key that may be left out."""


def missing(kind: type[Any], table: dict[str, Any], path: str = "") -> Iterator[str]:
    """Keys that a section declares and a table does not have. Of many tables alike, one shows them all."""
    hints = get_type_hints(kind)
    for field in fields(kind):
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
    match inspect.type_info(hint):
        case inspect.UnionType():
            yield from missing_inside(next(part for part in get_args(hint) if part is not type(None)), value, path)
        case inspect.DataclassType(cls=kind):
            yield from missing(kind, value, path)
        case inspect.VarTupleType():
            yield from missing_inside(get_args(hint)[0], value[0], path)
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


def test_what_the_example_calls_a_default_is_one() -> None:
    config = load(EXAMPLE)
    told, silent = examine(WHOLE), examine(EXAMPLE.read_text(encoding="utf-8"))
    assert isinstance(told, Sections)
    assert isinstance(silent, Sections)
    for section, keys in {
        "table": ["reconciling", "paying", "stub_count_rounds_max"],
        "mqtt": ["host", "port", "version", "keepalive_s", "session_expiry_s"],
        "panel": ["enabled", "host", "port"],
        "log": ["level"],
    }.items():
        for key in keys:
            assert getattr(getattr(told, section), key) == getattr(getattr(silent, section), key), key
    assert told.games.big_50.red_black is silent.games.big_50.red_black
    assert (config.table.reconciling, config.table.paying) == (Reconciling.STEP, PayingStyle.PICK_AND_PAY)
    assert config.log_level is LogLevel.INFO
    assert config.mqtt == MqttSettings()
