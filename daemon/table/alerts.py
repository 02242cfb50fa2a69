"""What somebody must see to, by name; which alerts keep rounds from opening; and when one may be cleared.

An alert that blocks play latches: it stands, over restarts too, until it is cleared by name, and that is refused
while what caused it is still so.
"""

from __future__ import annotations

from typing import Final

from daemon.rules.money import dollars
from daemon.table.facts import AlertRaised
from daemon.table.round_facts import SettledWager
from daemon.table.said import Clause, SaidId, of_device
from daemon.table.state import DeviceState, Phase, Presence, SaidResult, TableState
from daemon.table.vocabulary import Actor, AlertName, SeatNumber
from drivers.events import DeviceName, FaultKind

DECK_CARDS: Final = 52
_ANYONE_AT_THE_TABLE: Final = (Actor.DEALER, Actor.SUPERVISOR, Actor.TECHNICIAN)
_SUPERVISING: Final = (Actor.SUPERVISOR, Actor.TECHNICIAN)

_FAULT_REMEDIES: Final = {
    FaultKind.JAM: "free the cards as the shuffler's display says",
    FaultKind.DOOR_OPEN: "close the shuffler's door",
    FaultKind.SHORT_DECK: "find the missing cards, load a whole deck and let it shuffle",
    FaultKind.LONG_DECK: "take out the cards that do not belong, load the deck and let it shuffle",
    FaultKind.SORTED_DECK: "wash the deck by hand, load it again and let it shuffle",
    FaultKind.STORE_FULL: "look at the link: the shuffler has waited too long for acknowledgements",
    FaultKind.READER: "clean the card reader",
    FaultKind.MOTOR: "switch the shuffler off and on; call a technician if it comes back",
    FaultKind.OTHER: "look at the shuffler's display",
}


def missing(device: DeviceName, reason: str, *, blocks_play: bool) -> AlertRaised:
    """Return the alert for a disconnected device. A pad never blocks play: each key also exists as a command."""
    message = f"{device} is missing: {reason}"
    remedy = "check its power and cable. feltd reconnects by itself. Then clear this alert"
    return AlertRaised(missing_name(device), blocks_play, message, remedy, _ANYONE_AT_THE_TABLE, device)


def setup(device: DeviceName, problem: str, remedy: str) -> AlertRaised:
    """Return the alert for a device that is set up wrongly. It blocks nothing: without the device no round opens."""
    return AlertRaised(setup_name(device), False, f"{device}: {problem}", remedy, _SUPERVISING, device)


def fault(device: DeviceName, kind: FaultKind, detail: str, *, blocks_play: bool = True) -> AlertRaised:
    """Return the alert for a device that reports that it cannot go on."""
    message = f"{device} reports {kind.value}: {detail}" if detail else f"{device} reports {kind.value}"
    return AlertRaised(fault_name(device, kind), blocks_play, message, _FAULT_REMEDIES[kind], _SUPERVISING, device)


def wrong_mode(device: DeviceName, cards_a_packet: int, wanted: int) -> AlertRaised:
    """Return the alert for a shuffler whose packets are not this game's."""
    message = f"{device} is set to packets of {cards_a_packet}; this game deals {wanted}"
    remedy = f"set the shuffler to packets of {wanted}, then clear this alert"
    return AlertRaised(mode_name(device), True, message, remedy, _SUPERVISING, device)


def wrong_deck(device: DeviceName, count: int) -> AlertRaised:
    """Return the alert for a shuffle that counted another number of cards than a deck has."""
    kind = FaultKind.SHORT_DECK if count < DECK_CARDS else FaultKind.LONG_DECK
    return fault(device, kind, f"{count} cards after the shuffle, not {DECK_CARDS}")


def unexpected_cards(device: DeviceName) -> AlertRaised:
    """Return the alert for cards that came out unasked: the shuffled order is no longer secret."""
    name = AlertName(f"unexpected-cards-{device}")
    message = f"{device} gave out cards with no round to deal them to"
    remedy = "put all cards back and shuffle, then clear this alert"
    return AlertRaised(name, True, message, remedy, _SUPERVISING, device)


def wrong_load(device: DeviceName, count: int, wanted: int) -> AlertRaised:
    """Return the alert for a shoe that counted another number of cards than its decks have."""
    name = AlertName(f"wrong-load-{device}")
    message = f"{device} holds {count} cards after the shuffle, not {wanted}"
    return AlertRaised(name, True, message, "put whole decks in and let it shuffle", _SUPERVISING, device)


def shoe_irregular(device: DeviceName, irregularity: str, finding: str) -> AlertRaised:
    """Return the alert for a card that was wrong while no round was there to void or to hold."""
    name = AlertName(f"{irregularity}-{device}")
    remedy = (
        "look at the shoe and the discards; burn a card that came by mistake, change the shoe if in doubt, then clear"
    )
    return AlertRaised(name, True, f"{device}: {finding}", remedy, _SUPERVISING, device)


def unwatched(device: DeviceName) -> AlertRaised:
    """Return the alert for a shoe that nobody watched: cards can have left it, the cut card among them."""
    name = AlertName(f"unwatched-{device}")
    message = f"{device} cannot prove that no card left it while it was away"
    remedy = "see that no card is out and where the cut card is; change the shoe if in doubt, then clear this alert"
    return AlertRaised(name, True, message, remedy, _ANYONE_AT_THE_TABLE, device)


def order_refused(device: DeviceName, order: str, reason: str) -> AlertRaised:
    """Return the alert for a device that refuses what the table needs."""
    name = AlertName(f"order-refused-{device}")
    message = f"{device} refused to {order}: {reason}"
    remedy = "see to the device, then clear this alert; a held round goes on by a supervisor's ruling"
    return AlertRaised(name, True, message, remedy, _SUPERVISING, device)


