"""Whatever text a configuration is, there is a report of it."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from daemon.config.load import examine
from daemon.config.sections import Sections
from tests.daemon.config.files import GOOD
from tests.daemon.config.test_lines import documents

FILE = Path("t.toml")

VALUES = st.recursive(
    st.sampled_from(
        ["0", "1", "-7", "6", "1e400", "nan", "true", '""', '"big-50"', "2009-01-01", "'void'", "[]", "{}"]
    ),
    lambda inner: st.lists(inner, max_size=2).map(lambda items: "[" + ", ".join(items) + "]"),
    max_leaves=3,
)


@given(st.data())
def test_whatever_stands_for_a_value_there_is_a_configuration_or_a_problem(data: st.DataObject) -> None:
    lines = GOOD.split("\n")
    for place in data.draw(st.sets(st.sampled_from(range(len(lines))), max_size=6)):
        key, equals, _ = lines[place].partition("=")
        if equals:
            lines[place] = f"{key}= {data.draw(VALUES)}"
        elif data.draw(st.booleans()):
            lines[place] = ""
    result = examine("\n".join(lines))
    assert isinstance(result, Sections) or all(problem.sentence(FILE) for problem in result)


@given(st.one_of(documents(), st.text(), st.text(alphabet="[]{}=.,'\"#\n ab1-")))
def test_any_text_is_a_configuration_or_a_list_of_problems(text: str) -> None:
    result = examine(text)
    assert isinstance(result, Sections) or all(problem.sentence(FILE) for problem in result)
