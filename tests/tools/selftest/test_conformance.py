"""Every requirement of felt-link's specification gets a verdict, of sound devices and of broken ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from daemon.tools.capture.recorder import Outside
from daemon.tools.selftest import conformance
from daemon.tools.selftest.checks import Check, Verdict
from daemon.tools.selftest.conformance import Conformance
from daemon.tools.selftest.conformance_deal import OF_A_DEAL
from protocols.felt_link import frame as f
from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.memory import DeviceMemory
from protocols.felt_link.requirements import REQUIREMENTS
from sim_hardware.buttons import PadSettings
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.faults import Always, FaultName
from sim_hardware.loop import run
from sim_hardware.shoe_kinds import SHOE_KINDS
from tests.drivers.ways import stamp
from tests.tools.selftest.machines import SHUFFLER, Hands, Memory, Rig, hands_on, settings_of, shoe, shuffler

NOT_FROM_OUTSIDE = {"FL-07", "FL-30", "FL-43", "FL-45", "FL-46"}
OF_MANY_EVENTS = {"FL-21"}


def judged(
    line: Memory, rig: Rig, profile: str = SHUFFLER, hands: Hands | None = None, *, moves: bool = False, events: int = 0
) -> dict[str, Check]:
    """The verdicts by number, of a device that has so many events of keys in its store."""

    async def examination() -> tuple[Check, ...]:
        await rig.start()
        for _ in range(events):
            rig.press("void")
        try:
            suite = Conformance(settings_of(rig, profile), Outside(stamp, line._open), hands or Hands(), "run")
            return await suite.checks(moves=moves, acknowledges=True)
        finally:
            await rig.stop()

    return {check.name: check for check in run(examination())}


def left_out(found: dict[str, Check]) -> set[str]:
    assert not [check for check in found.values() if check.verdict is Verdict.FAILED], found
    return {name for name, check in found.items() if check.verdict is Verdict.LEFT_OUT}


@pytest.fixture
def line() -> Memory:
    return Memory()


def test_an_emulated_shuffler_meets_every_requirement_that_can_be_seen(line: Memory) -> None:
    rig = shuffler(line.port)
    found = judged(line, rig, hands=hands_on(rig), moves=True, events=9)
    assert list(found) == [one.number for one in REQUIREMENTS]
    assert left_out(found) == NOT_FROM_OUTSIDE


def test_an_emulated_shoe_and_a_pad_meet_what_is_asked_of_them(line: Memory) -> None:
    assert left_out(judged(line, shoe(line.port, SHOE_KINDS["felt-link"]), "felt-link-shoe", events=3)) == (
        NOT_FROM_OUTSIDE | {*OF_A_DEAL} | OF_MANY_EVENTS
    )
    pad = ButtonsRig(PadSettings(), (other := Memory()).port)
    assert left_out(judged(other, pad, "felt-link-buttons", events=9)) == NOT_FROM_OUTSIDE | {*OF_A_DEAL}


def test_without_an_event_what_is_about_events_is_left_out(line: Memory) -> None:
    pad = ButtonsRig(PadSettings(), line.port)
    assert "FL-22" in left_out(judged(line, pad, "felt-link-buttons"))


def test_a_device_that_says_nothing_fails_its_first_requirement_and_is_asked_no_more(line: Memory) -> None:
    rig = shuffler(line.port)
    rig.faults.arm(FaultName.SILENCE, Always())
    found = judged(line, rig)
    assert found["FL-08"].verdict is Verdict.FAILED
    assert {check.verdict for name, check in found.items() if name != "FL-08"} == {Verdict.LEFT_OUT}, found


# A device that breaks a requirement. Each fault replaces one function of a sound one.


def _obeys_unwelcomed(self: DeviceConnection, message: m.Reading, now_ns: int) -> None:
    if isinstance(message, m.Order):
        self._say(m.WireAnswer(message.id, None), now_ns)
    else:
        SOUND_MESSAGE(self, message, now_ns)


def _any_welcome(self: DeviceConnection, welcome: m.Welcome) -> str | None:
    return None if welcome.seq <= self._memory.sent_seq else "acknowledged-unsent"


def _nak_acknowledges(self: DeviceConnection, expected: int, now_ns: int) -> None:
    self._on_ack(min(expected - 1, self._memory.sent_seq), now_ns)
    SOUND_NAK(self, expected, now_ns)


def _never_retransmits(self: DeviceConnection, now_ns: int) -> None:
    self._progress_ns = now_ns


def _never_beats(self: DeviceConnection, now_ns: int) -> None:
    self._said_ns = now_ns


def _deaf_to_naks(self: DeviceConnection, expected: int, now_ns: int) -> None:
    pass


def _always_fresh(self: DeviceConnection, now_ns: int) -> None:
    self._memory.sent_seq = min(self._memory.sent_seq, self._next_to_send - 1)
    SOUND_WINDOW(self, now_ns)


def _does_it_again(self: DeviceConnection, order: m.Order, now_ns: int) -> None:
    self._say(m.WireAnswer(order.id, m.Refusal.BUSY if self._memory.remembered(order.id) else None), now_ns)
    self._memory.begin_command(order.id, order.command)


def _forgets_nothing(self: DeviceMemory, seq: int) -> None:
    pass


def _any_check(self: f.FrameReader, length: int) -> object:
    data = self._buffer.take_bytes(length)
    return f._parse(data[0], data[1:-5].decode("ascii"))


SOUND_MESSAGE, SOUND_NAK, SOUND_WINDOW = (
    DeviceConnection._on_message,
    DeviceConnection._on_nak,
    DeviceConnection._send_window,
)


@pytest.mark.parametrize(
    ("place", "name", "fault", "numbers"),
    [
        (DeviceConnection, "_on_message", _obeys_unwelcomed, {"FL-09"}),
        (DeviceConnection, "_wrong_with", _any_welcome, {"FL-10", "FL-11"}),
        (DeviceConnection, "_on_nak", _nak_acknowledges, {"FL-25"}),
        (DeviceConnection, "_on_nak", _deaf_to_naks, {"FL-24"}),
        (DeviceConnection, "_retransmit_when_due", _never_retransmits, {"FL-26"}),
        (DeviceConnection, "_beat_when_due", _never_beats, {"FL-17"}),
        (DeviceConnection, "_send_window", _always_fresh, {"FL-22"}),
        (DeviceConnection, "_on_order", _does_it_again, {"FL-34", "FL-35"}),
        (DeviceMemory, "acknowledge", _forgets_nothing, {"FL-28"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_device_that_breaks_a_requirement_fails_it(
    line: Memory,
    monkeypatch: pytest.MonkeyPatch,
    place: type[object],
    name: str,
    fault: Callable[..., object],
    numbers: set[str],
) -> None:
    monkeypatch.setattr(place, name, fault)
    found = judged(line, shuffler(line.port), events=9)
    assert numbers <= {check.name for check in found.values() if check.verdict is Verdict.FAILED}, found


def test_a_frame_that_is_read_in_spite_of_its_check_fails(line: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = shuffler(line.port)

    def start() -> None:
        connection = rig.end._connection
        assert connection is not None
        monkeypatch.setattr(connection._reader.__class__, "_checked", _any_check)

    line.on_open = start
    found = judged(line, rig, events=9)
    assert found["FL-01"].verdict is Verdict.FAILED


def test_every_failure_has_a_remedy_and_every_omission_a_reason(line: Memory) -> None:
    found = judged(line, shuffler(line.port))
    for check in found.values():
        assert (check.verdict is Verdict.FAILED) == bool(check.remedy)
        assert check.verdict is Verdict.PASSED or check.said
    assert conformance.SOON_NS < conformance.LATE_NS
