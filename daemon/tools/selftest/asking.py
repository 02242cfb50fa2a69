"""The conversations: each asks one thing, most over a connection of its own, and returns what was observed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

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
from daemon.tools.selftest.people import Person
from daemon.tools.selftest.talk import DeviceUnderTest, Said, Talk, number_of
from drivers.commands import DeviceCommand, SetLamp
from drivers.events import (
    ButtonPressed,
    CardDrawn,
    DeviceReport,
    EventsLost,
    KeyPressed,
    LinkLost,
    LinkUp,
    ReadFailed,
    Receipt,
    SetupFailed,
    StakeSeen,
)
from drivers.tap import Direction
from protocols.angel_eye.limits import COPIES
from protocols.felt_link.frame import Nak
from protocols.felt_link.limits import BEAT_NS, RETRANSMIT_NS
from protocols.felt_link.messages import Hello

_S: Final = 1_000_000_000
MEETING_S: Final = 6.0
"""A device that hears nothing of its host says hello after two seconds, and then each second (felt-link, section 8)."""
RECONNECTIONS: Final = 3
BEYOND_NS: Final = 1 * _S
"""How much longer than the allowed silence we listen, so that a longer one is seen."""
ORDERS: Final = 20
SETTLED_S: Final = 2 * BEAT_NS / _S
"""The next beat repairs a lost acknowledgement, and the beat after it finds it repaired."""
QUIET_S: Final = (RETRANSMIT_NS + BEAT_NS) / _S
"""An event that the device still holds comes at once, or with its next retransmission."""
COPIES_S: Final = 1.0
"""Three copies of the longest report take 60 ms at 4,800 baud. A device server may delay them."""
MADE_BY_HAND: Final = (CardDrawn, ReadFailed, EventsLost, ButtonPressed, KeyPressed, StakeSeen)
"""The events that a card, a key or a chip can cause."""


async def meet(talk: Talk) -> Meeting:
    """Wait until the device is identified. The talk knows why it could not be reached."""
    began_ns = talk.now_ns
    await talk.until(lambda: talk.of(LinkUp) or talk.of(SetupFailed), MEETING_S)
    took_ns = talk.now_ns - (talk.opened_ns or began_ns)
    problem = next(iter(talk.of(SetupFailed)), None)
    up = next(iter(talk.of(LinkUp)), None)
    if up is None:
        return Meeting(took_ns, problem=problem)
    greetings = [said.saying.said for said in talk.from_device() if isinstance(said.saying.said, Hello)]
    # The newest counts: a device can restart while we listen.
    first, after = (greetings[-1].first_kept, greetings[-1].next_seq) if greetings else (0, 0)
    return Meeting(took_ns, up.identity, up.boot, up.resumed, first, after, problem)


async def meet_again(device: DeviceUnderTest) -> Meeting:
    """Identify the device over a new connection, and close it."""
    async with device.talk() as talk:
        return await meet(talk)


async def listen(talk: Talk, silence_ns_max: int) -> Beats:
    """Listen for longer than the device may be silent."""
    began_ns, watched_ns = talk.now_ns, silence_ns_max + BEYOND_NS
    await talk.last(watched_ns / _S)
    heard = [said.at_ns for said in talk.from_device() if said.at_ns > began_ns]
    moments = [began_ns, *heard, talk.now_ns]
    return Beats(watched_ns, max(later - sooner for sooner, later in pairwise(moments)))


async def ask(
    device: DeviceUnderTest, talk: Talk, command: DeviceCommand, command_id: str | None = None
) -> Answer | None:
    """Send one command, and return the device's answer."""
    began_ns = talk.now_ns
    answered = await talk.send_command(command_id or device.next_id(), command)
    return None if answered is None else Answer(talk.reports[-1].at.mono_ns - began_ns, answered.refusal)


async def ask_often(device: DeviceUnderTest, talk: Talk) -> Answers:
    """Switch the lamp, which neither moves a card nor changes how the machine works. It ends dark."""
    given: list[Answer] = []
    for number in range(ORDERS):
        answer = await ask(device, talk, SetLamp(number % 2 == 0))
        if answer is None:
            return Answers(number + 1, tuple(given))
        given.append(answer)
    return Answers(ORDERS, tuple(given))


async def ask_twice(device: DeviceUnderTest, talk: Talk) -> AskedTwice:
    """Send a command, the same under the same id, and another under that id. Stop if one is not answered."""
    command_id = device.next_id()
    answers: list[Answer | None] = [None, None, None]
    for place, is_lit in enumerate((False, False, True)):
        answers[place] = await ask(device, talk, SetLamp(is_lit), command_id)
        if answers[place] is None:
            break
    return AskedTwice(*answers)


