"""The driver of every felt-link device: its identity, its events, its commands.

Most of felt-link's words are the table's own and pass unchanged. `device_event` translates the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, assert_never

from drivers import events as e
from drivers.commands import NOT_CAPABLE, QUEUE_FULL, CommandDue, DriverRefusal
from drivers.driver import Damaged, Rejected
from drivers.errors import LostEventsCode, SetupCode, SetupProblem
from drivers.link_driver import LinkDriver
from drivers.profile import Capability, DeviceRole, DeviceSettings
from protocols.codec import Gap, Garbage
from protocols.felt_link import events as link
from protocols.felt_link import messages as m
from protocols.felt_link.host import HostConnection
from protocols.felt_link.limits import VERSIONS
from protocols.felt_link.memory import COMMANDS_WAITING_MAX, HostMemory

# What the table may count on, and the word in the hello that promises it. The protocol itself promises that a device
# keeps its events.
_PROMISED_BY: Final = {
    Capability.FACES: m.Capability.FACES,
    Capability.COUNTS: m.Capability.COUNTS,
    Capability.COMMANDS: m.Capability.COMMANDS,
    Capability.BUTTONS: m.Capability.BUTTONS,
    Capability.BATCH: m.Capability.BATCH,
    Capability.STAKES: m.Capability.STAKES,
}
_ROLE_WORDS: Final = {
    DeviceRole.SHUFFLER: m.Capability.SHUFFLER,
    DeviceRole.SHOE: m.Capability.SHOE,
    DeviceRole.BUTTONS: m.Capability.BUTTONS,
    DeviceRole.STAKES: m.Capability.STAKES,
}
# What only one kind of device can know. From another it is news of that device, and moves no game.
_ONLY_OF: Final[Mapping[type[e.DeviceEvent], DeviceRole]] = {
    e.PacketDispensed: DeviceRole.SHUFFLER,
    e.PacketRemoved: DeviceRole.SHUFFLER,
    e.RemainderEjected: DeviceRole.SHUFFLER,
    e.CardDrawn: DeviceRole.SHOE,
    e.CardReturned: DeviceRole.SHOE,
    e.CutCardDrawn: DeviceRole.SHOE,
}
_NO_DECISION: Final = frozenset(button for button in e.Button if button.value.startswith("seat-")) | {
    e.Button.GREEN,
    e.Button.NEXT,
    e.Button.VOID,
    e.Button.COUNT,
    e.Button.SUPERVISOR,
}
BOUNCE_NS: Final = 50_000_000
"""Contacts bounce for less than this, and no finger is as quick."""
DEVICE_RESTARTED: Final[DriverRefusal] = "device-restarted"
_LOCKED: Final = "locked"  # the word for the place of a card that came out of a locked shoe
_KINDS: Final = {kind.value: kind for kind in e.FaultKind}


class FeltLinkDriver(LinkDriver[link.HostSideEvent]):
    """One felt-link device over all its connections."""

    _link: HostConnection

    def __init__(self, settings: DeviceSettings, resume_from: e.Receipt | None) -> None:
        self._memory: Final = (
            HostMemory() if resume_from is None else HostMemory.resume(resume_from.boot, resume_from.seq)
        )
        super().__init__(settings, HostConnection(self._memory, 0))
        self._heard_from_seq = 0  # events with a lower number happened before this connection
        self._decided: tuple[e.Button, int] | None = None  # the last key that said a decision, and when it came

    @property
    def asked_again(self) -> int:
        """Return how many NAKs were sent, over all connections."""
        return self._memory.asked_again

    def connected(self, now_ns: int) -> None:
        """Begin a new connection. The memory stays."""
        self._link = HostConnection(self._memory, now_ns)

    def acknowledge(self, receipt: e.Receipt, now_ns: int) -> None:
        """Acknowledge every event up to this one: the journal has them."""
        self._link.acknowledge(receipt.boot, receipt.seq, now_ns)

    def send(self, due: CommandDue, now_ns: int) -> e.CommandAnswered | None:
        """Queue a command. Return a refusal if it cannot be done."""
        if not self._settings.profile.can(Capability.COMMANDS):
            return e.CommandAnswered(due.id, NOT_CAPABLE)
        if due.id not in self._memory.commands and len(self._memory.commands) >= COMMANDS_WAITING_MAX:
            return e.CommandAnswered(due.id, QUEUE_FULL)
        self._link.order_command(due.id, due.command, now_ns)
        return None

    def _on_event(self, event: link.HostSideEvent | Garbage | Gap) -> None:
        match event:
            case link.Greeted():
                self._greet(event)
            case link.Delivered():
                self._on_delivered(event)
            case link.Answered(command_id, refusal):
                self._report_event(e.CommandAnswered(e.CommandId(command_id), refusal))
            case link.Dropped(command_id):
                self._report_event(e.CommandAnswered(e.CommandId(command_id), DEVICE_RESTARTED))
            case link.DeviceOddity(code, detail):
                self._report_event(e.Anomaly(code, detail))
            case Gap(missing, reason):
                self._report_event(e.EventsLost(missing, reason, LostEventsCode.GAP.value))
            case Garbage(data, _):
                self._outcomes.append(Damaged(len(data)))
            case _:
                assert_never(event)

    def _on_delivered(self, delivered: link.Delivered) -> None:
        """Report an event with its receipt: the number by which it is acknowledged once the journal has it."""
        profile, seq = self._settings.profile, delivered.seq
        told = device_event(delivered.event, profile.keys)
        if isinstance(told, e.StakeSeen) and not profile.can(Capability.STAKES):
            # A bet that nobody types: only from what the house has named a bet sensor.
            told = e.Anomaly("not-a-bet-sensor", f"it sees chips on spot {told.spot} of seat {told.seat}")
        if (only_of := _ONLY_OF.get(type(told), profile.role)) is not profile.role:
            told = e.Anomaly(f"not-a-{only_of.value}", "it says that cards moved in it")
        if isinstance(told, e.ButtonPressed) and seq < self._heard_from_seq:
            told = replace(told, kept=True)
        if isinstance(told, e.ButtonPressed) and self._bounces(told.button):
            told = e.Anomaly("key-bounced", f"{told.button.value} came twice within 50 ms: the second was not pressed")
        self._report_event(told, e.Receipt(delivered.boot, seq))

    def _bounces(self, button: e.Button) -> bool:
        """Return whether this is the last decision once more, too soon for a finger. It would be the next player's."""
        if button in _NO_DECISION:
            return False
        before, self._decided = self._decided, (button, self._now_ns)
        return before is not None and before[0] is button and self._now_ns - before[1] < BOUNCE_NS

    def _greet(self, greeted: link.Greeted) -> None:
        hello = greeted.hello
        self._heard_from_seq = hello.next_seq
        stranger = _stranger(hello.identity, self._settings)
        if stranger is not None:  # never write to a device that is not ours
            self._outcomes.append(Rejected(stranger))
            return
        unfit = _unfit(hello, self._settings) or self._untrue(greeted)
        if unfit is not None:
            reason, problem = unfit
            self._link.refuse(reason, problem.code, self._now_ns)
            self._outcomes.append(Rejected(problem))
            return
        if greeted.standing is link.Standing.RESTARTED:
            self._report_event(e.Restarted(hello.boot))
        is_resumed = greeted.standing is link.Standing.RESUMED and not greeted.missing
        self._report_event(e.LinkUp(hello.identity, hello.boot, is_resumed))
        self._link.welcome(self._now_ns)

    def _untrue(self, greeted: link.Greeted) -> tuple[m.HostRefusal, SetupProblem] | None:
        """Return the problem if the device counts anew under a boot that is known, else None.

        Its events would be taken for those that the journal has: acknowledged, and never looked at.
        """
        if greeted.standing is not link.Standing.REUSED:
            return None
        name, hello, known = self._settings.name, greeted.hello, self._memory.delivered
        wrong = (
            f"{name} counts its events anew and has kept its boot {hello.boot}: "
            f"its next event is number {hello.next_seq}, and feltd has number {known} of that boot already."
        )
        remedy = "Switch the device off and on. If this comes again, its maker has to mend it (felt-link, FL-29)."
        return m.HostRefusal.DEVICE, SetupProblem(SetupCode.BOOT_REUSED, wrong, remedy)


