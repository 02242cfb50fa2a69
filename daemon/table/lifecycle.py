"""How rounds begin and end. A round opens by itself as soon as nothing stands against it: the dealer never waits.

Some wagers are settled before the others, so every result is booked when it is said. The end of the round adds up
what is booked. A void undoes it (`voiding`), because the dealer may have paid or taken it already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from daemon.frozen import replace
from daemon.rules.limits import Day
from daemon.table import alerts, deck_change, loading, orders, seen_stakes
from daemon.table.draft import Draft
from daemon.table.round_facts import RoundOpened, RoundSettled, SettledWager
from daemon.table.said import Said, SaidId
from daemon.table.settings import TableSettings
from daemon.table.state import Deck, PastRound, Phase, Presence, Round, RoundEnd, SaidResult, SeatNet
from daemon.table.vocabulary import Irregularity, RoundId, SeatNumber

ROUNDS_KEPT: Final = 20  # that are over: what somebody at the table asks about
_CLOSED: Final = Said(SaidId.TABLE_CLOSED)


def open_if_possible(draft: Draft) -> None:
    """Open the next round, or tell the dealer what stands against it."""
    if draft.state.phase is not Phase.IDLE:
        return
    obstacle = _obstacle(draft)
    if obstacle is not None:
        draft.prompt(obstacle)
        return
    limits = draft.state.settings.limits.on(draft.state.day)
    assert limits is not None, "an obstacle would have said so"
    number = draft.state.rounds_opened + 1
    round_id = RoundId(f"{draft.state.settings.table}-{number}")
    opened = Round(round_id, number, limits)
    begun = PastRound(round_id, number, draft.state.at.utc_ns)
    draft.state = replace(
        draft.state,
        round=opened,
        rounds_opened=number,
        phase=draft.play.begins_in,
        recent=(*draft.state.recent[-ROUNDS_KEPT:], begun),
    )
    draft.say(RoundOpened(number, draft.state.settings.game))
    draft.play.ask_first(draft)


def begin_day(draft: Draft, day: Day) -> None:
    """Begin a day. A round takes its limits where no stake lies yet, and keeps those that its bets were taken by."""
    draft.state = replace(draft.state, day=day)
    limits = draft.state.settings.limits.on(day)
    if limits is not None and draft.state.round is not None and not draft.round.stakes:
        draft.round = replace(draft.round, limits=limits)


def _obstacle(draft: Draft) -> Said | None:
    state = draft.state
    shuffler = state.settings.source.device
    if not state.opened:
        return _CLOSED
    if state.blocked_by:
        return Said(SaidId.ALERTS_FIRST, names=state.blocked_by, because=alerts.to_clear(state))
    if state.device(shuffler).presence is not Presence.UP:
        return Said(SaidId.WAITING_FOR_DEVICE, device=shuffler)
    if state.settings.limits.on(state.day) is None:
        return Said(SaidId.NO_LIMITS)
    wrong_packets = orders.wrong_packets(draft)
    return loading.obstacle(draft) if wrong_packets is None else Said(SaidId.WAITING, because=(wrong_packets,))


def book(draft: Draft, seat: SeatNumber, wagers: Sequence[SettledWager]) -> None:
    """Remember results that are said now."""
    draft.round = replace(draft.round, said=(*draft.round.said, *(SaidResult(seat, wager) for wager in wagers)))


def settle(draft: Draft) -> None:
    """Add up when every seat is reconciled, and make room for the next round."""
    staked = draft.round.staked_cents
    returned = sum(result.wager.returned_cents for result in draft.round.said)
    hands = {result.seat for result in draft.round.said}
    settled = sum(result.wager.stake_cents for result in draft.round.said)
    assert settled == staked, f"{draft.round.id}: {staked} was staked, and results were said of {settled}"
    draft.say(RoundSettled(staked, returned, staked - returned, len(hands)))
    note_end(draft, RoundEnd.SETTLED, take_cents=staked - returned, nets=_nets(draft.round))
    _close(draft)


def _nets(played: Round) -> tuple[SeatNet, ...]:
    nets: Counter[SeatNumber] = Counter()
    for result in played.said:
        nets[result.seat] += result.wager.pays_cents
    return tuple(SeatNet(seat, nets[seat]) for seat in sorted(nets))


def note_end(
    draft: Draft,
    end: RoundEnd,
    *,
    take_cents: int | None = None,
    irregularity: Irregularity | None = None,
    nets: tuple[SeatNet, ...] = (),
) -> None:
    """Keep how the round ended. An earlier version may have opened it without a note."""
    played, known = draft.round, draft.state.recent
    is_known = bool(known) and known[-1].id == played.id
    began = known[-1].began_utc_ns if is_known else None
    ended = PastRound(played.id, played.number, began, draft.state.at.utc_ns, end, take_cents, irregularity, nets)
    before = tuple(replace(each, nets=()) if each.nets else each for each in (known[:-1] if is_known else known))
    draft.state = replace(draft.state, recent=(*before[1 - ROUNDS_KEPT :], ended))


def _close(draft: Draft) -> None:
    """Close the round. Its cards are out of the shuffler until it reports that it shuffled a deck again."""
    left_inside = draft.state.deck is Deck.IN_USE and draft.round.remainder is None
    if draft.state.deck is Deck.IN_USE:
        draft.state = replace(draft.state, deck=Deck.UNKNOWN)
    loading.end_round(draft)
    end(draft)
    if left_inside:
        orders.request_reshuffle(draft)


def end(draft: Draft) -> None:
    """Make room for the next round."""
    deck_change.count_round(draft)
    draft.state = replace(draft.state, round=None, phase=Phase.IDLE)
    adopt_settings(draft)


def adopt_settings(draft: Draft) -> None:
    """Between rounds, a configuration that waited comes into force."""
    if draft.state.round is None and draft.state.settings_next is not None:
        adopt(draft, draft.state.settings_next)


def adopt(draft: Draft, settings: TableSettings) -> None:
    """Play by these settings from now on. What was known of the deck was known of the device dealt from until now."""
    before = draft.state
    draft.state = replace(draft.state, settings=settings, settings_next=None)
    loading.forget_if_another(draft, before)
    seen_stakes.forget_beyond(draft)
    if settings.source.machine != before.settings.source.machine:
        due = settings.stub_count_rounds_max  # counts were made of the other device's deck
        draft.state = replace(draft.state, deck=Deck.UNKNOWN, reshuffle_owed=False, rounds_since_stub_count=due)
        orders.request_reshuffle(draft)
