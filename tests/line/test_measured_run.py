"""`feltd bench --fast` of every game from every device that deals it, and a subscriber that was there before the start.

Bench and subscriber are processes of their own; the bench's has imported feltd before (`tests/support/forked.py`).

The subscriber is mosquitto_sub: it knows nothing of ours. Money is added up afresh from what it heard.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from daemon.tools.bench.games import GAMES
from tests.support.mosquitto import mosquitto
from tests.support.processes import gone_afterwards
from tests.tools.bench.running import bench

IS_LONG = "FELTD_SOAK" in os.environ
ROUNDS = 1000 if IS_LONG else 3
PAIRS = [(game.name.value, profile) for game in GAMES.values() for profile in game.profiles]
TWO_DEVICES = [
    ("big-draw", "felt-link-shuffler-faces", "--draws-from", "felt-link-shoe"),
    ("big-draw", "felt-link-shuffler-counts", "--draws-from", "angel-eye-iiex"),
    ("big-draw", "felt-link-shuffler-blind", "--draws-from", "bee-tek-manual"),
]
COMPARED = PAIRS if IS_LONG else [(game.name.value, game.profiles[0]) for game in GAMES.values()]
"""Those that are played by commands and by keys."""
RUN_S_MAX = 1500.0
EVENTS = "felt/v1/bench/table1/event/+"
STANDSTILLS = ("round-voided", "round-held", "round-interrupted", "irregularity-found")
"""What a run without faults has none of."""
SESSION = ("-i", "auditor", "-V", "mqttv5", "-c", "-x", "3600", "-q", "1", "-t", EVENTS)


@contextmanager
def witness(port: int, heard: Path) -> Iterator[None]:
    """mosquitto_sub with a session that the broker keeps, writing what it hears; subscribed before this is entered."""
    at = ("mosquitto_sub", "-p", str(port), *SESSION)
    subprocess.run([*at, "-E"], check=True, timeout=120)
    with (
        heard.open("wb") as out,
        gone_afterwards(subprocess.Popen(["stdbuf", "-oL", *at, "-F", "%p"], stdout=out)),
    ):
        yield


def played(directory: Path, game: str, profile: str, *words: str) -> tuple[str, list[dict[str, Any]]]:
    """The bench's summary, and every event that the witness heard."""
    directory.mkdir()
    heard = directory / "heard.jsonl"
    with mosquitto(directory) as broker, witness(broker.port, heard):
        at = ("--port", str(broker.port), "--game", game, "--device", profile, *words)
        run = bench("--rounds", str(ROUNDS), "--fast", "--seed", "7", *at, timeout_s=RUN_S_MAX)
        assert run.returncode == 0, run.stderr
    return run.stdout, [json.loads(line) for line in heard.read_text().splitlines()]


def results(summary: str) -> str:
    found = re.search(r"results ([0-9a-f]{16})", summary)
    assert found is not None, summary
    return found[1]


def balances(events: list[dict[str, Any]]) -> int:
    """How many rounds were settled; of each, stakes = returned + take, also wager by wager.

    A decision can put more on the felt.
    """
    returned: dict[str, int] = defaultdict(int)
    staked: dict[str, int] = {}
    settled = 0
    for event in events:
        data, name = event["data"], event.get("roundid", "")
        if event["type"] == "betting-closed":
            staked[name] = sum(stake["stake_cents"] for stake in data["stakes"])
        elif event["type"] == "player-decided":
            staked[name] += data["stake_cents"] or 0
        elif event["type"] == "hand-settled":
            returned[name] += sum(wager["returned_cents"] for wager in data["wagers"])
        elif event["type"] == "round-settled":
            settled += 1
            told = (data["stakes_cents"], data["returned_cents"], data["take_cents"])
            assert told == (staked[name], returned[name], staked[name] - returned[name]), name
    return settled


def assert_sound(summary: str, events: list[dict[str, Any]]) -> None:
    """Assert that the subscriber has every event once and in sequence, and that every round balances."""
    said = re.search(r"^events    ([0-9]+), 0 holes, 0 repeats$", summary, re.MULTILINE)
    assert said is not None, summary
    numbers = [int(event["sequence"]) for event in events]
    assert numbers == list(range(1, len(events) + 1))
    assert len(events) >= int(said[1])
    assert len({event["id"] for event in events}) == len(events)
    assert balances(events) >= ROUNDS
    assert not [event for event in events if event["type"] in STANDSTILLS]
    print(summary)  # noqa: T201


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("words", [*(pair for pair in PAIRS if pair not in COMPARED), *TWO_DEVICES], ids="-".join)
def test_a_subscriber_has_every_event_once_in_sequence_and_every_round_balances(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    assert_sound(*played(tmp_path / "run", *words))


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("words", COMPARED, ids="-".join)
def test_so_it_has_by_commands_and_by_keys_and_the_same_seed_comes_to_the_same(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    by_commands = played(tmp_path / "commands", *words)
    by_keys = played(tmp_path / "keys", *words, "--buttons")
    assert_sound(*by_commands)
    assert_sound(*by_keys)
    assert results(by_keys[0]) == results(by_commands[0])
