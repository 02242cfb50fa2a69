"""A device that breaks a promise fails the check for it; in virtual time, with emulators that are made to lie."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from daemon.tools.selftest import checks
from daemon.tools.selftest.checks import NAMES, Verdict
from daemon.tools.selftest.examination import Allowed
from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.memory import DeviceMemory
from sim_hardware.faults import Always, FaultName, NextTime
from sim_hardware.mechanism import Refused
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shuffler_rig import ShufflerRig
from tests.support.sentences import Says
from tests.tools.selftest.machines import (
    LISTENED_TO,
    SHUFFLER,
    Hands,
    Memory,
    hands_on,
    listened_to,
    names_of,
    shoe,
    shuffler,
)

TAKES = Allowed(acknowledges=True)
MOVES = Allowed(moves=True)


@pytest.fixture
def line() -> Memory:
    return Memory()


def memory_of(rig: ShufflerRig) -> DeviceMemory:
    assert rig.end._memory is not None
    return rig.end._memory


def _put_off(since: str) -> Callable[[DeviceConnection, int], None]:
    """In place of what is to be done at a time: it never comes."""
    return lambda end, now_ns: setattr(end, since, now_ns)


# Sound devices, so that a failure below is the fault's.


def test_a_sound_shuffler_passes_everything_that_may_be_asked(line: Memory) -> None:
    rig = shuffler(line.port)
    found = line.examine(rig, hands=hands_on(rig), allowed=MOVES)
    assert names_of(found, Verdict.PASSED) == set(NAMES), found


def test_without_leave_nothing_is_moved_no_mode_changed_and_no_event_taken(line: Memory) -> None:
    rig = shuffler(line.port)
    heard = listened_to(rig)
    found = line.examine(rig, hands=hands_on(rig))
    left_out = {checks.EVENT, checks.ACKNOWLEDGEMENT, checks.LOCK, checks.DEAL}
    assert names_of(found, Verdict.LEFT_OUT) == left_out
    assert names_of(found, Verdict.PASSED) == set(NAMES) - left_out
    assert set(re.findall(rb"DO\|0\|\|[^|]*\|([a-z]+)", heard)) == {b"lamp"}
    assert b"\x06" not in heard
    assert set(re.findall(rb"BEAT\|0\|\|(\d+)", heard)) == {b"0"}
    assert set(re.findall(rb"WELCOME\|0\|\|1\|[^|]*\|(\d+)", heard)) == {b"0"}


def test_only_the_event_that_was_made_for_it_is_acknowledged(line: Memory, says: Says) -> None:
    rig = shoe(line.port, SHOE_KINDS["felt-link"])
    found = line.examine(rig, "felt-link-shoe", hands_on(rig))
    assert found[checks.ACKNOWLEDGEMENT].verdict is Verdict.PASSED
    says(found[checks.ACKNOWLEDGEMENT].said)
    assert names_of(found, Verdict.FAILED) == set()


def test_what_a_person_does_not_do_is_left_out_and_not_passed(line: Memory) -> None:
    found = line.examine(shoe(line.port, SHOE_KINDS["felt-link"]), "felt-link-shoe")
    about_events = {checks.EVENT, checks.REDELIVERY, checks.REPAIR, checks.ACKNOWLEDGEMENT}
    assert names_of(found, Verdict.LEFT_OUT) == about_events
    assert names_of(found, Verdict.FAILED) == set()


@pytest.mark.parametrize("kind", LISTENED_TO, ids=lambda kind: kind.protocol)
def test_to_a_shoe_that_is_only_listened_to_nothing_is_written(line: Memory, kind: ShoeKind, says: Says) -> None:
    rig = shoe(line.port, kind)
    heard = listened_to(rig)
    found = line.examine(rig, kind.profile, hands_on(rig), MOVES)
    assert names_of(found, Verdict.PASSED) == {checks.RECONNECTS, checks.EVENT, checks.LINE}
    assert names_of(found, Verdict.NOT_APPLICABLE) == set(NAMES) - names_of(found, Verdict.PASSED)
    says(found[checks.LINE].said)
    assert heard == b""


# Who it is.


def test_a_silent_device_fails_and_nothing_else_is_said_of_it(line: Memory) -> None:
    rig = shuffler(line.port)
    rig.faults.arm(FaultName.SILENCE, Always())
    heard = listened_to(rig)
    found = line.examine(rig)
    assert names_of(found, Verdict.FAILED) == {checks.IDENTITY}
    assert names_of(found, Verdict.LEFT_OUT) == set(NAMES) - {checks.IDENTITY}
    assert heard == b""


def test_another_serial_number_than_the_configured_one_fails_and_is_told_nothing(line: Memory) -> None:
    rig = shuffler(line.port)
    heard = listened_to(rig)
    found = line.examine(rig, serial="SIM-0002")
    assert found[checks.IDENTITY].verdict is Verdict.FAILED
    assert "SIM-0001" in found[checks.IDENTITY].said
    assert heard == b""


def test_a_device_that_promises_less_than_its_profile_fails(line: Memory) -> None:
    found = line.examine(shuffler(line.port, reads_faces=False))
    assert found[checks.IDENTITY].verdict is Verdict.FAILED
    assert "faces" in found[checks.IDENTITY].said
    assert found[checks.IDENTITY].remedy


def test_a_device_that_forgets_when_its_line_is_closed_fails(line: Memory) -> None:
    rig = shoe(line.port, SHOE_KINDS["felt-link"])
    line.on_open = rig.reboot
    found = line.examine(rig, "felt-link-shoe", hands_on(rig))
    assert found[checks.RECONNECTS].verdict is Verdict.FAILED
    assert found[checks.REDELIVERY].verdict is Verdict.FAILED


# Signs of life and answers.


def test_a_device_without_beats_fails(line: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DeviceConnection, "_beat_when_due", _put_off("_said_ns"))
    found = line.examine(shoe(line.port, SHOE_KINDS["felt-link"]), "felt-link-shoe")
    assert found[checks.HEARTBEAT].verdict is Verdict.FAILED


def test_a_device_that_does_not_answer_fails(line: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DeviceConnection, "answer", lambda *_: None)
    found = line.examine(shuffler(line.port))
    assert names_of(found, Verdict.FAILED) == {checks.ANSWER_TIMES, checks.ONCE}


def test_a_line_that_drops_frames_makes_answers_late(line: Memory) -> None:
    rig = shuffler(line.port)
    rig.faults.arm(FaultName.DROPPED_FRAMES, Always(30))
    found = line.examine(rig)
    assert found[checks.ANSWER_TIMES].verdict is Verdict.FAILED
    assert found[checks.LINE].verdict is Verdict.FAILED


def test_a_device_that_does_not_remember_ids_fails(line: Memory) -> None:
    rig = shuffler(line.port)
    serve = rig.end.serve

    def forgetful(data: bytes, now_ns: int, obey: Callable[[m.WireCommand], str | None]) -> None:
        serve(data, now_ns, obey)
        memory_of(rig)._commands.clear()

    rig.end.serve = forgetful  # type: ignore[method-assign]
    assert names_of(line.examine(rig), Verdict.FAILED) == {checks.ONCE}


# Events.


@pytest.mark.parametrize("kind", SHOE_KINDS.values(), ids=SHOE_KINDS)
def test_a_card_that_is_not_read_fails_and_is_not_named(line: Memory, kind: ShoeKind) -> None:
    rig = shoe(line.port, kind)
    rig.faults.arm(FaultName.UNREADABLE_CARD, NextTime())
    found = line.examine(rig, kind.profile, hands_on(rig))
    assert found[checks.EVENT].verdict is Verdict.FAILED


def test_a_device_that_gives_up_what_nobody_acknowledged_fails(line: Memory) -> None:
    rig = shuffler(line.port)

    def drop() -> None:
        memory_of(rig).acknowledge(memory_of(rig).sent_seq)

    line.on_open = drop
    found = line.examine(rig)
    assert found[checks.REDELIVERY].verdict is Verdict.FAILED
    assert found[checks.REPAIR].verdict is found[checks.ACKNOWLEDGEMENT].verdict is Verdict.LEFT_OUT


def test_an_event_that_comes_again_unmarked_fails(line: Memory, monkeypatch: pytest.MonkeyPatch, says: Says) -> None:
    say = DeviceConnection._say

    def say_as_new(end: DeviceConnection, message: m.Message, now_ns: int) -> None:
        say(end, replace(message, resent=False) if isinstance(message, m.Numbered) else message, now_ns)

    monkeypatch.setattr(DeviceConnection, "_say", say_as_new)
    found = line.examine(shuffler(line.port))
    assert names_of(found, Verdict.FAILED) == {checks.REDELIVERY}
    says(found[checks.REDELIVERY].said)


def test_a_device_that_hears_no_nak_fails(line: Memory, monkeypatch: pytest.MonkeyPatch, says: Says) -> None:
    monkeypatch.setattr(DeviceConnection, "_on_nak", lambda *_: None)
    found = line.examine(shuffler(line.port))
    assert names_of(found, Verdict.FAILED) == {checks.REPAIR}
    says(found[checks.REPAIR].said)


def test_a_device_that_sends_nothing_a_second_time_fails(
    line: Memory, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    monkeypatch.setattr(DeviceConnection, "_on_nak", lambda *_: None)
    monkeypatch.setattr(DeviceConnection, "_retransmit_when_due", _put_off("_progress_ns"))
    found = line.examine(shuffler(line.port))
    assert names_of(found, Verdict.FAILED) == {checks.REPAIR}
    says(found[checks.REPAIR].said)


def test_a_device_that_keeps_what_was_acknowledged_fails(line: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DeviceConnection, "_on_ack", lambda *_: None)
    found = line.examine(shuffler(line.port), allowed=TAKES)
    assert names_of(found, Verdict.FAILED) == {checks.ACKNOWLEDGEMENT}


# The line.


def test_a_line_that_damages_frames_fails(line: Memory) -> None:
    rig = shuffler(line.port)
    rig.faults.arm(FaultName.CORRUPTED_FRAMES, Always(10))
    found = line.examine(rig)
    assert found[checks.LINE].verdict is Verdict.FAILED
    assert "pieces of damage" in found[checks.LINE].said


def test_a_frame_of_which_the_beginning_was_said_before_the_port_was_opened_is_no_damage(line: Memory) -> None:
    line.under_way = b"AT|0||0\x0328A7"
    assert line.examine(shuffler(line.port))[checks.LINE].verdict is Verdict.PASSED


def test_a_copy_that_is_missing_fails(line: Memory, says: Says) -> None:
    rig = shoe(line.port, SHOE_KINDS["angel-eye-iiex"])

    def draw(_: str) -> None:
        rig.faults.arm(FaultName.DROPPED_FRAMES, NextTime())
        rig.draw()

    found = line.examine(rig, "angel-eye-iiex", Hands(draw))
    assert found[checks.EVENT].verdict is Verdict.PASSED
    assert found[checks.LINE].verdict is Verdict.FAILED
    says(found[checks.LINE].said)


def test_a_cable_that_comes_loose_fails(line: Memory, says: Says) -> None:
    rig = shuffler(line.port)

    def pull(doing: str) -> None:
        if "signs of life" in doing:
            rig.unplug()
            rig.replug()

    found = line.examine(rig, hands=Hands(on_told=pull))
    assert found[checks.LINE].verdict is Verdict.FAILED
    says(found[checks.LINE].said)


# Motion.


@pytest.mark.parametrize(
    "fault", [FaultName.JAM, FaultName.SHORT_HAND, FaultName.UNREADABLE_CARD, FaultName.WRONG_MODE]
)
def test_a_machine_that_does_not_deal_what_it_is_told_fails(line: Memory, fault: FaultName, says: Says) -> None:
    rig = shuffler(line.port)
    rig.faults.arm(fault, Always() if fault is FaultName.WRONG_MODE else NextTime())
    found = line.examine(rig, hands=hands_on(rig), allowed=MOVES)
    assert found[checks.DEAL].verdict is Verdict.FAILED
    says(found[checks.DEAL].said)


def test_a_machine_without_a_deck_asks_for_one(line: Memory, says: Says) -> None:
    rig = shuffler(line.port)
    hands = hands_on(rig)
    found = line.examine(rig, hands=hands, allowed=MOVES, is_loaded=False)
    assert found[checks.DEAL].verdict is Verdict.PASSED
    says("\n".join(hands.asked[-2:]))


def test_a_packet_that_nobody_takes_leaves_the_deal_out(line: Memory) -> None:
    found = line.examine(shuffler(line.port), allowed=MOVES)
    assert found[checks.DEAL].verdict is Verdict.LEFT_OUT


def test_a_machine_that_gives_though_it_is_locked_fails(line: Memory) -> None:
    rig = shuffler(line.port)
    order = rig.machine.take_order

    def deaf_to_lock(command: m.WireCommand, now_ns: int) -> Refused | None:
        return None if isinstance(command, m.Lock) else order(command, now_ns)

    rig.machine.take_order = deaf_to_lock  # type: ignore[method-assign]
    found = line.examine(rig, SHUFFLER, hands_on(rig), MOVES)
    assert found[checks.LOCK].verdict is Verdict.FAILED
