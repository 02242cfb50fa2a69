"""`systemd/CODES.md`: every code that an alert, an error, a problem or a finding of feltd can have, made from the code.

``python -m tests.docs.codes`` writes the page anew. Alerts are made by calling the functions that raise them. The other
codes are the members of closed types, from which mypy lets no other be said; what is said with them is read from the
source. A member of which nothing is said, or without a remedy, fails here.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, get_args

from daemon import errors
from daemon.config.files import file_problems, readable_by_all
from daemon.config.load import examine
from daemon.config.people import People, examine_people, for_another, writable_by_all
from daemon.config.problems import Problem, ProblemCode
from daemon.config.remedies import REMEDIES
from daemon.config.sections import MqttSection, TlsSection
from daemon.error_codes import ErrorCode
from daemon.errors import FeltdError
from daemon.journal import errors as journal_errors
from daemon.mqtt.commands import MalformedCode, ResendCode
from daemon.mqtt.problems import ProblemCode as BrokerProblem
from daemon.page.answers import PageCode
from daemon.rules.results import RefusalCode
from daemon.table.devices import _NOT_DEALT_FROM_IT
from daemon.table.refusal_codes import NOT_WHILE, RefusalName
from daemon.table.said import SaidId
from daemon.table.state import Phase
from daemon.tools.doctor.findings import CheckName
from drivers.errors import SetupCode
from drivers.felt_link import _ONLY_OF
from protocols.angel_eye.events import Oddity
from tests.daemon.config.test_people import MISTAKES as MISTAKES_OF_PEOPLE
from tests.daemon.config.test_report import MISTAKES
from tests.docs.codes_by_type import (
    caution_rows,
    irregularity_rows,
    line_rows,
    log_rows,
    loss_rows,
    order_rows,
    rule_rows,
    selftest_rows,
)
from tests.docs.codes_in_source import Saying, form, sayings
from tests.docs.codes_of_alerts import alert_rows
from tests.docs.documents import ROOT
from tests.docs.remedies import (
    IN_OTHER_WORDS,
    OF_A_SHOES_LINE,
    OF_COMMANDS,
    OF_ODDITIES,
    OF_REFUSALS,
    OF_THE_PAGE,
    WHO_ACTS_ON_ODDITIES,
    WHO_CHECKS,
)
from tests.docs.row import Row

PAGE: Final = ROOT / "systemd" / "CODES.md"

HEAD: Final = """\
# Codes: what each one means, who acts, and what to do

Made from the code by `python -m tests.docs.codes`. A code never changes; its words may. `…` stands for what feltd
fills in. The status with which a command ends is in [the commands](../daemon/tools/README.md#exit-status).
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(_table(title, about, heads, rows()) for title, about, heads, rows in SECTIONS)])


def _table(title: str, about: str, heads: Sequence[str], rows: Sequence[Row]) -> str:
    lines = [f"## {title}\n", f"{about}\n", _line(heads), _line(["---"] * len(heads))]
    lines += [_line([f"`{row.code}`", *row.cells]) for row in sorted(rows, key=lambda row: row.code)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(' '.join(cell.split()).replace('|', '/') for cell in cells)} |"


# Codes in the source: the arguments of the call that makes them.


def device_rows() -> list[Row]:
    """Return a row for each problem that makes a device unusable."""
    found = _together(sayings("SetupProblem", folder="drivers"))
    return [Row(code.value, found[code.value]) for code in SetupCode]


def error_rows() -> list[Row]:
    """Return a row for each error that ends feltd or a command. Those of devices have their own table."""
    found: dict[str, tuple[str, ...]] = {}
    for kind in (*vars(errors).values(), *vars(journal_errors).values()):
        if inspect.isclass(kind) and issubclass(kind, FeltdError) and kind is not FeltdError:
            status = str(int(kind.exit_status))
            code, remedy = getattr(kind, "fixed_code", None), getattr(kind, "fixed_remedy", "")
            if code is not None:
                found[code] = (status, inspect.cleandoc(kind.__doc__ or ""), remedy)
            for calls in (sayings(kind.__name__, folder="daemon"), sayings("__init__", folder="daemon", of=kind)):
                found |= {code: (status, *texts) for code, texts in _together(calls).items()}
    return [Row(code, found[code]) for code in get_args(ErrorCode) if not code.startswith("device.")]


