"""The driver of an input box whose contacts follow a machine's lights and switches.

Theory of operation. Most machines on tables have no link for strangers, and every one has lights. Relays or opto-
couplers beside them, a switch in the tray and a foot switch close the inputs of a box. The wiring is fixed, so that
nothing is to be configured:

    input 1  the green light: a shuffled deck is in the machine
    input 2  the red light: the machine cannot go on
    input 3  the tray: a packet lies in it
    input 4  the dealer's foot switch: the table's green key

A light that goes on is believed after two equal readings, and one that goes dark after DARK_NS, because lights blink.
A switch is believed after two readings both ways. Green lit is a deck that was shuffled. Green dark is, where packets
were given since, the rest that came out; where the machine gives whole decks, the deck; else a deck that is shuffled
again.

Nothing is counted, read or kept. A press that falls into a lost connection is lost, so `LinkUp` never resumes. What
stood already when the connection began is no event: when it happened is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from drivers import events as e
from drivers.addresses import TcpAddress
from drivers.driver import Damaged, Rejected
from drivers.errors import LostEventsCode, SetupCode, SetupProblem
from drivers.link_driver import NamelessDriver
from drivers.profile import Capability, DeviceSettings
from protocols.codec import Gap, Garbage
from protocols.modbus_tcp.connection import POLL_NS, BoxEvent, HostConnection
from protocols.modbus_tcp.messages import Inputs, Refused, UnknownPdu

GREEN, RED, TRAY, FOOT = range(4)
INPUTS: Final = 4
DARK_NS: Final = 1_000_000_000
"""A light that blinks once a second is dark for half of it."""
RED_LIGHT: Final = "red-light"
_RED_LIT: Final = e.FaultRaised(e.FaultKind.OTHER, "its red light is lit", RED_LIGHT)


@dataclass(slots=True)
class Contact:
    """One input, and what it is believed to be: None before the first two readings."""

    dark_ns: int
    is_closed: bool | None = None
    _reads: bool | None = None
    _since_ns: int = 0

    def read(self, reads: bool, now_ns: int) -> bool:
        """Take one reading. Return whether the contact has become another than it was."""
        if reads is not self._reads:
            self._reads, self._since_ns = reads, now_ns
            return False
        lasts_ns = self.dark_ns if self.is_closed and not reads else 0
        if reads is self.is_closed or now_ns - self._since_ns < lasts_ns:
            return False
        was_known, self.is_closed = self.is_closed is not None, reads
        return was_known


class ContactsDriver(NamelessDriver[BoxEvent]):
    """One box over all its connections."""

    def __init__(self, settings: DeviceSettings, resume_from: e.Receipt | None) -> None:
        super().__init__(settings, lambda now_ns: HostConnection(now_ns, INPUTS))
        self._gives_decks: Final = settings.profile.can(Capability.BATCH)
        self._contacts: tuple[Contact, ...] = ()
        self._packets = 0

    def connected(self, now_ns: int) -> None:
        """Begin a new connection, and forget what the contacts were."""
        super().connected(now_ns)
        self._contacts = tuple(Contact(DARK_NS if place in (GREEN, RED) else 0) for place in range(INPUTS))
        self._packets = 0

    def _on_event(self, event: BoxEvent | Garbage | Gap) -> None:
        match event:
            case Inputs(closed):
                self._on_inputs(closed)
            case Refused(_, code):
                self._outcomes.append(Rejected(_refused(self._settings, code)))
            case UnknownPdu(function, size):
                self._report_event(e.Anomaly("unknown-answer", f"an answer of function {function} with {size} bytes"))
            case Garbage(data, _):
                self._outcomes.append(Damaged(len(data)))
            case Gap(missing, reason):
                self._report_event(e.EventsLost(missing, reason, LostEventsCode.GAP.value))

    def _on_inputs(self, closed: tuple[bool, ...]) -> None:
        if not self._is_up:
            self._come_up()
        for place, contact in enumerate(self._contacts):
            before = contact.is_closed
            if contact.read(closed[place], self._now_ns):
                self._on_change(place, is_closed=not before)
            elif before is None and contact.is_closed and place == RED:
                self._report_event(_RED_LIT)  # it stands, whenever it began

    def _on_change(self, place: int, *, is_closed: bool) -> None:
        match place, is_closed:
            case 0, True:
                self._packets = 0
                self._report_event(e.ShuffleStarted())
                self._report_event(e.ShuffleFinished(None))
            case 0, False:
                is_rest = self._gives_decks or self._packets > 0
                self._report_event(e.RemainderEjected(None, None) if is_rest else e.ShuffleStarted())
            case 1, True:
                self._report_event(_RED_LIT)
            case 1, False:
                self._report_event(e.FaultCleared(e.FaultKind.OTHER))
            case 2, _ if self._gives_decks:
                pass  # such a machine has no tray for packets
            case 2, True:
                self._packets += 1
                self._report_event(e.PacketDispensed(self._packets, None, None))
            case 2, False if self._packets:
                self._report_event(e.PacketRemoved(self._packets))
            case 3, True:
                self._report_event(e.ButtonPressed(e.Button.GREEN))
            case _:
                pass  # a foot that is lifted, or a packet that lay there when the connection began

    def _problem(self) -> SetupProblem | None:
        return super()._problem() or _not_tcp(self._settings)


def _not_tcp(settings: DeviceSettings) -> SetupProblem | None:
    if isinstance(settings.address, TcpAddress):
        return None
    wrong = f"{settings.name} is an input box on a network, and {settings.address} is not an address of one."
    return SetupProblem(SetupCode.LINE_SETTINGS, wrong, "Give its address as tcp:host:502.")


def _refused(settings: DeviceSettings, code: int) -> SetupProblem:
    wrong = f"The box at {settings.address} does not read inputs 1 to {INPUTS} (Modbus exception {code})."
    remedy = "Choose a box whose digital inputs are discrete inputs from address 0, or set it so."
    return SetupProblem(SetupCode.WRONG_DEVICE, wrong, remedy)


assert POLL_NS < DARK_NS, "a light is read more often than it blinks"
