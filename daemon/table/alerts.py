"""What somebody must see to, by name; which alerts keep rounds from opening; and when one may be cleared.

An alert that blocks play latches: it stands, over restarts too, until it is cleared by name, and that is refused
while what caused it is still so.
"""

from __future__ import annotations

from typing import Final

from daemon.table.facts import AlertRaised
from daemon.table.round_facts import SettledWager
from daemon.table.said import Clause, Said, SaidId, as_clause, of_device
from daemon.table.sentences import NO_SPOTS, SpotNames, in_english, in_words
from daemon.table.state import DeviceState, Finding, Phase, Presence, SaidResult, TableState
from daemon.table.vocabulary import Actor, AlertName, SeatNumber, SourceKind
from drivers.events import DeviceName, FaultKind

DECK_CARDS: Final = 52
NS_PER_MS: Final = 1_000_000
_ANYONE_AT_THE_TABLE: Final = (Actor.DEALER, Actor.SUPERVISOR, Actor.TECHNICIAN)
_SUPERVISING: Final = (Actor.SUPERVISOR, Actor.TECHNICIAN)

_FAULT_REMEDIES: Final = {
    FaultKind.JAM: SaidId.FREE_THE_CARDS,
    FaultKind.DOOR_OPEN: SaidId.CLOSE_THE_DOOR,
    FaultKind.SHORT_DECK: SaidId.FIND_THE_CARDS,
    FaultKind.LONG_DECK: SaidId.TAKE_CARDS_OUT,
    FaultKind.SORTED_DECK: SaidId.WASH_THE_DECK,
    FaultKind.STORE_FULL: SaidId.LOOK_AT_THE_LINK,
    FaultKind.READER: SaidId.CLEAN_THE_READER,
    FaultKind.MOTOR: SaidId.SWITCH_OFF_AND_ON,
    FaultKind.OTHER: SaidId.LOOK_AT_THE_DISPLAY,
}


def _alert(
    name: str,
    said: Said,
    remedy: Clause,
    cleared_by: tuple[Actor, ...],
    device: DeviceName | None = None,
    *,
    blocks_play: bool = True,
    spots: SpotNames = NO_SPOTS,
) -> AlertRaised:
    message = in_english((said,), (), spots)
    return AlertRaised(AlertName(name), blocks_play, message, in_words(remedy), cleared_by, device, said, remedy)


def missing(device: DeviceName, reason: str, code: str, *, blocks_play: bool) -> AlertRaised:
    """Return the alert for a disconnected device. A pad never blocks play: each key also exists as a command."""
    said, remedy = Said(SaidId.MISSING, device=device, word=code or None, text=reason), Clause(SaidId.SEE_TO_POWER)
    return _alert(missing_name(device), said, remedy, _ANYONE_AT_THE_TABLE, device, blocks_play=blocks_play)


def setup(device: DeviceName, code: str, problem: str, remedy: str) -> AlertRaised:
    """Return the alert for a device that is set up wrongly. It blocks nothing: without the device no round opens."""
    said = Said(SaidId.SETUP_FAILED, device=device, word=code, text=problem)
    to_do = told(f"{code}-remedy", remedy)
    return _alert(setup_name(device), said, to_do, _SUPERVISING, device, blocks_play=False)


def told(code: str, text: str) -> Clause:
    """Return what a driver says, by its code."""
    return Clause(SaidId.TOLD, word=code or None, text=text)


def fault(device: DeviceName, kind: FaultKind, detail: str, code: str = "", *, blocks_play: bool = True) -> AlertRaised:
    """Return the alert for a device that reports that it cannot go on."""
    said = Said(SaidId.REPORTS_FAULT, device=device, word=kind.value)
    if detail and kind is FaultKind.OTHER:
        said = Said(SaidId.REPORTS_IN_ITS_WORDS, device=device, word=code or None, text=detail)
    elif detail:
        said = Said(SaidId.REPORTS_FAULT_WITH, device=device, word=kind.value, text=detail)
    return _fault(device, kind, said, blocks_play=blocks_play)


def _fault(device: DeviceName, kind: FaultKind, said: Said, *, blocks_play: bool = True) -> AlertRaised:
    remedy = Clause(_FAULT_REMEDIES[kind])
    return _alert(fault_name(device, kind), said, remedy, _SUPERVISING, device, blocks_play=blocks_play)


def wrong_mode(device: DeviceName, cards_a_packet: int, wanted: int) -> AlertRaised:
    """Return the alert for a shuffler whose packets are not this game's."""
    said = Said(SaidId.WRONG_MODE, device=device, count=cards_a_packet, wanted=wanted)
    return _alert(mode_name(device), said, Clause(SaidId.SET_THE_PACKETS, wanted=wanted), _SUPERVISING, device)


