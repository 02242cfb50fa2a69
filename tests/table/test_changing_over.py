"""Changing over between rounds: who may, when it is refused, what follows for machine and deck, what a start keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.big_50 import Big50House
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.wagers import GameName, WagerName
from daemon.table import view
from daemon.table.facts import (
    AlertRaised,
    DeckChanged,
    DeckCountOrdered,
    DeviceAnomaly,
    GameChanged,
    ReshuffleOrdered,
    TableClosed,
    TableConfigured,
    TableOpened,
)
from daemon.table.inputs import (
    ChangeDeck,
    ChangeGame,
    CloseTable,
    Configured,
    CountDeck,
    LoadShoe,
    OpenTable,
    OrderReshuffle,
)
from daemon.table.round_facts import DeckAccounted, RoundOpened, RoundVoided, StubCountAsked
from daemon.table.settings import OfferedGame, PayingStyle, SourceSettings, TableSettings
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Actor, DeckProof, Irregularity, Ruling
from drivers.commands import CommandDue, Reshuffle, SetMode
from drivers.events import (
    Button,
    CardDrawn,
    CommandAnswered,
    Confidence,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    FaultKind,
    FaultRaised,
    LinkLost,
    LinkUp,
    ModeChanged,
    PacketDispensed,
    ShuffleFinished,
)
from protocols.cards import DECK
from tests.support.sentences import Says
from tests.table.blackjack_playing import NO_BURN, READING_SHOE
from tests.table.playing import IDENTITY, SEES_ALL, Table, settings

OTHER = DeviceName("second")
BIG_50 = OfferedGame(GameName.BIG_50, SEES_ALL, Big50House())
BIG_RAISE = OfferedGame(GameName.BIG_RAISE, SEES_ALL, BigRaiseHouse())
ELSEWHERE = replace(BIG_RAISE, source=replace(SEES_ALL, device=OTHER))
TO_BIG_RAISE = ChangeGame(GameName.BIG_RAISE)


def offering(*games: OfferedGame, **changes: object) -> TableSettings:
    first = games[0]
    return settings(game=first.game, source=first.source, options=first.options, offered=games, **changes)


def table(*games: OfferedGame) -> Table:
    return Table(offering(*(games or (BIG_50, BIG_RAISE)))).ready()


def played(playing: Table) -> GameName:
    """What is played now."""
    return playing.state.settings.game


def other(playing: Table, event: DeviceEvent) -> None:
    """The second machine reports something."""
    playing.take(DeviceReport(OTHER, playing.state.at, event, None))


def started_again(playing: Table, with_settings: TableSettings) -> None:
    playing.take(Configured(playing.state.at, playing.state.day, playing.state.journal, "rules-1", with_settings))


def obeyed(playing: Table) -> list[CommandDue]:
    """What is outstanding is taken by its device."""
    due = list(playing.state.outstanding)
    for each in due:
        playing.take(DeviceReport(each.device, playing.state.at, CommandAnswered(each.id, None), None))
    return due


def test_the_next_round_is_of_the_other_game() -> None:
    playing = table()
    assert playing.ask(TO_BIG_RAISE).accepted
    playing.set_mode(2)
    said = GameChanged(GameName.BIG_RAISE, GameName.BIG_50, SEES_ALL.device, "kim", Actor.SUPERVISOR)
    assert playing.said(GameChanged) == [said]
    assert playing.last(RoundOpened) == RoundOpened(2, GameName.BIG_RAISE)
    assert playing.bet(1, WagerName.ANTE).accepted
    assert not playing.bet(2, WagerName.POKER_HAND).accepted


def test_the_empty_round_of_the_game_before_ends_without_a_result(says: Says) -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    voided = playing.last(RoundVoided)
    assert (voided.returned, voided.who) == ((), "kim")
    says(voided.reason)


def test_the_shuffler_is_told_the_packet_size_of_the_game() -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    assert playing.commands[-1] == SetMode(2)
    playing.set_mode(2)
    playing.ask(ChangeGame(GameName.BIG_50))
    assert playing.commands[-1] == SetMode(5)
    assert playing.said(AlertRaised) == []


def test_a_mode_that_is_on_its_way_out_is_no_alert() -> None:
    """The machine still answers the order for the game before, and has the one for this game before it."""
    playing = table()
    playing.ask(TO_BIG_RAISE)
    playing.ask(ChangeGame(GameName.BIG_50))
    playing.device(ModeChanged(2))
    assert playing.said(AlertRaised) == []
    playing.set_mode(5)
    playing.device(ModeChanged(2))
    assert [alert.alert for alert in playing.said(AlertRaised)] == ["wrong-mode-shuffler"]


def test_bets_wait_for_a_machine_that_takes_no_orders_to_be_set(says: Says) -> None:
    observed = replace(SEES_ALL, takes_commands=False)
    playing = table(replace(BIG_50, source=observed), replace(BIG_RAISE, source=observed))
    playing.ask(TO_BIG_RAISE)
    assert playing.phase() is Phase.IDLE
    says(playing.state.prompt)
    playing.device(ModeChanged(2))
    assert playing.phase() is Phase.BETTING
    assert playing.said(AlertRaised) == []


def test_a_game_that_is_not_offered_is_refused_with_those_that_are(says: Says) -> None:
    playing = table()
    answer = playing.ask(ChangeGame(GameName.BIG_DRAW))
    assert answer.code == "game-not-offered"
    says(answer.message)
    assert playing.ask(ChangeGame(GameName.BIG_50)).code == "already-played"
    assert playing.said(GameChanged) == []


@pytest.mark.parametrize("role", [Actor.PLAYER, Actor.DEALER, Actor.TECHNICIAN])
def test_only_a_supervisor_changes_the_game(role: Actor) -> None:
    assert table().ask(TO_BIG_RAISE, role).code == "not-permitted"


def test_stakes_are_not_moved_by_a_change_of_game(says: Says) -> None:
    playing = table().staked(3, 1)
    answer = playing.ask(TO_BIG_RAISE)
    assert answer.code == "stakes-down"
    says(answer.message)
    assert playing.said(RoundVoided) == []


def test_a_round_that_uses_cards_is_not_changed() -> None:
    playing = table().staked(1)
    playing.press()
    assert playing.ask(TO_BIG_RAISE).code == "not-while-dealing"
    assert played(playing) is GameName.BIG_50


def test_close_play_out_change_open() -> None:
    """How the pit changes a game at a busy table."""
    playing = table().staked(1)
    playing.ask(CloseTable())
    playing.press()
    playing.dispense(1)
    playing.deliver(1)
    playing.press()
    playing.eject()
    playing.press(Button.NEXT)
    assert playing.phase() is Phase.IDLE
    assert playing.ask(TO_BIG_RAISE).accepted
    assert playing.phase() is Phase.IDLE
    playing.set_mode(2)
    assert playing.ask(OpenTable()).accepted
    assert playing.said(TableClosed) == [TableClosed("kim", Actor.SUPERVISOR)]
    assert playing.said(TableOpened) == [TableOpened("kim", Actor.SUPERVISOR)]
    assert playing.last(RoundOpened).game is GameName.BIG_RAISE


def test_the_public_picture_says_what_is_played_and_what_could_be() -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    picture = view.public(playing.state)
    assert picture.game is GameName.BIG_RAISE
    assert picture.games == (GameName.BIG_50, GameName.BIG_RAISE)


# --- a start ---


def test_the_same_file_again_leaves_the_game_as_it_was() -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    playing.set_mode(2)
    playing.bet(1, WagerName.ANTE)
    started_again(playing, offering(BIG_50, BIG_RAISE))
    assert played(playing) is GameName.BIG_RAISE
    assert playing.last(TableConfigured).game is GameName.BIG_RAISE
    assert playing.state.round is not None
    assert playing.state.round.staked_cents == 500


def test_a_changed_file_begins_with_its_own_first_game() -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    started_again(playing, offering(BIG_50, BIG_RAISE, seats=5))
    assert played(playing) is GameName.BIG_50
    assert playing.last(TableConfigured).game is GameName.BIG_50


def test_a_changed_file_waits_for_the_round_that_runs_and_says_what_comes() -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    playing.set_mode(2)
    playing.bet(1, WagerName.ANTE)
    playing.press()
    started_again(playing, offering(BIG_50))
    assert played(playing) is GameName.BIG_RAISE
    assert playing.last(TableConfigured).game is GameName.BIG_50
    playing.void()
    playing.put_back()
    assert played(playing) is GameName.BIG_50


def test_a_game_that_is_offered_no_more_is_left() -> None:
    playing = table()
    playing.ask(TO_BIG_RAISE)
    started_again(playing, offering(BIG_50))
    assert played(playing) is GameName.BIG_50


# --- two machines ---


def test_nothing_is_known_of_the_deck_in_the_other_machine() -> None:
    playing = table(BIG_50, ELSEWHERE)
    other(playing, LinkUp(IDENTITY, "boot-2", resumed=True))
    playing.ask(TO_BIG_RAISE)
    assert playing.deck_state() is Deck.UNKNOWN
    assert [(due.device, due.command) for due in obeyed(playing)] == [(OTHER, SetMode(2)), (OTHER, Reshuffle())]
    other(playing, ModeChanged(2))
    other(playing, ShuffleFinished(52))
    assert playing.bet(1, WagerName.ANTE).accepted
    assert playing.command_press(Button.GREEN).accepted


def test_a_machine_that_is_not_dealt_from_may_fail_and_be_opened() -> None:
    playing = table(BIG_50, ELSEWHERE).staked(1)
    playing.press()
    other(playing, LinkUp(IDENTITY, "boot-2", resumed=False))
    other(playing, FaultRaised(FaultKind.DOOR_OPEN, ""))
    assert playing.phase() is Phase.DEALING
    assert [alert.alert for alert in playing.said(AlertRaised)] == ["door-open-second"]
    assert playing.state.blocked_by == ()


def test_its_alert_blocks_the_game_that_needs_it() -> None:
    playing = table(BIG_50, ELSEWHERE)
    other(playing, LinkUp(IDENTITY, "boot-2", resumed=True))
    other(playing, LinkLost("pulled"))
    assert playing.phase() is Phase.BETTING
    playing.ask(TO_BIG_RAISE)
    assert playing.phase() is Phase.IDLE
    assert playing.state.blocked_by == ("missing-second",)
    assert playing.ask(ChangeGame(GameName.BIG_50)).accepted
    assert playing.phase() is Phase.BETTING


def test_a_table_goes_on_with_another_game_when_its_machine_fails() -> None:
    playing = table(BIG_50, ELSEWHERE)
    other(playing, LinkUp(IDENTITY, "boot-2", resumed=True))
    playing.device(LinkLost("power supply"))
    assert playing.ask(TO_BIG_RAISE).accepted
    obeyed(playing)
    other(playing, ModeChanged(2))
    assert playing.last(RoundOpened).game is GameName.BIG_RAISE


def test_a_mode_that_another_game_left_is_no_cause_to_keep_an_alert() -> None:
    playing = table(BIG_50, ELSEWHERE)
    playing.device(ModeChanged(7))
    assert playing.clear("wrong-mode-shuffler").code == "cause-stands"
    playing.ask(TO_BIG_RAISE)
    assert playing.clear("wrong-mode-shuffler").accepted


def test_cards_out_of_a_machine_that_is_not_dealt_from_are_none_of_this_round() -> None:
    playing = table(BIG_50, ELSEWHERE).staked(1)
    playing.press()
    other(playing, PacketDispensed(1, 5, None))
    assert playing.state.round is not None
    assert playing.state.round.hands == ()
    assert [anomaly.code for anomaly in playing.said(DeviceAnomaly)] == ["not-the-source"]


# --- decks ---

COUNTS = SourceSettings(SEES_ALL.device, takes_commands=True, reads_faces=False, counts=True)
COUNTS_NOTHING = replace(COUNTS, counts=False)


@pytest.mark.parametrize(("action", "fact"), [(ChangeDeck(), DeckChanged), (CountDeck(), DeckCountOrdered)])
def test_a_deck_that_is_changed_or_counted_is_shuffled_and_counted_first(
    action: ChangeDeck | CountDeck, fact: type[DeckChanged | DeckCountOrdered]
) -> None:
    playing = table(replace(BIG_50, source=COUNTS)).staked(1)
    assert playing.ask(action).accepted
    assert playing.said(fact) == [fact(COUNTS.device, "kim", Actor.SUPERVISOR)]
    assert playing.commands[-1] == Reshuffle()
    playing.press()
    assert playing.phase() is Phase.BETTING
    playing.device(ShuffleFinished(51))
    assert "short-deck-shuffler" in playing.state.blocked_by


def test_what_no_machine_counts_a_person_counts_in_the_next_round() -> None:
    playing = table(replace(BIG_50, source=COUNTS_NOTHING)).staked(1)
    playing.ask(CountDeck(), Actor.DEALER)
    playing.shuffle(None)
    playing.press()
    playing.dispense(1)
    playing.deliver(1)
    playing.press()
    playing.eject()
    assert playing.said(StubCountAsked)
    playing.stub(47)
    assert playing.last(DeckAccounted).proof is DeckProof.STUB_COUNTED


def test_only_a_supervisor_brings_new_cards() -> None:
    assert table().ask(ChangeDeck(), Actor.DEALER).code == "not-permitted"


@pytest.mark.parametrize("action", [ChangeDeck(), CountDeck(), OrderReshuffle()])
def test_no_deck_is_touched_that_a_round_uses(action: ChangeDeck | CountDeck | OrderReshuffle) -> None:
    playing = table().staked(1)
    playing.press()
    assert playing.ask(action).code == "not-while-dealing"
    assert playing.deck_state() is Deck.IN_USE


def test_who_ordered_a_reshuffle_is_on_record() -> None:
    playing = table()
    playing.ask(OrderReshuffle(), Actor.DEALER)
    assert playing.said(ReshuffleOrdered) == [ReshuffleOrdered(SEES_ALL.device, "kim", Actor.DEALER)]


def test_a_configuration_that_waits_for_the_rounds_end_is_not_lost_by_a_change_of_game() -> None:
    """A round that a shoe stopped while bets were taken can go back to them with a new configuration waiting."""
    shoe = OfferedGame(GameName.BLACKJACK, READING_SHOE, NO_BURN)
    more: dict[str, object] = {"seats": 3, "supervised": (Irregularity.CARD_OUT_OF_TURN,)}
    playing = Table(offering(shoe, BIG_50, **more))
    other_style = next(style for style in PayingStyle if style is not playing.state.settings.paying)
    playing.link_up()
    playing.ask(LoadShoe(NO_BURN.decks), Actor.DEALER)
    playing.device(CardDrawn(DECK[0], Confidence.CHECKED))
    started_again(playing, offering(shoe, BIG_50, **more, paying=other_style))
    playing.link_up()
    playing.rule(Ruling.CONTINUE)
    assert playing.phase() is Phase.BETTING
    assert playing.ask(ChangeGame(GameName.BIG_50)).accepted, playing.answer
    assert played(playing) is GameName.BIG_50
    assert playing.state.settings.paying is other_style
