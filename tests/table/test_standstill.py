"""Alerts that latch, and rounds that stand still until a supervisor rules."""

from __future__ import annotations

import pytest

from daemon.rules.wagers import WagerName
from daemon.table.facts import AlertRaised, DeviceAnomaly, DeviceFaulted
from daemon.table.inputs import Bet, OrderReshuffle, Rule, VoidRound
from daemon.table.round_facts import (
    DeckAccounted,
    HandSettled,
    RoundHeld,
    RoundInterrupted,
    RoundSettled,
    RoundVoided,
)
from daemon.table.settings import Reconciling, SourceSettings
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Actor, DeckProof, Irregularity, RoundId, Ruling, SeatNumber
from drivers.commands import Dispense, Reshuffle, SetMode
from drivers.events import (
    Button,
    CameBack,
    CommandAnswered,
    EventsLost,
    FaultCleared,
    FaultKind,
    FaultRaised,
    LinkLost,
    ModeChanged,
    PacketDispensed,
    RemainderEjected,
    Restarted,
    SetupFailed,
    ShuffleStarted,
    WentStale,
)
from protocols.cards import Face, parse_cards
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table, settings

OBSERVED = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=True)
HAND = parse_cards("Ah Kh Qh Jh Th")


def test_a_latched_fault_keeps_the_next_round_from_opening_until_cleared_by_name() -> None:
    table = Table().reconciling(1)
    table.device(FaultRaised(FaultKind.JAM, "exit roller"))
    table.press(Button.NEXT)
    assert table.said(RoundSettled)
    assert table.phase() is Phase.IDLE
    assert table.clear("jam-shuffler").code == "cause-stands"
    table.device(FaultCleared(FaultKind.JAM))
    assert table.phase() is Phase.IDLE
    assert table.clear("jam-shuffler", Actor.DEALER).code == "not-permitted"
    assert table.clear("jam-shuffler").accepted
    assert table.phase() is Phase.BETTING


def test_a_fault_between_rounds_has_the_deck_shuffled_again() -> None:
    table = Table().ready().staked(1)
    table.device(FaultRaised(FaultKind.OTHER, "unproven-deck: the door was opened while cards were in"))
    assert table.deck_state() is Deck.UNKNOWN
    assert table.commands[-1] == Reshuffle()


def test_a_fault_in_mid_deal_holds_the_round(says: Says) -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.device(FaultRaised(FaultKind.JAM, "exit roller"))
    assert table.phase() is Phase.HELD
    says(table.last(RoundHeld).reason)


def test_a_reshuffle_that_a_moving_machine_refused_is_ordered_again_when_it_rests() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.answer_orders()
    table.void()
    assert table.commands[-1] == Reshuffle()
    table.device(CommandAnswered(table.state.outstanding[-1].id, "busy"))
    assert table.state.reshuffle_owed
    assert [alert.alert for alert in table.state.alerts] == ["void-t7-1"]
    before = len(table.commands)
    table.device(PacketDispensed(1, 5, tuple(table.draw(5))))
    assert table.commands[before:] == [Reshuffle()]
    table.answer_orders()
    assert not table.state.reshuffle_owed


def test_a_deck_that_was_never_ejected_is_ordered_out_when_its_round_ends() -> None:
    table = Table().dealt(1)
    table.device(Restarted("boot-2"))
    table.link_up(resumed=False)
    table.rule(Ruling.CONTINUE)
    table.press(Button.NEXT)
    assert table.said(RoundSettled)
    assert table.commands[-1] == Reshuffle()


@pytest.mark.parametrize(("count", "alert"), [(51, "short-deck-shuffler"), (53, "long-deck-shuffler")])
def test_a_deck_of_another_size_latches_and_only_a_whole_one_lets_it_be_cleared(count: int, alert: str) -> None:
    table = Table()
    table.link_up()
    table.set_mode()
    table.shuffle(count)
    table.bet(1)
    table.press()
    assert table.phase() is Phase.BETTING
    assert table.clear(alert).code == "cause-stands"
    table.shuffle(52)
    assert table.clear(alert).accepted
    table.press()
    assert table.phase() is Phase.DEALING


def test_the_wrong_mode_latches_and_the_shuffler_is_told_the_right_one() -> None:
    table = Table().ready()
    table.device(ModeChanged(7))
    assert table.commands[-1] == SetMode(5)
    assert table.clear("wrong-mode-shuffler").code == "cause-stands"
    table.device(ModeChanged(5))
    assert table.clear("wrong-mode-shuffler").accepted


