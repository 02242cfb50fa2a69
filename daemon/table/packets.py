"""Hands out of the shuffler: a packet for every seat with a stake, from the dealer's left, then the rest of the deck.

A driven shuffler is told one packet at a time (`orders`), the next when the dealer has taken the last one from the
tray. One that is only watched gives them by itself, and each is checked in the same way. `continue_round` looks only at
what the round holds, so it is also how a round goes on after it stood still.
"""

from __future__ import annotations

from typing import assert_never

from daemon.frozen import replace
from daemon.table import alerts, by_hand, orders, proof
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import DeviceAnomaly
from daemon.table.findings import found, stop_if_found
from daemon.table.round_facts import HandDealt, HandDelivered, RemainderCollected
from daemon.table.said import Clause, Said, SaidId, of_device
from daemon.table.state import Deck, Finding, Hand, Phase, Remainder, TableState
from daemon.table.vocabulary import Evidence, Irregularity, SourceKind
from drivers.events import DeviceReport, PacketDispensed, PacketRemoved, RemainderEjected


def not_ready(state: TableState) -> Refusal | None:
    """Return why no packet can be dealt and what to do, or None."""
    device = state.settings.source.device
    match state.deck:
        case Deck.READY:
            return None
        case Deck.SHUFFLING:
            said = of_device(SaidId.SHUFFLING, device)
        case Deck.IN_USE:
            said = Clause(SaidId.DECK_IN_USE)
        case Deck.UNKNOWN if state.reshuffle_owed and not state.device(device).has_refused:
            said = of_device(SaidId.SHUFFLE_ORDERED, device)
        case Deck.UNKNOWN:
            said = of_device(SaidId.NO_SHUFFLED_DECK, device)
        case _:
            assert_never(state.deck)
    return Refusal("deck-not-ready", said)


def begin(draft: Draft) -> None:
    """Make the deck this round's, when no more bets are taken."""
    draft.state = replace(draft.state, deck=Deck.IN_USE, phase=Phase.DEALING)
    continue_round(draft)


def continue_round(draft: Draft) -> None:
    """Do whatever the round needs next."""
    waiting = draft.round.undelivered
    if waiting is not None:
        draft.move_to(Phase.DEALING)
        card_by_card = draft.state.settings.source.kind is SourceKind.SHOE or draft.round.accounted
        if card_by_card:  # once a shuffler's deck is accounted for, more can only come out of a shoe
            draft.play.ask_card(draft)
        else:
            _prompt_for_packet(draft, waiting)
    elif draft.round.accounted:
        draft.play.resume(draft)
    else:
        draft.play.after_deal(draft)


def all_dealt(draft: Draft) -> None:
    """Have the rest of the deck out after the last hand. Then dealt and remaining cards are added up.

    What a shoe holds stays there, so what is left of it can only be counted by a person.
    """
    stays_inside = draft.round.remainder is None and not draft.round.rest_waived
    if stays_inside and draft.state.settings.source.kind is SourceKind.SHUFFLER:
        draft.move_to(Phase.DEALT)
        draft.prompt(Said(SaidId.COLLECT_REST))
    else:
        proof.account(draft)


def _prompt_for_packet(draft: Draft, position: int) -> None:
    """Tell the dealer which packet is next, or act on one that can no longer come.

    Nothing is ordered here: `orders.due` sees in the state that the packet is missing.
    """
    if by_hand.is_dealt_by_hand(draft.state):
        by_hand.prompt(draft)
        return
    planned = draft.round.plan[position - 1]
    seat, drawn = planned.seat, planned.drawn
    if draft.round.hand_at(position) is not None:
        draft.prompt(Said(SaidId.TAKE_DRAW if drawn else SaidId.TAKE_HAND, seat), seat=seat)
        return
    if draft.round.remainder is not None:
        stop_if_found(draft, (found(Irregularity.MISSING_HAND, seat, Clause(SaidId.REST_CAME_FIRST, seat, drawn)),))
        return
    shuffler, wrong_packets = draft.state.settings.source, orders.wrong_packets(draft)
    if wrong_packets is not None and not shuffler.takes_commands:
        draft.prompt(Said(SaidId.BEFORE_DEALING, seat, drawn, because=(wrong_packets,)), seat=seat)
    else:
        draft.prompt(Said(SaidId.DEALING, seat, drawn), seat=seat)


