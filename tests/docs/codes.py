"""`systemd/CODES.md`: every code that an alert, an error, a problem or a finding of feltd can have, made from the code.

``python -m tests.docs.codes`` writes the page anew. Alerts are made by calling the functions that raise them. The other
codes are read from the source: a call with the code, the sentence and the remedy as its arguments. What a program puts
into a sentence as it runs is shown as an ellipsis.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, get_type_hints

from daemon import errors
from daemon.config.files import file_problems, readable_by_all
from daemon.config.load import examine
from daemon.config.people import People, examine_people, for_another, writable_by_all
from daemon.config.problems import Problem, ProblemCode
from daemon.config.sections import MqttSection, TlsSection
from daemon.errors import FeltdError
from daemon.journal import errors as journal_errors
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table import alerts
from daemon.table.facts import AlertRaised
from daemon.table.round_facts import PromptStep, SettledWager
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import Finding
from daemon.table.vocabulary import Irregularity, PromptAction, SeatNumber
from drivers.errors import SetupCode
from drivers.events import DeviceName, FaultKind
from tests.daemon.config.test_people import MISTAKES as MISTAKES_OF_PEOPLE
from tests.daemon.config.test_report import MISTAKES
from tests.docs.documents import ROOT

PAGE: Final = ROOT / "systemd" / "CODES.md"
WORD: Final = re.compile(r"[a-z0-9-]+")
CODE: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)+")

HEAD: Final = """\
# Codes: what each one means, who acts, and what to do