def wrong_deck(device: DeviceName, count: int) -> AlertRaised:
    """Return the alert for a shuffle that counted another number of cards than a deck has."""
    kind = FaultKind.SHORT_DECK if count < DECK_CARDS else FaultKind.LONG_DECK
    said = Said(SaidId.WRONG_DECK, device=device, word=kind.value, count=count, wanted=DECK_CARDS)
    return _fault(device, kind, said)


def unexpected_cards(device: DeviceName) -> AlertRaised:
    """Return the alert for cards that came out unasked: the shuffled order is no longer secret."""
    said, remedy = Said(SaidId.CARDS_UNASKED, device=device), Clause(SaidId.PUT_BACK_AND_SHUFFLE)
    return _alert(f"unexpected-cards-{device}", said, remedy, _SUPERVISING, device)


def wrong_load(device: DeviceName, count: int, wanted: int) -> AlertRaised:
    """Return the alert for a shoe that counted another number of cards than its decks have."""
    said = Said(SaidId.WRONG_LOAD, device=device, count=count, wanted=wanted)
    return _alert(f"wrong-load-{device}", said, Clause(SaidId.PUT_WHOLE_DECKS_IN), _SUPERVISING, device)


def shoe_irregular(device: DeviceName, finding: Finding, told: tuple[Clause, ...]) -> AlertRaised:
    """Return the alert for a card that was wrong while no round was there to void or to hold.

    `told` is what such an alert that stands already says: it tells of its first card and of this one from now on, and
    who clears it has looked for all between.
    """
    what = finding.said or Clause(SaidId.IN_ITS_WORDS, text=finding.message)
    said = Said(SaidId.SHOE_IRREGULAR, device=device, because=tuple(dict.fromkeys((*told[:1], what))))
    return _alert(shoe_irregular_name(device, finding), said, Clause(SaidId.LOOK_AT_THE_SHOE), _SUPERVISING, device)


def shoe_irregular_name(device: DeviceName, finding: Finding) -> AlertName:
    """Return the name of the alert that says a card was wrong between rounds."""
    return AlertName(f"{finding.irregularity.value}-{device}")


def unwatched(device: DeviceName) -> AlertRaised:
    """Return the alert for a shoe that nobody watched: cards can have left it, the cut card among them."""
    said, remedy = Said(SaidId.UNWATCHED, device=device), Clause(SaidId.LOOK_FOR_CUT_CARD)
    return _alert(f"unwatched-{device}", said, remedy, _ANYONE_AT_THE_TABLE, device)


def order_refused(device: DeviceName, order: str, reason: str) -> AlertRaised:
    """Return the alert for a device that refuses what the table needs."""
    said = Said(SaidId.REFUSED_ORDER, device=device, word=order, text=reason)
    return _alert(f"order-refused-{device}", said, Clause(SaidId.SEE_TO_DEVICE), _SUPERVISING, device)


def foreign_order(device: DeviceName, *, blocks_play: bool) -> AlertRaised:
    """Return the alert for a device that somebody else gives orders to. They also hear its cards."""
    said, remedy = Said(SaidId.FOREIGN_ORDER, device=device), Clause(SaidId.SHUT_THEM_OUT)
    return _alert(f"foreign-order-{device}", said, remedy, _SUPERVISING, device, blocks_play=blocks_play)


def verify_win(round_id: str, seat: SeatNumber, won: SettledWager, spots: SpotNames, *, holds: bool) -> AlertRaised:
    """Return the alert for a large win, which is looked at before it is paid. Each of several hands has its own."""
    wins = Clause(SaidId.WINS, seat, hand=won.hand, cents=won.pays_cents, spot=won.wager)
    said, remedy = Said(SaidId.VERIFY_WIN, because=(wins,)), Clause(SaidId.CHECK_THE_HAND)
    name = verify_name(round_id, seat, won)
    return _alert(name, said, remedy, (Actor.SUPERVISOR,), blocks_play=holds, spots=spots)


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
    said, remedy = Said(SaidId.STAKES_UNWATCHED, device=device), Clause(SaidId.COMPARE_STAKES)
    return _alert(f"stakes-unwatched-{device}", said, remedy, _ANYONE_AT_THE_TABLE, device)


def stake_moved(device: DeviceName, what: Said, spots: SpotNames) -> AlertRaised:
    """Chips came or went while cards were dealt. The bet stays as it was when betting closed. Each spot has its own."""
    spot = what.word or ("" if what.spot is None else what.spot.value.replace("_", "-"))
    name, remedy = f"stake-moved-seat-{what.place}-{spot}", Clause(SaidId.PUT_STAKE_BACK)
    return _alert(name, what, remedy, _SUPERVISING, device, blocks_play=False, spots=spots)


