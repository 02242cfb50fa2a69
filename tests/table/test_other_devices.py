"""A start on a file with other devices: what was known of those before neither stays permanently nor vanishes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.wagers import GameName, WagerName
from daemon.table import view
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.carry_over import carry_over, restored
from daemon.table.facts import DeviceAnomaly
from daemon.table.inputs import Configured, LoadShoe
from daemon.table.settings import OfferedGame, TableSettings
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Actor, SourceKind
from drivers.events import (
    Button,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    FaultCleared,
    FaultKind,
    FaultRaised,
    LinkLost,
    LinkUp,
    ModeChanged,
    PacketDispensed,
    PacketRemoved,
    RemainderEjected,
    ShuffleFinished,
)
from tests.table.big_draw_playing import A_SHOE, NOTHING, TWO_PAIR, BigDrawTable, big_draw_settings
from tests.table.playing import IDENTITY, SEES_ALL, Table
from tests.table.test_changing_over import BIG_50, OTHER, obeyed, offering, other, started_again, table

PAD = DeviceName("pad")


def public_shoe(playing: Table) -> object:
    """What is shown of the shoe."""
    return view.public(playing.state).shoe


def as_kind(kind: SourceKind) -> OfferedGame:
    """Big Draw, dealt from a machine of this kind that has the name of the others."""
    is_shoe = kind is SourceKind.SHOE
    source = replace(SEES_ALL, kind=kind, takes_commands=not is_shoe, counts=not is_shoe)
    return OfferedGame(GameName.BIG_DRAW, source, BigDrawAtTable())


def test_a_shoe_that_gives_its_name_to_a_shuffler_leaves_no_ledger_behind() -> None:
    """The rounds out of the shuffler were proven by the shoe's ledger, and void."""
    shoe, shuffler = as_kind(SourceKind.SHOE), as_kind(SourceKind.SHUFFLER)
    playing = Table(offering(shoe, seats=5))
    playing.link_up()
    assert playing.ask(LoadShoe(1), Actor.DEALER).accepted
    assert public_shoe(playing) is not None
    started_again(playing, offering(shuffler, seats=5))
    assert public_shoe(playing) is None
    assert (playing.deck_state(), playing.state.reshuffle_owed) == (Deck.UNKNOWN, True)


def test_a_shuffler_that_gives_its_name_to_a_shoe_leaves_no_deck_behind() -> None:
    playing = Table(offering(as_kind(SourceKind.SHUFFLER), seats=5)).ready()
    assert playing.deck_state() is Deck.READY
    started_again(playing, offering(as_kind(SourceKind.SHOE), seats=5))
    assert (playing.deck_state(), playing.state.reshuffle_owed) == (Deck.UNKNOWN, False)
    playing.link_up(resumed=False)
    started_again(playing, offering(as_kind(SourceKind.SHUFFLER), seats=5))
    assert (playing.deck_state(), playing.state.reshuffle_owed) == (Deck.UNKNOWN, True)


def test_a_shuffler_that_gives_its_name_to_a_shoe_leaves_no_wrong_packets_behind() -> None:
    """A shoe never says that its packets are right, so the alert could not be cleared."""
    playing = Table(offering(as_kind(SourceKind.SHUFFLER), seats=5)).ready()
    playing.device(ModeChanged(7))
    started_again(playing, offering(as_kind(SourceKind.SHOE), seats=5))
    playing.link_up(resumed=False)
    assert playing.clear("wrong-mode-shuffler").accepted
    playing.device(ModeChanged(6))
    assert not playing.state.alerts