def _stranger(said: m.Identity, settings: DeviceSettings) -> SetupProblem | None:
    """Return the problem if this is not the configured device, else None."""
    models = settings.profile.models
    if models and said.model not in models:
        wrong = f"On {settings.address} answers a {said.model}; {settings.profile.name} is for {_list(models)}."
        return SetupProblem(SetupCode.WRONG_DEVICE, wrong, "Correct the device's address or its profile.")
    if settings.serial is not None and said.serial != settings.serial:
        wrong = f"On {settings.address} answers serial number {said.serial}; configured is {settings.serial}."
        return SetupProblem(SetupCode.WRONG_SERIAL, wrong, "Exchange the cables, or correct the serial number.")
    return None


def problem_of(hello: m.Hello, settings: DeviceSettings) -> SetupProblem | None:
    """Return why a device that says this hello is not accepted with these settings, or None."""
    unfit = _unfit(hello, settings)
    return _stranger(hello.identity, settings) or (unfit[1] if unfit is not None else None)


def _unfit(hello: m.Hello, settings: DeviceSettings) -> tuple[m.HostRefusal, SetupProblem] | None:
    """Return the problem if the configured device cannot do what its profile promises, else None."""
    profile = settings.profile
    if not set(hello.versions) & set(VERSIONS):
        wrong = f"{settings.name} speaks felt-link {_list(hello.versions)}; feltd speaks {_list(VERSIONS)}."
        remedy = "Update the older of the two."
        return m.HostRefusal.VERSION, SetupProblem(SetupCode.PROTOCOL_VERSION, wrong, remedy)
    if not profile.firmware.admits(hello.identity.firmware):
        wrong = f"{settings.name} has firmware {hello.identity.firmware}; {profile.name} needs {profile.firmware}."
        remedy = "Install such a firmware, or choose the profile for this one."
        return m.HostRefusal.FIRMWARE, SetupProblem(SetupCode.WRONG_FIRMWARE, wrong, remedy)
    promised = {_ROLE_WORDS[profile.role], *(word for can, word in _PROMISED_BY.items() if profile.can(can))}
    lacking = promised.difference(hello.identity.capabilities)
    if lacking:
        wrong = f"{settings.name} lacks what {profile.name} promises: {_list(lacking)}."
        remedy = "Choose the profile for what the device can do."
        return m.HostRefusal.DEVICE, SetupProblem(SetupCode.MISSING_CAPABILITY, wrong, remedy)
    if m.Capability.BATCH in hello.identity.capabilities and not profile.can(Capability.BATCH):
        wrong = f"{settings.name} gives decks out whole, and {profile.name} waits for packets."
        remedy = "Set the device to packets, or choose a profile for batches."
        return m.HostRefusal.DEVICE, SetupProblem(SetupCode.MISSING_CAPABILITY, wrong, remedy)
    return None


