"""Judges each observation. Pure: an observation and what was promised go in, a check comes out."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from daemon.tools.selftest import checks
from daemon.tools.selftest.checks import Check, Measure, failed, passed
from daemon.tools.selftest.observed import (
    Aftermath,
    Answer,
    Answers,
    AskedTwice,
    Beats,
    LineCount,
    Meeting,
    Redelivery,
    Repair,
)
from drivers.events import (
    ButtonPressed,
    CardDrawn,
    Confidence,
    DeviceEvent,
    KeyPressed,
    ReadFailed,
    StakeSeen,
)
from drivers.profile import DeviceSettings
from protocols.cards import Card
from protocols.felt_link.limits import COMMAND_AGAIN_NS, RETRANSMIT_NS
from protocols.felt_link.messages import Refusal

_S: Final = 1_000_000_000
_MS: Final = 1_000_000
REPAIR_NS_MAX: Final = RETRANSMIT_NS // 2
"""A requested event comes at once. A later one came by the device's own timer."""
_VENDOR: Final = "Show the vendor section {} of felt-link's specification (protocols/felt_link/SPEC.md)."
_POWER: Final = "Check the device's power, the cable, and the profile's speed."


def judge_identity(settings: DeviceSettings, met: Meeting) -> Check:
    """Check that the configured device is there, and promises what its profile says."""
    if met.problem is not None:
        return failed(checks.IDENTITY, met.problem.problem, met.problem.remedy)
    if met.identity is None:
        said = f"no device said hello in {met.took_ns / _S:.1f} s."
        return failed(checks.IDENTITY, said, _POWER)
    who = met.identity
    if not who.serial:
        said = f"its port is open; this device ({settings.profile.title}) does not identify itself."
        return checks.not_applicable(checks.IDENTITY, said)
    is_checked = "as configured" if settings.serial is not None else "no serial number is configured"
    said = (
        f"{who.model}, serial number {who.serial} ({is_checked}), firmware {who.firmware}; "
        f"can do what {settings.profile.name} promises: {', '.join(who.capabilities)}."
    )
    return passed(checks.IDENTITY, said, Measure("hello_ms", _ms(met.took_ns)))


def judge_reconnects(first: Meeting, others: Sequence[Meeting]) -> Check:
    """Check that the same device with the same memory answers each time."""
    times = Measure("slowest_ms", _ms(max(met.took_ns for met in others)))
    for number, met in enumerate(others, 1):
        if met.identity is None:
            why = met.problem.problem if met.problem is not None else "it was not up again in time."
            return failed(checks.RECONNECTS, f"connection {number} of {len(others)}: {why}", _POWER, times)
        if met.identity != first.identity:
            who = f"{met.identity.model}, serial number {met.identity.serial}, firmware {met.identity.firmware}"
            said = f"on connection {number} another device answered: {who}."
            return failed(checks.RECONNECTS, said, "Check that only this device is on the line.", times)
        if met.boot != first.boot:
            said = (
                f"its boot id was {first.boot}, and {met.boot} on connection {number}: it forgets when it is unplugged."
            )
            remedy = "Check that the device keeps its power when the line is closed. " + _VENDOR.format(6)
            return failed(checks.RECONNECTS, said, remedy, times)
    if first.identity is None or not first.identity.serial:
        return passed(checks.RECONNECTS, f"its port was opened {len(others)} more times.", times)
    said = f"the same device with the same boot id {first.boot} on {len(others)} more connections."
    return passed(checks.RECONNECTS, said, times)


def judge_beats(beats: Beats, silence_ns_max: int) -> Check:
    """Check that it sends signs of life often enough."""
    longest = Measure("longest_silence_ms", _ms(beats.longest_ns))
    allowed_s = silence_ns_max / _S
    said = f"in {beats.watched_ns / _S:g} s it was never silent for the {allowed_s:g} s that its profile allows."
    if beats.longest_ns < silence_ns_max:
        return passed(checks.HEARTBEAT, said, longest)
    said = f"silent for {beats.longest_ns / _S:.1f} s; its profile allows {allowed_s:g} s."
    return failed(checks.HEARTBEAT, said, f"{_POWER} {_VENDOR.format(5)}", longest)


def judge_answers(answers: Answers) -> Check:
    """Check that it answers at once."""
    times = [_ms(answer.took_ns) for answer in answers.given]
    figures = (Measure("p50_ms", median(times)), Measure("max_ms", max(times))) if times else ()
    if len(answers.given) < answers.asked:
        said = f"order {answers.asked} of the lamp was not answered."
        return failed(checks.ANSWER_TIMES, said, f"{_POWER} {_VENDOR.format(7)}", *figures)
    if max(answer.took_ns for answer in answers.given) >= COMMAND_AGAIN_NS:
        said = f"an answer took longer than the {_ms(COMMAND_AGAIN_NS):g} ms after which a host repeats its order."
        return failed(checks.ANSWER_TIMES, said, f"Read the check `line` for damage. {_VENDOR.format(7)}", *figures)
    refusals = sorted({answer.refusal for answer in answers.given if answer.refusal is not None})
    refused = f" It refuses: {', '.join(refusals)}." if refusals else ""
    return passed(checks.ANSWER_TIMES, f"{answers.asked} orders of the lamp, each answered.{refused}", *figures)


