"""The results of checks, and the report that they make."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal, TypeAlias, get_args

from drivers.events import Identity
from protocols.frozen import dataclass


class Verdict(Enum):
    """The result of a check. `LEFT_OUT` could have been asked and was not: that is not as good as `PASSED`."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not-applicable"
    LEFT_OUT = "left-out"


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure. The last word of its name is the unit."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `name` is stable; `said` and `remedy` are prose. Only a failure has a remedy."""

    name: str
    verdict: Verdict
    said: str
    measured: tuple[Measure, ...] = ()
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Every check of one device, in the order of `NAMES`. `requirements` are those of its protocol, by number."""

    device: str
    address: str
    profile: str
    identity: Identity | None
    checks: tuple[Check, ...]
    requirements: tuple[Check, ...] = ()

    def count(self, verdict: Verdict) -> int:
        """Return how many checks and requirements have this result."""
        return sum(check.verdict is verdict for check in (*self.checks, *self.requirements))


CheckName: TypeAlias = Literal[
    "identity",
    "reconnects",
    "heartbeat",
    "answer-times",
    "command-once",
    "event",
    "redelivery",
    "repair",
    "acknowledgement",
    "lock",
    "deal",
    "line",
]
"""Every check, in the order of a report. They are public names, and stay; `systemd/CODES.md` explains each."""
NAMES: Final[tuple[CheckName, ...]] = get_args(CheckName)

IDENTITY: Final = "identity"
RECONNECTS: Final = "reconnects"
HEARTBEAT: Final = "heartbeat"
ANSWER_TIMES: Final = "answer-times"
ONCE: Final = "command-once"
EVENT: Final = "event"
REDELIVERY: Final = "redelivery"
REPAIR: Final = "repair"
ACKNOWLEDGEMENT: Final = "acknowledgement"
LOCK: Final = "lock"
DEAL: Final = "deal"
LINE: Final = "line"


def passed(name: str, said: str, *measured: Measure) -> Check:
    """Return that the device does it right."""
    return Check(name, Verdict.PASSED, said, measured)


def failed(name: str, said: str, remedy: str, *measured: Measure) -> Check:
    """Return that the device does it wrong, and what to do."""
    return Check(name, Verdict.FAILED, said, measured, remedy)


def not_applicable(name: str, said: str) -> Check:
    """Return that the check does not apply to such a device."""
    return Check(name, Verdict.NOT_APPLICABLE, said)


def left_out(name: str, said: str) -> Check:
    """Return that the check was not made, and why."""
    return Check(name, Verdict.LEFT_OUT, said)
