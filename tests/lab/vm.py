"""One running guest: QEMU without hardware help, and a line to the agent inside.

A guest never outlives the test run: the kernel kills QEMU when the thread that started it is gone. What it wrote to its
disk is thrown away when it ends, unless it is told to keep it.
"""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.lab.guest import Guest

MEMORY_MB: Final = 768
BOOT_S_MAX: Final = 600
RUN_S_MAX: Final = 60
_ANSWER_GRACE_S: Final = 30
_ANSWER_BYTES: Final = 65_536
HOST: Final = "10.0.2.2"
"""Where the guest finds this machine."""

# No mitigations: nobody attacks a guest that lives a minute, and emulated they are dear.
_KERNEL_WORDS: Final = "console=ttyS0 rw panic=-1 mitigations=off nokaslr quiet random.trust_cpu=1 tsc=reliable"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command in the guest ended; `status` is None when its time was over."""

    command: str
    status: int | None
    output: str


class GuestError(AssertionError):
    """A command in the guest did not do what the test needs."""


class Vm:
    """Boot with `with`; the guest is gone afterwards."""

    def __init__(
        self,
        guest: Guest,
        payload: Path,
        directory: Path,
        forwarded: Mapping[int, int],
        *,
        keeps_disk: bool = False,
        more_words: Sequence[str] = (),
    ) -> None:
        """`payload` is mounted on /opt. `forwarded` are TCP ports here and the guest's that they lead to.

        `more_words` are QEMU's own, for what only one test needs.
        """
        self._console: Final = directory / "console.log"
        self._complaints: Final = directory / "qemu.log"
        self._socket_path: Final = directory / "agent.sock"
        self._command: Final = [
            *("setpriv", "--pdeathsig", "KILL"),
            *_command(guest, payload, forwarded, "off" if keeps_disk else "on"),
            *more_words,
            *("-serial", f"file:{self._console}"),
            *("-chardev", f"socket,id=agent,path={self._socket_path},server=on,wait=off"),
            *("-device", "virtio-serial-pci", "-device", "virtserialport,chardev=agent,name=lab.agent"),
        ]
        self._agent: socket.socket | None = None
        self._answered = b""
        self._asked = 0
        # A caller in a loop that was cancelled leaves its thread behind, waiting for the answer.
        self._one_at_a_time: Final = threading.Lock()
        self.boot_s = 0.0

    def __enter__(self) -> Vm:
        began = time.monotonic()
        with self._complaints.open("wb") as complaints:
            self._qemu = subprocess.Popen(self._command, stderr=complaints)
        try:
            self._agent = self._connect(began + BOOT_S_MAX)
            self._agent.settimeout(BOOT_S_MAX)
            self._next_line()
        except BaseException:
            self.__exit__()
            raise
        self.boot_s = time.monotonic() - began
        return self

    def __exit__(self, *_exc: object) -> None:
        self._qemu.kill()
        self._qemu.wait()
        if self._agent is not None:
            self._agent.close()

    def power_off(self) -> None:
        """Shut down in good order, so that a disk that is kept is whole."""
        with suppress(GuestError):  # it is gone before it has answered, or after
            self.run("systemctl poweroff")
        self._qemu.wait(BOOT_S_MAX)

    def ask(self, command: str, timeout_s: float = RUN_S_MAX) -> Ran:
        """Run a command as root; how it ended is for the caller to judge."""
        assert self._agent is not None, "it has not been booted"
        with self._one_at_a_time:
            self._asked += 1
            question = {"id": self._asked, "command": command, "timeout_s": timeout_s}
            self._agent.settimeout(timeout_s + _ANSWER_GRACE_S)
            self._agent.sendall(json.dumps(question).encode() + b"\n")
            answer = self._next_line()
            while answer.get("id") != self._asked:
                answer = self._next_line()
            return Ran(command, answer["status"], answer["output"])

    def run(self, command: str, timeout_s: float = RUN_S_MAX) -> str:
        """Run a command that has to succeed; what it printed."""
        ran = self.ask(command, timeout_s)
        if ran.status != 0:
            raise GuestError(f"{command}\nended with {ran.status}:\n{ran.output[-4000:]}")
        return ran.output

    def until(self, condition: str, timeout_s: float = RUN_S_MAX) -> None:
        """Wait until a command succeeds."""
        self.run(f"until {condition}; do sleep 0.1; done >/dev/null 2>&1", timeout_s)

    def write(self, path: str, text: str) -> None:
        """Put a file there."""
        self.run(f"printf %s {shlex.quote(text)} > {shlex.quote(path)}")

    def _next_line(self) -> dict[str, Any]:
        """Not through a file of the socket: one that was once late can never be read again."""
        assert self._agent is not None, "it has not been booted"
        while b"\n" not in self._answered:
            try:
                more = self._agent.recv(_ANSWER_BYTES)
            except TimeoutError:
                raise GuestError(f"the guest does not answer.\n{self._last_words()}") from None
            if not more:
                raise GuestError(f"the guest is gone.\n{self._last_words()}")
            self._answered += more
        line, _, self._answered = self._answered.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _connect(self, deadline: float) -> socket.socket:
        while True:
            agent = socket.socket(socket.AF_UNIX)
            try:
                agent.connect(str(self._socket_path))
            except (FileNotFoundError, ConnectionRefusedError):
                agent.close()
                if self._qemu.poll() is not None or time.monotonic() > deadline:
                    raise GuestError(f"QEMU did not start.\n{self._last_words()}") from None
                time.sleep(0.02)
            else:
                return agent

    def _last_words(self) -> str:
        logs = (path.read_text(errors="replace")[-3000:] for path in (self._complaints, self._console) if path.exists())
        return "\n".join(logs)


def _command(guest: Guest, payload: Path, forwarded: Mapping[int, int], thrown_away: str) -> list[str]:
    forwards = "".join(f",hostfwd=tcp:127.0.0.1:{here}-:{there}" for here, there in forwarded.items())
    return [
        *("qemu-system-x86_64", "-machine", "pc", "-accel", "tcg,thread=multi", "-cpu", "max,la57=off"),
        *("-smp", "1", "-m", str(MEMORY_MB), "-display", "none", "-nodefaults", "-no-reboot"),
        *("-kernel", str(guest.kernel), "-initrd", str(guest.initrd), "-append", _KERNEL_WORDS),
        *("-drive", f"file={guest.disk},if=virtio,format=qcow2,cache=unsafe,snapshot={thrown_away}"),
        *("-drive", f"file={payload},if=virtio,format=raw,cache=unsafe,snapshot=on"),
        *("-netdev", f"user,id=net{forwards}", "-device", "virtio-net-pci,netdev=net,romfile="),
        *("-device", "virtio-rng-pci"),
    ]
