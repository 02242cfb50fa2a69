"""Big Raise: every player folds or makes the Play bet, from the dealer's left.

The dealer's up card is public before the first player is asked. What a player may bet depends on their own two cards,
so no prompt says whether they are a pair, and a command outside the range is refused to the one who asked, and to
nobody else. A key is pressed before everybody, and so it is refused before everybody (DECISIONS.md). Where no device
read the cards, a bet that only a pair may make is taken on the player's word, and the hand has to prove it when it is
shown. A hand that folds with a bonus riding on it is entered before it is mucked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.frozen import replace
from daemon.rules import big_raise
from daemon.rules.big_raise_limits import PLAY_TIMES_MOST, PLAY_TIMES_MOST_WITH_PAIR, PlayRange, range_of_play
from daemon.rules.money import Cents
from daemon.rules.wagers import Wager, WagerName
from daemon.table import entering, lifecycle, reconciling, voiding
from daemon.table.big_raise import showing
from daemon.table.big_raise.facts import PlayerCardsShown
from daemon.table.big_raise.settlement import house_of, left_to_settle, settle_fold
from daemon.table.big_raise.state import deal_of
from daemon.table.by_rules import refused_by_rules
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import ButtonRefused
from daemon.table.findings import found, stop_if_found
from daemon.table.inputs import Action, Decide, EnterCards, Request
from daemon.table.offers import Bounds
from daemon.table.round_facts import PlayerDecided, PromptStep, SeatStake, StakeCorrected
from daemon.table.said import Clause, Said, SaidId
from daemon.table.stakes import as_wager
from daemon.table.state import Decided, Finding, Hand, Phase, Round, TableState
from daemon.table.vocabulary import DEALER, Actor, Decision, Irregularity, PromptAction, SeatNumber
from daemon.table.whose_turn import out_of_turn
from drivers.events import Button

_PLAY_KEYS: Final = {Button.PLAY_2: 2, Button.PLAY_3: 3, Button.PLAY_4: 4}
_ACTIONS: Final = {Decision.FOLD: big_raise.Action.FOLD, Decision.PLAY: big_raise.Action.PLAY}


def begin(draft: Draft) -> None:
    """Show the up card and ask the first player, when the deck is accounted for."""
    draft.move_to(Phase.DECIDING)
    showing.show_up_card(draft)
    _ask_next(draft)


def resume(draft: Draft) -> None:
    """Go on where the round stood still. A Play bet that a supervisor let stand is cut to what the rules allow."""
    deal = deal_of(draft.round)
    if deal.house_shown:
        reconciling.resume(draft)
        return
    hands = [hand for hand in map(draft.round.hand_of, _who_played(draft.round)) if hand is not None]
    steps = tuple(step for hand in hands if hand.faces is not None for step in _cut(draft, hand))
    if deal.dealer_shown:
        showing.begin(draft)
    else:
        draft.move_to(Phase.DECIDING)
        _ask_next(draft)
    if steps:
        told = draft.state.prompted
        draft.prompt(*voiding.seat_sentences(steps), *told.said, steps=(*steps, *told.steps), seat=told.seat)


def decide(draft: Draft, request: Request) -> Refusal | None:
    """Take a player's decision: to fold, or to turn the cards face up and play."""
    action = request.action
    assert isinstance(action, Decide)
    refusal = _others_first(draft) or out_of_turn(draft, action.seat)
    if refusal is not None:
        return refusal
    refusal = _not_allowed(draft, action)
    if refusal is not None:
        if _staff_learns_of_the_hand(draft, action, request):
            message = refusal.message(draft.play.spot_names)
            draft.say(ButtonRefused(Button.PLAY_4, refusal.code, message, refusal.sentence))
        return refusal
    draft.round = replace(draft.round, decided=(*draft.round.decided, Decided(action.seat, action.decision)))
    if action.stake_cents is not None:
        _put_play_bet(draft, action.seat, action.stake_cents)
    draft.say(PlayerDecided(action.seat, action.decision, action.stake_cents, request.who, role=request.role))
    if action.decision is Decision.PLAY and showing.cards_of(draft, action.seat):
        _show_cards(draft, action.seat)
    _ask_next(draft)
    return None


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter what a person read: the up card, a hand that plays, or one that folded with a bonus."""
    action = request.action
    assert isinstance(action, EnterCards)
    if action.seat == DEALER:
        refusal = showing.enter_up_card(draft, request)
        if refusal is None:
            _ask_next(draft)
        return refusal
    if action.seat != _to_be_entered(draft):
        return entering.not_asked(action.seat)
    refusal = entering.unusable(draft, action, big_raise.PLAYER_CARDS)
    if refusal is not None:
        return refusal
    hand = entering.put_cards(draft, action, request)
    if action.seat in _who_played(draft.round):
        _show_cards(draft, action.seat)
    if not stop_if_found(draft, found_in(draft, hand)):
        _ask_next(draft)
    return None


def next_pressed(draft: Draft, _: Request) -> Refusal | None:
    """End a fold that the dealer has finished, and ask the next player."""
    deal = deal_of(draft.round)
    if deal.folding is None:
        return Refusal("not-now", Clause(SaidId.NEXT_AFTER_FOLD, text=draft.state.prompt))
    refusal = reconciling.not_verified(draft)
    if refusal is not None:
        return refusal
    _fold_done(draft, deal.folding)
    _ask_next(draft)
    return None


def _ask_next(draft: Draft) -> None:
    """Do what the round waits for: cards that lie open, a fold, the next decision, or the house's own cards."""
    owed = _to_be_entered(draft)
    if owed == DEALER:
        showing.ask_up_card(draft)
    elif owed is not None:
        plays = owed in _who_played(draft.round)
        entering.ask(draft, owed, Said(SaidId.ENTER_PLAYING if plays else SaidId.ENTER_FOLDED, owed))
    elif not _finish_folds(draft):
        seat = to_act(draft.round)
        if seat is None:
            showing.begin(draft)
        else:
            draft.prompt(_offer(draft, seat), seat=seat)


