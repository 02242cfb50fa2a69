"""Chips that devices see on the felt, and the bets that they make while bets are taken.

Theory of operation. A sensor under the layout says of one spot at a time what lies there now. The table keeps the last
word of each spot, also between bets, because chips that ride lie there when the next round opens. While bets are taken,
`lay` makes the round's stakes of it: a stake for each spot, with the evidence that a device saw it. So nobody types.
A stake that is no longer seen is no longer a bet. Once green was pressed nothing more is laid.

People stay the last instance. What staff enters for a spot stands over what the device saw before it, and is put on
record where the two differ. What the device sees after it does not overwrite it. Then two words stand against each
other, and green is refused until the device and the person agree or staff has entered what lies there. A player's own
entry overrules no device: their chips say what they bet. So it ends what staff said of that spot. When it starts, a
device tells of every spot with chips. So where it then tells of none, none lie, and what a player enters there waits
for chips or for staff. A stake that the rules do not take is not a bet, and green is refused until it is gone, because
its player believes to have bet. So is green where chips are taken away that an entered bet needs beside it, as a bonus
needs the Ante.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.frozen import replace
from daemon.rules.games import GAMES
from daemon.rules.wagers import Colour, WagerName
from daemon.table import alerts
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import DeviceAnomaly
from daemon.table.inputs import Request
from daemon.table.round_facts import BetPlaced, BetRemoved, SeatStake
from daemon.table.said import Clause, SaidId
from daemon.table.stakes import as_wager, by_seat_and_spot, refused_beside
from daemon.table.state import (
    DeviceState,
    Phase,
    Position,
    Presence,
    Round,
    SeenStake,
    TableState,
)
from daemon.table.vocabulary import Actor, Evidence, SeatNumber
from daemon.table.wording import amount_seen, seen_at, spot_name
from drivers.events import DeviceName, Identity, StakeSeen

_SPOTS: Final = {
    **{name.value.replace("_", "-"): (name, None) for name in WagerName},
    **{colour.value: (WagerName.RED_BLACK, colour) for colour in Colour},
}
"""felt-link's word for a spot, and the wager of ours. Where the player names a colour, each colour is a spot."""
_CAPABILITY: Final = "stakes"  # felt-link's word for a device that sees them


def note(draft: Draft, device: DeviceName, event: StakeSeen) -> SeenStake | None:
    """Remember what a device sees on a spot. Return it, or None where this table has no such spot."""
    spot = _SPOTS.get(event.spot)
    if spot is None or not 1 <= event.seat <= draft.state.settings.seats:
        detail = f"it sees chips on spot {event.spot} of seat {event.seat}, and this table has no such spot"
        draft.say(DeviceAnomaly(device, "unknown-spot", detail))
        return None
    seen = SeenStake(device, SeatNumber(event.seat), spot[0], event.stake_cents, spot[1])
    if not seen.stake_cents and (other := _seen_by_another(draft.state, seen)) is not None:
        where = seen_at(seen.seat, spot_name(seen.wager, draft.play.spot_names), colour_of(seen))
        detail = f"{where}: it sees nothing where {other.device} sees {amount_seen(other.stake_cents)}, which counts"
        draft.say(DeviceAnomaly(device, "spot-seen-twice", detail))
        return None
    _remember(draft, seen)
    return seen


def _seen_by_another(state: TableState, seen: SeenStake) -> SeenStake | None:
    """Return the chips that another sensor sees there now: one that sees none knows nothing of what lies before it."""
    before = next((other for other in state.seen if _spot(other) == _spot(seen)), None)
    if before is None or not before.stake_cents or before.device == seen.device:
        return None
    return before if state.device(before.device).presence is Presence.UP else None


def _remember(draft: Draft, seen: SeenStake) -> None:
    others = (other for other in draft.state.seen if not _is_told_anew(other, seen))
    in_order = sorted((*others, seen), key=lambda each: (each.seat, each.wager.value, colour_of(each) or ""))
    draft.state = replace(draft.state, seen=tuple(in_order))


def _is_told_anew(before: SeenStake, seen: SeenStake) -> bool:
    """Return whether this ends what was seen before. A felt with one spot for both colours has none for each."""
    is_none_of_it = seen.colour is None and not before.stake_cents and _spot(before)[:2] == _spot(seen)[:2]
    return is_none_of_it or _spot(before) == _spot(seen)


