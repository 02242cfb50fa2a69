"""Both ends of a link, the line between them and everything that can happen to the three, in virtual time by seed."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.events import Answered, Delivered, Greeted, Ordered
from protocols.felt_link.host import HostConnection
from protocols.felt_link.memory import DeviceMemory, HostMemory
from tests.protocols.felt_link.pair import IDENTITY, MS

LATENCY_NS = 2 * MS
COMMIT_NS_MAX = 30 * MS


@dataclass(frozen=True)
class Faults:
    """How likely each mishap is for one write on the line."""

    lost: float = 0.0
    flipped: float = 0.0
    cut: float = 0.0
    repeated: float = 0.0
    noise: float = 0.0


CALM = Faults()


@dataclass
class World:
    """The journal is what the host has on disk; `done` is what the device did."""

    seed: int
    faults: Faults = CALM
    now_ns: int = 0
    boots: int = 0
    journal: list[tuple[str, int, object]] = field(default_factory=list)
    recorded: list[tuple[str, int, object]] = field(default_factory=list)
    done: list[tuple[str, str]] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.source = random.Random(self.seed)
        self._tie = 0
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._disk_free_ns = 0
        self._line = 0  # which connection's bytes are still worth anything
        self._arrives_ns = {"host": 0, "device": 0}
        self.host_memory = HostMemory()
        self.device_memory = DeviceMemory(self._new_boot())
        self.connect()

    def _new_boot(self) -> str:
        self.boots += 1
        return f"B{self.boots}"

    def at(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Have something happen later."""
        self._tie += 1
        heapq.heappush(self._agenda, (self.now_ns + delay_ns, self._tie, action))

    def run(self, duration_ns: int) -> None:
        """Let everything happen that is due within a time."""
        end_ns = self.now_ns + duration_ns
        while True:
            due_ns = min([self._agenda[0][0] if self._agenda else end_ns, *self._timeouts()])
            if due_ns > end_ns:
                break
            self.now_ns = max(self.now_ns, due_ns)
            if self._agenda and self._agenda[0][0] <= self.now_ns:
                heapq.heappop(self._agenda)[2]()
            elif due_ns >= end_ns:
                break
            self.host.handle_timeout(self.now_ns)
            self.device.handle_timeout(self.now_ns)
            self._settle()
        self.now_ns = end_ns

    def _timeouts(self) -> list[int]:
        return [due for due in (self.host.next_timeout_ns(), self.device.next_timeout_ns()) if due is not None]

    # What can happen

    def connect(self) -> None:
        """The cable is out and in again: both ends have new connections and old memories."""
        self._line += 1
        self.host = HostConnection(self.host_memory, self.now_ns)
        self.device = DeviceConnection(IDENTITY, self.device_memory, self.now_ns)
        self._settle()

    def restart_host(self) -> None:
        """Only the journal survives."""
        if self.journal:
            boot, seq, _ = self.journal[-1]
            self.host_memory = HostMemory.resume(boot, seq)
        else:
            self.host_memory = HostMemory()
        self.host = HostConnection(self.host_memory, self.now_ns)

    def restart_device(self) -> None:
        """Its memory is gone."""
        self.device_memory = DeviceMemory(self._new_boot())
        self.device = DeviceConnection(IDENTITY, self.device_memory, self.now_ns)
        self._settle()

    def happen(self, event: m.WireEvent) -> None:
        """Something happens at the device."""
        seq = self.device.report_event(event, self.now_ns)
        self.recorded.append((self.device_memory.boot, seq, event))
        self._settle()

    def order(self, command_id: str) -> None:
        """The host wants something done."""
        self.host.order_command(command_id, m.Dispense(1), self.now_ns)
        self._settle()

    # How it goes from one end to the other

    def _settle(self) -> None:
        while True:
            self._listen()
            to_device, to_host = self.host.data_to_send(), self.device.data_to_send()
            if not to_device and not to_host:
                return
            self._carry(to_device, "device")
            self._carry(to_host, "host")

    def _listen(self) -> None:
        while (heard := self.host.next_event()) is not None:
            match heard:
                case Greeted():
                    self.host.welcome(self.now_ns)
                case Delivered():
                    self._commit(heard)
                case Answered(command_id, _):
                    self.answered.append(command_id)
                case _:
                    pass  # damage is what the line is for; the journal shows what came of it
        while (obeyed := self.device.next_event()) is not None:
            if isinstance(obeyed, Ordered):
                self.done.append((self.device_memory.boot, obeyed.id))
                self.device.answer(obeyed.id, None, self.now_ns)

    def _commit(self, event: Delivered) -> None:
        memory = self.host_memory
        busy_ns = max(0, self._disk_free_ns - self.now_ns)
        delay_ns = busy_ns + self.source.randrange(COMMIT_NS_MAX)
        self._disk_free_ns = self.now_ns + delay_ns

        def commit() -> None:
            if memory is self.host_memory:  # else that process is dead
                self.journal.append((event.boot, event.seq, event.event))
                self.host.acknowledge(event.boot, event.seq, self.now_ns)

        self.at(delay_ns, commit)

    def _carry(self, data: bytes, to: str) -> None:
        line = self._line
        for piece in self._mishap(data):
            self._arrives_ns[to] = max(self._arrives_ns[to], self.now_ns + LATENCY_NS)

            def arrive(piece: bytes = piece) -> None:
                if line == self._line:
                    (self.host if to == "host" else self.device).receive(piece, self.now_ns)

            self.at(self._arrives_ns[to] - self.now_ns, arrive)

    def _mishap(self, data: bytes) -> list[bytes]:
        if not data:
            return []
        source, faults = self.source, self.faults
        at = source.randrange(len(data))
        pieces = [data]
        if source.random() < faults.lost:
            pieces = []
        elif source.random() < faults.flipped:
            pieces = [data[:at] + bytes([data[at] ^ 1 << source.randrange(8)]) + data[at + 1 :]]
        elif source.random() < faults.cut:
            pieces = [data[:at]]
        elif source.random() < faults.repeated:
            pieces = [data, data]
        if source.random() < faults.noise:
            pieces.append(source.randbytes(source.randrange(1, 40)))
        return pieces
