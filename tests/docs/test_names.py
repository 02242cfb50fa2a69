"""What the documents name is there: files, functions, commands with their options, make's verbs, links."""

from __future__ import annotations

import builtins
import re
import shlex
from collections.abc import Iterator

import click
import pytest

from daemon.cli import feltd
from daemon.journal.kinds import FACT_KINDS
from daemon.lazy import LazyCommand
from tests.docs.code import defined, defined_in
from tests.docs.documents import NAMES, ROOT, commands, prose, quoted, text_of

_IDENTIFIER = r"_?[A-Za-z][A-Za-z0-9_]*"
_FUNCTION = re.compile(rf"({_IDENTIFIER}(?:\.{_IDENTIFIER})*)\(\)")
_CLASS = r"[A-Z][a-z]+(?:[A-Z][a-z0-9]*)*"
_CONSTANT = r"[A-Z][A-Z0-9]*_[A-Z0-9_]+"
_NAME = re.compile(rf"{_IDENTIFIER}\.{_IDENTIFIER}|{_CLASS}|{_CONSTANT}")
_FILE = re.compile(r"[\w@./-]+\.(?:py|md|toml|service|target|rules|conf|acl|txt|sh|jsonl)")
_FOLDER = re.compile(r"(?:daemon|drivers|protocols|sim_hardware|systemd|tests|\.ci)(?:/[\w.-]+)*/?")

NOT_OURS = frozenset({"TaskGroup", "Fraction", *dir(builtins)})
"""Names of Python and its library."""
BESIDE_A_TABLE = frozenset({"table7.toml", "feltd.log", "feltd.toml", "feltd.target", "verify.py"})
"""Files that a reader makes or installs."""


def _is_known(name: str) -> bool:
    return name in NOT_OURS or name in FACT_KINDS.values() or name in defined()


def _named(text: str) -> Iterator[str]:
    for token in quoted(text):
        if match := _FUNCTION.fullmatch(token):
            yield match.group(1)
        elif not _FILE.fullmatch(token) and _NAME.fullmatch(token):
            yield token


@pytest.mark.parametrize("name", NAMES)
def test_every_file_and_folder_named_is_there(name: str) -> None:
    named = [token for token in quoted(text_of(name)) if _FILE.fullmatch(token) or _FOLDER.fullmatch(token)]
    here = [token for token in named if not token.startswith("/") and token not in BESIDE_A_TABLE]
    missing = [token for token in here if not (ROOT / token).exists()]
    assert not missing


@pytest.mark.parametrize("name", NAMES)
def test_every_function_class_and_constant_named_is_there(name: str) -> None:
    missing = [token for token in _named(text_of(name)) if not _is_known(token)]
    assert not missing


def test_a_name_beside_a_file_is_defined_in_that_file() -> None:
    shown = "".join(text_of(name) for name in NAMES)
    beside = re.findall(r"`([\w/]+\.py)`: `([\w.]+)(?:\(\))?`(?:, `([\w.]+)(?:\(\))?`)?", shown)
    assert len(beside) > 25
    wrong = [(file, name) for file, *names in beside for name in names if name and name not in defined_in(ROOT / file)]
    assert not wrong


def test_a_name_that_is_not_there_is_found_missing() -> None:
    assert _is_known("Intake.take_input")
    assert list(_named("`Intake.takes` and `no_such_function()`")) == ["Intake.takes", "no_such_function"]
    assert not any(map(_is_known, ["Intake.takes", "no_such_function"]))


def _command_lines() -> Iterator[tuple[str, str]]:
    for name in NAMES:
        text = text_of(name)
        for line in [*commands(text), *quoted(text), *re.findall(r"(?m)^    (make .*)$", prose(text))]:
            for typed in re.findall(r"(?:^|[|&] *)(?:[\w./]*/)?((?:feltd|make) [^|&<>…]*)", line):
                yield name, typed


@pytest.mark.parametrize(("document", "typed"), sorted(set(_command_lines())))
def test_every_command_line_shown_can_be_typed(document: str, typed: str) -> None:
    program, *words = shlex.split(typed)
    if program == "make":
        verbs = set(re.findall(r"(?m)^([a-z-]+):", text_of("Makefile")))
        assert {word for word in words if "=" not in word} <= verbs, f"{document}: {typed}"
        return
    command = _resolved(feltd, words)
    known = {option for each in command.params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
    asked = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert asked <= known | {"--version"}, f"{document}: {typed}"


def _resolved(command: click.Command, words: list[str]) -> click.Command:
    if isinstance(command, LazyCommand):
        command = command.load()
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"feltd has no command {words[0]}"
        return _resolved(command.commands[words[0]], words[1:])
    return command


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text_of(name))):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        where = (ROOT / name).parent / path if path else ROOT / name
        assert where.exists(), f"{name} links to {target}"
        if anchor:
            titles = re.findall(r"(?m)^#+ (.+)$", where.read_text(encoding="utf-8"))
            assert anchor in {_anchor(title) for title in titles}, f"{name} links to {target}"


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
