"""Every message of a recorded bench run of each game, with faults, is what the public contract says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from daemon.rules.wagers import GameName
from daemon.tools.bench.games import GAMES
from daemon.tools.schemas.contract import messages
from tests.support.mosquitto import mosquitto
from tests.support.processes import gone_afterwards
from tests.tools.bench.running import bench

BASE = "felt/v1/bench/table1/"
OF_SHUFFLERS = ("short-hand", "jam", "wrong-mode", "reboot", "silence")
OF_SHOES = ("read-error", "put-back", "extra-card", "reboot")
ALWAYS = {
    "status",
    "state",
    "metrics",
    "device",
    "alert",
    "reply",
    "cmd.bet",
    "event.round-settled",
    "event.round-voided",
}
IN_WHICH_PLAYERS_ONLY_BET = {"event.hand-settled"}
OF_GAMES = {
    GameName.BIG_RAISE: {"cmd.decide", "event.up-card-shown", "event.dealer-hand-shown"},
    GameName.BIG_DRAW: {"cmd.choose-game", "cmd.enter-cards", "event.game-chosen"},
    GameName.BLACKJACK: {"cmd.load-shoe", "event.card-dealt", "event.dealer-cards-shown"},
}
VALIDATORS = {
    message.name: Draft202012Validator(message.schema, format_checker=FormatChecker()) for message in messages()
}


def schema_of(topic: str) -> str:
    """The message's name in the contract, by where it was published."""
    kind, _, rest = topic.removeprefix(BASE).partition("/")
    return f"{kind}.{rest.rpartition('/')[2]}" if kind in ("event", "cmd") else kind


def recorded(directory: Path, game: GameName) -> list[tuple[str, str]]:
    """Topic and payload of everything on felt/# in a run with faults."""
    heard = directory / "heard"
    names = OF_SHUFFLERS if "shuffler" in GAMES[game].profiles[0] else OF_SHOES
    words = ["--game", game.value, *(word for name in names for word in ("--fault", name))]
    with mosquitto(directory) as broker:
        at = ["mosquitto_sub", "-p", str(broker.port), "-i", "recorder", "-V", "mqttv5", "-c", "-x", "600", "-q", "1"]
        subprocess.run([*at, "-t", "felt/#", "-E"], check=True, timeout=120)
        with (
            heard.open("wb") as out,
            gone_afterwards(
                subprocess.Popen(["stdbuf", "-oL", *at, "-t", "felt/#", "-F", "%t %p"], stdout=out)
            ) as listening,
        ):
            run = bench("--rounds", "6", "--fast", "--port", str(broker.port), *words)
            listening.terminate()
        assert run.returncode == 0, run.stderr
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in heard.read_text().splitlines()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.value)
def test_every_message_of_a_run_with_faults_is_valid(game: GameName, tmp_path: Path) -> None:
    seen: set[str] = set()
    for topic, payload in recorded(tmp_path, game):
        name = schema_of(topic)
        seen.add(name)
        if payload:  # an empty one takes a retained document away
            errors = [error.message for error in VALIDATORS[name].iter_errors(json.loads(payload))]
            assert not errors, f"{topic}: {errors}"
    assert (ALWAYS | OF_GAMES.get(game, IN_WHICH_PLAYERS_ONLY_BET)) - seen == set()
    # What never occurs here is made to occur in tests/contract/test_every_kind_occurs.py.
    print(f"never occurred: {sorted(set(VALIDATORS) - seen)}")  # noqa: T201
