"""A single-deck shuffler as a mechanism: orders, hands and time in, what its sensors report out. No port, no clock.

Theory of operation. The dealer puts a deck in; the machine shuffles it, counts it, and then gives packets of so many
cards, each from rack to tray, card by card. A packet must be taken before the next one is given. What is left is
ejected, the dealer gathers all cards, and puts a deck in again. `shuffler_states` has the states and the table.

Driven, it does what the host orders. As a house setting it is observed instead: it takes no orders, the green key
begins dealing, the next packet comes whenever the tray is emptied, and the next green key ejects the remainder. In
batch mode there are no packets, and what is ejected is the whole deck.

It vouches only for cards that it has kept count of. After a wrong count, a freed jam, an opened door or a power
failure it raises a fault and holds the cards as unproven until they are ejected.

Reports go to `Outside` at once, and nothing begins that might not be reported: without room in the store no motion
starts, no key is taken and no deck let in. What hands can still do then (open, close, free, take) is reported as a
fault raised at most once each; that a fault is over is reported when there is room again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from protocols.felt_link import messages as m
from sim_hardware.deck import Deck
from sim_hardware.faults import FaultBoard, FaultName
from sim_hardware.holding import Holding, Order, Places
from sim_hardware.mechanism import Outside, Refused
from sim_hardware.pace import SLOW_FACTOR
from sim_hardware.sensors import FaultLamps, ModeSwitch, Reader, standing_faults
from sim_hardware.shuffler_settings import GREEN, ShufflerSettings
from sim_hardware.shuffler_states import STIMULI, TRANSITIONS, State, Stimulus, refusal


class Shuffler:
    """The machine. Mutable. Its emulator gives it orders, hands and time."""

    def __init__(self, settings: ShufflerSettings, faults: FaultBoard, outside: Outside[m.WireEvent]) -> None:
        self.settings: Final = settings
        self.holding: Final = Holding(settings.seed)
        self.mode: Final = ModeSwitch(settings.mode, settings.program)
        self.state = State.BOOTING
        self.is_locked = False
        self.is_lit = False
        self.is_door_open = False
        self.packets_given = 0  # since the shuffle
        self._faults: Final = faults
        self._outside: Final = outside
        self._report_event: Final = outside.report_event
        self._reader: Final = Reader(settings.seed, faults)
        self._lamps: Final = FaultLamps()
        self._due_ns: int | None = None
        self._packet_cards = 0  # that the packet on its way is to have
        self._card_ns = 0  # that each of them takes
        self._offered: int | None = None  # the packet in the tray, while the machine knows which it is
        self._is_dealing = False  # observed: between the two green keys
        self._is_eject_due = False  # observed: the second one came while a packet was on its way

    @property
    def places(self) -> Places:
        """Return where every piece of the deck lies."""
        return self.holding.places

    # Hands.

    def power_on(self, now_ns: int) -> None:
        """Start for the first time, at once."""
        self._boot(now_ns)

    def refuses_deck(self) -> Refused | None:
        """Return why no deck can be put in now, or None."""
        return refusal(self.state, Stimulus.LOAD) or self._no_room()

    def load(self, deck: Deck, now_ns: int) -> Refused | None:
        """Put a deck in. Armed deck faults strike on the way."""
        refused = self.refuses_deck()
        if refused is not None:
            return refused
        self.holding.put_in(deck, self._faults, self.mode.cards)
        self.packets_given, self._is_dealing, self._is_eject_due = 0, False, False
        self._enter(Stimulus.LOAD, State.LOADED)
        self._report_event(m.DeckLoaded(), now_ns)
        self.poke(now_ns)
        return None

    def take_packet(self, now_ns: int) -> Refused | None:
        """Take what lies in the tray."""
        refused = refusal(self.state, Stimulus.TAKE)
        if refused is None and not self.places.tray:
            refused = Refused(m.Refusal.NO_DECK, "the tray is empty; a packet lies there once it is dispensed")
        if refused is not None:
            return refused
        position, self._offered = self._offered, None
        self._faults.packet_on_line = None
        self.places.take_tray()
        was_offered = self.state in (State.OFFERED, State.LAST_OFFERED)
        self._enter(Stimulus.TAKE, self.holding.resting_state() if was_offered else self.state)
        if position is not None:
            self._report_event(m.PacketRemoved(position), now_ns)
        self.poke(now_ns)
        return None

    def press(self, key: str, now_ns: int) -> Refused | None:
        """Press a key. On an observed machine the green key also begins and ends dealing."""
        refused = refusal(self.state, Stimulus.PRESS) or self._no_room()
        if refused is not None:
            return refused
        self._report_event(m.WireButtonPressed(key), now_ns)
        if key == GREEN and self.settings.observed:
            self._on_green(now_ns)
        return None

    def open_door(self, now_ns: int) -> None:
        """Open the door. Motors stop where they are, and a hand can reach the cards."""
        self.is_door_open = True
        then = TRANSITIONS[self.state][Stimulus.OPEN_DOOR][0]
        if then is not self.state:
            self._due_ns = None
            self.holding.doubt("the door was opened while cards were in")
        self._enter(Stimulus.OPEN_DOOR, then)
        self.poke(now_ns)

    def close_door(self, now_ns: int) -> None:
        """Close the door. Motors may run again."""
        self.is_door_open = False
        self.poke(now_ns)

    def clear_jam(self, now_ns: int) -> Refused | None:
        """Free what is stuck. The dealer keeps it."""
        refused = refusal(self.state, Stimulus.CLEAR)
        if refused is None:
            self.places.free_stuck()
            self._enter(Stimulus.CLEAR, self.holding.resting_state())
            self.poke(now_ns)
        return refused

    def reboot(self, now_ns: int) -> None:
        """Fail the power and bring it back. The cards stay where they are, and all but the mode switch is forgotten."""
        self._enter(Stimulus.REBOOT, State.BOOTING)
        self._outside.power_lost(now_ns)
        self.is_locked = self.is_lit = self._is_dealing = self._is_eject_due = False
        self._offered = self._faults.packet_on_line = None
        self._lamps.forget()
        if self.holding.order is not Order.UNSHUFFLED:
            self.holding.doubt("the power failed while cards were in")
        self._due_ns = now_ns + self.settings.pace.lasts_ns(self.settings.pace.boot_ns)

    # Orders.

    def take_order(self, command: m.WireCommand, now_ns: int) -> Refused | None:
        """Accept what the host orders, or return why not. Events report what comes of it."""
        if self.settings.observed:
            return Refused(m.Refusal.NOT_CAPABLE, "this machine is set to work by itself and takes no orders")
        if self.settings.batch and isinstance(command, m.SetMode | m.Dispense):
            return Refused(m.Refusal.NOT_CAPABLE, "this machine gives decks out whole; accepted now: eject")
        return refusal(self.state, STIMULI[type(command)]) or self._obey(command, now_ns)

    def _obey(self, command: m.WireCommand, now_ns: int) -> Refused | None:
        match command:
            case m.SetMode(cards):
                return self._set_mode(cards, now_ns)
            case m.Dispense(position):
                return self._order_packet(position, now_ns)
            case m.EjectRemainder():
                return self._order_motion(self._begin_eject, now_ns)
            case m.Reshuffle():
                return self._order_motion(self._begin_again, now_ns)
            case m.Lock() | m.Unlock():
                self.is_locked = isinstance(command, m.Lock)
                self.poke(now_ns)
            case m.SetLamp(lit):
                self.is_lit = lit
            case _:
                assert_never(command)
        return None

    def _set_mode(self, cards: int, now_ns: int) -> Refused | None:
        """Set the mode, and report it even if it is the same: a host learns the mode by this."""
        refused = self._no_room()
        if refused is None and not 1 <= cards <= self.settings.deck_cards:
            refused = Refused(m.Refusal.BAD_ARGUMENT, f"a packet has 1 to {self.settings.deck_cards} cards")
        if refused is None and self.mode.is_held:
            refused = Refused(m.Refusal.FAULT, f"the switch on the machine holds the mode at {self.mode.cards}")
        if refused is None:
            self.mode.cards = cards
            self._report_event(m.ModeChanged(cards), now_ns)
        return refused

    def _order_packet(self, position: int, now_ns: int) -> Refused | None:
        refused, left = self._motors_blocked(), len(self.places.rack)
        if refused is None and position != self.packets_given + 1:
            refused = Refused(m.Refusal.POSITION, f"the next packet is {self.packets_given + 1}, not {position}")
        if refused is None and left < self.mode.cards:
            reason = f"{left} cards are left and a packet has {self.mode.cards}; accepted now: eject"
            refused = Refused(m.Refusal.NO_DECK, reason)
        if refused is None:
            self._begin_packet(now_ns)
        return refused

    def _order_motion(self, begin: Callable[[int], None], now_ns: int) -> Refused | None:
        refused = self._motors_blocked()
        if refused is None:
            begin(now_ns)
        return refused

    def _may_begin(self, stimulus: Stimulus) -> bool:
        return refusal(self.state, stimulus) is None and self._motors_blocked() is None

    def _motors_blocked(self) -> Refused | None:
        if self.is_door_open:
            return Refused(m.Refusal.FAULT, "the door is open; accepted now: close")
        if self.is_locked:
            return Refused(m.Refusal.LOCKED, "the machine is locked; accepted now: unlock")
        return self._no_room()

    def _no_room(self) -> Refused | None:
        if self._outside.has_room():
            return None
        return Refused(m.Refusal.STORE_FULL, "the host has acknowledged nothing for too long; accepted once it does")

    # Motors.

    def next_timeout_ns(self) -> int | None:
        """Return when the running motor has done its next step."""
        return self._due_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Do every step that is due. Each is timed from the step before, not from `now_ns`."""
        while self._due_ns is not None and self._due_ns <= now_ns:
            due_ns, self._due_ns = self._due_ns, None
            self._step(due_ns)
            self.poke(due_ns)

    def poke(self, now_ns: int) -> None:
        """Do what is due by itself. Call this after the store got room, or a fault was switched."""
        self._feel_mode_switch(now_ns)
        if self._may_begin(Stimulus.START):
            self._begin_shuffle(now_ns, Stimulus.START)
        elif self._is_eject_due and self._may_begin(Stimulus.EJECT):
            self._begin_eject(now_ns)
        elif self._is_dealing and self._may_begin(Stimulus.DISPENSE) and self._has_next_packet():
            self._begin_packet(now_ns)
        standing = standing_faults(self.state, self.is_door_open, self.packets_given, self.holding.wrong)
        for news in self._lamps.news(standing, has_room=self._outside.has_room()):
            self._report_event(news, now_ns)

    def _has_next_packet(self) -> bool:
        packets = self.settings.packets or len(self.mode.program) or None
        return len(self.places.rack) >= self.mode.cards and (packets is None or self.packets_given < packets)

    def _step(self, now_ns: int) -> None:
        match self.state:
            case State.SHUFFLING:
                self._end_shuffle(now_ns)
            case State.DISPENSING:
                self._go_on_dispensing(now_ns)
            case State.EJECTING:
                self._end_eject(now_ns)
            case State.BOOTING:
                self._boot(now_ns)
            case _:
                raise AssertionError(f"no motor runs while {self.state.value}")

    def _boot(self, now_ns: int) -> None:
        """Start, and report what a host has to know of a machine that was just switched on."""
        self._outside.power_back(now_ns)
        self._enter(Stimulus.BOOTED, self.holding.resting_state())
        if not self.settings.batch:
            self._report_event(m.ModeChanged(self.mode.cards), now_ns)
        if self.state is State.LOADED:
            self._report_event(m.DeckLoaded(), now_ns)
        self.poke(now_ns)

    def _begin_shuffle(self, now_ns: int, stimulus: Stimulus) -> None:
        self._enter(stimulus, State.SHUFFLING)
        self.holding.order = Order.UNPROVEN
        self.packets_given = 0
        self._due_ns = now_ns + self._motion_ns(self.settings.pace.shuffle_ns, None)
        self._report_event(m.ShuffleStarted(), now_ns)
        self._follow_program(now_ns)

    def _end_shuffle(self, now_ns: int) -> None:
        self.holding.shuffle()
        count, whole = len(self.places.rack), self.settings.deck_cards
        if self.settings.counts and count != whole:
            word = m.FaultKind.SHORT_DECK if count < whole else m.FaultKind.LONG_DECK
            self.holding.doubt(f"{count} cards, not {whole}", word)
        self._enter(Stimulus.SHUFFLED, self.holding.resting_state())
        self._report_event(m.ShuffleFinished(self._counted(count)), now_ns)

    def _begin_again(self, now_ns: int) -> None:
        """Shuffle a whole deck again. Eject a part of one: the next deck is shuffled anyway."""
        if self.state is State.READY and self.packets_given == 0:
            self._begin_shuffle(now_ns, Stimulus.RESHUFFLE)
        elif self.state in (State.READY, State.OFFERED, State.UNPROVEN):
            self._begin_eject(now_ns, Stimulus.RESHUFFLE)

    def _begin_packet(self, now_ns: int) -> None:
        self._follow_program(now_ns)  # a hand may have let go of the switch since the last packet
        position = self.packets_given + 1
        is_held = self._faults.is_always(FaultName.WRONG_MODE)
        if not is_held and self._faults.strike(FaultName.WRONG_MODE, position) is not None:
            self.mode.turn()
            self._report_event(m.ModeChanged(self.mode.cards), now_ns)
        self.packets_given = position
        self._packet_cards = self._cards_to_move(position)
        self._card_ns = self._motion_ns(self.settings.pace.card_ns, position)
        self._enter(Stimulus.DISPENSE, State.DISPENSING)
        self._due_ns = now_ns + self._card_ns

    def _cards_to_move(self, position: int) -> int:
        """Return how many cards the rollers will really move."""
        cards = self.mode.cards
        if self._faults.strike(FaultName.SHORT_HAND, position) is not None:
            cards -= 1
        if self._faults.strike(FaultName.LONG_HAND, position) is not None:
            cards += 1
        return max(1, min(cards, len(self.places.rack)))

    def _go_on_dispensing(self, now_ns: int) -> None:
        if len(self.places.tray) == self._packet_cards // 2 and self._is_mishap_half_way(now_ns):
            return
        self.places.deal()
        if len(self.places.tray) < self._packet_cards:
            self._due_ns = now_ns + self._card_ns
        else:
            self._end_packet(now_ns)

    def _is_mishap_half_way(self, now_ns: int) -> bool:
        """Let armed faults strike in the middle of a packet. Return True if the packet goes no further."""
        position = self.packets_given
        if self._faults.strike(FaultName.MID_PACKET_UNPLUG, position) is not None:
            self._outside.cable_pulled(now_ns)
        if self._faults.strike(FaultName.JAM, position) is not None:
            self.places.get_stuck()
            self.holding.doubt("a jam was freed")
            self._enter(Stimulus.STUCK, State.JAMMED)
            return True
        if self._faults.strike(FaultName.REBOOT, position) is not None:
            self.reboot(now_ns)
            return True
        return False

    def _end_packet(self, now_ns: int) -> None:
        position, tray = self.packets_given, self.places.tray
        self._offered = self._faults.packet_on_line = position
        faces = self._reader.read_packet(tray, self.holding.shuffles, position) if self.settings.reads_faces else None
        self._enter(Stimulus.PACKET_OUT, self.holding.resting_state())
        self._report_event(m.PacketDispensed(position, self._counted(len(tray)), faces), now_ns)
        self._follow_program(now_ns)

    def _follow_program(self, now_ns: int) -> None:
        if self.mode.follow(self.packets_given + 1):
            self._report_event(m.ModeChanged(self.mode.cards), now_ns)

    def _begin_eject(self, now_ns: int, stimulus: Stimulus = Stimulus.EJECT) -> None:
        self._is_dealing = self._is_eject_due = False
        self._enter(stimulus, State.EJECTING)
        one_card_ns = self._motion_ns(self.settings.pace.ejected_card_ns, None)
        self._due_ns = now_ns + one_card_ns * len(self.places.rack)

    def _end_eject(self, now_ns: int) -> None:
        out = self.places.eject()
        faces = self._reader.read(out) if self.settings.reads_faces else None
        self._enter(Stimulus.EJECTED, self.holding.resting_state())
        self._report_event(m.RemainderEjected(self._counted(len(out)), faces), now_ns)

    def _on_green(self, now_ns: int) -> None:
        """Begin dealing with the first green key. End it with the next one, after the packet that is on its way."""
        if self.state is State.READY and self.packets_given == 0 and not self.settings.batch:
            self._is_dealing = True
        else:
            self._is_dealing = False
            is_packet_coming = self.state is State.DISPENSING and self._motors_blocked() is None
            self._is_eject_due = is_packet_coming or self._may_begin(Stimulus.EJECT)
        self.poke(now_ns)

    # What it knows of itself.

    def _enter(self, stimulus: Stimulus, state: State) -> None:
        if state not in TRANSITIONS[self.state][stimulus]:
            raise AssertionError(f"{stimulus.value} leads from {self.state.value} to {state.value}: not in the table")
        self.state = state

    def _feel_mode_switch(self, now_ns: int) -> None:
        held = self._faults.is_always(FaultName.WRONG_MODE) and not self.settings.batch
        can_turn = refusal(self.state, Stimulus.SET_MODE) is None and self._outside.has_room()
        if can_turn and self.mode.feel(is_held=held):
            self._report_event(m.ModeChanged(self.mode.cards), now_ns)

    def _motion_ns(self, duration_ns: int, packet: int | None) -> int:
        is_slow = self._faults.strike(FaultName.SLOW, packet) is not None
        return self.settings.pace.lasts_ns(duration_ns, SLOW_FACTOR if is_slow else 1)

    def _counted(self, cards: int) -> int | None:
        return cards if self.settings.counts else None