def _finish_folds(draft: Draft) -> bool:
    """Settle a fold at the player's turn, before the next is asked. True while the dealer's next is waited for."""
    folding = deal_of(draft.round).folding
    if folding is not None:
        reconciling.go_on_with(draft, Said(SaidId.GO_ON_WITH_FOLD, folding), folding)
        return True
    for seat in _folded(draft.round):
        if seat in draft.round.reconciled or _is_fold_said(draft.round, seat):
            continue
        _settle_fold(draft, seat)
        if reconciling.waits_for_next(draft):
            draft.round = replace(draft.round, own=replace(deal_of(draft.round), folding=seat))
            return True
        _fold_done(draft, seat)
    return False


def _settle_fold(draft: Draft, seat: SeatNumber) -> None:
    hand = draft.round.hand_of(seat)
    assert hand is not None, "who decides has a hand"
    settled = settle_fold(draft.state, hand)
    draft.say(settled)
    lifecycle.book(draft, seat, settled.wagers)
    reconciling.verify_large_wins(draft, seat, settled.wagers)
    paying = draft.state.settings.paying
    every = [step for wager in settled.wagers for step in reconciling.spot_steps(wager, paying, seat)]
    steps = [step for step in every if step.amount_cents]
    paid = [step for step in steps if step.action is PromptAction.PAY]
    others = [step for step in steps if step.action is not PromptAction.PAY]
    stays = seat in left_to_settle(draft.round)
    what = SaidId.FOLDS_AND_LEAVES if stays else SaidId.FOLDS
    said = Said(what, seat, steps=len(paid), later_steps=len(others))
    reconciling.prompt_results(draft, said, of=len(settled.wagers), steps=(*paid, *others), seat=seat)


def _fold_done(draft: Draft, seat: SeatNumber) -> None:
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), folding=None))
    if seat not in left_to_settle(draft.round):
        reconciling.mark_done(draft, seat)


