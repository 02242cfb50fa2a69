"""HACKING shows the real profile, and makes every verb known."""

from __future__ import annotations

import re
import tomllib

from tests.docs.documents import ROOT, blocks, cells, section, text_of
from tests.docs.places import places_of

HACKING = text_of("HACKING.md")


def test_the_profile_shown_is_the_file() -> None:
    file = re.findall(r"a whole one, `(drivers/profiles/\w+\.py)`", HACKING)[0]
    (shown,) = blocks(HACKING, "python")
    assert shown == (ROOT / file).read_text(encoding="utf-8")


def test_every_place_of_a_protocol_is_listed_and_no_other() -> None:
    rows = section(HACKING, "### A protocol")
    listed = {place for cell in cells(rows, 0) for place in re.findall(r"`([\w/.]+)`", cell)}
    assert listed == set(places_of("bee_tek")), "python -m tests.docs.places bee_tek prints where a protocol stands"


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