def _spot(seen: SeenStake) -> tuple[SeatNumber, WagerName, Colour | None]:
    return seen.seat, seen.wager, seen.colour


def forget(draft: Draft, device: DeviceName, *, is_told_again: bool) -> None:
    """Forget what a device saw: it lost its memory, or reports of it are lost. Bets that are closed stand.

    A device that starts anew tells of every spot with chips. Other spots have none, also where a bet was entered: staff
    looked at chips that lay there then.
    """
    if is_told_again:
        draft.state = replace(draft.state, seen=tuple(_told_anew(seen, device) for seen in draft.state.seen))
        return
    draft.state = replace(draft.state, seen=tuple(seen for seen in draft.state.seen if seen.device != device))
    if sees_stakes(draft.state.device(device)):
        draft.raise_alert(alerts.stakes_unwatched(device))


def _told_anew(seen: SeenStake, device: DeviceName) -> SeenStake:
    return replace(seen, stake_cents=0, is_overruled=False) if seen.device == device else seen


def met(draft: Draft, device: DeviceName) -> None:
    """Hold what was entered before this device told who it is against no chips, until it tells of some.

    What staff entered stands on spots of a kind of which it has told nothing: some felts lack them.
    """
    if draft.state.phase is not Phase.BETTING or not sees_stakes(draft.state.device(device)):
        return
    players, kinds = _held_by_players(draft.round), {seen.wager for seen in draft.state.seen if seen.device == device}
    for stake in draft.round.stakes:
        is_held = stake.seat in players or stake.wager in kinds
        if is_held and _is_entered(stake) and not _told_at(draft, stake):
            _remember(draft, SeenStake(device, stake.seat, stake.wager, 0, stake.colour))


def forget_beyond(draft: Draft) -> None:
    """Forget what was seen at seats that these settings no longer have: nobody bets there. `note` keeps no other."""
    seats = draft.state.settings.seats
    draft.state = replace(draft.state, seen=tuple(seen for seen in draft.state.seen if seen.seat <= seats))


def overrule(draft: Draft, request: Request, stake: SeatStake) -> None:
    """Let what staff entered stand over what was seen on this spot before, and put a difference on record."""
    if request.role is Actor.PLAYER:
        _hold_against_chips(draft, stake)
    _overrule(draft, request, stake.seat, stake)


def _hold_against_chips(draft: Draft, entered: SeatStake) -> None:
    """Let what was seen last stand against what a player entered: staff overruled it for another bet, or for none.

    Where a sensor has told of no chips, none lie.
    """
    told = _told_at(draft, entered)
    devices = (device for device in draft.state.devices if draft.state.is_named(device.name))
    sensor = next((device.name for device in devices if sees_stakes(device)), None)
    if told:
        held = (replace(seen, is_overruled=False) if seen in told else seen for seen in draft.state.seen)
        draft.state = replace(draft.state, seen=tuple(held))
    elif sensor is not None:
        _remember(draft, SeenStake(sensor, entered.seat, entered.wager, 0, entered.colour))


def _held_by_players(played: Round) -> frozenset[SeatNumber]:
    """Return the seats where what was entered may be a player's word, and not that of staff."""
    return frozenset(held.seat for held in played.positions if held.who is not None)


def _is_entered(stake: SeatStake) -> bool:
    return stake.evidence is not Evidence.SEEN_BY_DEVICE


def _told_at(draft: Draft, stake: SeatStake) -> list[SeenStake]:
    """Return what devices have told of the spot of this stake."""
    return [seen for seen in draft.state.seen if seen.seat == stake.seat and _is_on_spot(draft.state, seen, stake)]


def sees_stakes(device: DeviceState) -> bool:
    """Return whether this is a bet sensor. One that restarted says only afterwards what it is."""
    return device.identity is not None and _CAPABILITY in device.identity.capabilities


def sees_only(device: Identity) -> bool:
    """Return whether this is a bet sensor without a key: of keys that it may have lost nobody is told."""
    return device.capabilities == (_CAPABILITY,)


def overrule_seat(draft: Draft, request: Request, seat: SeatNumber) -> None:
    """Let a seat that staff cleared be empty, whatever was seen there before."""
    _overrule(draft, request, seat, None)