@pytest.mark.parametrize("fault", FaultKind)
def test_a_fault_whose_end_may_be_lost_keeps_nobody_from_clearing_its_alert(fault: FaultKind) -> None:
    """A light that went out while nobody looked never goes out again, and the alert could not be cleared."""
    table = Table().ready()
    table.device(FaultRaised(fault, "x"))
    table.device(LinkLost("x"))
    table.link_up(resumed=True)
    assert table.clear(f"{fault.value}-shuffler").code == "cause-stands"
    table.device(LinkLost("x"))
    table.link_up(resumed=False)
    assert f"{fault.value}-shuffler" in table.state.blocked_by
    table.device(FaultRaised(fault, "it still stands"))
    assert table.clear(f"{fault.value}-shuffler").code == "cause-stands"
    table.link_up(resumed=False)
    assert table.clear(f"{fault.value}-shuffler", Actor.DEALER).code == "not-permitted"
    assert table.clear(f"{fault.value}-shuffler").accepted


def test_a_missing_device_latches_and_a_dealer_may_clear_it_once_it_is_back() -> None:
    table = Table().ready().staked(1)
    table.device(LinkLost("unplugged"))
    assert table.clear("missing-shuffler", Actor.DEALER).code == "cause-stands"
    table.link_up(resumed=True)
    assert table.clear("missing-shuffler", Actor.DEALER).accepted
    table.press()
    assert table.phase() is Phase.DEALING


def test_a_device_that_is_set_up_wrongly_says_what_to_do_and_blocks_nothing_by_itself() -> None:
    table = Table()
    table.device(SetupFailed("port-busy", "another program has the port", "end it"))
    alert = table.last(AlertRaised)
    assert (alert.alert, alert.blocks_play, alert.remedy) == ("setup-shuffler", False, "end it")
    table.link_up()
    assert table.clear("setup-shuffler").accepted


def test_the_alert_of_a_device_that_is_set_up_wrongly_follows_its_cause() -> None:
    table = Table()
    for code in ("no-such-port", "permission-denied", "permission-denied"):
        table.device(SetupFailed(code, f"problem {code}", f"remedy for {code}"))
    assert [alert.remedy for alert in table.said(AlertRaised)] == [
        "remedy for no-such-port",
        "remedy for permission-denied",
    ]
    (standing,) = table.state.alerts
    assert standing.remedy == "remedy for permission-denied"


def test_a_silent_device_is_a_missing_one_until_it_speaks(says: Says) -> None:
    table = Table().ready()
    table.device(WentStale(5_000_000_000))
    says(table.last(AlertRaised).message)
    table.device(CameBack())
    assert table.clear("missing-shuffler").accepted


def test_clearing_what_does_not_stand_says_what_does() -> None:
    table = Table().ready()
    table.device(FaultRaised(FaultKind.DOOR_OPEN, ""))
    answer = table.clear("jam-shuffler")
    assert (answer.code, "door-open-shuffler" in answer.message) == ("no-such-alert", True)
    assert table.last(DeviceFaulted).fault is FaultKind.DOOR_OPEN


LOST = [Restarted("boot-2"), EventsLost(3, "its store was wiped")]


@pytest.mark.parametrize("event", LOST)
@pytest.mark.parametrize("stage", ["dealing", "dealt", "collecting"])
def test_lost_evidence_interrupts_a_deal(event: Restarted | EventsLost, stage: str) -> None:
    table = Table().ready().staked(1, 2) if stage == "dealing" else Table().dealt(1, 2)
    if stage != "dealt":
        table.press()
    table.device(event)
    assert table.phase() is Phase.INTERRUPTED
    assert table.last(RoundInterrupted).device == SHUFFLER


def test_a_link_that_proves_that_nothing_was_lost_interrupts_nothing() -> None:
    table = Table().ready().staked(1)
    table.press()
    table.device(LinkLost("unplugged"))
    table.link_up(resumed=True)
    assert table.phase() is Phase.DEALING


def test_a_link_that_cannot_prove_it_does() -> None:
    table = Table().ready().staked(1)
    table.press()
    table.device(LinkLost("unplugged"))
    table.link_up(resumed=False)
    assert table.phase() is Phase.INTERRUPTED


def test_lost_evidence_after_all_cards_are_out_changes_nothing() -> None:
    table = Table().reconciling(1)
    table.device(Restarted("boot-2"))
    assert table.phase() is Phase.RECONCILING


def test_lost_evidence_between_rounds_has_the_deck_shuffled_again() -> None:
    table = Table().ready()
    table.device(Restarted("boot-2"))
    assert table.deck_state() is Deck.UNKNOWN
    assert table.commands[-1] == Reshuffle()


def test_an_interrupted_round_goes_on_when_a_supervisor_vouches_for_every_hand() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.device(Restarted("boot-2"))
    assert table.rule(Ruling.CONTINUE).code == "hands-missing"
    assert table.enter(2, HAND).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert (table.last(DeckAccounted).proof, table.last(DeckAccounted).who) == (DeckProof.CONFIRMED, "kim")
    assert table.phase() is Phase.RECONCILING


