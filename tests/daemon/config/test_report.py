"""Every kind of mistake in a file, and the words in which an operator is told.

The wording may change with this table; the codes at the ends of the lines may not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.config.load import InvalidConfigurationError, examine, load
from daemon.config.problems import ProblemCode
from daemon.config.sections import Sections
from drivers.addresses import FORMS
from drivers.profiles import PROFILES
from tests.daemon.config import angel_eye_mistakes
from tests.daemon.config.files import GOOD, changed

FILE = Path("t.toml")

MISTAKES = {
    "not TOML": (changed("seats = 6", "seats = "), ["t.toml:4: found Invalid value; allowed: TOML. [syntax]"]),
    "ends too early": (
        '[table]\nsite = """x',
        ["t.toml:2: found Unterminated string (at end of document); allowed: TOML. [syntax]"],
    ),
    "nested beyond reason": (
        "a = " + "[" * 5000,
        ["t.toml: found tables or lists nested beyond reason; allowed: TOML. [syntax]"],
    ),
    "a number longer than Python reads": (
        "a = " + "9" * 5000,
        [
            "t.toml: found Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; "
            "use sys.set_int_max_str_digits() to increase the limit; allowed: TOML. [syntax]"
        ],
    ),
    "nothing at all": (
        "",
        [
            "t.toml: table: found nothing; allowed: a table of keys. [missing-key]",
            "t.toml: limits: found nothing; allowed: a list of at least one table. [missing-key]",
            "t.toml: journal: found nothing; allowed: a table of keys. [missing-key]",
        ],
    ),
    "a misspelt key": (
        changed("seats = 6", "seats = 6\nreconcilling = 'step'"),
        [
            "t.toml:5: table.reconcilling: found an unknown key; allowed: one of site, name, time_zone, seats, game, "
            "other_games, deals_from, reconciling, paying, stub_count_rounds_max. Did you mean reconciling? "
            "[unknown-key]"
        ],
    ),
    "a key like nothing known, with what a terminal would obey": (
        changed("seats = 6", 'seats = 6\n"\\u001b[31m" = 1'),
        [
            "t.toml:5: table.'\\x1b[31m': found an unknown key; allowed: one of site, name, time_zone, seats, game, "
            "other_games, deals_from, reconciling, paying, stub_count_rounds_max. [unknown-key]"
        ],
    ),
    "an unknown table": (
        GOOD + "[mqttt]\nhost = 'x'\n",
        [
            "t.toml:23: mqttt: found an unknown key; allowed: one of table, games, money, limits, irregularities, "
            "devices, mqtt, journal, panel, log. Did you mean mqtt? [unknown-key]"
        ],
    ),
    "a missing key, at its table": (
        changed("seats = 6\n", ""),
        ["t.toml:1: table.seats: found nothing; allowed: a whole number from 1 to 20. [missing-key]"],
    ),
    "text for a number": (
        changed("seats = 6", 'seats = "six"'),
        ['t.toml:4: table.seats: found "six"; allowed: a whole number from 1 to 20. [wrong-type]'],
    ),
    "true for a number": (
        changed("seats = 6", "seats = true"),
        ["t.toml:4: table.seats: found true; allowed: a whole number from 1 to 20. [wrong-type]"],
    ),
    "a fraction for a number": (
        changed("seats = 6", "seats = 6.0"),
        ["t.toml:4: table.seats: found 6.0; allowed: a whole number from 1 to 20. [wrong-type]"],
    ),
    "a time for a day": (
        changed("2009-01-01", "2009-01-01 07:00:00"),
        [
            "t.toml:9: limits[1].first_day: found 2009-01-01 07:00:00; "
            "allowed: a day, as 2009-01-31 without quotes. [wrong-type]"
        ],
    ),
    "a number for a word": (
        changed('"big-50"', "50"),
        [
            "t.toml:5: table.game: found 50; "
            "allowed: one of big-50, big-raise-holdem, big-draw, bad-beat-blackjack. [wrong-type]"
        ],
    ),
    "a word that is nearly one": (
        changed('"big-50"', '"big50"'),
        [
            't.toml:5: table.game: found "big50"; allowed: one of big-50, big-raise-holdem, big-draw, '
            "bad-beat-blackjack. Did you mean big-50? [not-allowed]"
        ],
    ),
    "a value for a table": (
        GOOD + "[panel]\nenabled = 1\n[log]\nlevel = 'info'\n[log.level2]\n",
        [
            "t.toml:24: panel.enabled: found 1; allowed: true or false. [wrong-type]",
            "t.toml:27: log.level2: found an unknown key; allowed: one of level. Did you mean level? [unknown-key]",
        ],
    ),
    "values for tables and lists": (
        'table = 1\nlimits = 2\njournal = "x"\ndevices = [3]\nmqtt = {tls = false}',
        [
            "t.toml:1: table: found 1; allowed: a table of keys. [wrong-type]",
            "t.toml:2: limits: found 2; allowed: a list of at least one table. [wrong-type]",
            't.toml:3: journal: found "x"; allowed: a table of keys. [wrong-type]',
            "t.toml:4: devices: found a list; allowed: a table of keys. [wrong-type]",
            "t.toml:5: mqtt.tls: found false; allowed: a table of keys. [wrong-type]",
        ],
    ),
    "an empty list": (
        "limits = []\n" + changed("[[limits]]", "[x]").replace("[limits.", "[y."),
        [
            "t.toml:1: limits: found an empty list; allowed: a list of at least one table. [not-allowed]",
            "t.toml:9: x: found an unknown key; allowed: one of table, games, money, limits, irregularities, devices, "
            "mqtt, journal, panel, log. [unknown-key]",
            "t.toml:13: y: found an unknown key; allowed: one of table, games, money, limits, irregularities, devices, "
            "mqtt, journal, panel, log. [unknown-key]",
        ],
    ),
    "a name that no MQTT topic can hold": (
        changed('"7"', '"table/7"'),
        [
            't.toml:3: table.name: found "table/7"; allowed: 1 to 32 of a-z, 0-9, - and _, the first a letter or a '
            "digit (it becomes part of MQTT topics). [not-allowed]"
        ],
    ),
    "a very long value": (
        changed('"harbour"', '"' + "h" * 100 + '"'),
        [
            't.toml:2: table.site: found "' + "h" * 58 + "…; allowed: 1 to 32 of a-z, 0-9, - and _, the first a letter "
            "or a digit (it becomes part of MQTT topics). [not-allowed]"
        ],
    ),
    "a wager that no game has": (
        changed("[limits.wagers.big_50]", "[limits.wagers.big_fifty]"),
        [
            "t.toml:12: limits[1].wagers.big_fifty: found an unknown key; allowed: one of poker_hand, red_black, "
            "big_50, range, ante, play, ante_bonus, two_card_bonus, five_card_bonus, big_draw, first_5, blackjack, "
            "insurance, bad_beat. Did you mean big_50? [unknown-key]"
        ],
    ),
    "games that are offered twice": (
        changed('"big-50"', '"big-50"\nother_games = ["big-50"]'),
        ['t.toml:6: table.other_games[1]: found "big-50"; allowed: each game once. [game-twice]'],
    ),
    "more seats than a deck has hands": (
        changed("seats = 6", "seats = 11"),
        ["t.toml:4: table.seats: found 11; allowed: at most 10 for big-50. [too-many-seats]"],
    ),
    "no shuffler": (
        changed('deals_from = "shuffler"\n', ""),
        [
            "t.toml:1: table.deals_from: found nothing; "
            "allowed: the name of a device, because big-50 is dealt from a shuffler. [shuffler-missing]"
        ],
    ),
    "a device that is not there": (
        changed('deals_from = "shuffler"', 'deals_from = "shufler"'),
        [
            't.toml:6: table.deals_from: found "shufler"; allowed: one of shuffler. Did you mean shuffler? '
            "[unknown-device]"
        ],
    ),
    "a game that draws, from a shuffler that is only watched": (
        changed('"big-50"', '"big-draw"').replace("= 6", "= 5").replace("shuffler-faces", "shuffler-observed"),
        [
            't.toml:6: table.deals_from: found "shuffler", which takes no commands; allowed: a device that the table '
            "drives: in big-draw each draw is a packet of its own size. [commands-needed]"
        ],
    ),
    "a shuffler that gives whole decks": (
        changed("shuffler-faces", "shuffler-batch"),
        [
            't.toml:6: table.deals_from: found "shuffler", which gives whole decks; allowed: a device that gives '
            "packets: big-50 dealt by hand cannot be followed yet. [packets-needed]"
        ],
    ),
    "a house's own paytable with a row that means nothing and an award that is none": (
        GOOD
        + "[games.big-50.range_pays]\nname = 'ours'\nsource = 'filed'\n"
        + "[games.big-50.range_pays.rows]\n'50' = '100 to 1'\n'40-49' = 'twice'\n'fifty' = '2'\n",
        [
            "t.toml:23: games.big-50.range_pays: found row '40-49': 'twice' is no award; '5 to 1', '3 to 2', 'push', "
            "'lose', 'lose 1/2', 'prize 1000.00' or 'prize 1000.00 from 5.00' would be; "
            "allowed: rows of the published scale, best first, none twice. [paytable]",
            "t.toml:23: games.big-50.range_pays: found row 'fifty' means nothing on the scale of total of five cards; "
            "allowed: rows of the published scale, best first, none twice. [paytable]",
        ],
    ),
    "a device for something else": (
        GOOD.replace("felt-link-shuffler-faces", "felt-link-buttons"),
        [
            't.toml:6: table.deals_from: found "shuffler", which is of profile felt-link-buttons, for buttons; '
            "allowed: a device whose profile is that of a shuffler. [wrong-role]"
        ],
    ),
    "a kind of device that is not known": (
        GOOD.replace("felt-link-shuffler-faces", "felt-link-shuffler-face"),
        [
            't.toml:18: devices.shuffler.profile: found "felt-link-shuffler-face"; allowed: one of '
            + ", ".join(PROFILES)
            + ". Did you mean felt-link-shuffler-faces? [unknown-profile]"
        ],
    ),
    "a place that is none, twice, and a version range that is empty": (
        GOOD
        + "[devices.pad]\nprofile = 'felt-link-buttons'\naddress = 'tcp:10.0.0.9:99999'\n"
        + "[devices.b]\nprofile = 'felt-link-buttons'\naddress = 'serial:/dev/serial/by-id/usb-shuffler'\n"
        + "firmware_least = '2.10'\nfirmware_below = '2.9'\n",
        [
            "t.toml:25: devices.pad.address: found 'tcp:10.0.0.9:99999' names no host and port from 1 to 65535: "
            f"allowed is tcp:host:port; allowed: {FORMS}. [bad-address]",
            't.toml:28: devices.b.address: found "serial:/dev/serial/by-id/usb-shuffler"; '
            "allowed: an address of its own, because shuffler is there. [address-taken]",
            't.toml:30: devices.b.firmware_below: found "2.9"; allowed: a version after firmware_least, 2.10. '
            "[firmware-range]",
        ],
    ),
    "a name that no device can have": (
        GOOD + "[devices.'green pad']\nprofile = 'felt-link-buttons'\naddress = 'tcp:10.0.0.9:4001'\n",
        [
            't.toml:23: devices."green pad": found an unknown key; allowed: 1 to 32 of a-z, 0-9, - and _, the first a '
            "letter or a digit (it becomes part of MQTT topics). [unknown-key]"
        ],
    ),
    "a time zone that is nearly one": (
        changed("seats = 6", "seats = 6\ntime_zone = 'America/Los_Angles'"),
        [
            't.toml:5: table.time_zone: found "America/Los_Angles"; allowed: a time zone that this machine knows, as '
            "America/Los_Angeles. Did you mean America/Los_Angeles? [unknown-time-zone]"
        ],
    ),
    "an aggregate limit under the law's floor, with hands that nobody reads": (
        changed("step_cents = 100", "aggregate_most_cents = 400000").replace("shuffler-faces", "shuffler-counts"),
        [
            "t.toml:15: limits[1].wagers.big_50.aggregate_most_cents: found 400000; allowed: none with "
            "felt-link-shuffler-counts: winners share it, and their hands are not known together. "
            "[aggregate-limit]",
            "t.toml:15: limits[1].wagers.big_50.aggregate_most_cents: found 400000; allowed: big_50: the aggregate "
            "limit is 4000.00; it must be at least 5000.00. [aggregate-limit]",
        ],
    ),
    "limits out of order": (
        GOOD + "[[limits]]\nfirst_day = 2009-01-01\nauthorised_most_cents = 1\n",
        [
            "t.toml:24: limits[2].first_day: found 2009-01-01; "
            "allowed: a day after 2009-01-01, because limits stand earliest first. [limits-order]"
        ],
    ),
    "a wager that contradicts itself in every way": (
        changed(
            "least_cents = 100\nmost_cents = 10000\nstep_cents = 100",
            "least_cents = 40150\nmost_cents = 40025\nstep_cents = 50\n[money]\nchip_cents = 100",
        ),
        [
            "t.toml:13: limits[1].wagers.big_50.least_cents: found 40150; "
            "allowed: at most the wager's most, 40025. [limits-contradict]",
            "t.toml:14: limits[1].wagers.big_50.most_cents: found 40025; "
            "allowed: at most authorised_most_cents, 40000. [limits-contradict]",
            "t.toml:14: limits[1].wagers.big_50.most_cents: found 40025; "
            "allowed: a multiple of step_cents, 50. [limits-contradict]",
            "t.toml:15: limits[1].wagers.big_50.step_cents: found 50; "
            "allowed: a multiple of money.chip_cents, 100. [limits-contradict]",
        ],
    ),
    "a policy that the rules do not leave open": (
        GOOD + "[irregularities]\nwrong-count = 'supervisor'\n",
        [
            't.toml:24: irregularities.wrong-count: found "supervisor"; '
            "allowed: void, because the approved rules void every hand and leave no choice. [fixed-policy]"
        ],
    ),
    "credentials by halves": (
        GOOD + "[mqtt]\npassword_file = 'p'\n[mqtt.tls]\nkey_file = 'k'\n",
        [
            "t.toml:23: mqtt.username: found nothing; "
            "allowed: a name, because there is a password_file. [mqtt-contradict]",
            "t.toml:25: mqtt.tls.certificate_file: found nothing; "
            "allowed: a path, because there is a key_file. [mqtt-contradict]",
        ],
    ),
    "a certificate without its key": (
        GOOD + "[mqtt.tls]\ncertificate_file = 'c'\n",
        [
            "t.toml:23: mqtt.tls.key_file: found nothing; "
            "allowed: a path, because there is a certificate_file. [mqtt-contradict]",
        ],
    ),
    "a value that cannot be read does not hide what else is wrong": (
        changed("seats = 6", "seats = 0").replace('"shuffler"\n\n', '"shuffle"\n\n').replace("= 40000", "= 50"),
        [
            "t.toml:4: table.seats: found 0; allowed: a whole number from 1 to 20. [not-allowed]",
            't.toml:6: table.deals_from: found "shuffle"; allowed: one of shuffler. Did you mean shuffler? '
            "[unknown-device]",
            "t.toml:14: limits[1].wagers.big_50.most_cents: found 10000; "
            "allowed: at most authorised_most_cents, 50. [limits-contradict]",
        ],
    ),
} | angel_eye_mistakes.MISTAKES