def finding_rows() -> list[Row]:
    """Return a row for each check of `feltd doctor` and `feltd check`."""
    found = [
        saying
        for folder in ("daemon/tools/doctor", "daemon/tools/check.py")
        for saying in sayings(*SEVERITIES, folder=folder)
    ]
    return [_finding_row(check, [saying for saying in found if saying.code == check]) for check in get_args(CheckName)]


SEVERITIES: Final = {"problem": "PROBLEM", "warning": "WARNING"}


def _finding_row(check: CheckName, found: list[Saying]) -> Row:
    severity = " or ".join(sign for maker, sign in SEVERITIES.items() if maker in {saying.maker for saying in found})
    assert severity, f"no finding is called {check}: take it out of CheckName"
    passed_on = {"…": "what the error says that it names"}
    remedies = dict.fromkeys(passed_on.get(saying.texts[2], saying.texts[2]) for saying in found)
    return Row(check, (severity, WHO_CHECKS[check], " Or: ".join(remedies)))


def oddity_rows() -> list[Row]:
    """Return a row for each oddity of a device: what its driver says, what the table says, what its link says."""
    said = {oddity.value: OF_A_SHOES_LINE[oddity] for oddity in Oddity}
    said |= {f"not-a-{role.value}": "it says that cards moved in it" for role in set(_ONLY_OF.values())}
    said |= dict(_NOT_DEALT_FROM_IT.values())
    found = [
        *sayings("Anomaly", folder="drivers"),
        *sayings("DeviceAnomaly", folder="daemon/table", code_at=1),
        *sayings("_oddity", folder="protocols/felt_link"),
    ]
    said |= {code: texts[0] for code, texts in _together(found, remedy_at=None).items()}
    words = {code: "its own words" if not text.strip(" …:") else text for code, text in said.items()}
    who = {code: WHO_ACTS_ON_ODDITIES.get(code, "technician") for code in words}
    return [Row(code, (words[code], who[code], OF_ODDITIES[code])) for code in words]


def broker_rows() -> list[Row]:
    """Return a row for each problem at the broker."""
    found = _together(sayings("begin", folder="daemon/mqtt"))
    return [Row(code, found[code]) for code in get_args(BrokerProblem)]


def refusal_rows() -> list[Row]:
    """Return a row for each reason why the table does not do what a person asks."""
    said: dict[str, dict[str, None]] = defaultdict(dict)
    for saying in sayings("Refusal", "refuse", folder="daemon/table"):
        if saying.texts[0].strip(" …/"):
            said[saying.code][saying.texts[0]] = None
    for code, phase in ((NOT_WHILE[phase], phase) for phase in Phase):
        said[code][f"… means nothing now: the table is {phase.value}"] = None
    for rule in RefusalCode:
        if rule.value in {said.value for said in SaidId}:
            said[rule.value][form(SaidId(rule.value))] = None
    said |= {code: {words: None} for code, words in IN_OTHER_WORDS.items()}
    return [Row(code, (" Or: ".join(said[code]), *OF_REFUSALS[code])) for code in get_args(RefusalName)]


def command_rows() -> list[Row]:
    """Return a row for each answer to a command that the table does not see."""
    malformed = sayings("Malformed", folder="daemon/mqtt", code_at=1)
    found = _together([*malformed, *sayings("reply", folder="daemon/mqtt/answering.py")], remedy_at=None)
    return [Row(code, (*found[code], *OF_COMMANDS[code])) for code in (*get_args(MalformedCode), *get_args(ResendCode))]