async def witness(talk: Talk, person: Person, request: str, after_seq: int) -> DeviceReport | None:
    """Return the report of a card or key that a person was asked for, or None if there was none."""

    def made() -> list[DeviceReport]:
        return [report for report in talk.reports if _is_made_by_hand(report, after_seq)]

    await person.does(request, lambda patience_s: talk.until(made, patience_s))
    if made():
        await talk.until(lambda: not _incomplete(talk), COPIES_S)
    return next(iter(made()), None)


def _is_made_by_hand(report: DeviceReport, after_seq: int) -> bool:
    is_new = report.receipt is None or report.receipt.seq > after_seq
    return is_new and isinstance(report.event, MADE_BY_HAND)


async def have_again(device: DeviceUnderTest, seq: int, boot: str) -> Redelivery:
    """Connect as a host that has no event on disk, and see whether `seq` is sent again."""
    async with device.talk() as talk:
        met = await meet(talk)
        met_ns = talk.now_ns
        await talk.until(lambda: _numbered(talk.to_us(), seq), QUIET_S)
        came = _numbered(talk.to_us(), seq)
        took_ns = max(0, came[0].at_ns - met_ns) if came else None
        is_marked = bool(came) and dict(came[0].saying.marks).get("resent") is True
        return Redelivery(seq, boot, met, took_ns, is_marked)


async def damage(device: DeviceUnderTest) -> Repair:
    """Receive the first event damaged, and see whether it is repaired."""
    async with device.talk(corrupts=True) as talk:
        await meet(talk)
        await talk.until(lambda: _whole_after_damage(talk), QUIET_S)
        damaged_ns = talk.damaged_ns[:1]
        whole = _whole_after_damage(talk)
        took_ns = whole[0].at_ns - damaged_ns[0] if whole and damaged_ns else None
        return Repair(bool(damaged_ns), _asked_again(talk) > 0, took_ns)


def _whole_after_damage(talk: Talk) -> list[Said]:
    """Return the undamaged frames of the damaged event: the oldest, so the first that the driver reports."""
    delivered = [report.receipt.seq for report in talk.reports if report.receipt is not None]
    return _numbered(talk.to_us(), delivered[0]) if delivered else []


async def acknowledge_all(device: DeviceUnderTest) -> Receipt | None:
    """Acknowledge all events that the device holds, and leave it time to forget them."""
    async with device.talk() as talk:
        talk.acknowledges = True
        last = (await meet(talk)).next_seq - 1
        await talk.until(lambda: _receipts(talk, last), MEETING_S)
        await talk.last(SETTLED_S)
        return next(iter(_receipts(talk, last)), None)


async def come_back(device: DeviceUnderTest, receipt: Receipt) -> Aftermath:
    """Connect as a host that has this event on disk."""
    async with device.talk(receipt) as talk:
        met = await meet(talk)
        await talk.last(QUIET_S)
        numbers = [number_of(said.saying) for said in talk.to_us()]
        again = tuple(sorted({number for number in numbers if number is not None and number <= receipt.seq}))
        return Aftermath(receipt.seq, receipt.boot, met, again)


def count(talks: Iterable[Talk]) -> LineCount:
    """Count what went over all these connections."""
    talks = [talk for talk in talks if not talk.is_spoiled]
    return LineCount(
        received_bytes=sum(talk.bytes[Direction.FROM_DEVICE] for talk in talks),
        sent_bytes=sum(talk.bytes[Direction.TO_DEVICE] for talk in talks),
        damaged=sum(len(talk.damaged_ns) for talk in talks),
        asked_again=sum(map(_asked_again, talks)),
        incomplete=sum(map(_incomplete, talks)),
        lost=sum(len(talk.of(LinkLost)) for talk in talks),
    )


def _receipts(talk: Talk, least: int) -> list[Receipt]:
    receipts = (report.receipt for report in talk.reports)
    return [receipt for receipt in receipts if receipt is not None and receipt.seq >= least]


def _numbered(heard: Iterable[Said], seq: int) -> list[Said]:
    return [said for said in heard if number_of(said.saying) == seq]


def _asked_again(talk: Talk) -> int:
    sent = (said.saying for said in talk.said if said.by is Direction.TO_DEVICE)
    return sum(isinstance(saying.said, Nak) for saying in sent)


def _incomplete(talk: Talk) -> int:
    """Count reports of an Angel Eye of which copies are missing."""
    marks = (dict(said.saying.marks) for said in talk.from_device())
    copies = [copy for mark in marks if isinstance(copy := mark.get("copy"), int)]
    last_of_each = [copy for copy, after in pairwise([*copies, 1]) if after == 1]
    return sum(copy < COPIES for copy in last_of_each)
