"""What an error tells, and what the process ends with."""

from __future__ import annotations

import pytest

from daemon.errors import (
    ConfigurationError,
    ExitStatus,
    FeltdError,
    JournalError,
    OutageError,
    SetupError,
    exit_status,
)
from tests.support.sentences import Says


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (OutageError, 69),
        (SetupError, 69),
        (ConfigurationError, 78),
        (JournalError, 74),
    ],
)
def test_the_class_says_how_the_process_ends(kind: type[FeltdError], status: int, says: Says) -> None:
    error = kind("no-user", "It broke.", "Mend it.")
    assert exit_status(error) == status
    says(str(error))


def test_what_nobody_foresaw_is_our_own_mistake() -> None:
    assert exit_status(ZeroDivisionError()) is ExitStatus.SOFTWARE


def test_of_several_errors_the_one_that_needs_a_person_decides() -> None:
    outage, journal = OutageError("no-user", "b", "c"), JournalError("no-user", "b", "c")
    group = ExceptionGroup("line", [outage, ExceptionGroup("inner", [journal])])
    assert exit_status(group) is ExitStatus.JOURNAL


def test_a_mistake_of_ours_is_not_hidden_by_an_outage() -> None:
    assert exit_status(ExceptionGroup("line", [OutageError("no-user", "b", "c"), KeyError("k")])) is ExitStatus.SOFTWARE


def test_every_status_has_a_meaning() -> None:
    assert all(status.meaning for status in ExitStatus)
