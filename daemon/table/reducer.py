"""The table: `apply(state, input)` gives the next state, the facts that follow and the device commands now due.

Pure: no clock, no chance, no input or output. The same inputs in the same order make the same table, which is what
makes the journal a truth: replaying it is the daemon's own way of starting.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, assert_never

from daemon.frozen import replace
from daemon.table import (
    alerts,
    betting,
    deck_change,
    devices,
    invariants,
    keys,
    lifecycle,
    moved_stakes,
    orders,
    requests,
    seen_stakes,
    standstill,
    voiding,
)
from daemon.table.draft import Draft, Refusal, Taken, Trial
from daemon.table.facts import ButtonRefused, DeviceAnomaly, JournalContinued, TableConfigured
from daemon.table.games import PROCEDURES
from daemon.table.inputs import Configured, DayBegan, Input, JournalDoubted, JournalRestored, Press, Request
from daemon.table.procedure import Asked, Procedure
from daemon.table.said import Clause, SaidId
from daemon.table.state import Phase, Presence, TableState
from daemon.table.step import Answer, Step
from daemon.table.vocabulary import Actor, RequestId, RoundId
from drivers.events import Button, ButtonPressed, DeviceReport

_PLAYS: Final = MappingProxyType({game: procedure.play for game, procedure in PROCEDURES.items()})
_ACCEPTED: Final = Answer(accepted=True, code="accepted", message="")


def blank(configured: Configured) -> TableState:
    """Return the table before its first input, which is this configuration."""
    return TableState(
        settings=configured.settings,
        journal=configured.journal,
        rules_version=configured.rules_version,
        at=configured.at,
        day=configured.day,
        named=configured.devices,
    )


def apply(state: TableState, happened: Input) -> Step[TableState]:
    """Return the step that this input makes of this state: the next state, the facts, the commands, the answer."""
    draft = Draft(state, _PLAYS)  # collects them; it ends with this call
    draft.state = replace(draft.state, at=happened.at)
    answer = _take(draft, happened)  # by its kind: `_take_report` takes a device's report
    _follow_up(draft)  # a round that can open, a prompt, an order
    _note_changes(draft, state)
    step = draft.step(answer)
    invariants.check(state, step)
    return step


def _take(draft: Draft, happened: Input) -> Answer | None:
    """Do what this kind of input brings. Return an answer if a person asked for something."""
    match happened:
        case DeviceReport(event=ButtonPressed() as pressed):
            _take_key(draft, happened, pressed)
        case DeviceReport():
            _take_report(draft, happened)
        case Request():
            return _request(draft, happened)
        case Configured():
            _configure(draft, happened)
        case DayBegan():
            lifecycle.begin_day(draft, happened.day)
        case JournalDoubted():
            draft.raise_alert(alerts.journal_doubted(happened.fault))
        case JournalRestored():
            opened = max(draft.state.rounds_opened, happened.rounds_opened)
            draft.say(JournalContinued(happened.journal, draft.state.journal, happened.because, happened.who))
            draft.state = replace(draft.state, journal=happened.journal, rounds_opened=opened)
            standstill.hold_in_a_copy(draft, happened.because)
        case _:
            assert_never(happened)
    return None


def _follow_up(draft: Draft) -> None:
    """Do what has become possible or due. Any input can be what a round, a prompt or an order waited for.

    These look at the state after each input, so no handler has to know who waits for what it does. A round opens
    first: the others look at the round that is there.
    """
    lifecycle.open_if_possible(draft)
    seen_stakes.lay(draft)
    deck_change.remind(draft)
    betting.invite(draft)
    orders.send_due_orders(draft)


def _note_changes(draft: Draft, before: TableState) -> None:
    """Note what came to a round that stands still, and since when the table stands where it does."""
    standstill.note_changes(draft, before)
    if before.seen and (draft.state.phase is not before.phase or _is_result_said(draft.state, before)):
        moved_stakes.compare_at_rest(draft, before)
    if (draft.state.phase, _round_id(draft.state)) != (before.phase, _round_id(before)):
        draft.state = replace(draft.state, phase_since_utc_ns=draft.state.at.utc_ns)


def _is_result_said(state: TableState, before: TableState) -> bool:
    now, then = state.round, before.round
    return now is not then and now is not None and then is not None and len(now.said) > len(then.said)


def _round_id(state: TableState) -> RoundId | None:
    return None if state.round is None else state.round.id


def _procedure(draft: Draft) -> Procedure:
    return PROCEDURES[draft.state.settings.game]


def _configure(draft: Draft, configured: Configured) -> None:
    """Take settings. A daemon that starts knows of no device until it reports; it remembers everything else.

    A round ends under the settings that it began with. One that still takes bets need not: its stakes go back. The
    same file again leaves the game that the table was changed over to; a changed one begins with its own first game.
    """
    changed = configured.settings.playing(draft.state.settings.game) != draft.state.settings
    draft.state = replace(
        draft.state,
        journal=configured.journal,
        settings_next=configured.settings if changed else None,
        rules_version=configured.rules_version,
        devices=tuple(replace(device, presence=Presence.AWAY) for device in draft.state.devices),
        named=configured.devices,
    )
    lifecycle.begin_day(draft, configured.day)
    if changed and draft.state.phase in (Phase.BETTING, Phase.CHOOSING):
        voiding.void(draft, (Clause(SaidId.CONFIGURED_ANEW),), irregularity=None)
    lifecycle.adopt_settings(draft)
    game = (draft.state.settings_next or draft.state.settings).game
    draft.say(TableConfigured(configured.journal, configured.rules_version, game))


def _take_report(draft: Draft, report: DeviceReport) -> None:
    """Put a report on record, then have the game do what it triggers in this phase, if it triggers anything."""
    trigger = devices.note(draft, report)
    if trigger is None:
        return
    refusal = _procedure(draft).report(draft, trigger, report)  # by the game's rows: a packet is `packets.dispensed`
    if refusal is not None:  # what a device did was done: where it does not fit it is put on record
        draft.say(DeviceAnomaly(report.device, refusal.code, refusal.message(draft.play.spot_names)))


def _take_key(draft: Draft, report: DeviceReport, pressed: ButtonPressed) -> None:
    # A key is the dealer's request. Of the one who pressed it only the device is known.
    request = Request(report.at, RequestId(""), report.device, Actor.DEALER, None, Press(pressed.button))
    refusal = keys.came_too_late(draft, report.device, pressed) or _press(draft, pressed.button, request)
    if refusal is not None:
        message = refusal.message(draft.play.spot_names)
        draft.say(ButtonRefused(pressed.button, refusal.code, message, refusal.sentence))


def _press(draft: Draft, button: Button, request: Request) -> Refusal | None:
    if button in keys.TRIGGERS:
        return _procedure(draft).ask(draft, keys.TRIGGERS[button], request)
    if button in keys.SEATS:
        return _procedure(draft).ask(draft, Asked.SELECT_SEAT, request)
    asked = keys.decision(draft, button)
    refusal = asked if isinstance(asked, Refusal) else _do(draft, replace(request, action=asked))
    if refusal is None:
        keys.spend_selection(draft)
    return refusal


def refusal(state: TableState, request: Request) -> Refusal | None:
    """Return why this request would be refused now, or None. Nothing comes of it."""
    trial = Trial(state, _PLAYS)
    try:
        return requests.not_permitted(trial, request) or _do(trial, request)
    except Taken:
        return None


def _request(draft: Draft, request: Request) -> Answer:
    refusal = requests.not_permitted(draft, request) or _do(draft, request)
    if refusal is None:
        return _ACCEPTED
    return Answer(False, refusal.code, refusal.message(draft.play.spot_names), refusal.sentence)


def _do(draft: Draft, request: Request) -> Refusal | None:
    if isinstance(request.action, Press):
        return _press(draft, request.action.button, request)
    trigger = requests.trigger_of(request.action)
    if trigger is None:
        return requests.table_itself(draft, request)
    return _procedure(draft).ask(draft, trigger, request)
