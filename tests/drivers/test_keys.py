"""felt-link's words for keys: the specification, the emulated pad, the profile and the table say the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drivers.events import Button
from drivers.profile import Capability
from drivers.profiles import PROFILES
from protocols.felt_link import limits
from sim_hardware.buttons import KEYS

SPEC = (Path(limits.__file__).parent / "SPEC.md").read_text(encoding="utf-8")


def specified() -> set[str]:
    found = re.search(r"^### Keys$(.*?)(?=^##)", SPEC, re.MULTILINE | re.DOTALL)
    assert found
    rows = "".join(re.findall(r"^\|([^|]*)\|", found[1], re.MULTILINE))
    words = set(re.findall(r"`([a-z0-9-]+)`", rows))
    for stem, first, last in re.findall(r"`([a-z]+-)(\d)` to `\1(\d)`", rows):
        words |= {f"{stem}{number}" for number in range(int(first), int(last) + 1)}
    return words


def test_the_specification_has_every_meaning_and_no_other() -> None:
    assert specified() == {button.value for button in Button}


def test_the_emulated_pad_has_a_key_for_each() -> None:
    assert sorted(KEYS) == sorted(button.value for button in Button)


@pytest.mark.parametrize("name", [name for name, one in PROFILES.items() if one.can(Capability.BUTTONS)])
def test_every_device_with_keys_means_by_a_word_what_it_says(name: str) -> None:
    assert PROFILES[name].keys == {button.value: button for button in Button}
