"""Write the requirement files from pyproject.toml: `make pins`, or `make pins ARGS=--upgrade` for the newest versions.

A file names versions and hashes and no index, so a house installs the same bytes from its own mirror. It lists only
wheels: to build a package from its source, pip would fetch build tools that no file pins. Of the wheels it lists those
for `PYTHONS` on `MACHINES`. A package that lacks one of them is an error here, before a table meets it.

uv resolves for all Pythons at once, which pip cannot do. Nothing else in the tree uses uv.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT: Final = Path(__file__).resolve().parents[2]
PYTHONS: Final = ((3, 11), (3, 12), (3, 13), (3, 14))
MACHINES: Final = ("x86_64", "aarch64")
GLIBC_MINOR_MAX: Final = 36
"""Debian 12 has glibc 2.36."""


@dataclass(frozen=True, slots=True)
class PinFile:
    """One requirement file, and the parts of pyproject.toml that it pins."""

    path: str
    about: str
    groups: tuple[str, ...]


TABLE: Final = PinFile("requirements.txt", "what a table needs, and hatchling, which builds feltd itself", ())
DEVELOPMENT: Final = PinFile("requirements-dev.txt", "what `make check` and `make test` need", ("dev",))
FILES: Final = (
    TABLE,
    DEVELOPMENT,
    PinFile(".ci/requirements-fuzz.txt", "what `make fuzz` adds", ("fuzz",)),
    PinFile(".ci/requirements-pins.txt", "what `make pins` needs", ("pins",)),
)


def asked(file: PinFile) -> list[str]:
    """Return the requirements of pyproject.toml that this file pins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    of_feltd = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    added = [each for group in file.groups for each in project["dependency-groups"][group]]
    return [*(of_feltd if file in (TABLE, DEVELOPMENT) else ()), *added]


def pins(file: PinFile) -> list[str]:
    """Return the lines `name==version ; marker` of this file."""
    lines = (ROOT / file.path).read_text(encoding="utf-8").splitlines()
    return [line.removesuffix("\\").strip() for line in lines if not line.startswith(("#", " ", "-"))]


def pinned_versions(file: PinFile, environment: dict[str, str]) -> dict[str, str]:
    """Return the version of each package that pip installs from this file in this environment."""
    found = [Requirement(pin) for pin in pins(file)]
    here = [pin for pin in found if pin.marker is None or pin.marker.evaluate(environment)]
    versions: dict[str, str] = {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in here}
    assert len(versions) == len(here), f"{file.path} pins a package twice"
    return versions


def environments() -> Iterator[dict[str, str]]:
    """Yield the marker environment of every Python and machine that the files are for."""
    for major, minor in PYTHONS:
        for machine in MACHINES:
            yield {
                "implementation_name": "cpython",
                "implementation_version": f"{major}.{minor}.0",
                "os_name": "posix",
                "platform_machine": machine,
                "platform_python_implementation": "CPython",
                "platform_system": "Linux",
                "python_full_version": f"{major}.{minor}.0",
                "python_version": f"{major}.{minor}",
                "sys_platform": "linux",
                "extra": "",
            }


@dataclass(frozen=True, slots=True)
class _Locked:
    """One package as uv resolved it: where it applies, and the hash of each of its wheels by file name."""

    name: str
    version: str
    marker: str | None
    wheels: Mapping[str, str]


def write(file: PinFile, *, upgrade: bool) -> None:
    """Resolve what pyproject.toml asks for and write the file."""
    with tempfile.TemporaryDirectory() as folder:
        locked = _resolve(file, Path(folder), upgrade=upgrade)
    lines = [f"# Written by `make pins` from pyproject.toml: {file.about}.", "--only-binary :all:"]
    lines += [" \\\n    ".join(pin) for package in locked if (pin := _pin(package))]
    (ROOT / file.path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _resolve(file: PinFile, folder: Path, *, upgrade: bool) -> list[_Locked]:
    """Resolve twice: the first time keeps the versions of the present file, the second time learns the wheels."""
    pyproject = folder / "pyproject.toml"
    pyproject.write_text(
        '[project]\nname = "feltd"\nversion = "0"\nrequires-python = ">=3.11"\n'
        f"dependencies = {json.dumps(asked(file))}\n",
        encoding="utf-8",
    )
    versions, wheels = folder / "versions.txt", folder / "pylock.toml"
    if (ROOT / file.path).exists() and not upgrade:
        versions.write_text("".join(f"{pin}\n" for pin in pins(file)), encoding="utf-8")
    of_table = folder / "table.txt"
    of_table.write_text("".join(f"{pin}\n" for pin in pins(TABLE)) if file is not TABLE else "", encoding="utf-8")
    uv = str(Path(sys.executable).parent / "uv")
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version=3.11"]
    subprocess.run([*command, "-c", str(of_table), "-o", str(versions), str(pyproject)], cwd=folder, check=True)
    subprocess.run([*command, "-c", str(versions), "-o", str(wheels), str(pyproject)], cwd=folder, check=True)
    return [
        _Locked(
            name=package["name"],
            version=package["version"],
            marker=package.get("marker"),
            wheels={
                unquote(each["url"].rpartition("/")[2]): each["hashes"]["sha256"] for each in package.get("wheels", ())
            },
        )
        for package in tomllib.loads(wheels.read_text(encoding="utf-8"))["packages"]
    ]


def _pin(package: _Locked) -> list[str]:
    """Return the version and then each hash that one of our machines may meet; nothing where none needs the package."""
    wanted = [each for each in environments() if package.marker is None or Marker(package.marker).evaluate(each)]
    usable: set[str] = set()
    for environment in wanted:
        good = _tags(environment["python_version"], environment["platform_machine"])
        fitting = {name for name in package.wheels if parse_wheel_filename(name)[3] & good}
        if not fitting:
            sys.exit(
                f"{package.name} {package.version} has no wheel for CPython {environment['python_version']} on "
                f"{environment['platform_machine']}. Ask for another version in pyproject.toml, then run make pins."
            )
        usable |= fitting
    if not wanted:
        return []
    requirement = f"{package.name}=={package.version}"
    if len(wanted) < len(list(environments())):
        requirement += f" ; {package.marker}"
    return [requirement, *sorted(f"--hash=sha256:{package.wheels[name]}" for name in usable)]


@cache
def _tags(python: str, machine: str) -> frozenset[Tag]:
    """Return the tags of all wheels that this Python on a Debian of this machine can install."""
    version = tuple(int(part) for part in python.split("."))
    interpreter = "cp" + python.replace(".", "")
    manylinux = [f"manylinux_2_{minor}_{machine}" for minor in range(5, GLIBC_MINOR_MAX + 1)]
    platforms = [*manylinux, f"manylinux1_{machine}", f"manylinux2010_{machine}", f"manylinux2014_{machine}"]
    return frozenset(
        [
            *cpython_tags(version, [interpreter], platforms),
            *compatible_tags(version, interpreter, [*platforms, "any"]),
        ]
    )


if __name__ == "__main__":
    for each in FILES:
        write(each, upgrade="--upgrade" in sys.argv[1:])
