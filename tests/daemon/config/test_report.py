"""Every kind of mistake in a file: the lines and codes of its problems, and the words in which an operator is told.

The wording may change; the codes may not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.config.document import InvalidConfigurationError
from daemon.config.load import examine, load
from daemon.config.problems import Problem, ProblemCode
from daemon.config.sections import Sections
from tests.daemon.config import angel_eye_mistakes
from tests.daemon.config.files import GOOD, changed
from tests.support.sentences import Says

MISTAKES: dict[str, tuple[str, list[tuple[int | None, str]]]] = {
    "not TOML": (changed("seats = 6", "seats = "), [(4, "syntax")]),
    "ends too early": (
        '[table]\nsite = """x',
        [(2, "syntax")],
    ),
    "nested beyond reason": (
        "a = " + "[" * 5000,
        [(None, "syntax")],
    ),
    "a number longer than Python reads": (
        "a = " + "9" * 5000,
        [(None, "syntax")],
    ),
    "nothing at all": (
        "",
        [(None, "missing-key"), (None, "missing-key"), (None, "missing-key")],
    ),
    "a misspelt key": (
        changed("seats = 6", "seats = 6\nreconcilling = 'step'"),
        [(5, "unknown-key")],
    ),
    "a key like nothing known, with what a terminal would obey": (
        changed("seats = 6", 'seats = 6\n"\\u001b[31m" = 1'),
        [(5, "unknown-key")],
    ),
    "an unknown table": (
        GOOD + "[mqttt]\nhost = 'x'\n",
        [(23, "unknown-key")],
    ),
    "a section of an earlier version": (
        GOOD + "[panel]\nenabled = true\n",
        [(23, "unknown-key")],
    ),
    "a missing key, at its table": (
        changed("seats = 6\n", ""),
        [(1, "missing-key")],
    ),
    "text for a number": (
        changed("seats = 6", 'seats = "six"'),
        [(4, "wrong-type")],
    ),
    "true for a number": (
        changed("seats = 6", "seats = true"),
        [(4, "wrong-type")],
    ),
    "a fraction for a number": (
        changed("seats = 6", "seats = 6.0"),
        [(4, "wrong-type")],
    ),
    "a time for a day": (
        changed("2009-01-01", "2009-01-01 07:00:00"),
        [(9, "wrong-type")],
    ),
    "a number for a word": (
        changed('"big-50"', "50"),
        [(5, "wrong-type")],
    ),
    "a word that is nearly one": (
        changed('"big-50"', '"big50"'),
        [(5, "not-allowed")],
    ),
    "a value for a table": (
        GOOD + "[mqtt]\nhost = 1\n[log]\nlevel = 'info'\n[log.level2]\n",
        [(24, "wrong-type"), (27, "unknown-key")],
    ),
    "values for tables and lists": (
        'table = 1\nlimits = 2\njournal = "x"\ndevices = [3]\nmqtt = {tls = false}',
        [(1, "wrong-type"), (2, "wrong-type"), (3, "wrong-type"), (4, "wrong-type"), (5, "wrong-type")],
    ),
    "an empty list": (
        "limits = []\n" + changed("[[limits]]", "[x]").replace("[limits.", "[y."),
        [(1, "not-allowed"), (9, "unknown-key"), (13, "unknown-key")],
    ),
    "a name that no MQTT topic can hold": (
        changed('"7"', '"table/7"'),
        [(3, "not-allowed")],
    ),
    "a very long value": (
        changed('"harbour"', '"' + "h" * 100 + '"'),
        [(2, "not-allowed")],
    ),
    "a wager that no game has": (
        changed("[limits.wagers.big_50]", "[limits.wagers.big_fifty]"),
        [(12, "unknown-key")],
    ),
    "games that are offered twice": (
        changed('"big-50"', '"big-50"\nother_games = ["big-50"]'),
        [(6, "game-twice")],
    ),
    "more seats than a deck has hands": (
        changed("seats = 6", "seats = 11"),
        [(4, "too-many-seats")],
    ),
    "no shuffler": (
        changed('deals_from = "shuffler"\n', ""),
        [(1, "shuffler-missing")],
    ),
    "a device that is not there": (
        changed('deals_from = "shuffler"', 'deals_from = "shufler"'),
        [(6, "unknown-device")],
    ),
    "a game that draws, from a shuffler that is only watched": (
        changed('"big-50"', '"big-draw"').replace("= 6", "= 5").replace("shuffler-faces", "shuffler-observed"),
        [(6, "commands-needed")],
    ),
    "a shuffler that gives whole decks": (
        changed("shuffler-faces", "shuffler-batch"),
        [(6, "packets-needed")],
    ),
    "a house's own paytable with a row that means nothing and an award that is none": (
        GOOD
        + "[games.big-50.range_pays]\nname = 'ours'\nsource = 'filed'\n"
        + "[games.big-50.range_pays.rows]\n'50' = '100 to 1'\n'40-49' = 'twice'\n'fifty' = '2'\n",
        [(23, "paytable"), (23, "paytable")],
    ),
    "a device for something else": (
        GOOD.replace("felt-link-shuffler-faces", "felt-link-buttons"),
        [(6, "wrong-role")],
    ),
    "a kind of device that is not known": (
        GOOD.replace("felt-link-shuffler-faces", "felt-link-shuffler-face"),
        [(18, "unknown-profile")],
    ),
    "a place that is none, twice, and a version range that is empty": (
        GOOD
        + "[devices.pad]\nprofile = 'felt-link-buttons'\naddress = 'tcp:10.0.0.9:99999'\n"
        + "[devices.b]\nprofile = 'felt-link-buttons'\naddress = 'serial:/dev/serial/by-id/usb-shuffler'\n"
        + "firmware_least = '2.10'\nfirmware_below = '2.9'\n",
        [(25, "bad-address"), (28, "address-taken"), (30, "firmware-range")],
    ),
    "a name that no device can have": (
        GOOD + "[devices.'green pad']\nprofile = 'felt-link-buttons'\naddress = 'tcp:10.0.0.9:4001'\n",
        [(23, "unknown-key")],
    ),
    "a time zone that is nearly one": (
        changed("seats = 6", "seats = 6\ntime_zone = 'America/Los_Angles'"),
        [(5, "unknown-time-zone")],
    ),
    "an aggregate limit under the law's floor, with hands that nobody reads": (
        changed("step_cents = 100", "aggregate_most_cents = 400000").replace("shuffler-faces", "shuffler-counts"),
        [(15, "aggregate-limit"), (15, "aggregate-limit")],
    ),
    "limits out of order": (
        GOOD + "[[limits]]\nfirst_day = 2009-01-01\nauthorised_most_cents = 1\n",
        [(24, "limits-order")],
    ),
    "a wager that contradicts itself in every way": (
        changed(
            "least_cents = 100\nmost_cents = 10000\nstep_cents = 100",
            "least_cents = 40150\nmost_cents = 40025\nstep_cents = 50\n[money]\nchip_cents = 100",
        ),
        [(13, "limits-contradict"), (14, "limits-contradict"), (14, "limits-contradict"), (15, "limits-contradict")],
    ),
    "a policy that the rules do not leave open": (
        GOOD + "[irregularities]\nwrong-count = 'supervisor'\n",
        [(24, "fixed-policy")],
    ),
    "nor once cards are seen": (
        GOOD + "[irregularities]\nwrong-count = 'supervisor-once-seen'\n",
        [(24, "fixed-policy")],
    ),
    "credentials by halves": (
        GOOD + "[mqtt]\npassword_file = 'p'\n[mqtt.tls]\nkey_file = 'k'\n",
        [(23, "mqtt-contradict"), (25, "mqtt-contradict")],
    ),
    "a certificate without its key": (
        GOOD + "[mqtt.tls]\ncertificate_file = 'c'\n",
        [(23, "mqtt-contradict")],
    ),
    "a value that cannot be read does not hide what else is wrong": (
        changed("seats = 6", "seats = 0").replace('"shuffler"\n\n', '"shuffle"\n\n').replace("= 40000", "= 50"),
        [(4, "not-allowed"), (6, "unknown-device"), (14, "limits-contradict")],
    ),
    **angel_eye_mistakes.MISTAKES,
}


