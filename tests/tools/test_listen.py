"""`feltd listen`, for a machine that has no mosquitto_sub."""

from __future__ import annotations

import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from paho.mqtt import publish

from daemon.errors import ExitStatus, OutageError
from daemon.tools.listen import listen
from tests.sim_hardware.free_port import free_port
from tests.support.interrupts import interruptible
from tests.support.mosquitto import mosquitto
from tests.support.processes import gone_afterwards
from tests.support.sentences import Says
from tests.tools.bench.running import FELTD, SOON_S, benching, until_said


def test_it_prints_what_the_table_says_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        command = [str(FELTD), "listen", "--port", str(broker.port), "felt/v1/bench/table1/event/round-opened"]
        with (
            benching("--speed", "50", "--port", str(broker.port)),
            interruptible(),
            gone_afterwards(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as listening,
        ):
            heard = until_said(listening, "round-opened")
            listening.send_signal(signal.SIGINT)
            assert listening.wait(SOON_S) == ExitStatus.OK
    assert heard.startswith('felt/v1/bench/table1/event/round-opened {"specversion":"1.0"')


def test_it_goes_on_when_the_broker_is_back_and_says_once_that_something_was_missed(tmp_path: Path, says: Says) -> None:
    with mosquitto(tmp_path) as broker:
        say = partial(publish.single, "felt/word", retain=True, hostname="127.0.0.1", port=broker.port)
        say("before")
        command = [str(FELTD), "listen", "--port", str(broker.port)]
        with gone_afterwards(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ) as listening:
            assert listening.stdout is not None
            assert listening.stderr is not None
            assert listening.stdout.readline() == "felt/word before\n"
            broker.kill()
            gone = listening.stderr.readline()
            broker.start()
            back = listening.stderr.readline()
            say("after")
            until_said(listening, "felt/word after")
            listening.terminate()
            assert listening.stderr.read() == ""
    says(gone)
    says(back)
    assert "sequence" in back


def test_what_a_broker_says_moves_nothing_on_a_terminal(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        said = "\x1b]0;taken\x07\x1b[2J\u202eevil\r\nfelt/word another"
        publish.single("felt/word", said, retain=True, hostname="127.0.0.1", port=broker.port)
        command = [str(FELTD), "listen", "--port", str(broker.port)]
        with gone_afterwards(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as listening:
            assert listening.stdout is not None
            told = listening.stdout.readline()
            listening.terminate()
    assert told == r"felt/word \u001b]0;taken\u0007\u001b[2J\u202eevil\u000d\u000afelt/word another" + "\n"


def test_without_a_broker_it_says_so() -> None:
    command = [str(FELTD), "listen", "--port", str(free_port())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SOON_S)
    assert done.returncode == ExitStatus.UNAVAILABLE
    assert done.stderr.endswith("[listen.broker-away]\n")


@pytest.mark.parametrize("topic", ["", "felt/#/x", "felt/a+", "felt/x#", "felt/\x01", "x" * 65_536])
def test_a_topic_that_no_broker_takes_is_a_mistake_on_the_command_line(topic: str) -> None:
    """It ended with the library's traceback."""
    told = CliRunner().invoke(listen, ["--port", str(free_port()), topic])
    assert told.exit_code == ExitStatus.USAGE
    assert "as felt/v1/+/table7/#" in told.output


@pytest.mark.parametrize("topic", ["#", "+", "felt/+/x", "felt/v1/+/t/#", "/", "$share/g/felt/#"])
def test_every_topic_that_a_broker_takes_is_asked_for(topic: str) -> None:
    told = CliRunner().invoke(listen, ["--port", str(free_port()), topic])
    assert isinstance(told.exception, OutageError)
