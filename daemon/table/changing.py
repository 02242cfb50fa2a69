"""Changing over between rounds: another game, another deck, and the deck that is in shuffled or counted again.

Nothing here touches a round that uses cards. A round that only takes bets is another matter where nobody has bet yet:
it ends without a result, and the next one opens by itself under what was changed. Stakes that lie on the table are not
moved by a change of game; the pit closes the table, lets the last round end, changes, and opens it again.

A deck is believed when it was shuffled in the machine and counted. So after a change, or a word that it is to be
counted, nothing is known of it: a machine that counts does so when it shuffles, and for one that does not, a person
counts what is left of it at the end of the next round.
"""

from __future__ import annotations

from daemon.frozen import replace
from daemon.table import deck_change, lifecycle, loading, orders, voiding
from daemon.table.draft import Draft, Refusal, refuse
from daemon.table.facts import DeckChanged, DeckCountOrdered, GameChanged, ReshuffleOrdered
from daemon.table.inputs import ChangeGame, Request
from daemon.table.refusal_codes import NOT_WHILE
from daemon.table.said import Clause, SaidId
from daemon.table.settings import SourceSettings
from daemon.table.state import NO_CARDS_OUT, Deck, Phase
from daemon.table.vocabulary import SourceKind


def change_game(draft: Draft, request: Request, action: ChangeGame) -> Refusal | None:
    """Play another of the offered games from the next round on."""
    before = draft.state.settings
    in_force_next = draft.state.settings_next or before  # a configuration that waits for this round's end is not lost
    if action.game not in (offer.game for offer in in_force_next.games):
        games = tuple(offer.game.value for offer in in_force_next.games)
        return Refusal("game-not-offered", Clause(SaidId.GAME_NOT_OFFERED, word=action.game.value, names=games))
    if action.game is before.game:
        return refuse("already-played", SaidId.ALREADY_PLAYED, word=action.game.value)
    refusal = _deck_in_use(draft) or _stakes_down(draft)
    if refusal is not None:
        return refusal
    if draft.state.round is not None:
        voiding.void(draft, (Clause(SaidId.CHANGED_OVER, word=action.game.value),), irregularity=None, by=request)
    settings = in_force_next.playing(action.game)
    assert settings is not None, "it is offered"
    lifecycle.adopt(draft, settings)
    draft.say(GameChanged(action.game, before.game, settings.source.device, request.who, request.role))
    return None


def _stakes_down(draft: Draft) -> Refusal | None:
    played = draft.state.round
    if played is None or not played.stakes:
        return None
    seats = tuple(sorted({stake.seat for stake in played.stakes}))
    return Refusal("stakes-down", Clause(SaidId.STAKES_DOWN, seats=seats))


def _deck_in_use(draft: Draft) -> Refusal | None:
    if draft.state.phase in NO_CARDS_OUT:
        return None
    if draft.state.phase is Phase.VOIDING:
        return refuse("not-while-voiding", SaidId.VOID_FIRST)
    return refuse(NOT_WHILE[draft.state.phase], SaidId.CARDS_IN_USE)


def change_deck(draft: Draft, request: Request) -> Refusal | None:
    """Somebody answers for new cards in the device that deals."""
    refusal = _deck_in_use(draft)
    if refusal is None:
        draft.say(DeckChanged(draft.state.settings.source.device, request.who, request.role))
        deck_change.changed(draft, request)
        if draft.state.settings.source.kind is SourceKind.SHOE:
            loading.take_out(draft)
        else:
            _distrust(draft)
    return refusal


def count_deck(draft: Draft, request: Request) -> Refusal | None:
    """Have the deck that is in counted down."""
    refusal = _is_shoe(draft) or _deck_in_use(draft)
    if refusal is None:
        draft.say(DeckCountOrdered(draft.state.settings.source.device, request.who, request.role))
        _distrust(draft)
    return refusal


def _is_shoe(draft: Draft) -> Refusal | None:
    source = draft.state.settings.source
    if source.kind is not SourceKind.SHOE:
        return None
    return refuse("not-a-shuffler", SaidId.NOT_A_SHUFFLER, device=source.device)


def _distrust(draft: Draft) -> None:
    """Shuffled again, which counts it where the machine can; else the stub count is due with the next round."""
    stub_count_due = draft.state.settings.stub_count_rounds_max
    draft.state = replace(draft.state, deck=Deck.UNKNOWN, batch=None, rounds_since_stub_count=stub_count_due)
    orders.request_reshuffle(draft)


def reshuffle(draft: Draft, request: Request) -> Refusal | None:
    """Shuffle the deck that is in again."""
    shuffler = draft.state.settings.source
    refusal = _is_shoe(draft) or _works_by_itself(shuffler) or _deck_in_use(draft)
    if refusal is None:
        draft.say(ReshuffleOrdered(shuffler.device, request.who, request.role))
        draft.state = replace(draft.state, deck=Deck.UNKNOWN)
        orders.request_reshuffle(draft)
    return refusal


def _works_by_itself(shuffler: SourceSettings) -> Refusal | None:
    if shuffler.takes_commands and shuffler.kind is SourceKind.SHUFFLER:
        return None
    return refuse("device-takes-no-commands", SaidId.TAKES_NO_COMMANDS, device=shuffler.device)