def test_or_is_voided_with_every_stake_back() -> None:
    table = Table().dealt(1, 2)
    table.device(Restarted("boot-2"))
    assert table.rule(Ruling.VOID).accepted
    assert table.last(RoundVoided).returned_cents == 1000


def test_a_shuffle_in_mid_deal_interrupts() -> None:
    table = Table().dealt(1)
    table.device(ShuffleStarted())
    assert table.phase() is Phase.INTERRUPTED


def test_only_a_supervisor_rules() -> None:
    table = Table().dealt(1)
    table.press(Button.VOID)
    answer = table.ask(Rule(Ruling.VOID, "no", None), Actor.DEALER, round_id=table.running())
    assert (answer.code, table.phase()) == ("not-permitted", Phase.HELD)


def test_a_dealers_void_request_holds_the_round_and_it_goes_on_where_it_stood() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.press(Button.VOID)
    table.deliver(1)  # the machine knows nothing of the hold
    assert table.phase() is Phase.HELD
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.DEALING
    assert table.commands[-1] == Dispense(2)


def test_the_rest_of_a_deck_comes_out_once_and_what_follows_does_not_take_its_place() -> None:
    table = Table().dealt(1, 2)
    table.press()
    table.press(Button.VOID)
    table.eject()
    first = table.state.round and table.state.round.remainder
    (anomaly,) = table.eject(count=3, faces=list(parse_cards("Ah Ad Ac")))
    assert isinstance(anomaly, DeviceAnomaly)
    assert anomaly.code == "remainder-again"
    assert table.state.round is not None
    assert table.state.round.remainder == first
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.RECONCILING


def test_a_hold_while_reconciling_goes_on_at_the_same_seat() -> None:
    table = Table().reconciling(1, 2)
    table.press(Button.VOID)
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.RECONCILING
    table.press(Button.NEXT)
    table.press(Button.NEXT)
    assert len(table.said(HandSettled)) == 2
    assert len(table.said(RoundSettled)) == 1


def test_an_order_that_the_shuffler_refuses_holds_the_round_and_is_given_again(says: Says) -> None:
    table = Table().ready().staked(1)
    table.press()
    table.device(CommandAnswered(table.state.outstanding[-1].id, "jammed"))
    assert table.phase() is Phase.HELD
    says(table.last(AlertRaised).message)
    table.rule(Ruling.CONTINUE)
    assert table.commands[-1] == Dispense(1)


def test_a_round_in_reconciling_can_still_be_voided_by_a_supervisor(says: Says) -> None:
    table = Table().reconciling(1, 2)
    assert table.void().accepted
    says(table.last(RoundVoided).reason)
    assert not table.said(RoundSettled)


def test_a_reshuffle_in_mid_round_is_refused() -> None:
    table = Table().dealt(1)
    assert table.ask(OrderReshuffle(), Actor.DEALER).code == "not-while-dealt"


def test_a_ruling_for_another_round_does_not_fall_on_this_one() -> None:
    table = Table().dealt(1)
    late = VoidRound("too slow")
    assert table.ask(late, round_id=RoundId("t7-0")).code == "other-round"
    assert table.ask(late).code == "round-missing"
    assert table.phase() is Phase.DEALT


def test_a_bet_for_a_round_that_is_over_is_not_taken_for_the_next() -> None:
    table = Table(settings(reconciling=Reconciling.THROUGH)).reconciling(1)
    bet = Bet(SeatNumber(1), WagerName.RANGE, 500)
    assert table.ask(bet, Actor.PLAYER, round_id=RoundId("t7-1")).code == "other-round"
    assert table.ask(bet, Actor.PLAYER, round_id=RoundId("t7-2")).accepted


def test_an_expired_request_is_not_done() -> None:
    table = Table().ready()
    answer = table.ask(OrderReshuffle(), Actor.DEALER, expires_utc_ns=0)
    assert (answer.code, table.state.deck) == ("expired", Deck.READY)


def test_the_shuffler_that_is_only_watched_deals_and_ejects_by_itself() -> None:
    table = Table(settings(source=OBSERVED)).ready().staked(1, 3)
    table.press()
    for position in (1, 2):
        table.device(PacketDispensed(position, 5, tuple(table.draw(5))))
        table.deliver(position)
    rest: tuple[Face, ...] = tuple(table.draw(52))
    table.device(RemainderEjected(len(rest), rest))
    assert table.phase() is Phase.RECONCILING
    assert table.commands == []


def test_a_packet_that_came_short_while_interrupted_voids_when_the_round_goes_on() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.device(Restarted("boot-2"))
    assert table.phase() is Phase.INTERRUPTED
    table.dispense(2, [], count=4)
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT
