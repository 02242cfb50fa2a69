"""Whatever a dealer's hands do at the devices once cards are out: no round is void before a supervisor has ruled.

Where the house says so, that is: with "supervisor-once-seen" for all that a dealer alone can bring about. A wrong count
that the device saw voids all the same, by the approved rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from daemon.table.inputs import Configured, Input, Request, Rule
from daemon.table.reducer import apply, blank
from daemon.table.settings import AT_A_DEALERS_WILL, SEEN_BY_PEOPLE
from daemon.table.state import AWAITS_RULING, Phase, TableState
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, Irregularity, RequestId, Ruling
from drivers.events import (
    CardDrawn,
    CardReturned,
    Confidence,
    CutCardDrawn,
    DealCleared,
    DeckLoaded,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    EventsLost,
    FaultKind,
    FaultRaised,
    LinkLost,
    ModeChanged,
    OutsideGame,
    PacketDispensed,
    PacketRemoved,
    ReadFailed,
    RemainderEjected,
    Restarted,
    ShoeLockChanged,
    ShuffleFinished,
    ShuffleStarted,
    WentStale,
)
from protocols.cards import Card, Face, Misread
from tests.table.recorded_rounds import DEVICES, EVERY_ROUND, recorded

NO_CARD_OUT = (Phase.BETTING, Phase.CHOOSING)
BY_THE_RULES = Irregularity.WRONG_COUNT
ONCE_CARDS_ARE_OUT = (Irregularity.CARD_OUT_OF_TURN, Irregularity.CARD_RETURNED)
"""A supervisor rules on these whatever the house says."""
FACES: tuple[Face, ...] = (Card.parse("As"), Card.parse("2c"), *Misread)


def standings(name: str) -> Iterator[tuple[TableState, Input]]:
    """Yield the table wherever it stands in another phase or has another hand out, and the input that comes next."""
    configured, *happened = recorded(name).inputs
    assert isinstance(configured, Configured)
    careful = replace(configured, settings=replace(configured.settings, supervised_once_seen=AT_A_DEALERS_WILL))
    state, seen = blank(careful), set[object]()
    for each, following in zip((careful, *happened), (*happened, None), strict=True):
        state = apply(state, each).state
        played = state.round
        if played is None or following is None or not is_seen(state) or state.phase is Phase.VOIDING:
            continue
        where = (state.phase, len(played.hands), bool(played.said), _kind(following))
        if where not in seen:
            seen.add(where)
            yield state, following


def is_seen(state: TableState) -> bool:
    """Return whether somebody may have seen a card of the round."""
    is_dealt = state.round is not None and (state.shoe is not None or bool(state.round.hands))
    return is_dealt and state.phase not in NO_CARD_OUT


def _kind(each: Input) -> type[object]:
    return type(each.event) if isinstance(each, DeviceReport) else type(each)


def acts(state: TableState, following: Input) -> Iterator[DeviceEvent]:
    """Yield what a dealer's hands can have a device say now, and in place of what it says next."""
    assert state.round is not None
    last = max((hand.position for hand in state.round.hands), default=0)
    yield from (FaultRaised(fault, "x") for fault in FaultKind)
    yield from (DeckLoaded(), ShuffleStarted(), ShuffleFinished(52), ShuffleFinished(47))
    yield from (ModeChanged(cards) for cards in (1, 2, 3, 5))
    yield from (PacketDispensed(position, 5, None) for position in (last, last + 1))
    yield from (PacketRemoved(position) for position in (1, last, last + 1))
    yield from (CardDrawn(face, Confidence.CHECKED) for face in FACES)
    yield from (CardDrawn(face, Confidence.CHECKED, outside=why) for face in FACES for why in OutsideGame)
    yield CardDrawn(FACES[0], Confidence.DISPUTED)
    yield from (CardReturned(None), ReadFailed("x"), DealCleared(), CutCardDrawn(None), ShoeLockChanged(is_locked=True))
    yield from (LinkLost("x"), Restarted("other"), EventsLost(1, "x"), EventsLost(None, "x"), WentStale(10**10))
    if isinstance(following, DeviceReport):
        yield from _instead(state, following.event)