def _overrule(draft: Draft, request: Request, seat: SeatNumber, entered: SeatStake | None) -> None:
    if request.role is Actor.PLAYER or not draft.state.seen:
        return
    said = []
    for seen in draft.state.seen:
        is_meant = seen.seat == seat and (entered is None or _is_on_spot(draft.state, seen, entered))
        if is_meant and not seen.is_overruled and seen.stake_cents != (entered.stake_cents if entered else 0):
            what = "cleared" if entered is None else f"entered as {amount_seen(entered.stake_cents)}"
            where = seen_at(seen.seat, spot_name(seen.wager, draft.play.spot_names), colour_of(seen))
            detail = f"{where}: {amount_seen(seen.stake_cents)} was seen and {what} by {request.who}"
            draft.say(DeviceAnomaly(seen.device, "stake-overruled", detail))
        said.append(replace(seen, is_overruled=True) if is_meant else seen)
    draft.state = replace(draft.state, seen=tuple(said))


def lie_at(state: TableState, seat: SeatNumber) -> bool:
    """Return whether a device sees chips at a seat that nobody has overruled."""
    return any(seen.seat == seat and seen.stake_cents and not seen.is_overruled for seen in state.seen)


def lay(draft: Draft) -> None:
    """While bets are taken, have the stakes that devices see be bets, and those that they no longer see be none."""
    before = draft.state.round
    now = laid(draft.state)
    if before is None or now is None or now is before:
        return
    draft.round = now
    gone = {_place(stake): stake for stake in before.stakes if stake.evidence is Evidence.SEEN_BY_DEVICE}
    came = [stake for stake in now.stakes if stake not in before.stakes]
    for stake in now.stakes:
        gone.pop(_place(stake), None)
    for stake in gone.values():
        draft.say(BetRemoved(stake.seat, stake.wager, stake.colour, _seer(draft.state, stake)))
    for stake in came:
        who = _seer(draft.state, stake)
        draft.say(BetPlaced(stake.seat, stake.wager, stake.stake_cents, stake.colour, who, None, stake.evidence))


def _place(stake: SeatStake) -> tuple[SeatNumber, WagerName, Colour | None]:
    return stake.seat, stake.wager, stake.colour


def _seer(state: TableState, stake: SeatStake) -> str:
    """Return the device that sees this spot, or an empty name if none does any longer."""
    return next((seen.device for seen in state.seen if _spot(seen) == _place(stake)), "")


def laid(state: TableState) -> Round | None:
    """Return the running round with the stakes that devices see. Outside betting it stays as it is."""
    played = state.round
    if played is None or state.phase is not Phase.BETTING or not _concerns_devices(state, played):
        return played
    stakes = [stake for stake in played.stakes if stake.evidence is not Evidence.SEEN_BY_DEVICE]
    waiting = _unsaid(state, stakes)
    while (fits := next((seen for seen in waiting if _refused(state, played, seen, stakes) is None), None)) is not None:
        stakes.append(_as_stake(fits))  # which may be what another one has to lie beside
        waiting.remove(fits)
    in_order = tuple(sorted(stakes, key=by_seat_and_spot))
    return played if in_order == played.stakes else replace(played, stakes=in_order, positions=_held(played, in_order))


def _concerns_devices(state: TableState, played: Round) -> bool:
    return bool(state.seen) or any(stake.evidence is Evidence.SEEN_BY_DEVICE for stake in played.stakes)


def _unsaid(state: TableState, entered: list[SeatStake]) -> list[SeenStake]:
    """Return what devices see on spots of this game for which nobody has entered a stake."""
    return [
        seen
        for seen in state.seen
        if seen.stake_cents
        and not seen.is_overruled
        and seen.wager in GAMES[state.settings.game].spots
        and not any(stake.seat == seen.seat and _is_on_spot(state, seen, stake) for stake in entered)
    ]


def _refused(state: TableState, played: Round, seen: SeenStake, lying: list[SeatStake]) -> str | None:
    """Why rules and limits do not take what is seen, or None."""
    beside = [stake for stake in lying if stake.seat == seen.seat]
    if any(_is_on_spot(state, seen, stake) for stake in beside):
        return "another stake is seen on this spot"
    refused = refused_beside(state.settings, played.limits, as_wager(_as_stake(seen)), map(as_wager, beside))
    return None if refused is None else refused.message


