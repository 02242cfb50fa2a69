"""The line that a report names is the line on which the key stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.config.lines import lines_of
from daemon.config.problems import KeyPath

EVERY_FORM = '''\
# comment = 1
top = "a # b"
[table]   # the table
site = """
fake = 1
""quoted"" """   # after
literal = \'\'\'
fake = 2\'\'\'
[a."b.c".'d']
"ke\\u0079" = 1
dotted.deep.key = 07:32:00.5
list = [ 1,
  [2, 3],  # comment ]
  { x = 1, y = [
     4 ] },
]
[[limits]]
day = 2009-01-01 07:00:00
[limits.wagers.range]
least = 1
[[limits]]
day = 2010-01-01
[[limits.rows]]
a = ""
[[limits.rows]]
a = \'\'
'''


def paths(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Every place in what tomllib read."""
    if path:
        yield path
    match value:
        case dict():
            for key, inner in value.items():
                yield from paths(inner, (*path, key))
        case list():
            for place, inner in enumerate(value):
                yield from paths(inner, (*path, place))
        case _:
            return


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("table",), 3),
        (("table", "site"), 4),
        (("table", "literal"), 7),
        (("a",), 9),
        (("a", "b.c", "d"), 9),
        (("a", "b.c", "d", "key"), 10),
        (("a", "b.c", "d", "dotted", "deep"), 11),
        (("a", "b.c", "d", "list", 0), 12),
        (("a", "b.c", "d", "list", 1, 1), 13),
        (("a", "b.c", "d", "list", 2, "x"), 14),
        (("a", "b.c", "d", "list", 2, "y", 0), 15),
        (("limits",), 17),
        (("limits", 0, "day"), 18),
        (("limits", 0, "wagers", "range", "least"), 20),
        (("limits", 1), 21),
        (("limits", 1, "day"), 22),
        (("limits", 1, "rows", 0, "a"), 24),
        (("limits", 1, "rows", 1, "a"), 26),
    ],
)
def test_each_form_of_key_is_found(path: KeyPath, line: int) -> None:
    assert lines_of(EVERY_FORM)[path] == line


def test_no_place_is_missed_and_none_is_made_up() -> None:
    assert set(lines_of(EVERY_FORM)) == set(paths(tomllib.loads(EVERY_FORM)))


KEYS = st.sampled_from(["a", "b", "c", '"q.r"', "'s t'", '"\\u0061b"'])
SCALARS = st.sampled_from(["1", "-1.5e3", "true", '"x # [y] = {"', "'z'", '"""\nk = 1\n"""', "2009-01-01", '""""q""""'])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ",\n  ".join(items) + "]"),
        st.dictionaries(KEYS, inner.filter(lambda text: "\n" not in text), max_size=3).map(
            lambda items: "{" + ", ".join(f"{key} = {value}" for key, value in items.items()) + "}"
        ),
    ),
    max_leaves=5,
)
DOTTED = st.lists(KEYS, min_size=1, max_size=3).map(".".join)
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, DOTTED, VALUES),
    DOTTED.map("[{}]".format),
    DOTTED.map("[[{}]]".format),
    st.sampled_from(["", "  # a = 1"]),
)


def accepted(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Statements one after the other, each kept only if TOML still allows it there."""
    text = ""
    for statement in draw(st.lists(STATEMENTS, max_size=12)):
        longer = f"{text}{statement}\n"
        text = longer if accepted(longer) else text
    return text


@given(documents())
def test_any_document_has_a_line_for_every_place_and_no_other(text: str) -> None:
    lines = lines_of(text)
    assert set(lines) == set(paths(tomllib.loads(text)))
    assert all(1 <= line <= text.count("\n") for line in lines.values())


@given(documents(), documents())
def test_a_key_is_on_the_line_where_it_first_came_to_be(before: str, after: str) -> None:
    """Cutting the document at a line tells, through tomllib alone, which keys exist up to it."""
    text = before + after if accepted(before + after) else before
    lines = lines_of(text)
    for cut in range(text.count("\n") + 1):
        head = "".join(line + "\n" for line in text.split("\n")[:cut])
        if accepted(head):
            assert set(paths(tomllib.loads(head))) == {path for path, line in lines.items() if line <= cut}
