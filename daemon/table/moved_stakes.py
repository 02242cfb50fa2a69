"""Chips that moved after green: other chips lie on a spot than are bet there, and somebody is told before it is paid.

Theory of operation. After green nothing that a sensor sees makes a bet. Where chips lie still (`GamePlay.still_in`)
each report of other chips is told of at once. Where decisions put chips down, these are on their way, so all are
compared when the last decision is made. From then on (`GamePlay.settling_in`) a stake lies still until its result is
said: a player who knows their hand and waits for their turn has the best moment to raise it. The next bets are laid
meanwhile, at seats whose results were said and on spots without a stake of this round. Those are passed over.

What moved while a sensor had no power, or while the round stood still, comes with no report. So all is compared once
more when the game goes on from where chips lay still, when a ruling goes on, and before each result is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from daemon.rules.wagers import Colour, WagerName
from daemon.table import alerts, seen_stakes
from daemon.table.draft import Draft
from daemon.table.facts import DeviceAnomaly
from daemon.table.said import Said, SaidId
from daemon.table.seen_stakes import colour_of
from daemon.table.state import AWAITS_RULING, DECK_IS_FREE, STANDS_STILL, Presence, Round, SeenStake, TableState
from daemon.table.wording import amount_seen, seen_at, spot_name
from drivers.events import DeviceName, StakeSeen


def note(draft: Draft, device: DeviceName, event: StakeSeen) -> None:
    """Remember what a device sees on a spot. While no chip may move there, say that one did."""
    seen = seen_stakes.note(draft, device, event)
    if seen is None or draft.state.round is None:
        return
    phase, play = draft.state.phase, draft.play
    if phase in play.still_in or (phase in play.settling_in and _is_staked(draft.round, seen)):
        _check(draft, seen, draft.round)


def _is_staked(played: Round, seen: SeenStake) -> bool:
    return any(_lies_there(seen, stake.wager, stake.colour) for stake in played.stakes_of(seen.seat))


def _lies_there(seen: SeenStake, wager: WagerName, colour: Colour | None) -> bool:
    """Return whether a bet lies on this spot. A sensor that sees one spot for both colours sees both bets there."""
    return wager is seen.wager and seen.colour in (None, colour)


def _check(draft: Draft, seen: SeenStake, played: Round, *, told_again: bool = True, is_last: bool = False) -> None:
    """Tell of other chips than are bet, but not on a spot that was settled: there the dealer takes and pays."""
    if any((said.seat, said.wager.wager) == (seen.seat, seen.wager) for said in played.said):
        return
    on_spot = [stake for stake in played.stakes_of(seen.seat) if _lies_there(seen, stake.wager, stake.colour)]
    bet_cents = sum(stake.stake_cents for stake in on_spot)
    if bet_cents == seen.stake_cents:
        return
    least = sum(draft.play.least_on_spot(played, stake) for stake in on_spot)
    if least <= seen.stake_cents < bet_cents and seen.stake_cents % least == 0:
        if is_last:
            _say_beside(draft, seen, bet_cents)
        return
    what = Said(
        SaidId.STAKE_MOVED,
        seen.seat,
        cents=bet_cents,
        seen_cents=seen.stake_cents,
        spot=seen.wager,
        word=colour_of(seen),
    )
    alert = alerts.stake_moved(seen.device, what, draft.play.spot_names)
    if told_again or draft.state.alert(alert.alert) != alert:
        draft.say(DeviceAnomaly(seen.device, "stake-moved", alert.message))
        draft.raise_alert(alert)


def _say_beside(draft: Draft, seen: SeenStake, bet_cents: int) -> None:
    """Put on record that what a decision put down is not seen. Some felts have it beside the spot."""
    where = seen_at(seen.seat, spot_name(seen.wager, draft.play.spot_names), colour_of(seen))
    detail = (
        f"{where}: {amount_seen(seen.stake_cents)} is seen and the bet is {amount_seen(bet_cents)}: "
        "the rest lies beside the spot, or nowhere"
    )
    draft.say(DeviceAnomaly(seen.device, "raise-unseen", detail))


def compare_at_rest(draft: Draft, before: TableState) -> None:
    """Compare what was bet with what lies there, where this step ends a time in which nobody was told of chips."""
    played, now, play = before.round, draft.state, draft.play
    if played is None or before.phase in DECK_IS_FREE or now.phase in STANDS_STILL:
        return
    is_over = now.round is None or now.round.id != played.id
    is_ruled = before.phase in AWAITS_RULING
    ends_the_deal = not is_over and now.round is not None and now.round.accounted > played.accounted
    lie_still = now.phase in (*play.still_in, *play.settling_in)
    goes_on = before.phase in play.still_in and now.phase not in play.still_in
    if goes_on or (is_ruled and (now.phase in play.still_in or ends_the_deal)):
        _compare(draft, now.seen, played)
    elif is_over or lie_still:
        is_last = not is_ruled and before.phase not in (*play.still_in, *play.settling_in)
        _compare(draft, (seen for seen in now.seen if _is_staked(played, seen)), played, is_last=is_last)
    elif now.round is not None:  # chips of decisions are on their way, but not those of a hand that is over by then
        said = {(result.seat, result.wager.wager) for result in now.round.said[len(played.said) :]}
        _compare(draft, (seen for seen in now.seen if (seen.seat, seen.wager) in said), played)


def compare(draft: Draft, *, said_late: WagerName, only: WagerName | None = None) -> None:
    """Say where other chips lie than are bet, in a moment in which they lie still: before the first is paid.

    `said_late` is said by a person once cards are out, and its chips come after it, or do not. `only` these lie still.
    """
    lying = (*draft.state.seen, *_silent(draft, said_late))
    _compare(draft, (seen for seen in lying if only in (None, seen.wager)), draft.round)


def _compare(draft: Draft, lying: Iterable[SeenStake], played: Round, *, is_last: bool = False) -> None:
    for seen in lying:
        is_meant = bool(played.stakes_of(seen.seat)) and not seen.is_overruled
        if is_meant and draft.state.device(seen.device).presence is Presence.UP:
            _check(draft, seen, played, told_again=False, is_last=is_last)


def _silent(draft: Draft, wager: WagerName) -> Iterator[SeenStake]:
    """Yield the bets under which a sensor that sees spots of this kind has told of no chips. Some felts lack them."""
    told = {seen.seat: seen.device for seen in draft.state.seen if seen.wager is wager}
    for stake in draft.round.stakes:
        if told and stake.wager is wager and stake.seat not in told:
            yield SeenStake(next(iter(told.values())), stake.seat, wager, 0, stake.colour)