def verify_win(round_id: str, seat: SeatNumber, won: SettledWager, *, holds: bool) -> AlertRaised:
    """Return the alert for a large win, which is looked at before it is paid. Each of several hands has its own."""
    where = won.wager.value if won.hand is None else f"{won.wager.value}, hand {won.hand}"
    message = f"seat {seat} wins {dollars(won.pays_cents)} on {where}: verify before paying"
    remedy = "check the hand and the stake, then clear this alert"
    return AlertRaised(verify_name(round_id, seat, won), holds, message, remedy, (Actor.SUPERVISOR,))


def verify_name(round_id: str, seat: SeatNumber, won: SettledWager) -> AlertName:
    """Return the name of the alert for a large win."""
    of_hand = "" if won.hand is None else f"-hand-{won.hand}"
    return AlertName(f"verify-{round_id}-seat-{seat}-{won.wager.value}{of_hand}")


def wins_held(state: TableState) -> tuple[SaidResult, ...]:
    """Return the large wins of this round that may not be paid before a supervisor has cleared their alerts."""
    played = state.round
    holding = {alert.alert for alert in state.alerts if alert.blocks_play}
    if played is None or not holding:
        return ()
    return tuple(said for said in played.said if verify_name(played.id, said.seat, said.wager) in holding)


def stakes_unwatched(device: DeviceName) -> AlertRaised:
    """Return the alert for a sensor whose reports are lost: the felt may have changed since."""
    name = AlertName(f"stakes-unwatched-{device}")
    message = f"reports of {device} about stakes are lost"
    remedy = "compare the stakes on the felt with the screen, enter what differs, then clear this alert"
    return AlertRaised(name, True, message, remedy, _ANYONE_AT_THE_TABLE, device)


def stake_moved(device: DeviceName, seat: SeatNumber, what: str) -> AlertRaised:
    """Chips came or went while cards were dealt. The bet stays as it was when betting closed."""
    name = AlertName(f"stake-moved-seat-{seat}")
    remedy = "look at the seat and the recording, put the stake back as it was bet, then clear this alert"
    return AlertRaised(name, False, what, remedy, _SUPERVISING, device)


def journal_doubted(what: str) -> AlertRaised:
    """Return the alert for a changed record of the journal. Play goes on: what is written now does not depend on it."""
    remedy = "run feltd journal verify, keep its output and a backup of the journal, then clear this alert"
    return AlertRaised(AlertName("journal-doubted"), False, f"the journal was changed: {what}", remedy, _SUPERVISING)


def void(round_id: str, reason: str) -> AlertRaised:
    """Return the alert for a void round, until the dealer says that everything is back where it belongs."""
    message = f"{round_id} is void: {reason}"
    remedy = "do the steps of the prompt, then press next, which clears this alert"
    return AlertRaised(void_name(round_id), True, message, remedy, (Actor.DEALER, Actor.SUPERVISOR))


def void_name(round_id: str) -> AlertName:
    """Return the name of the alert for a void that is being done."""
    return AlertName(f"void-{round_id}")


def change_deck(device: DeviceName, played: str) -> AlertRaised:
    """Return the alert that recommends another deck. Play goes on until somebody changes it."""
    message = f"the deck in {device} has been played for {played}: the house recommends another"
    remedy = "put another deck in between two rounds and say change-deck, or clear this alert to keep the deck"
    return AlertRaised(change_deck_name(device), False, message, remedy, (Actor.DEALER, Actor.SUPERVISOR), device)


def change_deck_name(device: DeviceName) -> AlertName:
    """Return the name of the alert for a deck that is to be changed."""
    return AlertName(f"change-deck-{device}")


def not_there(state: TableState, device: DeviceName) -> Clause:
    """Return what refuses what needs a device that is away or silent."""
    return of_device(SaidId.DEVICE_NOT_THERE, device, state.device(device).presence.value)


def missing_name(device: DeviceName) -> AlertName:
    """Return the name of the alert for a device that went away."""
    return AlertName(f"missing-{device}")


def setup_name(device: DeviceName) -> AlertName:
    """Return the name of the alert for a device that is set up wrongly."""
    return AlertName(f"setup-{device}")


def fault_name(device: DeviceName, kind: FaultKind) -> AlertName:
    """Return the name of the alert for a device's fault."""
    return AlertName(f"{kind.value}-{device}")


def mode_name(device: DeviceName) -> AlertName:
    """Return the name of the alert for a wrong mode."""
    return AlertName(f"wrong-mode-{device}")


def standing_cause(state: TableState, alert: AlertRaised, cards_wanted: int) -> str | None:
    """Return why an alert cannot be cleared yet, or None. A machine that does not deal this game may be set at will."""
    if state.phase is Phase.VOIDING and state.round is not None and alert.alert == void_name(state.round.id):
        return "the dealer has not said that the void is done"
    if alert.device is None:
        return None
    is_source = alert.device == state.settings.source.device
    return _causes(state.device(alert.device), cards_wanted if is_source else None).get(alert.alert)


def _causes(device: DeviceState, cards_wanted: int | None) -> dict[AlertName, str]:
    causes = {fault_name(device.name, kind): f"{device.name} still reports {kind.value}" for kind in device.faults}
    if device.presence is not Presence.UP:
        causes[missing_name(device.name)] = f"{device.name} is still {device.presence.value}"
        causes[setup_name(device.name)] = f"{device.name} is still {device.presence.value}"
    if cards_wanted is not None and device.cards_a_packet not in (None, cards_wanted):
        causes[mode_name(device.name)] = f"{device.name} still gives packets of {device.cards_a_packet}"
    return causes
