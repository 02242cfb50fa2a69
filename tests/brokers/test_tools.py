"""The commands of feltd at a broker that speaks only MQTT 3.1.1, and at one that wants a user and a password."""

from __future__ import annotations

import subprocess
from pathlib import Path

from paho.mqtt import publish

from daemon.errors import ExitStatus
from daemon.mqtt.diagnosis import USE_3_1_1
from daemon.mqtt.settings import MqttVersion
from tests.brokers.running import guarded_mosquitto, nats
from tests.brokers.site import TABLE, TOPICS, password
from tests.daemon.config.files import GOOD
from tests.support.processes import gone_afterwards
from tests.tools.bench.running import FELTD, bench, until_said


def test_the_bench_plays_at_a_broker_that_speaks_only_3_1_1(tmp_path: Path) -> None:
    with nats(tmp_path) as port:
        wrong = bench("--fast", "--rounds", "1", "--port", str(port))
        right = bench("--fast", "--rounds", "2", "--port", str(port), "--mqtt", "3.1.1")
        again = bench("--fast", "--rounds", "2", "--port", str(port), "--mqtt", "3.1.1")
    assert (wrong.returncode, "Traceback" in wrong.stderr) == (ExitStatus.UNAVAILABLE, False)
    assert USE_3_1_1 in wrong.stderr
    assert right.returncode == ExitStatus.OK, right.stderr
    assert ", 0 holes, 0 repeats" in right.stdout
    assert again.returncode == ExitStatus.OK, again.stderr  # on a new journal, at the broker that knows another one


def test_listen_reaches_the_table_s_broker_as_a_user_of_its_own(tmp_path: Path) -> None:
    file, own = tmp_path / "table7.toml", tmp_path / "own"
    own.write_text(password("screen"))
    table: publish.AuthParameter = {"username": TABLE, "password": password(TABLE)}
    with guarded_mosquitto(tmp_path, MqttVersion.V3_1_1) as broker:
        publish.single(TOPICS.state, "the state", 1, True, "127.0.0.1", broker.port, TABLE, auth=table)
        text = GOOD.replace('name = "7"', 'name = "table7"')
        file.write_text(f'{text}[mqtt]\nport = {broker.port}\nversion = "3.1.1"\nusername = "{TABLE}"\n')
        as_the_table = subprocess.run([FELTD, "listen", "--config", file], capture_output=True, text=True, timeout=180)
        words = [str(FELTD), "listen", "--config", str(file), "--user", "screen", "--password-file", str(own)]
        with gone_afterwards(
            subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ) as listening:
            heard = until_said(listening, "the state")
    assert heard == f"{TOPICS.state} the state\n"
    assert as_the_table.stderr.endswith("[no-user]\n")
