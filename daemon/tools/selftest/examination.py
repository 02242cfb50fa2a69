"""The order of the checks, what is left out, and why."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from daemon.errors import OutageError
from daemon.tools.capture.recorder import Outside, setup_error
from daemon.tools.selftest import asking, checks, judging, moving
from daemon.tools.selftest.checks import Check, Report, left_out, not_applicable
from daemon.tools.selftest.observed import Meeting
from daemon.tools.selftest.people import Person
from daemon.tools.selftest.talk import DeviceUnderTest, Talk
from drivers.errors import SetupCode
from drivers.events import DeviceReport, Receipt
from drivers.profile import NEVER_NS, Capability, DeviceRole, DeviceSettings
from protocols import felt_link
from protocols.felt_link.limits import WINDOW_EVENTS
from protocols.frozen import dataclass

_ABOUT_THE_PORT: Final = frozenset(
    {
        SetupCode.NO_SUCH_PORT,
        SetupCode.PERMISSION_DENIED,
        SetupCode.PORT_BUSY,
        SetupCode.NOT_A_PORT,
        SetupCode.LINE_SETTINGS,
        SetupCode.AMBIGUOUS,
        SetupCode.NO_USB,
    }
)
"""With these there is no device to judge. All other problems are the device's, and so a failed check."""
_ABOUT_EVENTS: Final = (checks.REDELIVERY, checks.REPAIR, checks.ACKNOWLEDGEMENT)
_DRAW: Final = "Draw one card from the shoe."
_PRESS: Final = "Press a key of the device that moves nothing (on most machines every key but the green one)."
_LAY: Final = "Lay a chip on any spot of the felt."
_BY_HAND: Final = {DeviceRole.SHOE: _DRAW, DeviceRole.STAKES: _LAY}


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the user permits beyond harmless questions."""

    moves: bool = False
    acknowledges: bool = False

    @property
    def takes_events(self) -> bool:
        """Return whether the device's older events may be acknowledged. Moving cards makes them worthless."""
        return self.acknowledges or self.moves