def report(text: str) -> list[Problem]:
    result = examine(text)
    return [] if isinstance(result, Sections) else list(result)


@pytest.mark.parametrize(("text", "expected"), MISTAKES.values(), ids=MISTAKES)
def test_the_report_says_it_all_at_once(text: str, expected: list[tuple[int | None, str]], says: Says) -> None:
    found = report(text)
    assert [(problem.line, problem.code.value) for problem in found] == expected
    for problem in found:
        says(problem.sentence(Path("t.toml")))


def test_the_good_file_is_good() -> None:
    assert report(GOOD) == []


def test_every_code_but_those_of_other_files_is_shown_above() -> None:
    reported = {code for _, expected in MISTAKES.values() for _, code in expected}
    of_files = {"file-unreadable", "tls-file", "readable-by-all", "writable-by-all"}
    of_people = {"other-site", "unknown-table", "user-twice", "seats"}  # tests/daemon/config/test_people.py
    assert {code.value for code in ProblemCode} - reported == of_files | of_people


@pytest.mark.parametrize("content", [None, b"a = '\xff'"], ids=["there is none", "not UTF-8"])
def test_a_file_that_cannot_be_read_is_a_problem_too(tmp_path: Path, content: bytes | None, says: Says) -> None:
    file = tmp_path / "t.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidConfigurationError) as caught:
        load(file)
    says(caught.value.message)


def test_the_error_counts_what_is_to_be_mended(tmp_path: Path, says: Says) -> None:
    file = tmp_path / "t.toml"
    file.write_text("")
    with pytest.raises(InvalidConfigurationError) as caught:
        load(file)
    says(caught.value.remedy)
