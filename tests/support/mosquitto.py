"""A real Mosquitto for tests: on a port of its own, with access lists, and with the ways in which a broker goes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.sim_hardware.free_port import free_port

# Debian puts it where only root's PATH looks. Installed by `.ci/prepare broker`.
PROGRAM: Final = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
RUNNING: Final = " running\n"  # the end of a line: 2.1 begins with "running mosquitto as user"
EVERYTHING: Final = "pattern readwrite #\n"  # a line with "topic" would be for anonymous clients only


@dataclass
class Mosquitto:
    """One broker's process, with its directory; `start` after any kind of end takes up what it persisted."""

    directory: Path
    access: str = EVERYTHING  # mosquitto.conf(5), acl_file
    options: tuple[str, ...] = ()  # more lines of mosquitto.conf
    port: int = field(default_factory=free_port)
    anonymous: bool = True
    _process: subprocess.Popen[str] | None = None
    _drain: threading.Thread | None = None

    def start(self) -> None:
        """Start it and wait until it says that it runs."""
        if PROGRAM is None:
            raise RuntimeError("these tests need Mosquitto: make test installs it, or apt-get install mosquitto")
        self.set_access(self.access, reload=False)
        config = self.directory / "mosquitto.conf"
        config.write_text(self._config())
        self._process = subprocess.Popen([PROGRAM, "-c", str(config)], stderr=subprocess.PIPE, text=True)
        said = self._said_until_running(self._process)
        if said is not None:
            self._process.wait()
            raise RuntimeError(f"mosquitto did not start: {said}")
        self._wait_until_it_serves()

    def set_access(self, access: str, *, reload: bool = True) -> None:
        """Change the access list, also under way; it holds for what a client sends from now on."""
        self.access = access
        self._acl.write_text(access)
        if reload:
            self._signal(signal.SIGHUP)

    def stop(self) -> None:
        """End it in good order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once; sessions and retained messages since the last save are gone."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Connections stay up, and nothing is answered."""
        self._signal(signal.SIGSTOP)
        assert self._process is not None
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)  # a signal is on its way for a moment

    def resume(self) -> None:
        """Go on after a pause."""
        self._signal(signal.SIGCONT)

    @property
    def _acl(self) -> Path:
        return self.directory / "acl"

    def _config(self) -> str:
        lines = (
            f"listener {self.port} 127.0.0.1",
            f"allow_anonymous {str(self.anonymous).lower()}",
            f"acl_file {self._acl}",
            "persistence true",
            f"persistence_location {self.directory}/",
            "set_tcp_nodelay true",
            "max_queued_messages 1000000",  # the default of 1000 acknowledges and then drops
            "log_dest stderr",
            "log_type information",
            "log_type error",
            "log_type warning",
            *self.options,
        )
        # Started by root it would become the user mosquitto, who may not read a test's directory.
        return "\n".join(("user root", *lines)) + "\n"

    def _said_until_running(self, process: subprocess.Popen[str]) -> str | None:
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if line.endswith(RUNNING):
                self._drain = threading.Thread(target=process.stderr.read, daemon=True)
                self._drain.start()
                return None
        return "".join(said)

    def _wait_until_it_serves(self) -> None:
        """It says that it runs a moment before it does, and a signal in that moment is lost on it."""
        assert self._process is not None
        while True:
            try:
                visitor = socket.create_connection(("127.0.0.1", self.port), timeout=180)
                break
            except ConnectionRefusedError:  # on a busy machine it can be that moment
                if self._process.poll() is not None:
                    raise
        with visitor, suppress(ConnectionResetError):
            visitor.sendall(bytes(16))  # no packet of MQTT and no record of TLS: it hangs up
            visitor.recv(1)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(number)
        if number is not signal.SIGKILL:  # which ends a paused one too, without a last word
            process.send_signal(signal.SIGCONT)
        process.wait()
        if self._drain is not None:
            self._drain.join()
        if process.stderr is not None:
            process.stderr.close()


@contextmanager
def mosquitto(
    directory: Path, access: str = EVERYTHING, options: tuple[str, ...] = (), *, anonymous: bool = True
) -> Iterator[Mosquitto]:
    """A running broker that is gone afterwards."""
    broker = Mosquitto(directory, access, options, anonymous=anonymous)
    try:
        broker.start()
        yield broker
    finally:
        broker.stop()
