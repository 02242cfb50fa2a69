"""The shuffler's small parts: its reader, its mode switch, and the lamps that say what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protocols.cards import Face, Misread
from protocols.felt_link.messages import FaultWord, WireFaultCleared, WireFaultRaised
from sim_hardware.deck import Piece, choose
from sim_hardware.faults import FaultBoard, FaultName
from sim_hardware.shuffler_states import State


class Reader:
    """Reads what comes past it. It fails only where the fault is the reader's own."""

    def __init__(self, seed: int, faults: FaultBoard) -> None:
        self._seed = seed
        self._faults = faults

    def read_packet(self, pieces: Sequence[Piece], shuffle: int, position: int) -> tuple[Face, ...]:
        """The faces of a packet; with dust on the lens one of them, by the seed, is not readable."""
        faces = self.read(pieces)
        if not faces or self._faults.strike(FaultName.UNREADABLE_CARD, position) is None:
            return faces
        dusty = choose(len(faces), self._seed, shuffle, position)
        return (*faces[:dusty], Misread.UNREADABLE, *faces[dusty + 1 :])

    def read(self, pieces: Sequence[Piece]) -> tuple[Face, ...]:
        """The faces of what was ejected."""
        return tuple(piece.face for piece in pieces)


class ModeSwitch:
    """Cards in a packet: set by an order, or by a hand on the machine, which can also hold it there."""

    def __init__(self, cards: int, program: Sequence[int] = ()) -> None:
        """With a program the machine sets it by itself, for each packet since the shuffle."""
        self.cards = program[0] if program else cards
        self.program = program
        self._before: int | None = None

    @property
    def is_held(self) -> bool:
        return self._before is not None

    def follow(self, packet: int) -> bool:
        """Set it for this packet, as the program says; whether that changed it. Nobody sets what a hand holds."""
        wanted = self.program[packet - 1] if packet <= len(self.program) else self.cards
        if self.is_held or wanted == self.cards:
            return False
        self.cards = wanted
        return True

    def turn(self) -> None:
        """Two cards fewer, or two more where there are not as many."""
        self.cards = self.cards - 2 if self.cards > 2 else self.cards + 2

    def feel(self, *, is_held: bool) -> bool:
        """A hand turns it and stays there, or turns it back and lets go; whether that is new."""
        if is_held is self.is_held:
            return False
        if self._before is None:
            self._before = self.cards
            self.turn()
        else:
            self.cards, self._before = self._before, None
        return True


class FaultLamps:
    """Which faults the host has been told of. A fault is told at once; that it is over waits for room in the store."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def news(self, standing: Mapping[str, str], *, has_room: bool) -> list[WireFaultRaised | WireFaultCleared]:
        """What to report now, given every fault that stands (word to detail). Raised first: no moment looks sound."""
        raised = [WireFaultRaised(word, detail) for word, detail in standing.items() if word not in self._told]
        over = sorted(self._told - standing.keys()) if has_room else []
        self._told = (self._told | standing.keys()) - set(over)
        return [*raised, *(WireFaultCleared(word) for word in over)]

    def forget(self) -> None:
        """The power failed."""
        self._told.clear()


def standing_faults(state: State, is_door_open: bool, packet: int, unproven: tuple[str, str] | None) -> dict[str, str]:
    """Every fault that keeps the machine from going on, word to detail; while it starts up it knows of none."""
    standing: dict[str, str] = {}
    if state is State.BOOTING:
        return standing
    if is_door_open:
        standing[FaultWord.DOOR_OPEN] = "close the door"
    if state is State.JAMMED:
        standing[FaultWord.JAM] = f"cards are stuck after {packet} packets: free them"
    if unproven is not None and state in (State.UNPROVEN, State.EJECTING):
        word, detail = unproven
        standing[word] = detail
    return standing
