"""The wording of a test stands in a file: what differs, is missing or is left over fails, and a rewrite mends it."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = Path(__file__).resolve().parent.parent
MODULE = """
    import pytest

    @pytest.mark.parametrize("seat", [1, 2])
    def test_green(says, seat):
        says(f"Seat {seat} has no stake.")

    def test_path(says, tmp_path):
        says(f"Line one of {tmp_path}.  \\n\\nLine three at 127.0.0.1:1883,\\tthe seventh.\\n", number="seven")
        says("And another.")

    def test_silent():
        pass
"""
FILE = """\
# What test_it.py reads. `make sentences` rewrites this file: read the diff before you commit it.

test_green[1]
  1  Seat 1 has no stake.

test_green[2]
  1  Seat 2 has no stake.

test_path
  1  Line one of <tmp>.
   |
   | Line three at 127.0.0.1:<port>,\\tthe <number>th.
  2  And another.
"""


@pytest.fixture(autouse=True)
def without_other_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third of what a run costs here is the import of plugins that it does not use."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "tests.support.sentences", *arguments)


@pytest.fixture
def written(pytester: pytest.Pytester) -> Path:
    """A module whose sentences have just been written."""
    pytester.makepyfile(test_it=MODULE)
    run(pytester, "--rewrite-sentences").assert_outcomes(passed=3)
    return pytester.path / "sentences" / "test_it.txt"


def test_a_rewrite_keeps_every_sentence_and_they_are_compared_from_then_on(
    written: Path, pytester: pytest.Pytester
) -> None:
    assert written.read_text(encoding="utf-8") == FILE
    run(pytester).assert_outcomes(passed=4)
    run(pytester, "-k", "green").assert_outcomes(passed=2, deselected=2)
    run(pytester, "test_it.py::test_silent").assert_outcomes(passed=1)


def test_another_wording_fails_with_both_and_what_to_do(written: Path, pytester: pytest.Pytester) -> None:
    written.write_text(FILE.replace("Seat 2 has no", "Seat 2 lacks a"), encoding="utf-8")
    result = run(pytester)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*sentences/test_it.txt: test_green[[]2[]], sentence 1:",
            "*kept Seat 2 lacks a stake.",
            "*said Seat 2 has no stake.",
            "*make sentences ARGS=test_it.py",
        ]
    )


def test_a_sentence_that_is_not_kept_fails(written: Path, pytester: pytest.Pytester) -> None:
    written.write_text(FILE.replace("  2  And another.\n", ""), encoding="utf-8")
    run(pytester).assert_outcomes(passed=3, failed=1)


def test_a_sentence_that_is_no_longer_said_fails(written: Path, pytester: pytest.Pytester) -> None:
    written.write_text(f"{FILE}  3  And a third.\n", encoding="utf-8")
    run(pytester).assert_outcomes(passed=3, failed=1)


def test_sentences_of_a_test_that_is_gone_fail_until_a_rewrite_takes_them_out(
    written: Path, pytester: pytest.Pytester
) -> None:
    written.write_text(f"{FILE}\ntest_silent\n  1  Nothing.\n", encoding="utf-8")
    run(pytester).assert_outcomes(passed=4, failed=1)
    run(pytester, "test_it.py::test_path").assert_outcomes(passed=1)
    run(pytester, "--rewrite-sentences").assert_outcomes(passed=3)
    assert written.read_text(encoding="utf-8") == FILE


def test_a_test_that_fails_rewrites_nothing(written: Path, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=MODULE.replace('says("And another.")', 'says("Else.")\n        assert False'))
    run(pytester, "--rewrite-sentences").assert_outcomes(passed=2, failed=1)
    assert written.read_text(encoding="utf-8") == FILE


def test_every_file_of_sentences_has_its_module() -> None:
    files = [*TESTS.rglob("sentences/*.txt")]
    assert [file for file in files if not (file.parent.parent / f"{file.stem}.py").exists()] == []
