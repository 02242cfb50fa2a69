"""Sentences of ours stand in one file a test module, and a command rewrites them.

A test compares codes, kinds and places itself and hands the wording to `says`. The wording stands in
`sentences/<module>.txt` beside the module, under the test's name, numbered in the order of the calls. A sentence that
differs fails at its line. A sentence that is missing or that nothing says fails as well. After a rewording,
`make sentences` writes the files: read their diff.

What differs from run to run is hidden: the test's `tmp_path`, a port of this machine and a journal's id by `says`
itself, the rest by name (`says(text, pid=daemon.pid)`). A file is compared as it is written: control characters are
escaped, spaces at a line's end are left out, and nothing is read back.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

HEADING: Final = "# What {}.py reads. `make sentences` rewrites this file: read the diff before you commit it.\n"
REWRITE: Final = "--rewrite-sentences"
CONTINUED: Final = "   |"
LOCAL_PORT: Final = re.compile(r"\b(127\.0\.0\.1(?::|', ))\d+\b")
JOURNAL_ID: Final = re.compile(r"\b(journal )[0-9a-f]{12}\b")

Kept = dict[str, list[str]]


class Says:
    """Compare what the product says with the sentences kept for one test."""

    def __init__(self, file: Path, test: str, *, rewrite: bool, hidden: dict[str, object]) -> None:
        self._file, self._test, self._rewrite, self._hidden = file, test, rewrite, hidden
        self._kept = _read(file).get(test, [])
        self._said: list[str] = []

    def __call__(self, sentence: object, /, **varies: object) -> None:
        """Compare the next sentence. `varies` names what differs between runs, such as a process id."""
        text = JOURNAL_ID.sub(r"\1<id>", LOCAL_PORT.sub(r"\1<port>", str(sentence)))
        for name, value in sorted((self._hidden | varies).items(), key=lambda item: -len(str(item[1]))):
            text = text.replace(str(value), f"<{name}>")
        self._said.append(_on_file(text))
        number = len(self._said)
        if not self._rewrite and self._kept[number - 1 : number] != self._said[-1:]:
            kept = self._kept[number - 1] if number <= len(self._kept) else "(nothing)"
            pytest.fail(f"{self._place(number)}\n  kept {kept}\n  said {self._said[-1]}\n{self._remedy()}")

    def finish(self) -> None:
        """Say that the test has passed. What is kept and was not said is a fault."""
        if self._rewrite:
            with _locked(self._file) as all_kept:
                all_kept[self._test] = self._said
        elif len(self._kept) > len(self._said):
            number = len(self._said) + 1
            pytest.fail(f"{self._place(number)}\n  kept {self._kept[number - 1]}\n  said (nothing)\n{self._remedy()}")

    def _place(self, number: int) -> str:
        return f"{os.path.relpath(self._file)}: {self._test}, sentence {number}:"

    def _remedy(self) -> str:
        return f"Where the new wording is right: make sentences ARGS={os.path.relpath(_module(self._file))}"


class LeftOver(pytest.Item):
    """A failing test that stands for sentences whose tests are gone."""

    def runtest(self) -> None:
        pytest.fail(f"{self.name}. Take them out: make sentences", pytrace=False)


@pytest.fixture
def says(request: pytest.FixtureRequest) -> Says:
    """Compare sentences with the file beside the module: `says(answer.message)`."""
    node = request.node
    hidden = {"tmp": request.getfixturevalue("tmp_path")} if "tmp_path" in request.fixturenames else {}
    return Says(_file_of(node.path), _name(node), rewrite=request.config.getoption(REWRITE), hidden=hidden)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(REWRITE, action="store_true", help="write what the tests with `says` read, and compare nothing")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """After a test that passed, look for sentences that it did not say."""
    yield
    if isinstance(item, pytest.Function) and isinstance(given := item.funcargs.get("says"), Says):
        given.finish()


@pytest.hookimpl(tryfirst=True)  # before -k takes tests away
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    rewrite = config.getoption(REWRITE)
    if not config.getoption("lf", False) and not any("::" in argument for argument in config.args):
        tests: dict[Path, set[str]] = {}
        for item in items:
            names = tests.setdefault(_file_of(item.path), set())
            if _takes_says(item):
                names.add(_name(item))
        for file, names in tests.items():
            if gone := _read(file).keys() - names:
                if rewrite:
                    with _locked(file) as kept:
                        for name in gone:
                            kept.pop(name, None)
                else:
                    what = f"{os.path.relpath(file)} has sentences of {', '.join(sorted(gone))}, which says none"
                    items.append(LeftOver.from_parent(session, name=what))
    if rewrite:
        items[:] = [item for item in items if _takes_says(item)]


def _takes_says(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and "says" in item.fixturenames


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[2]


def _file_of(module: Path) -> Path:
    return module.parent / "sentences" / f"{module.stem}.txt"


def _module(file: Path) -> Path:
    return file.parent.parent / f"{file.stem}.py"


def _on_file(text: str) -> str:
    lines = text.rstrip().replace("\r\n", "\n").split("\n")
    shown = ("".join(char if char.isprintable() else repr(char)[1:-1] for char in line.rstrip()) for line in lines)
    return "\n".join(shown)


def _read(file: Path) -> Kept:
    """Return the sentences in a file, by test."""
    kept: Kept = {}
    said: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        if line.startswith(CONTINUED):
            said[-1] += f"\n{line[len(CONTINUED) + 1 :]}"
        elif line.startswith(" "):
            said.append(line[len(CONTINUED) + 1 :])
        elif line and not line.startswith("#"):
            said = kept.setdefault(line, [])
    return kept


def _written(file: Path, kept: Kept) -> str:
    blocks = [HEADING.format(file.stem)]
    for test, sentences in sorted(kept.items()):
        lines = [test]
        for number, said in enumerate(sentences, 1):
            first, *more = said.split("\n")
            lines += [f"{number:3}  {first}", *(f"{CONTINUED} {line}".rstrip() for line in more)]
        blocks.append("".join(f"{line}\n" for line in lines))
    return "\n".join(blocks)


@contextmanager
def _locked(file: Path) -> Iterator[Kept]:
    """Give the sentences in a file to change them. Tests of one module may run in several processes."""
    file.parent.mkdir(exist_ok=True)
    with _module(file).open() as module:
        fcntl.flock(module, fcntl.LOCK_EX)
        kept = _read(file)
        yield kept
        if kept := {test: said for test, said in kept.items() if said}:
            file.write_text(_written(file, kept), encoding="utf-8")
        else:
            file.unlink(missing_ok=True)
