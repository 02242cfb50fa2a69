"""The requirement files pin what pyproject.toml asks for, and nothing in them needs a package that is not pinned."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution, version

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.install.pins import DEVELOPMENT, FILES, ROOT, TABLE, PinFile, asked, environments, pinned_versions

_every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.path)


def _unmet(wanted: list[str], pinned: dict[str, str], environment: dict[str, str], extras: set[str]) -> list[str]:
    """Return the requirements that these pins do not satisfy."""
    unmet = []
    for line in wanted:
        requirement = Requirement(line)
        applies = [
            requirement.marker is None or requirement.marker.evaluate(environment | {"extra": extra})
            for extra in extras | {""}
        ]
        name = canonicalize_name(requirement.name)
        if any(applies) and not (name in pinned and requirement.specifier.contains(pinned[name], prereleases=True)):
            unmet.append(line)
    return unmet


@_every_file
def test_pyproject_gets_what_it_asks_for_on_every_python_and_machine(file: PinFile) -> None:
    for environment in environments():
        assert not _unmet(asked(file), pinned_versions(file, environment), environment, set()), "run make pins"


@pytest.mark.parametrize("file", [TABLE, DEVELOPMENT], ids=lambda file: file.path)
def test_every_pinned_package_gets_what_it_asks_for(file: PinFile) -> None:
    """As far as the packages are installed here: those for another Python or machine cannot say what they need."""
    extras: dict[str, set[str]] = {
        canonicalize_name(Requirement(line).name): Requirement(line).extras for line in asked(file)
    }
    for environment in environments():
        pinned = pinned_versions(file, environment)
        for name in pinned:
            try:
                wanted = distribution(name).requires or []
            except PackageNotFoundError:
                continue
            assert not _unmet(wanted, pinned, environment, set(extras.get(name, ()))), f"{name}: run make pins"


def test_what_is_installed_here_is_what_is_pinned() -> None:
    here = {name: str(value) for name, value in default_environment().items()} | {"extra": ""}
    pinned = pinned_versions(DEVELOPMENT, here)
    assert {name: version(name) for name in pinned} == pinned


def test_a_developer_has_the_versions_of_the_table() -> None:
    for environment in environments():
        assert pinned_versions(TABLE, environment).items() <= pinned_versions(DEVELOPMENT, environment).items()


@_every_file
def test_every_pin_has_a_hash_and_no_file_names_an_index(file: PinFile) -> None:
    text = (ROOT / file.path).read_text(encoding="utf-8")
    assert "--only-binary :all:" in text
    assert not re.search(r"https?:|index-url|find-links", text)
    for block in re.split(r"(?m)^(?=\w)", text)[1:]:
        assert re.fullmatch(r"[\w.-]+==\S+( ; [^\\\n]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+\n", block), block


def test_a_requirement_that_nobody_pinned_is_found() -> None:
    environment = next(environments())
    pinned = pinned_versions(TABLE, environment)
    assert _unmet(
        ["apsw>=3.51", "no-such>=1", "click<8", "tzdata; sys_platform == 'win32'"], pinned, environment, set()
    ) == ["no-such>=1", "click<8"]