def _held(played: Round, stakes: tuple[SeatStake, ...]) -> tuple[Position, ...]:
    """Who holds each seat: a seat at which only a device sees chips is held as one for which the dealer bets."""
    staked = {stake.seat for stake in stakes}
    kept = [held for held in played.positions if held.who is not None or held.seat in staked]
    known = {held.seat for held in kept}
    return (*kept, *(Position(seat, None) for seat in sorted(staked - known)))


def _as_stake(seen: SeenStake) -> SeatStake:
    return SeatStake(seen.seat, seen.wager, seen.stake_cents, seen.colour, Evidence.SEEN_BY_DEVICE)


def _is_on_spot(state: TableState, seen: SeenStake, stake: SeatStake) -> bool:
    """Return whether a stake lies on this spot. Where colours are named, one spot may be that of both."""
    is_of_both = seen.colour is None and stake.wager is seen.wager
    return is_of_both or GAMES[state.settings.game].replaces(
        as_wager(stake), as_wager(_as_stake(seen)), state.settings.house
    )


def dispute(state: TableState) -> Refusal | None:
    """Return the first thing on the felt that is not as it was bet, and why no card goes out before it is settled."""
    played = state.round
    if played is None or not (_concerns_devices(state, played) or _has_sensor(state)):
        return None
    for seen in state.seen:
        wrong = None if seen.is_overruled else _wrong(state, played, seen)
        if wrong is not None:
            return Refusal("stake-disputed", wrong)
    alone = next(_left_alone(state, played), None)
    return None if alone is None else Refusal("stake-disputed", alone)


def _has_sensor(state: TableState) -> bool:
    """Return whether a device may have seen stakes here. What it saw may be forgotten, and the bets of it gone.

    One that restarted says only afterwards who it is.
    """
    return any(device.identity is None or sees_stakes(device) for device in state.devices)


def _left_alone(state: TableState, played: Round) -> Iterator[Clause]:
    """Yield what somebody entered beside chips that are gone, and that the rules do not take without these.

    It stays on the felt, so its player believes to have bet.
    """
    for stake in played.stakes:
        if stake.evidence is Evidence.SEEN_BY_DEVICE:
            continue  # `lay` has asked the rules
        beside = (as_wager(other) for other in played.stakes_of(stake.seat) if other is not stake)
        refused = refused_beside(state.settings, played.limits, as_wager(stake), beside)
        if refused is not None:
            cents, colour = stake.stake_cents, None if stake.colour is None else stake.colour.value
            yield Clause(
                SaidId.ENTERED_ALONE, stake.seat, cents=cents, spot=stake.wager, word=colour, text=refused.message
            )


def _wrong(state: TableState, played: Round, seen: SeenStake) -> Clause | None:
    lying = [stake for stake in played.stakes_of(seen.seat) if _is_on_spot(state, seen, stake)]
    cents = sum(stake.stake_cents for stake in lying)
    is_named = seen.colour is None or all(stake.colour is seen.colour for stake in lying)
    if lying and is_named and cents == seen.stake_cents:
        is_away = state.device(seen.device).presence is not Presence.UP
        by_staff = seen.seat not in _held_by_players(played) and any(_is_entered(stake) for stake in lying)
        return None if by_staff or not is_away else _of(SaidId.SEEN_BEFORE_AWAY, seen, device=seen.device)
    if lying:
        return _of(SaidId.SEEN_AND_ENTERED, seen, cents=cents)
    if not seen.stake_cents:
        return None
    if seen.wager not in GAMES[state.settings.game].spots:
        return _of(SaidId.SEEN_WITHOUT_SPOT, seen)
    return _of(SaidId.SEEN_AND_REFUSED, seen, text=_refused(state, played, seen, list(played.stakes)))


def _of(
    what: SaidId, seen: SeenStake, *, cents: int | None = None, device: str | None = None, text: str | None = None
) -> Clause:
    return Clause(
        what,
        seen.seat,
        cents=cents,
        seen_cents=seen.stake_cents,
        spot=seen.wager,
        device=device,
        word=colour_of(seen),
        text=text,
    )


def colour_of(seen: SeenStake) -> str | None:
    return None if seen.colour is None else seen.colour.value