def page_rows() -> list[Row]:
    """Return a row for each answer of the page that is not the table's."""
    found = _together(
        [
            *sayings("LoginRefusedError", "_refusal", folder="daemon/page"),
            *sayings("by_the_page", folder="daemon/page", code_at=1),
        ],
        remedy_at=None,
    )
    return [Row(code, (*found[code], *OF_THE_PAGE[code])) for code in get_args(PageCode)]


def configuration_rows() -> list[Row]:
    """Return a row for each kind of mistake in a file, with the sentence for the first example that the tests have."""
    examples: dict[ProblemCode, str] = {}
    for text, _ in MISTAKES.values():
        found = examine(text)
        for problem in found if isinstance(found, tuple) else ():
            examples.setdefault(problem.code, problem.sentence(Path("table7.toml")))
    unreadable = Problem(ProblemCode.UNREADABLE, (), "this file does not exist", "")
    examples.setdefault(ProblemCode.UNREADABLE, unreadable.sentence(Path("table7.toml")))
    (other,) = file_problems(MqttSection(tls=TlsSection(ca_file="README.md")), ROOT)
    said = replace(other, found=other.found.replace(f"{ROOT}/README.md", "ca.pem"))
    examples.setdefault(ProblemCode.TLS_FILE, said.sentence(Path("table7.toml")))
    of_people = Path("people.toml")
    people = People(site="bay", tables={})
    for example in (*for_another(people, "harbour", "table7"), writable_by_all(of_people)):
        examples.setdefault(example.code, example.sentence(of_people))
    for text, _ in MISTAKES_OF_PEOPLE:
        mistakes = examine_people(text)
        for problem in mistakes if isinstance(mistakes, tuple) else ():
            examples.setdefault(problem.code, problem.sentence(of_people))
    secret = readable_by_all(("mqtt", "password_file"), Path("table7.password"))
    examples.setdefault(secret.code, secret.sentence(Path("table7.toml")))
    return [Row(code.value, (examples[code], REMEDIES[code])) for code in ProblemCode]


def _together(found: list[Saying], remedy_at: int | None = 1) -> dict[str, tuple[str, ...]]:
    """Return for each code what is first said with it, and all remedies."""
    rows: dict[str, tuple[str, dict[str, None]]] = {}
    for saying in found:
        if remedy_at is None or len(saying.texts) > remedy_at:
            _, remedies = rows.setdefault(saying.code, (saying.texts[0], {}))
            if remedy_at is not None:
                remedies[saying.texts[remedy_at]] = None
    return {code: (said, *_or(remedies, remedy_at)) for code, (said, remedies) in rows.items()}


def _or(remedies: Iterable[str], remedy_at: int | None) -> tuple[str, ...]:
    known = [remedy for remedy in remedies if remedy.strip(" …")]
    return () if remedy_at is None else (" Or: ".join(known),)