def _list(things: Iterable[object]) -> str:
    return ", ".join(sorted(str(thing) for thing in things))


def device_event(  # noqa: C901 - one branch an event, and nothing else
    event: m.WireEvent | m.Unintelligible, keys: Mapping[str, e.Button]
) -> e.DeviceEvent:
    """Return the table's event for a wire event."""
    match event:
        case m.DeckLoaded() | m.ShuffleStarted() | m.ShuffleFinished() | m.ModeChanged():
            return event
        case m.PacketDispensed() | m.PacketRemoved() | m.RemainderEjected() | m.StakeSeen():
            return event
        case m.WireCardDrawn(number, face, where):
            outside = e.OutsideGame.LOCKED if where == _LOCKED else None
            return e.CardDrawn(face, e.Confidence.CHECKED, number, e.Claim(where, None), outside)
        case m.WireCardReturned(number):
            return e.CardReturned(number)
        case m.WireCutCardDrawn(number):
            return e.CutCardDrawn(number)
        case m.WireButtonPressed(key):
            return e.ButtonPressed(keys[key]) if key in keys else e.KeyPressed(key)
        case m.WireFaultRaised(fault, detail):
            kind = _kind(fault)
            return e.FaultRaised(kind, detail if kind.value == fault else f"{fault}: {detail}".removesuffix(": "))
        case m.WireFaultCleared(fault):
            return e.FaultCleared(_kind(fault))
        case m.PowerReturned():
            return e.Anomaly("power-returned", "the device was off in between; it has kept its events")
        case m.Unintelligible(_, _, kind_word, reason, _):
            # It may have been a card, so it counts as lost.
            unclear = f"event {kind_word} cannot be understood: {reason}"
            return e.EventsLost(1, unclear, LostEventsCode.UNCLEAR_REPORT.value)
        case _:
            assert_never(event)


def _kind(fault: str) -> e.FaultKind:
    """Return the kind of a fault. One that we do not know stops play too, as `OTHER`."""
    return _KINDS.get(fault, e.FaultKind.OTHER)
