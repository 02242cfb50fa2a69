"""A void is a procedure: the round has no result, and the dealer puts stakes and cards back where they belong.

Theory of operation. `RoundVoided` is said at once, with every step. Then the round stands in `Phase.VOIDING` until the
dealer says next: the prompt has the steps, an alert stands, and no bet of another round is taken. The machine may
shuffle meanwhile. A stake is given back as far as it lies there. What a result moved is undone: what was paid is taken
back, and what was taken is given back. So what a push gave back is not listed again. Results that wait for a large win
to be verified moved nothing, because the dealer was told not to pay: they are undone in the books, and at the spots
their stakes still lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from daemon.frozen import replace
from daemon.table import alerts, lifecycle, loading, orders
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import AlertCleared
from daemon.table.inputs import Request
from daemon.table.round_facts import PromptStep, RoundVoided
from daemon.table.said import THEN_NEXT, Clause, Said, SaidId
from daemon.table.sentences import in_words
from daemon.table.state import Deck, Phase, Round, RoundEnd, SaidResult
from daemon.table.vocabulary import Irregularity, PromptAction, SourceKind


def void(
    draft: Draft, reasons: tuple[Clause, ...], irregularity: Irregularity | None, by: Request | None = None
) -> None:
    """End the round without a result: every stake goes back, and the cards are shuffled again.

    The dealer is told the steps, and nothing else goes on before they have said that these are done. Where nobody has
    a stake and no card is out there is nothing to do, and the round is gone at once.
    """
    played = draft.round
    undone, steps = _undoing_of(played.said), steps_of(played)
    who, role = (None, None) if by is None else (by.who, by.role)
    reason = in_words(*reasons)
    draft.say(RoundVoided(reason, irregularity, played.stakes, played.staked_cents, undone, who, role, steps, reasons))
    lifecycle.note_end(draft, RoundEnd.VOIDED, irregularity=irregularity)
    cards_out = _cards_out(draft)
    _put_void_cards_away(draft)
    if not steps and cards_out is None:
        lifecycle.end(draft)
        return
    draft.move_to(Phase.VOIDING)
    draft.raise_alert(alerts.void(played.id, reasons))
    what = Said(SaidId.ROUND_VOID, because=reasons)
    draft.prompt(what, *seat_sentences(steps), *([] if cards_out is None else [cards_out]), THEN_NEXT, steps=steps)


def undoing(played: Round) -> tuple[PromptStep, ...]:
    """Return what the dealer does to undo results: those that they were told of."""
    return _undoing_of(_told(played))


def steps_of(played: Round) -> tuple[PromptStep, ...]:
    """Return all that the dealer does at the spots if this round is void, seat by seat."""
    return tuple(sorted((*undoing(played), *_still_lying(played)), key=lambda step: step.seat or 0))


def seat_sentences(steps: Sequence[PromptStep]) -> list[Said]:
    """Say the steps, a sentence for each seat."""
    by_seat = Counter(step.seat for step in steps)
    return [Said(SaidId.DO_AT_SEAT, seat, steps=its) for seat, its in by_seat.items()]


def _cards_out(draft: Draft) -> Said | None:
    """Return what is to be done with the cards of this round, or None where none has left the device."""
    state = draft.state
    if state.settings.source.kind is SourceKind.SHOE:
        is_out = state.shoe is not None and state.shoe.of_this_round > 0
        return Said(SaidId.TAKE_IN_FOR_SHOE) if is_out else None
    if state.deck is Deck.IN_USE:
        return Said(SaidId.TAKE_IN_FOR_DEVICE, device=state.settings.source.device)
    return Said(SaidId.TAKE_IN) if draft.round.hands or draft.round.rest_waived else None


def _still_lying(played: Round) -> Iterator[PromptStep]:
    """Give back what lies there: of each stake the part that no result has moved."""
    for stake in played.stakes:
        spot = (stake.seat, stake.wager, stake.colour)
        results = (said.wager for said in _told(played) if (said.seat, said.wager.wager, said.wager.colour) == spot)
        left = stake.stake_cents - sum(wager.stake_cents for wager in results)
        if left:
            yield PromptStep(stake.wager, PromptAction.RETURN, left, stake.seat, colour=stake.colour)


def _told(played: Round) -> tuple[SaidResult, ...]:
    """Return the results that the dealer was told to pay and take. While a large win is held, its page waits."""
    return played.said[: len(played.said) - played.untold]


def _undoing_of(results: Iterable[SaidResult]) -> tuple[PromptStep, ...]:
    return tuple(step for result in results for step in _undoing(result))


def _undoing(result: SaidResult) -> tuple[PromptStep, ...]:
    """Return the step that leaves the player with the stake and nothing else."""
    pays = result.wager.pays_cents
    if not pays:
        return ()
    action = PromptAction.TAKE if pays > 0 else PromptAction.RETURN
    wager = result.wager
    return (PromptStep(wager.wager, action, abs(pays), result.seat, wager.hand, wager.colour),)


def void_done(draft: Draft, request: Request) -> Refusal | None:
    """Take the dealer's word that stakes and cards are where they belong, and make room for the next round."""
    wins = (alerts.verify_name(draft.round.id, said.seat, said.wager) for said in draft.round.said)
    for name in (alerts.void_name(draft.round.id), *wins):  # nobody is paid, so nothing has to be verified
        if draft.state.alert(name) is not None:
            draft.lower_alert(name)
            draft.say(AlertCleared(name, request.who, request.role))
    lifecycle.end(draft)
    return None


def _put_void_cards_away(draft: Draft) -> None:
    """Have the deck or shoe shuffled again: all cards of a void round go back."""
    must_shuffle = draft.state.deck is Deck.IN_USE
    if must_shuffle:
        draft.state = replace(draft.state, deck=Deck.UNKNOWN)
    loading.void(draft)
    loading.end_round(draft)
    if must_shuffle:
        orders.request_reshuffle(draft)