SECTIONS: Final = (
    (
        "Alerts",
        "On `alert/<name>`, on the screen and in the log. An alert that blocks play stands until a person clears"
        " it. No round opens before that.",
        ("alert", "blocks play", "cleared by", "meaning", "remedy"),
        alert_rows,
    ),
    (
        "Devices that cannot be used",
        "In the alert `setup-<device>`, in the log and from `feltd doctor`; from `feltd capture` and"
        " `feltd selftest` as `device.<code>`. A technician acts.",
        ("code", "meaning", "remedy"),
        device_rows,
    ),
    (
        "Why a device is away, or its events are lost",
        "In the alert `missing-<device>` and in the events `device-lost` and `device-events-lost`, as the word of"
        " what is `said`. A technician acts on a device that is away; a supervisor rules on a round that lost events.",
        ("code", "what", "meaning", "remedy"),
        loss_rows,
    ),
    (
        "Orders that a device refuses",
        "In the alert `order-refused-<device>`, and from `feltd selftest`. Of a word that is not here the device's own"
        " paper says more. The dealer or a technician acts, and a supervisor rules on a held round.",
        ("word", "meaning", "remedy"),
        order_rows,
    ),
    (
        "Oddities of devices",
        "In the event `device-anomaly`, in the log and in the figures. Nothing was lost, and play goes on. Somebody"
        " acts where one comes often, and at once on an order that was not given here. For a report that the table"
        " refuses, its code is that of the refusal, below.",
        ("code", "what feltd says", "who acts", "remedy"),
        oddity_rows,
    ),
    (
        "Checks of selftest",
        "From `feltd selftest`. A check that FAILED is a fault of the device or its line, and the device should not be"
        " used before it is repaired. The numbers from `FL-01` stand in felt-link's SPEC.md, section 11.",
        ("check", "what is looked for", "who acts", "remedies"),
        selftest_rows,
    ),
    (
        "Irregularities",
        "In the prompt, in the alert `void-<round>`, in `round-held` and `round-voided`, and in answers of `feltd"
        " adjudicate` as `void`. Where a supervisor rules, the round is held until then, and no money moves.",
        ("irregularity", "meaning", "usually", "what the supervisor does, or the dealer where the round is void"),
        irregularity_rows,
    ),
    (
        "Errors that end feltd, or one of its commands",
        "The last line of the log or of the command. The exit status says who acts: 69 a technician, or time;"
        " 74 the person who keeps the machine's disks; 78 the person who writes the configuration.",
        ("code", "status", "meaning", "remedy"),
        error_rows,
    ),
    (
        "Mistakes in a configuration",
        "From `feltd check-config` and every command that reads a file, with file, line and key. The file is"
        " refused as a whole: the person who writes it acts.",
        ("code", "an example", "remedy"),
        configuration_rows,
    ),
    (
        "Cautions about a configuration",
        "From `feltd check-config` as `warning`, and in the log of a table that starts. The file is allowed, and is"
        " probably not what was meant: the person who writes it acts.",
        ("code", "meaning", "remedy"),
        caution_rows,
    ),
    (
        "Problems at the broker",
        "In the retained `status` from beginning to end, and twice in the log. IT acts.",
        ("code", "meaning", "remedy"),
        broker_rows,
    ),
    (
        "Findings of doctor and check",
        "The name of the check. A PROBLEM stops the table, or is a hole; a WARNING can cost something later. `feltd"
        " check` also shows the alerts and the problems at the broker by their own codes.",
        ("check", "severity", "who acts", "remedies"),
        finding_rows,
    ),
    (
        "Commands that the table refuses",
        "In the answer to a command, and for a key in the log. Nothing has changed, and play goes on. The sentence"
        " that comes with the code has the names and numbers.",
        ("code", "what it says", "who acts", "remedy"),
        refusal_rows,
    ),
    (
        "Commands that the table does not see",
        "In the answer to a command, before the table is asked. Nothing has changed.",
        ("code", "what it says", "who acts", "remedy"),
        command_rows,
    ),
    (
        "Lines that adjudicate cannot read",
        "In an `error` of `feltd adjudicate`. The person or program that wrote the line acts. Its `refused` has a code"
        " of the commands that the table refuses, and its `void` is an irregularity.",
        ("code", "meaning", "remedy"),
        line_rows,
    ),
    (
        "What the page says by itself",
        "In the answer to a login or to a key of the screens. The table was not asked, or its answer did not come.",
        ("code", "what it says", "who acts", "remedy"),
        page_rows,
    ),
    (
        "Lines of the log",
        "The `event` of a line, with its level. What has an alert, a code or a remedy is named in the same line.",
        ("event", "level", "who acts", "remedy"),
        log_rows,
    ),
    (
        "Alerts of Prometheus",
        "From `monitoring/feltd.rules.yml`, where a house uses it. IT acts: at once if it is critical.",
        ("alert", "severity", "meaning", "remedy"),
        rule_rows,
    ),
)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