def _is_fold_said(played: Round, seat: SeatNumber) -> bool:
    return any((said.seat, said.wager.wager) == (seat, WagerName.ANTE) for said in played.said)


def _show_cards(draft: Draft, seat: SeatNumber) -> None:
    """Show the two cards of a player who plays. They lie face up for everybody."""
    hand = draft.round.hand_of(seat)
    assert hand is not None
    draft.say(PlayerCardsShown(seat, showing.cards_of(draft, seat), hand.evidence))


def _offer(draft: Draft, seat: SeatNumber) -> Said:
    """Offer what rules and limits take, in the same words whatever the player holds."""
    house, ante = house_of(draft.state.settings), Cents(_ante(draft.round, seat))
    plain, paired = _ranges(draft.state, seat)
    if plain.most < plain.least:  # a journal from before the ruling that an Ante can be followed
        return Said(SaidId.FOLD_ONLY, seat)
    in_full = (plain.most, paired.most) == (PLAY_TIMES_MOST * ante, PLAY_TIMES_MOST_WITH_PAIR * ante)
    return Said(
        SaidId.FOLD_OR_PLAY_ANTES if in_full else SaidId.FOLD_OR_PLAY,
        seat,
        bounds=Bounds(plain.least, plain.most, plain.step, paired.most if paired.most > plain.most else None),
        cents=plain.step if plain.step > house.money.chip else None,
    )


def _ranges(state: TableState, seat: SeatNumber) -> tuple[PlayRange, PlayRange]:
    """Return what rules and limits let the Play bet be: without a pair, and with one."""
    assert state.round is not None, "a player who decides is in a round"
    stakes, limits = state.round.stakes_of(seat), state.round.limits
    house, ante, beside = house_of(state.settings), Cents(_ante(state.round, seat)), list(map(as_wager, stakes))
    plain, paired = (range_of_play(ante, house, limits, beside, with_pair=pair) for pair in (False, True))
    return plain, paired


def puts_down(state: TableState, seat: SeatNumber, decision: Decision) -> Bounds | None:
    """Bound the Play bet."""
    if decision is not Decision.PLAY:
        return None
    plain, paired = _ranges(state, seat)
    return Bounds(plain.least, plain.most, plain.step, paired.most if paired.most > plain.most else None)


def _to_be_entered(draft: Draft) -> SeatNumber | None:
    """Return whose cards have to be entered before anybody goes on, of those that no device read."""
    if deal_of(draft.round).up_card is None:
        return DEALER
    return next((seat for seat in _open_hands(draft.round) if not showing.cards_of(draft, seat)), None)


def _open_hands(played: Round) -> Iterator[SeatNumber]:
    """Yield hands that lie face up: those that play, and those that folded with a 2 Card Bonus."""
    yield from _who_played(played)
    for seat in _folded(played):
        has_bonus = any(stake.wager is WagerName.TWO_CARD_BONUS for stake in played.stakes_of(seat))
        if has_bonus and not _is_fold_said(played, seat):
            yield seat


def _who_played(played: Round) -> tuple[SeatNumber, ...]:
    return tuple(each.seat for each in played.decided if each.decision is Decision.PLAY)


def _folded(played: Round) -> tuple[SeatNumber, ...]:
    return tuple(each.seat for each in played.decided if each.decision is Decision.FOLD)


def asked(state: TableState) -> SeatNumber | None:
    """Return who decides next."""
    return None if state.round is None else to_act(state.round)


def to_act(played: Round) -> SeatNumber | None:
    """Return who decides next: from the dealer's left, the first player who has not."""
    decided = {each.seat for each in played.decided}
    return next((seat for seat in played.players if seat not in decided), None)


def keyed(played: Round, seat: SeatNumber, button: Button) -> Action | None:
    """Return what a key asks for this seat; a key for a Play bet says how many antes it is."""
    if button is Button.FOLD:
        return Decide(seat, Decision.FOLD)
    antes = _PLAY_KEYS.get(button)
    return None if antes is None else Decide(seat, Decision.PLAY, antes * _ante(played, seat))