@pytest.mark.parametrize("event", [PacketDispensed(2, 5, None), PacketRemoved(1), RemainderEjected(42, None)])
def test_a_shuffler_that_gets_the_name_of_the_shoe_in_mid_round_moves_nothing_of_the_round(event: DeviceEvent) -> None:
    """Its packet was taken for a hand out of the shoe. The next card ended the daemon, again at each start."""
    table = BigDrawTable(TWO_PAIR, NOTHING, source=A_SHOE).loaded().bets(1, 2)
    table.press()
    table.cards(4)
    started_again(table, big_draw_settings())
    table.link_up()
    before = table.state.round
    table.device(event)
    assert table.state.round == before
    assert table.last(DeviceAnomaly).code == "not-the-source"
    table.void()
    table.put_back()
    table.link_up(resumed=False)
    table.set_mode()
    table.shuffle()
    assert table.chosen().bet(1, WagerName.BIG_DRAW).accepted


def configured(playing: Table, with_settings: TableSettings, *names: DeviceName) -> None:
    """A start on a file with these devices."""
    at, day, journal = playing.state.at, playing.state.day, playing.state.journal
    playing.take(Configured(at, day, journal, "rules-1", with_settings, names))


def lost_all(*names: DeviceName) -> Table:
    """Each of them was here, has a fault, and is gone."""
    playing = table(BIG_50)
    for name in names:
        for event in (LinkUp(IDENTITY, "b", resumed=True), FaultRaised(FaultKind.JAM, ""), LinkLost("pulled")):
            playing.take(DeviceReport(name, playing.state.at, event, None))
    return playing


def stands(playing: Table) -> set[str]:
    return {alert.alert for alert in playing.state.alerts}


def test_a_machine_that_is_exchanged_for_one_of_another_name_leaves_alerts_that_can_be_cleared() -> None:
    """Its alert named a cause that could not end, and no round opened on the new machine."""
    playing = lost_all(SEES_ALL.device, PAD)
    configured(playing, offering(replace(BIG_50, source=replace(SEES_ALL, device=OTHER))), OTHER)
    other(playing, LinkUp(IDENTITY, "boot-2", resumed=False))
    obeyed(playing)
    other(playing, ModeChanged(5))
    other(playing, ShuffleFinished(52))
    assert [device.device for device in view.public(playing.state).devices] == [OTHER]
    assert stands(playing) == {"missing-shuffler", "jam-shuffler", "missing-pad", "jam-pad"}
    assert playing.state.blocked_by == ("jam-shuffler", "missing-shuffler")
    for alert in stands(playing):
        assert playing.clear(alert).accepted, alert
    assert playing.bet(1).accepted
    assert playing.command_press(Button.GREEN).accepted


def test_a_device_that_the_file_still_names_keeps_its_alert_and_one_that_is_back_in_it_is_known() -> None:
    playing = lost_all(PAD)
    for names, code in (((SEES_ALL.device, PAD), "cause-stands"), ((SEES_ALL.device,), "accepted")):
        configured(playing, offering(BIG_50), *names)
        assert playing.clear("missing-pad").code == code
    configured(playing, offering(BIG_50), SEES_ALL.device, PAD)
    assert playing.clear("jam-pad").code == "cause-stands"
    playing.take(DeviceReport(PAD, playing.state.at, FaultCleared(FaultKind.JAM), None))
    assert playing.clear("jam-pad").accepted


def test_a_machine_that_no_game_is_dealt_from_any_longer_keeps_no_round_from_opening() -> None:
    playing = lost_all(SEES_ALL.device)
    source = replace(SEES_ALL, device=OTHER)
    configured(playing, offering(replace(BIG_50, source=source)), SEES_ALL.device, OTHER)
    other(playing, LinkUp(IDENTITY, "boot-2", resumed=True))
    obeyed(playing)
    other(playing, ModeChanged(5))
    assert playing.clear("missing-shuffler").accepted
    assert playing.clear("jam-shuffler").accepted
    assert playing.phase() is Phase.BETTING


def test_what_the_file_names_is_known_after_a_start_from_what_a_round_left() -> None:
    playing = lost_all(PAD)
    happened = Configured(playing.state.at, playing.state.day, playing.state.journal, "rules-1", offering(BIG_50), ())
    playing.take(happened)
    carried = carry_over(playing.state)
    assert carried is not None
    assert restored(carried, happened, playing.state.at) == playing.state