def dispensed(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record the plan's next packet and check its count at once. Its faces are checked when all cards are known."""
    if draft.round.accounted:
        return stray(draft, report)  # the deck was proven without it, and further cards come out of a shoe
    packet = _packet(report)
    findings = _out_of_turn(draft, packet)
    if not findings and draft.round.hand_at(packet.position) is None:  # else it was noted while the round stood still
        findings = proof.wrong_count(draft, _record_hand(draft, packet))
    if not stop_if_found(draft, findings):  # a wrong count voids; one out of turn voids or is held, as the house says
        continue_round(draft)  # now the dealer is told to take the hand to its seat
    return None


def dispensed_while_standing(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record the packet. The machine does not know that the round stands still.

    `proof.account` checks its count once everything is out.
    """
    if draft.round.accounted:
        return stray(draft, report)
    packet = _packet(report)
    hand = draft.round.hand_at(packet.position)
    if hand is not None:
        _hold_against(draft, packet, hand)
    elif 1 <= packet.position <= len(draft.round.plan):
        _record_hand(draft, packet)
    return None


def _hold_against(draft: Draft, packet: PacketDispensed, hand: Hand) -> None:
    """Keep what the machine says of a hand that was entered before its packet was told of.

    The ruling compares the two: nobody takes the place of a device by being quicker.
    """
    if hand.evidence is Evidence.SEEN_BY_DEVICE or hand.was_counted or hand.read:
        return
    told = Hand(hand.seat, hand.position, packet.count, packet.faces, drawn=hand.drawn)
    count = hand.count if told.cards_counted is None else told.cards_counted
    kept = replace(hand, count=count, read=packet.faces or (), was_counted=told.is_counted)
    draft.round = replace(draft.round, hands=draft.round.with_hand(kept))
    draft.say(HandDealt(hand.seat, hand.position, told.cards_counted, hand.drawn))


def _packet(report: DeviceReport) -> PacketDispensed:
    assert isinstance(report.event, PacketDispensed)
    return report.event


def _out_of_turn(draft: Draft, packet: PacketDispensed) -> tuple[Finding, ...]:
    """Return nothing if the packet is the next of the plan, or what is wrong with it."""
    plan, number, expected = draft.round.plan, packet.position, len(draft.round.hands) + 1
    if number == expected <= len(plan):
        return ()
    if number > len(plan):
        said = Clause(SaidId.PACKET_FOR_NOBODY, count=number, wanted=len(plan))
        wrong = found(Irregularity.HAND_WITHOUT_STAKE, None, said)
    elif number > expected:
        said = Clause(SaidId.PACKET_SKIPPED, count=number, wanted=expected)
        wrong = found(Irregularity.MISSING_HAND, plan[expected - 1].seat, said)
    else:
        said = Clause(SaidId.PACKET_AGAIN, count=number)
        wrong = found(Irregularity.UNEXPECTED_CARDS, plan[number - 1].seat, said)
    before = sum(known.message.startswith(wrong.message) for known in draft.round.findings)
    if before:  # a packet was wrong like this before: nobody has ruled on this one, so it is a finding of its own
        wrong = found(wrong.irregularity, wrong.seat, replace(said, times=before + 1))
    return (wrong,)


def _record_hand(draft: Draft, packet: PacketDispensed) -> Hand:
    """Record the packet as the hand that the plan has at its number."""
    planned = draft.round.plan[packet.position - 1]
    hand = Hand(planned.seat, packet.position, packet.count, packet.faces, drawn=planned.drawn)
    draft.round = replace(draft.round, hands=(*draft.round.hands, hand))
    draft.say(HandDealt(hand.seat, hand.position, hand.cards_counted, hand.drawn))
    return hand


def removed(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record that the dealer took a hand to its seat."""
    _deliver(draft, report)
    continue_round(draft)
    return None


def removed_while_standing(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record that the dealer took a hand while the round stands still."""
    _deliver(draft, report)
    return None


def _deliver(draft: Draft, report: DeviceReport) -> None:
    packet = report.event
    assert isinstance(packet, PacketRemoved)
    hand = draft.round.hand_at(packet.position)
    # Of a deck that is accounted for every packet is at its seat; what is not yet whole there comes out of a shoe.
    if hand is not None and not hand.delivered and not draft.round.accounted:
        draft.round = replace(draft.round, hands=draft.round.with_hand(replace(hand, delivered=True)))
        draft.say(HandDelivered(hand.seat, hand.drawn))


def collect(draft: Draft, _: object) -> Refusal | None:
    """Have the rest of the deck out: green was pressed after the deal."""
    draft.round = replace(draft.round, ordered=None)
    draft.move_to(Phase.COLLECTING)
    draft.prompt(Said(SaidId.REST_COMES_OUT))
    return None


def remainder_out(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record the rest of the deck, and add up dealt and remaining cards."""
    _keep_remainder(draft, report)
    continue_round(draft)
    return None


def remainder_while_standing(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record the rest of the deck while the round stands still."""
    _keep_remainder(draft, report)
    return None


def _keep_remainder(draft: Draft, report: DeviceReport) -> None:
    """Keep the first remainder of this deck. Put a second one on record as an anomaly."""
    event = report.event
    assert isinstance(event, RemainderEjected)
    if draft.round.remainder is not None:
        draft.say(
            DeviceAnomaly(report.device, "remainder-again", "the rest of the deck came out twice; the first counts")
        )
        return
    remainder = Remainder(event.count, event.faces)
    draft.round = replace(draft.round, remainder=remainder)
    draft.say(RemainderCollected(remainder.cards_counted))


def stray(draft: Draft, _: object) -> Refusal | None:
    """Record cards that belong to no round: what a voided one left behind, or a deck whose order is now known."""
    if draft.state.deck is Deck.READY:
        draft.state = replace(draft.state, deck=Deck.UNKNOWN)
        draft.raise_alert(alerts.unexpected_cards(draft.state.settings.source.device))
    return None
