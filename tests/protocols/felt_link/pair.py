"""Two ends of a link joined by hand, for tests: nothing moves unless the test moves it."""

from __future__ import annotations

from protocols.codec import Gap, Garbage
from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.events import DeviceSideEvent, Greeted, HostSideEvent
from protocols.felt_link.frame import AnyFrame, Frame, FrameReader, encode
from protocols.felt_link.host import HostConnection
from protocols.felt_link.memory import DeviceMemory, HostMemory
from protocols.felt_link.wording import from_frame, to_frame

MS = 1_000_000
IDENTITY = m.Identity("FS-1", "10042", "1.4.2", ("shuffler", "counts", "commands"))
GREEN = m.WireButtonPressed("green")

Heard = HostSideEvent | Garbage | Gap
Obeyed = DeviceSideEvent | Garbage | Gap
Spoken = m.Reading | AnyFrame | Garbage


def spell_out(data: bytes) -> list[Spoken]:
    """What bytes say: messages, and the frames that carry none as they are."""
    reader = FrameReader()
    reader.feed(data)
    found: list[Spoken] = []
    while (one := reader.next()) is not None:
        found.append(from_frame(one) if isinstance(one, Frame) else one)
    return found


def line(*said: m.Message | AnyFrame) -> bytes:
    """The bytes of messages and frames."""
    return b"".join(encode(one if not isinstance(one, m.Message) else to_frame(one)) for one in said)


def hello(boot: str = "B1", first: int = 1, following: int = 1, versions: tuple[int, ...] = (1,)) -> m.Hello:
    return m.Hello(versions, IDENTITY, boot, first, following)


class Host:
    """A host's end whose other end is the test."""

    def __init__(self, memory: HostMemory | None = None, now_ns: int = 0) -> None:
        self.memory = HostMemory() if memory is None else memory
        self.link = HostConnection(self.memory, now_ns)

    def hear(self, *said: m.Message | AnyFrame, at_ns: int = 0) -> list[Heard]:
        """Give it frames; what it makes of them."""
        return self.hear_bytes(line(*said), at_ns)

    def hear_bytes(self, data: bytes, at_ns: int = 0) -> list[Heard]:
        self.link.receive(data, at_ns)
        return list(iter(self.link.next_event, None))

    def says(self) -> list[Spoken]:
        """What it has said since the last call."""
        return spell_out(self.link.data_to_send())

    def meet(self, greeting: m.Hello | None = None, at_ns: int = 0) -> list[Heard]:
        """Hear a hello and welcome the device."""
        heard = self.hear(greeting or hello(), at_ns=at_ns)
        assert isinstance(heard[-1], Greeted)
        self.link.welcome(at_ns)
        return heard + list(iter(self.link.next_event, None))


class DeviceEnd:
    """A device's end whose other end is the test."""

    def __init__(self, memory: DeviceMemory | None = None, now_ns: int = 0) -> None:
        self.memory = DeviceMemory("B1") if memory is None else memory
        self.link = DeviceConnection(IDENTITY, self.memory, now_ns)

    def hear(self, *said: m.Message | AnyFrame, at_ns: int = 0) -> list[Obeyed]:
        """Give it frames; what it makes of them."""
        self.link.receive(line(*said), at_ns)
        return list(iter(self.link.next_event, None))

    def says(self) -> list[Spoken]:
        """What it has said since the last call."""
        return spell_out(self.link.data_to_send())

    def be_welcomed(self, seq: int = 0, at_ns: int = 0) -> None:
        """Be linked, with nothing left to say."""
        self.hear(m.Welcome(1, self.memory.boot, seq), at_ns=at_ns)
        self.says()