def judge_once(asked: AskedTwice) -> Check:
    """Check that it recognises an id. Only an observer of the lamp could see whether it did the command twice."""
    first, again, other = asked.first, asked.again, asked.other
    if first is None or again is None or other is None:
        return failed(checks.ONCE, "one of three orders under one id was not answered.", _VENDOR.format(7))
    if again.refusal != first.refusal:
        said = f"the same order got {_answer(first)} and then {_answer(again)}."
        return failed(checks.ONCE, said, _VENDOR.format(7))
    if other.refusal != Refusal.ID_REUSED:
        said = f"another order under a known id got {_answer(other)}, and not {Refusal.ID_REUSED}."
        return failed(checks.ONCE, said, _VENDOR.format(7))
    return passed(checks.ONCE, "a repeated order gets the same answer, and its id is refused for another order.")


def judge_event(event: DeviceEvent) -> Check:
    """Check that an event says what the person did. No card is named, because the report may lie on the table."""
    match event:
        case CardDrawn(Card(), Confidence.CHECKED | Confidence.UNCHECKED):
            return passed(checks.EVENT, "a card was drawn and read.")
        case CardDrawn() | ReadFailed():
            said = "a card was drawn and not read, or read as two different ones."
            return failed(checks.EVENT, said, "Clean the reader's window. Check that the cards are this shoe's own.")
        case ButtonPressed(button):
            return passed(checks.EVENT, f"the key {button.value} was pressed.")
        case StakeSeen():
            return passed(checks.EVENT, "a stake was seen.")
        case KeyPressed(key):
            return passed(checks.EVENT, f"the key {key} was pressed, which has no meaning in its profile.")
        case _:
            return failed(checks.EVENT, "an event came that has no known meaning.", _DECODE)


_DECODE: Final = "Record it (feltd capture) and look at it (feltd decode)."


def judge_redelivery(again: Redelivery) -> Check:
    """Check that an unacknowledged event comes again over the next connection, and is marked so."""
    event = f"event {again.seq}"
    if again.met.identity is None or again.met.boot != again.boot:
        said = f"after {event} the device did not come back with the same boot id: its events are lost."
        return failed(checks.REDELIVERY, said, _VENDOR.format(6))
    if again.took_ns is None:
        said = f"{event} was not acknowledged, and was not sent again over the next connection."
        return failed(checks.REDELIVERY, said, _VENDOR.format(6))
    took = Measure("again_after_ms", _ms(again.took_ns))
    if not again.is_marked:
        said = f"{event} was sent again without the mark R of an event that was sent before."
        return failed(checks.REDELIVERY, said, _VENDOR.format(6), took)
    return passed(checks.REDELIVERY, f"{event} was sent again over the next connection, marked as sent before.", took)


def judge_repair(repair: Repair) -> Check:
    """Check that a damaged event is sent again when it is asked for."""
    if not repair.was_damaged:
        return failed(checks.REPAIR, "the event that was to be damaged did not come.", _VENDOR.format(6))
    if repair.took_ns is None:
        said = "an event arrived damaged, was asked for again, and never came undamaged."
        return failed(checks.REPAIR, said, _VENDOR.format(6))
    took = Measure("whole_after_ms", _ms(repair.took_ns))
    if not repair.was_asked_for or repair.took_ns >= REPAIR_NS_MAX:
        said = (
            "an event arrived damaged, and the device ignored the NAK: it sent the event again only by its own timer."
        )
        return failed(checks.REPAIR, said, _VENDOR.format(6), took)
    return passed(checks.REPAIR, "an event arrived damaged, was asked for again by NAK, and came undamaged.", took)


def judge_acknowledgement(after: Aftermath) -> Check:
    """Check that the device forgets acknowledged events, and that the host continues after them."""
    met, event = after.met, f"event {after.seq}"
    if met.identity is None or met.boot != after.boot:
        said = f"after {event} was acknowledged the device did not come back with the same boot id."
        return failed(checks.ACKNOWLEDGEMENT, said, _VENDOR.format(6))
    if met.first_kept <= after.seq or after.given_again:
        said = f"{event} and all before it were acknowledged, but the device still holds {met.first_kept} and later."
        return failed(checks.ACKNOWLEDGEMENT, said, _VENDOR.format(6))
    if not met.resumed:
        said = f"{event} was acknowledged, but the numbering does not continue there: later events are missing."
        return failed(checks.ACKNOWLEDGEMENT, said, _VENDOR.format(6))
    return passed(
        checks.ACKNOWLEDGEMENT, f"{event} was acknowledged and not sent again; a host that has it continues there."
    )


def judge_line(count: LineCount, *, is_told: bool) -> Check:
    """Check that the line was sound, and that nothing was written to a device that is only listened to."""
    figures = (
        Measure("received_bytes", count.received_bytes),
        Measure("sent_bytes", count.sent_bytes),
        Measure("damaged_pieces", count.damaged),
    )
    if count.sent_bytes and not is_told:
        said = "something was written to a device that is only listened to."
        return failed(checks.LINE, said, "This is a defect of feltd; report it.", *figures)
    nothing = "" if is_told else " Nothing was written to it."
    if not count.received_bytes:
        return checks.left_out(checks.LINE, f"the device sent nothing, so the line could not be judged.{nothing}")
    wrong = _list(
        (count.damaged, "pieces of damage"),
        (count.asked_again, "holes in the numbers of events"),
        (count.incomplete, "reports without all their copies"),
        (count.lost, "connections that broke"),
    )
    if wrong:
        remedy = "Check cable, plugs and shielding, the line's speed, and that no other device is on it."
        return failed(checks.LINE, f"{wrong}.", remedy, *figures)
    return passed(checks.LINE, f"no damage, no hole, no broken connection.{nothing}", *figures)


def _list(*counts: tuple[int, str]) -> str:
    return ", ".join(f"{number} {what}" for number, what in counts if number)


def _answer(answer: Answer) -> str:
    return "accepted" if answer.refusal is None else f"refused ({answer.refusal})"


def _ms(time_ns: int) -> float:
    return round(time_ns / _MS, 1)