Made from the code by `python -m tests.docs.codes`. A code never changes; its words may. `…` stands for what feltd
fills in. The status with which a command ends is in [the commands](../daemon/tools/README.md#exit-status).
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One code."""

    code: str
    cells: tuple[str, ...]


def page() -> str:
    """Return the whole page."""
    tables = (
        (
            "Alerts",
            "On `alert/<name>`, on the screen and in the log. An alert that blocks play stands until a person clears"
            " it. No round opens before that.",
            ("alert", "blocks play", "cleared by", "meaning", "remedy"),
            alert_rows(),
        ),
        (
            "Devices that cannot be used",
            "In the alert `setup-<device>`, in the log and from `feltd doctor`; from `feltd capture` and"
            " `feltd selftest` as `device.<code>`. A technician acts.",
            ("code", "meaning", "remedy"),
            device_rows(),
        ),
        (
            "Errors that end feltd, or one of its commands",
            "The last line of the log or of the command. The exit status says who acts: 69 a technician, or time;"
            " 74 the person who keeps the machine's disks; 78 the person who writes the configuration.",
            ("code", "status", "meaning", "remedy"),
            error_rows(),
        ),
        (
            "Mistakes in a configuration",
            "From `feltd check-config` and every command that reads a file, with file, line and key.",
            ("code", "an example"),
            configuration_rows(),
        ),
        (
            "Problems at the broker",
            "In the retained `status` from beginning to end, and twice in the log. IT acts.",
            ("code", "meaning", "remedy"),
            _call_rows("Problem", Path("daemon/mqtt")),
        ),
        (
            "Findings of doctor and check",
            "The name of the check, with the remedies that it can have.",
            ("check", "remedies"),
            finding_rows(),
        ),
    )
    return "\n".join([HEAD, *(_table(*table) for table in tables)])


def _table(title: str, about: str, heads: Sequence[str], rows: Sequence[Row]) -> str:
    lines = [f"## {title}\n", f"{about}\n", _line(heads), _line(["---"] * len(heads))]
    lines += [_line([f"`{row.code}`", *row.cells]) for row in sorted(rows, key=lambda row: row.code)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(' '.join(cell.split()).replace('|', '/') for cell in cells)} |"


# Alerts, by calling the functions that raise them.


def alert_rows() -> list[Row]:
    """Return a row for each alert that the table can raise."""
    rows = [_alert_row(made, alert) for made in _alert_functions() for alert in _raised_by(made)]
    return list({row.code: row for row in reversed(rows)}.values())


def _alert_functions() -> list[Callable[..., AlertRaised]]:
    functions = (value for name, value in inspect.getmembers(alerts, inspect.isfunction) if not name.startswith("_"))
    return [made for made in functions if get_type_hints(made).get("return") is AlertRaised]


def _raised_by(made: Callable[..., AlertRaised]) -> Iterator[AlertRaised]:
    """Call the function with a sample of each parameter's type; once for each kind of fault."""
    hints = {name: hint for name, hint in get_type_hints(made).items() if name != "return"}
    kinds = FaultKind if FaultKind in hints.values() else [None]
    for kind in kinds:
        yield made(**{name: kind if hint is FaultKind else _sample(name, hint) for name, hint in hints.items()})


def _sample(name: str, hint: object) -> object:
    return f"<{name.replace('_', ' ')}>" if hint is str else SAMPLES[hint]


def _alert_row(made: Callable[..., AlertRaised], alert: AlertRaised) -> Row:
    by_argument = "blocks_play" in inspect.signature(made).parameters
    blocks = "if the table needs the device" if by_argument else "yes" if alert.blocks_play else "no"
    cleared_by = ", ".join(actor.value for actor in alert.cleared_by)
    return Row(alert.alert, (blocks, cleared_by, alert.message, alert.remedy))


_WON: Final = SettledWager(WagerName.BIG_50, 0, Outcome.WIN, 0, 0, None, None, None)
SAMPLES: Final[dict[Any, Any]] = {
    DeviceName: DeviceName("<device>"),
    SeatNumber: SeatNumber(1),
    SettledWager: _WON,
    Sequence[PromptStep]: (PromptStep(WagerName.BIG_50, PromptAction.PAY, 0, SeatNumber(1)),),
    Mapping[WagerName, str]: {WagerName.BIG_50: "…"},
    Finding: Finding(Irregularity.CARD_TOO_OFTEN, None, "<finding>"),
    tuple[Clause, ...]: (Clause(SaidId.IN_ITS_WORDS, text="<reason>"),),
    Said: Said(SaidId.STAKE_MOVED, SeatNumber(1), cents=500, seen_cents=1_000, spot=WagerName.BIG_50),
    bool: True,
    int: 5,
    int | None: 5,
}
"""An argument for each type of parameter that a function of `alerts` has."""


# Codes in the source: the arguments of the call that makes them.


def device_rows() -> list[Row]:
    """Return a row for each problem that makes a device unusable."""
    found = {row.code: row for row in _call_rows("SetupProblem", Path("drivers"))}
    assert found.keys() == {code.value for code in SetupCode}
    return list(found.values())


def error_rows() -> list[Row]:
    """Return a row for each error that ends feltd or a command."""
    rows: list[Row] = []
    for kind in (*vars(errors).values(), *vars(journal_errors).values()):
        if inspect.isclass(kind) and issubclass(kind, FeltdError) and kind is not FeltdError:
            status = str(int(kind.exit_status))
            code, remedy = getattr(kind, "fixed_code", None), getattr(kind, "fixed_remedy", "")
            if code is not None:
                rows.append(Row(code, (status, inspect.cleandoc(kind.__doc__ or ""), remedy)))
            for calls in (_call_rows(kind.__name__, Path("daemon")), _call_rows("__init__", Path("daemon"), of=kind)):
                rows += [Row(row.code, (status, *row.cells)) for row in calls]
    return list({row.code: row for row in rows}.values())


def finding_rows() -> list[Row]:
    """Return a row for each check of `feltd doctor` and `feltd check`."""
    remedies: dict[str, list[str]] = defaultdict(list)
    for maker in ("problem", "warning"):
        for folder in ("daemon/tools/doctor", "daemon/tools/check.py"):
            for row in _call_rows(maker, Path(folder), remedy_at=3, is_code=WORD):
                remedies[row.code].append(row.cells[-1])
    passed_on = {"…": "what the error says that it names"}
    said = {code: dict.fromkeys(passed_on.get(text, text) for text in texts) for code, texts in remedies.items()}
    return [Row(code, (" Or: ".join(texts),)) for code, texts in said.items()]


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
    return [Row(code.value, (examples[code],)) for code in ProblemCode]


def _call_rows(
    name: str, folder: Path, *, remedy_at: int = 2, is_code: re.Pattern[str] = CODE, of: type | None = None
) -> list[Row]:
    """Return code, sentence and remedy of each call of `name`, or of `super().__init__` in classes `of` an error."""
    rows: dict[str, Row] = {}
    for file in [ROOT / folder] if folder.suffix else sorted((ROOT / folder).rglob("*.py")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        for scope, bases, call in _calls_in(file):
            is_meant = _name_of(call.func) == name and (of is None or of.__name__ in bases)
            if is_meant and len(call.args) > remedy_at:
                names = vars(importlib.import_module(module))
                texts = [_text(arg, scope, names) for arg in call.args]
                code, said, remedy = texts[0], texts[remedy_at - 1], texts[remedy_at]
                if is_code.fullmatch(code):
                    first = rows.setdefault(code, Row(code, (said, remedy)))
                    if remedy not in first.cells[1] and remedy != "…":
                        rows[code] = Row(code, (first.cells[0], f"{first.cells[1]} Or: {remedy}"))
    return list(rows.values())


@cache
def _calls_in(file: Path) -> list[tuple[ast.AST, tuple[str, ...], ast.Call]]:
    """Return each call with the function that it stands in, and the bases of that function's class."""
    found: list[tuple[ast.AST, tuple[str, ...], ast.Call]] = []
    tree = ast.parse(file.read_text(encoding="utf-8"))
    bases_of = {
        method: tuple(map(_name_of, node.bases))
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for method in node.body
    }
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            calls = (node for node in ast.walk(scope) if isinstance(node, ast.Call))
            found += [(scope, bases_of.get(scope, ()), call) for call in calls]
    return found


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _text(node: ast.expr, scope: ast.AST, names: Mapping[str, object]) -> str:
    """Return the text that an argument will be, with an ellipsis for what is known only as the program runs."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, scope, names) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, scope, names) + _text(right, scope, names)
        case ast.IfExp(body=one, orelse=other):
            return f"{_text(one, scope, names)} / {_text(other, scope, names)}"
        case ast.Attribute(value=ast.Name(id="SetupCode"), attr=name):
            return SetupCode[name].value
        case ast.FormattedValue(value=ast.Name(id=name)) if isinstance(names.get(name), str):
            return str(names[name])
        case ast.Name(id=name):
            before = [value for line, value in _assigned(name, scope) if line < node.lineno]
            constant = names.get(name)
            return _text(before[-1], scope, names) if before else constant if isinstance(constant, str) else "…"
        case _:
            return "…"


def _assigned(name: str, scope: ast.AST) -> list[tuple[int, ast.expr]]:
    """Return what a name is assigned in a function, with the lines, in order."""
    values: list[tuple[int, ast.expr]] = []
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                values.append((node.lineno, value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=several)):
                pairs = zip(targets, several, strict=True)
                values += [(node.lineno, one) for target, one in pairs if _name_of(target) == name]
            case _:
                pass
    return sorted(values, key=lambda found: found[0])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
