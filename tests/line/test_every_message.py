"""Every message of a recorded bench run with faults is what the public contract says."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from jsonschema import Draft202012Validator, FormatChecker

from daemon.mqtt.schemas import messages
from tests.bench_command.running import bench
from tests.support.mosquitto import mosquitto

BASE = "felt/v1/bench/table1/"
FAULTS = ("short-hand", "jam", "wrong-mode", "reboot", "silence")
VALIDATORS = {
    message.name: Draft202012Validator(message.schema, format_checker=FormatChecker()) for message in messages()
}


def schema_of(topic: str) -> str:
    """The message's name in the contract, by where it was published."""
    kind, _, rest = topic.removeprefix(BASE).partition("/")
    return f"{kind}.{rest}" if kind in ("event", "cmd") else kind


def recorded(directory: Path) -> list[tuple[str, str]]:
    """Topic and payload of everything on felt/# in a run with these faults."""
    heard = directory / "heard"
    faults = [word for name in FAULTS for word in ("--fault", name)]
    with mosquitto(directory) as broker:
        at = ["mosquitto_sub", "-p", str(broker.port), "-i", "recorder", "-V", "mqttv5", "-c", "-x", "600", "-q", "1"]
        subprocess.run([*at, "-t", "felt/#", "-E"], check=True, timeout=30)
        with (
            heard.open("wb") as out,
            subprocess.Popen(["stdbuf", "-oL", *at, "-t", "felt/#", "-F", "%t %p"], stdout=out) as listening,
        ):
            run = bench("--rounds", "8", "--fast", "--port", str(broker.port), *faults)
            listening.terminate()
        assert run.returncode == 0, run.stderr
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in heard.read_text().splitlines()]


def test_every_message_of_a_run_with_faults_is_valid(tmp_path: Path) -> None:
    seen: set[str] = set()
    for topic, payload in recorded(tmp_path):
        name = schema_of(topic)
        seen.add(name)
        if payload:  # an empty one takes a retained document away
            errors = [error.message for error in VALIDATORS[name].iter_errors(json.loads(payload))]
            assert not errors, f"{topic}: {errors}"
    missing = {"status", "state", "device", "alert", "reply", "cmd.bet", "event.round.settled", "event.round.voided"}
    assert missing - seen == set()
    print(f"never occurred: {sorted(set(VALIDATORS) - seen)}")  # noqa: T201