def _ante(played: Round, seat: SeatNumber) -> int:
    return sum(stake.stake_cents for stake in played.stakes_of(seat) if stake.wager is WagerName.ANTE)


def _others_first(draft: Draft) -> Refusal | None:
    """Refuse a decision while cards are waited for, or a fold is being finished."""
    if _to_be_entered(draft) is not None:
        return Refusal("cards-missing", Clause(SaidId.ENTER_FIRST, text=draft.state.prompt))
    folding = deal_of(draft.round).folding
    if folding is not None:
        return Refusal("fold-first", Clause(SaidId.FOLD_FIRST, folding))
    return None


def _not_allowed(draft: Draft, action: Decide) -> Refusal | None:
    wagers = _wagers(draft, action.seat)
    chosen = _ACTIONS.get(action.decision)
    if chosen is None:
        return Refusal("not-offered", Clause(SaidId.FOLD_OR_PLAY_HERE, word=action.decision.value))
    if action.stake_cents is not None:
        wagers.append(Wager(WagerName.PLAY, Cents(action.stake_cents)))
    house = house_of(draft.state.settings)
    cards = showing.cards_of(draft, action.seat) or None
    refused = big_raise.check_action(chosen, wagers, cards, house, draft.round.limits)
    return None if refused is None else refused_by_rules(refused)


def _staff_learns_of_the_hand(draft: Draft, action: Decide, request: Request) -> bool:
    """Return whether this refusal tells somebody else than the player that they have no pair.

    Then it is on record and public, as that of a key is: a dealer could ask every hand before its player decides, and
    leave no trace. The refusal of a key, whose request has no id, is said by who took the key.
    """
    if action.decision is not Decision.PLAY or request.role is Actor.PLAYER or not request.id:
        return False
    plain, paired = _ranges(draft.state, action.seat)
    return plain.most < (action.stake_cents or 0) <= paired.most


def _wagers(draft: Draft, seat: SeatNumber) -> list[Wager]:
    return [as_wager(stake) for stake in draft.round.stakes_of(seat)]


def _put_play_bet(draft: Draft, seat: SeatNumber, stake_cents: int) -> None:
    play = SeatStake(seat, WagerName.PLAY, stake_cents)
    draft.round = replace(
        draft.round,
        stakes=tuple(sorted((*draft.round.stakes, play), key=lambda stake: (stake.seat, stake.wager.value))),
    )


def found_in(draft: Draft, hand: Hand) -> tuple[Finding, ...]:
    """Return nothing, or that a Play bet which only a pair may make was made without one."""
    excess = _excess(draft, hand)
    if not excess:
        return ()
    said = Clause(SaidId.NO_PAIR, hand.seat, cents=excess)
    return (found(Irregularity.RAISE_WITHOUT_PAIR, hand.seat, said),)


def allow(draft: Draft, hand: Hand) -> None:
    """Keep what a hand without a pair may bet. Give the rest back before anything is settled."""
    _cut(draft, hand)


def _cut(draft: Draft, hand: Hand) -> tuple[PromptStep, ...]:
    """Cut a Play bet to what the hand may bet. Return what the dealer gives back of it."""
    excess = _excess(draft, hand)
    play = next((stake for stake in draft.round.stakes_of(hand.seat) if stake.wager is WagerName.PLAY), None)
    if play is None or not excess:
        return ()
    stands = replace(play, stake_cents=play.stake_cents - excess)
    draft.round = replace(draft.round, stakes=tuple(stands if stake is play else stake for stake in draft.round.stakes))
    draft.say(StakeCorrected(hand.seat, WagerName.PLAY, stands.stake_cents, excess))
    return (PromptStep(WagerName.PLAY, PromptAction.RETURN, excess, hand.seat),)


def _excess(draft: Draft, hand: Hand) -> int:
    cards = showing.cards_of(draft, hand.seat)
    wagers, house = _wagers(draft, hand.seat), house_of(draft.state.settings)
    return big_raise.beyond_range(wagers, cards, house, draft.round.limits)