def _instead(state: TableState, event: DeviceEvent) -> Iterator[DeviceEvent]:
    """Yield another rest of the deck, or another next card of the shoe."""
    assert state.round is not None
    match event:
        case CardDrawn():
            yield from (replace(event, face=face) for face in Misread)
            yield replace(event, confidence=Confidence.DISPUTED)
        case RemainderEjected(_, (*kept, _) as faces):
            dealt = [face for hand in state.round.hands for face in hand.faces or ()]
            for other in (*Misread, faces[0], *dealt[:1]):
                yield RemainderEjected(len(faces), (*kept, other))
            yield RemainderEjected(len(kept), tuple(kept))
        case RemainderEjected(int(count), None):
            yield from (RemainderEjected(wrong, None) for wrong in (0, count - 1, count + 1))
        case _:
            return


@pytest.mark.parametrize("name", EVERY_ROUND)
def test_nothing_that_a_dealer_does_to_a_device_voids_a_round(name: str) -> None:
    """A card drawn too quickly, or one of the rest turned over, gave every lost bet back."""
    tried = 0
    for state, following in standings(name):
        for device in DEVICES[name]:
            for event in acts(state, following):
                step = apply(state, DeviceReport(device, state.at, event))
                tried += 1
                found = [each.irregularity for each in step.state.round.findings] if step.state.round else []
                if BY_THE_RULES not in found:
                    assert step.state.phase is not Phase.VOIDING, (state.phase, event, found)
    assert tried > 100


@pytest.mark.parametrize("name", EVERY_ROUND)
def test_no_ruling_covers_what_came_after_the_supervisor_looked(name: str) -> None:
    """A second irregularity joined a round at a stand, and the ruling that was on the way let both go."""
    refused = 0
    for before, device, event in stands(name):
        after = apply(before, DeviceReport(device, before.at, event)).state
        if after.phase not in AWAITS_RULING or to_rule_on(after) == to_rule_on(before):
            continue
        assert after.round is not None
        assert before.round is not None
        for ruling in Ruling:
            answer = answer_to(after, ruling, before.round.revision)
            assert answer.code == "changed-since", (before.phase, event)
            assert answer_to(after, ruling, after.round.revision).code != "changed-since"
        refused += 1
    assert refused > 10 or "by hand" in name  # there no device sees what hands do


def stands(name: str) -> Iterator[tuple[TableState, DeviceName, DeviceEvent]]:
    """Yield each stand that an act leads to, or that was recorded, with what a hand can bring about next."""
    seen = set[object]()
    for state, following in standings(name):
        reports = [
            DeviceReport(device, state.at, event) for device in DEVICES[name] for event in acts(state, following)
        ]
        for stand in (state, *(apply(state, report).state for report in reports)):
            if stand.phase in AWAITS_RULING and (kind := _kind_of_stand(stand)) not in seen:
                seen.add(kind)
                yield from ((stand, device, event) for device in DEVICES[name] for event in acts(stand, following))


def _kind_of_stand(state: TableState) -> object:
    assert state.round is not None
    found = tuple(finding.irregularity for finding in state.round.findings)
    return state.phase, found, len(state.round.hands), state.round.accounted


def to_rule_on(state: TableState) -> object:
    """What a supervisor vouches for. What they may look at besides is the same."""
    assert state.round is not None
    played = state.round
    cards = (played.hands, played.remainder, played.unplaced, played.own)
    return state.phase, played.stop, played.findings, cards


def answer_to(state: TableState, ruling: Ruling, revision: int) -> Answer:
    assert state.round is not None
    rule = Rule(ruling, "seen", revision)
    step = apply(state, Request(state.at, RequestId("r"), "sue", Actor.SUPERVISOR, None, rule, state.round.id))
    assert step.answer is not None
    assert step.answer.accepted or step.state.round == state.round
    return step.answer


def test_each_irregularity_that_a_device_sees_is_a_supervisors_once_cards_are_out() -> None:
    by_players = Irregularity.RAISE_WITHOUT_PAIR
    elsewhere = {*SEEN_BY_PEOPLE, *ONCE_CARDS_ARE_OUT, BY_THE_RULES, by_players}
    assert {*AT_A_DEALERS_WILL} == {*Irregularity} - elsewhere