def report(text: str) -> list[str]:
    result = examine(text)
    return [] if isinstance(result, Sections) else [problem.sentence(FILE) for problem in result]


@pytest.mark.parametrize(("text", "expected"), MISTAKES.values(), ids=MISTAKES)
def test_the_report_says_it_all_at_once(text: str, expected: list[str]) -> None:
    assert report(text) == expected


def test_the_good_file_is_good() -> None:
    assert report(GOOD) == []


def test_every_code_but_that_of_no_file_is_shown_above() -> None:
    reported = {line.rsplit("[", 1)[1] for _, expected in MISTAKES.values() for line in expected}
    missing = {f"{code.value}]" for code in ProblemCode} - reported
    assert missing == {"file-unreadable]"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file or directory"),
        (b"a = '\xff'", "bytes that are not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem_too(tmp_path: Path, content: bytes | None, reason: str) -> None:
    file = tmp_path / "t.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidConfigurationError) as caught:
        load(file)
    assert caught.value.message == (
        f"{file}: found {reason}; allowed: a text file in UTF-8 that this user can read. [file-unreadable]"
    )


def test_the_error_counts_what_is_to_be_mended(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text("")
    with pytest.raises(InvalidConfigurationError) as caught:
        load(file)
    assert caught.value.remedy == f"Mend all 3 and try feltd check-config {file}."