def journal_doubted(what: str) -> AlertRaised:
    """Return the alert for a changed record of the journal. Play goes on: what is written now does not depend on it."""
    said, remedy = Said(SaidId.JOURNAL_DOUBTED, text=what), Clause(SaidId.VERIFY_JOURNAL)
    return _alert("journal-doubted", said, remedy, _SUPERVISING, blocks_play=False)


def void(round_id: str, reasons: tuple[Clause, ...]) -> AlertRaised:
    """Return the alert for a void round, until the dealer says that everything is back where it belongs."""
    said, remedy = Said(SaidId.VOID_TO_DO, names=(round_id,), because=reasons), Clause(SaidId.DO_THE_STEPS)
    return _alert(void_name(round_id), said, remedy, (Actor.DEALER, Actor.SUPERVISOR))


def void_name(round_id: str) -> AlertName:
    """Return the name of the alert for a void that is being done."""
    return AlertName(f"void-{round_id}")


def change_deck(device: DeviceName, *, rounds: int | None = None, minutes: int | None = None) -> AlertRaised:
    """Return the alert that recommends another deck. Play goes on until somebody changes it."""
    said = Said(SaidId.DECK_PLAYED_MINUTES, device=device, count=minutes)
    if rounds is not None:
        said = Said(SaidId.DECK_PLAYED_ROUNDS, device=device, count=rounds)
    name, remedy = change_deck_name(device), Clause(SaidId.PUT_ANOTHER_DECK_IN)
    return _alert(name, said, remedy, (Actor.DEALER, Actor.SUPERVISOR), device, blocks_play=False)


def to_clear(state: TableState) -> tuple[Clause, ...]:
    """Return what keeps a round from opening, in the alerts' words, each with who may clear it.

    A clause inside a sentence has no others inside it, so an alert that only names a cause is that cause here.
    """
    clauses: list[Clause] = []
    for name in state.blocked_by:
        alert = state.alert(name)
        assert alert is not None, "it blocks, so it stands"
        who = tuple(role.value for role in alert.cleared_by)
        clauses += (*inside(alert), Clause(SaidId.CLEARED_BY_WHOM, names=who))
    return tuple(clauses)


def inside(alert: AlertRaised) -> tuple[Clause, ...]:
    """Return what an alert says, as it stands inside another sentence."""
    said = alert.said or Said(SaidId.IN_ITS_WORDS, text=alert.message)
    return said.because or (as_clause(said),)


def since_ms(state: TableState, name: AlertName) -> int | None:
    """Return when the latest cause of an alert came. Of one that an earlier version raised it is not known."""
    return next((each.since_utc_ns // NS_PER_MS for each in state.alerts_since if each.alert == name), None)


def came_again(state: TableState, name: AlertName, seen_ms: int | None) -> bool:
    """Return whether a cause of this alert came after somebody saw it, if they say when that was."""
    return seen_ms is not None and since_ms(state, name) not in (None, seen_ms)


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


def standing_cause(state: TableState, alert: AlertRaised, cards_wanted: int) -> Clause | None:
    """Return why an alert cannot be cleared yet, or None. A machine that does not deal this game may be set at will."""
    if state.phase is Phase.VOIDING and state.round is not None and alert.alert == void_name(state.round.id):
        return Clause(SaidId.VOID_NOT_DONE)
    if alert.device is None or not state.is_named(alert.device):
        return None  # the file does not name it, so nobody can repair it at this table
    if alert.blocks_play and alert.device not in state.settings.dealing_devices:
        return None  # it was dealt from, and no game is any longer
    gives_packets = (alert.device, SourceKind.SHUFFLER) == state.settings.source.machine
    return _causes(state.device(alert.device), cards_wanted if gives_packets else None).get(alert.alert)


def _causes(device: DeviceState, cards_wanted: int | None) -> dict[AlertName, Clause]:
    name = device.name
    causes = {fault_name(name, kind): of_device(SaidId.STILL_REPORTS, name, kind.value) for kind in device.faults}
    if device.presence is not Presence.UP:
        still = of_device(SaidId.STILL_AWAY, name, device.presence.value)
        causes |= {missing_name(name): still, setup_name(name): still}
    if cards_wanted is not None and device.cards_a_packet not in (None, cards_wanted):
        causes[mode_name(name)] = Clause(SaidId.STILL_GIVES, device=name, count=device.cards_a_packet)
    return causes