class Examination:
    """All checks of one device."""

    def __init__(self, settings: DeviceSettings, outside: Outside, person: Person, run: str, allowed: Allowed) -> None:
        """`run` tells this run's commands from those of other runs."""
        self._settings: Final = settings
        self._person: Final = person
        self._allowed: Final = allowed
        self._device: Final = DeviceUnderTest(settings, outside, run)
        self._made: DeviceReport | None = None
        self._first = Meeting(0)

    async def report(self) -> Report:
        """Return all checks, or raise the error that prevents them."""
        try:
            found = {check.name: check async for check in self._checks()}
        finally:
            self._person.show_step("")
        unasked = "the device was not identified, so this was not asked."
        in_order = tuple(found.get(name) or left_out(name, unasked) for name in checks.NAMES)
        settings, who = self._settings, self._first.identity
        identity = who if who is not None and who.serial else None
        return Report(settings.name, str(settings.address), settings.profile.name, identity, in_order)

    async def _checks(self) -> AsyncIterator[Check]:
        async for check in self._over_one_connection():
            yield check
        if self._first.identity is not None:
            yield await self._reconnects()
            async for check in self._of_events():
                yield check
            async for check in self._of_motion():
                yield check
        yield judging.judge_line(
            asking.count(self._device.talks), is_told=self._is_felt_link or self._settings.profile.is_asked
        )

    @property
    def _is_felt_link(self) -> bool:
        """Return whether this is the link on which we write to the device, and on which the device keeps its events."""
        return self._settings.profile.protocol == felt_link.NAME

    def _can(self, capability: Capability) -> bool:
        return self._settings.profile.can(capability)

    # One connection.

    async def _over_one_connection(self) -> AsyncIterator[Check]:
        async with self._device.talk() as talk:
            self._person.show_step("waiting for its hello")
            self._first = await asking.meet(talk)
            self._refuse_to_judge(talk)
            yield judging.judge_identity(self._settings, self._first)
            if self._first.identity is None:
                return
            yield await self._heartbeat(talk)
            if not self._can(Capability.COMMANDS) or not self._is_felt_link:
                for name in (checks.ANSWER_TIMES, checks.ONCE):
                    yield not_applicable(name, f"{self._settings.profile.name} takes no commands.")
                return
            self._person.show_step("ordering its lamp on and off")
            yield judging.judge_answers(await asking.ask_often(self._device, talk))
            yield judging.judge_once(await asking.ask_twice(self._device, talk))

    def _refuse_to_judge(self, talk: Talk) -> None:
        """Raise an error if the port cannot be opened: that is not a finding about the device."""
        problem = self._first.problem
        if problem is not None and problem.code in _ABOUT_THE_PORT:
            raise setup_error(problem.code, problem.problem, problem.remedy)
        if talk.opened_ns is None:
            where = f"{self._settings.name} cannot be reached: {talk.down or 'its port does not open'}."
            raise OutageError("selftest.away", where, "Check its power and cable, and the address.")

    async def _heartbeat(self, talk: Talk) -> Check:
        silence_ns_max = self._settings.profile.freshness.stale_ns
        if silence_ns_max >= NEVER_NS:
            return not_applicable(checks.HEARTBEAT, "such a shoe sends only when a card is drawn.")
        self._person.show_step("listening for its signs of life")
        return judging.judge_beats(await asking.listen(talk, silence_ns_max), silence_ns_max)

    async def _reconnects(self) -> Check:
        self._person.show_step("opening its line again and again")
        met = [await asking.meet_again(self._device) for _ in range(asking.RECONNECTIONS)]
        return judging.judge_reconnects(self._first, met)

    # Events.

    async def _of_events(self) -> AsyncIterator[Check]:
        yield await self._event()
        if not self._can(Capability.KEEPS_EVENTS):
            for name in _ABOUT_EVENTS:
                yield not_applicable(name, f"{self._settings.profile.name} does not keep its events.")
            return
        kept = self._to_be_kept()
        if kept is None:
            for name in _ABOUT_EVENTS:
                yield left_out(name, "the device holds no event, and none was made.")
            return
        self._person.show_step("having an event sent again")
        again = await asking.have_again(self._device, kept.seq, kept.boot)
        yield judging.judge_redelivery(again)
        if not again.met.kept:
            for name in (checks.REPAIR, checks.ACKNOWLEDGEMENT):
                yield left_out(name, "the device no longer holds an event.")
            return
        self._person.show_step("damaging an event on its way")
        yield judging.judge_repair(await asking.damage(self._device))
        yield await self._acknowledgement(again.met)

    def _to_be_kept(self) -> Receipt | None:
        """Return an event that the device has sent and no host has acknowledged: the test's own, or an older one."""
        if self._made is not None and self._made.receipt is not None:
            newest = self._made.receipt
        elif self._first.kept:
            newest = Receipt(self._first.boot, self._first.next_seq - 1)
        else:
            return None
        sent = self._first.first_kept + WINDOW_EVENTS - 1  # beyond them it waits for an acknowledgement
        return Receipt(newest.boot, min(newest.seq, sent))

    async def _event(self) -> Check:
        request = _BY_HAND.get(self._settings.profile.role, _PRESS)
        if request is _PRESS and not self._can(Capability.BUTTONS):
            return not_applicable(checks.EVENT, f"{self._settings.profile.name} has no keys.")
        if self._first.kept and not self._allowed.takes_events:
            return left_out(
                checks.EVENT, f"{self._holds(self._first)} The test would add its own, and the daemon would receive it."
            )
        async with self._device.talk() as talk:
            met = await asking.meet(talk)
            self._made = await asking.witness(talk, self._person, request, met.next_seq - 1)
        if self._made is None:
            return left_out(checks.EVENT, f"this was not done: {request}")
        return judging.judge_event(self._made.event)

    async def _acknowledgement(self, now: Meeting) -> Check:
        if not self._allowed.takes_events and self._first.kept:
            return left_out(checks.ACKNOWLEDGEMENT, f"{self._holds(now)} --acknowledge takes them permanently.")
        self._person.show_step("acknowledging what it holds")
        receipt = await asking.acknowledge_all(self._device)
        if receipt is None:
            said = f"it holds {now.kept} events and does not send all of them."
            return checks.failed(checks.ACKNOWLEDGEMENT, said, "Record its line (feltd capture) for the vendor.")
        return judging.judge_acknowledgement(await asking.come_back(self._device, receipt))

    def _holds(self, met: Meeting) -> str:
        return f"the device still holds {met.kept} unacknowledged events."

    # Motion.

    async def _of_motion(self) -> AsyncIterator[Check]:
        is_driven = self._settings.profile.role is DeviceRole.SHUFFLER and self._can(Capability.COMMANDS)
        if not is_driven:
            for name in (checks.LOCK, checks.DEAL):
                yield not_applicable(name, f"{self._settings.profile.name} takes no commands to move cards.")
            return
        if not self._allowed.moves:
            for name in (checks.LOCK, checks.DEAL):
                yield left_out(name, "cards are moved only with --move.")
            return
        self._person.show_step("locking it")
        yield moving.judge_locking(await moving.lock(self._device))
        self._person.show_step("dealing one packet")
        yield moving.judge_deal(await moving.deal(self._device, self._person))
