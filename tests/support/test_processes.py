"""No test leaves a process to the next one."""

from __future__ import annotations

import ast
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import processes
from tests.support.processes import gone_afterwards

TESTS = Path(__file__).resolve().parents[1]
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); signal.pause()"


def test_a_failure_inside_leaves_no_process() -> None:
    command = [sys.executable, "-c", "import signal; print(1, flush=True); signal.pause()"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE)
    with pytest.raises(ZeroDivisionError), gone_afterwards(process):
        raise ZeroDivisionError
    assert process.returncode == -signal.SIGTERM
    assert process.stdout is not None
    assert process.stdout.closed


def test_one_that_does_not_obey_is_killed_and_that_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "ENDS_S_MAX", 0.05)
    process = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(subprocess.TimeoutExpired), gone_afterwards(process):
        pass
    assert process.returncode == -signal.SIGKILL


def test_every_process_of_a_test_is_gone_afterwards() -> None:
    """`with Popen(…)` waits without end after a failure inside; a `Popen` that is kept has an end of its own."""
    bare = [
        f"{file.relative_to(TESTS)}:{item.context_expr.lineno}"
        for file in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.With | ast.AsyncWith)
        for item in node.items
        if isinstance(item.context_expr, ast.Call) and ast.unparse(item.context_expr.func).endswith("Popen")
    ]
    assert bare == []
