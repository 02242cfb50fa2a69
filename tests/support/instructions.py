"""What pure code costs in instructions of the interpreter: a number that no noise moves.

`python -m tests.support.instructions` writes the numbers of today. A change that costs more says so in its diff.
"""

from __future__ import annotations

import gc
import json
import random
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import accumulate, islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from daemon.journal.reading import JournaledFact, JournalReader
from daemon.journal.record import FACT_BODIES, INPUTS
from daemon.mqtt.envelope import envelope
from daemon.rules import big_50
from daemon.rules.money import Cents
from daemon.rules.wagers import Wager
from daemon.table import view
from daemon.table.inputs import Configured, Input
from daemon.table.reducer import apply, blank
from daemon.table.state import TableState
from protocols.cards import DECK
from protocols.codec import Codec
from protocols.registry import PROTOCOLS
from tests.journal.releases import releases
from tests.journal.values import BET, HAND, bet, dispensed
from tests.protocols.subjects import SUBJECTS, feed

KEPT: Final = Path(__file__).with_name("instructions.json")
SEED: Final = 7
MESSAGES: Final = 50
STEPS: Final = 50


def instructions(run: Callable[[], object]) -> int:
    """Count what the interpreter executes in `run`, after it has run once: caches are filled by then.

    Meanwhile nothing is collected: what runs when an object of another test goes is not what `run` costs.
    """
    run()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return _counted(run)
    finally:
        if was_enabled:
            gc.enable()


if sys.version_info >= (3, 12):
    # From 3.12 on a trace function misses the instructions of each function that is called for the first time.
    def _counted(run: Callable[[], object]) -> int:
        monitoring, every = sys.monitoring, sys.monitoring.events.INSTRUCTION
        count = 0

        def executes(_code: CodeType, _offset: int) -> None:
            nonlocal count
            count += 1

        monitoring.use_tool_id(monitoring.PROFILER_ID, __name__)
        monitoring.register_callback(monitoring.PROFILER_ID, every, executes)
        monitoring.set_events(monitoring.PROFILER_ID, every)
        try:
            run()
        finally:
            monitoring.set_events(monitoring.PROFILER_ID, 0)
            monitoring.register_callback(monitoring.PROFILER_ID, every, None)
            monitoring.free_tool_id(monitoring.PROFILER_ID)
        return count
else:

    def _counted(run: Callable[[], object]) -> int:
        count = 0

        def trace(frame: FrameType, event: str, _: Any) -> Any:  # noqa: ANN401  # as sys.settrace wants it
            nonlocal count
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
            count += event == "opcode"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            run()
        finally:
            sys.settrace(before)
        return count


def measured() -> dict[str, int]:
    """Count each pure part of the straight line, by its name."""
    fact = JournaledFact("abc", 7, 0, 9, 1_795_000_000_123_456_789, "1", "hand-settled", None, _hand())
    source = random.Random(SEED)
    wagers = [Wager(name, Cents(500)) for name in big_50.GAME.spots]
    steps_of: dict[str, int] = {}
    parts: dict[str, Callable[[], object]] = {
        "write a device's report": lambda: INPUTS.encode(dispensed(7)),
        "write a request": lambda: INPUTS.encode(bet(7)),
        "read a device's report": lambda: INPUTS.decode(INPUTS.encode(dispensed(7))),
        "write a bet": lambda: FACT_BODIES["bet-placed"].encode(BET),
        "write a settled hand": _hand,
        "wrap a settled hand": lambda: envelope("felt/v1/north/7", fact),
        "settle Big 50": lambda: big_50.RULES.settle(DECK[3:8], wagers),
    }
    for kept in releases():
        steps = _steps(kept)
        parts[f"a step, {kept.stem}"] = lambda s=steps: [apply(state, happened) for state, happened in s]  # type: ignore[misc]
        parts[f"a picture, {kept.stem}"] = lambda s=steps: [view.public(state) for state, _ in s]  # type: ignore[misc]
        steps_of |= dict.fromkeys((f"a step, {kept.stem}", f"a picture, {kept.stem}"), len(steps))
    for subject in SUBJECTS:
        traffic = b"".join(subject.traffic(source) for _ in range(MESSAGES))
        parts[f"read {MESSAGES} messages, {subject}"] = lambda s=subject, t=traffic: feed(s, _end(s), t)  # type: ignore[misc]
    return {name: instructions(run) // steps_of.get(name, 1) for name, run in parts.items()}


def _steps(journal: Path) -> list[tuple[TableState, Input]]:
    """Return the first steps of a journal: the table before each, and what happened."""
    with closing(JournalReader.open_read_only(journal)) as opened:
        happened = [each for _, each in islice(opened.replay(0), STEPS)]
    assert isinstance(happened[0], Configured)
    states = accumulate(happened, lambda state, each: apply(state, each).state, initial=blank(happened[0]))
    return list(zip(states, happened, strict=False))


def _hand() -> bytes:
    return FACT_BODIES["hand-settled"].encode(HAND)


def _end(subject: Any) -> Codec[object]:  # noqa: ANN401
    return PROTOCOLS[subject.name].end(subject.role, 0)


if __name__ == "__main__":
    KEPT.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")
