"""The software bill of materials: what is installed for feltd, as CycloneDX 1.5 in JSON.

It is read from the environment that feltd runs in, so it says what is there and not what was asked for. It has no date
and no serial number: the same packages give the same bytes.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Final

from daemon.version import full_version

FELTD: Final = "feltd"
_PYTHON: Final = re.compile(r"""python(?:_full)?_version\s*([<>]=?)\s*["'](\d+)\.(\d+)""")


def bill_of_materials() -> str:
    """Return the document: feltd, every package that it needs here, and who needs whom."""
    needed = packages_needed(FELTD)
    parts = {name: distribution(name) for name in sorted(needed)}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": _component(parts[FELTD], full_version(), "application")},
        "components": [_component(part, part.version, "library") for name, part in parts.items() if name != FELTD],
        "dependencies": [
            {"ref": _purl(part), "dependsOn": sorted(_purl(parts[below]) for below in needed[name])}
            for name, part in parts.items()
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def packages_needed(root: str) -> dict[str, set[str]]:
    """Return this package and all that it needs in this environment, each with the packages that it names itself."""
    needed: dict[str, set[str]] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = set(_named_by(distribution(name)))
            waiting += needed[name]
    return needed


def _named_by(part: Distribution) -> list[str]:
    """Return the packages of its requirements that are installed and for this Python. One for an extra is not."""
    names = []
    for requirement in part.requires or ():
        name = _canonical(requirement)
        wanted_by_extra = "extra ==" in requirement
        if not wanted_by_extra and _is_for_this_python(requirement) and _is_installed(name):
            names.append(name)
    return names


def _is_for_this_python(requirement: str) -> bool:
    """Return whether no bound of `python_version` in the requirement's marker excludes the Python that runs."""
    running = sys.version_info[:2]
    for sign, major, minor in _PYTHON.findall(requirement.partition(";")[2]):
        bound = (int(major), int(minor))
        if not {"<": running < bound, "<=": running <= bound, ">": running > bound, ">=": running >= bound}[sign]:
            return False
    return True


def _canonical(requirement: str) -> str:
    head = requirement.partition(";")[0]
    for end in "[<>=!~( ":
        head = head.partition(end)[0]
    return head.strip().lower().replace("_", "-").replace(".", "-")


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _component(part: Distribution, version: str, kind: str) -> dict[str, object]:
    described = part.metadata
    component: dict[str, object] = {
        "type": kind,
        "bom-ref": _purl(part),
        "name": _canonical(described["Name"]),
        "version": version,
        "purl": _purl(part),
    }
    licence = next((described[key] for key in ("License-Expression", "License") if key in described), None)
    if licence:
        component["licenses"] = [{"license": {"name": licence.strip().splitlines()[0]}}]
    return component


def _purl(part: Distribution) -> str:
    return f"pkg:pypi/{_canonical(part.metadata['Name'])}@{part.version}"
