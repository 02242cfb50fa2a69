"""HACKING shows the real profile, and makes every verb known."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

from daemon.rules.registry import part_module
from daemon.rules.wagers import GameName
from tests.docs.documents import ROOT, blocks, cells, section, text_of
from tests.docs.places import places_of, places_of_word

HACKING = text_of("HACKING.md")


def test_the_profile_shown_is_the_file() -> None:
    file = re.findall(r"one device, `(drivers/profiles/\w+\.py)`", HACKING)[0]
    (shown,) = blocks(HACKING, "python")
    assert shown == (ROOT / file).read_text(encoding="utf-8")


def test_every_place_of_a_protocol_is_listed_and_no_other() -> None:
    rows = section(HACKING, "### A protocol")
    listed = {place for cell in cells(rows, 0) for place in re.findall(r"`([\w/.]+)`", cell)}
    assert listed == set(places_of("bee_tek")), "python -m tests.docs.places bee_tek prints where a protocol stands"


def test_every_place_of_an_irregularity_is_listed_and_no_other() -> None:
    rows = section(HACKING, "### An irregularity")
    listed = {place for cell in cells(rows, 0) for place in re.findall(r"`([\w/.]+)`", cell)}
    keys = {place for place in places_of_word("card-off-table") if "/site/words." in place}  # not each has a key
    assert listed == set(places_of_word("card-off-table")) - keys, "python -m tests.docs.places card-off-table"


def test_every_verb_of_the_makefile_is_listed_and_no_other() -> None:
    described = set(re.findall(r"(?m)^([a-z-]+):.*## ", text_of("Makefile"))) - {"help"}
    assert set(re.findall(r"(?m)^\| `make ([a-z-]+)` \|", HACKING)) == described


def test_every_harness_is_where_it_is_said_to_be() -> None:
    table = HACKING.partition("| harness | for |")[2].partition("\n\n")[0]
    assert len(re.findall(r"(?m)^\| `([\w/]+\.py)`", table)) > 10


def test_every_package_that_is_installed_is_named_and_no_other() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    installed = {re.split(r"[<>=]", line)[0] for line in project["dependencies"]}
    rows = section(HACKING, "## Packages")
    named = {name for cell in cells(rows, 0) for name in re.findall(r"[a-z0-9][a-z0-9-]+", cell)}
    assert named - {"on"} == installed


def places_of_a_game() -> Iterator[tuple[str, str | None]]:
    """Find every call of `parts` in the product: where a layer looks for a game, and in which inner module."""
    for path in (ROOT / "daemon").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "parts":
                inner = [keyword.value for keyword in node.keywords if keyword.arg == "inner"]
                yield ast.literal_eval(node.args[0]), ast.literal_eval(inner[0]) if inner else None


def test_the_places_of_a_game_are_those_in_which_the_layers_look() -> None:
    """A layer that begins to look for games, or looks elsewhere, changes this table."""
    rows = section(HACKING, "### A game")
    packages, modules = [], []
    for package, inner in places_of_a_game():
        packages.append(package.replace(".", "/"))
        module = part_module(GameName.BIG_50, package, inner).__name__
        modules.append(module.replace(".", "/") + ".py")
    told = [cell.strip("`") for cell in cells(rows, 0)]
    shown = [cell.strip("`") for cell in cells(rows, 2)]
    assert sorted(told) == sorted([*packages, "daemon/rules/wagers.py"])
    assert sorted(shown) == sorted([*modules, "GameName.BIG_50"])
