"""The shuffler's small parts: its reader, its mode switch, and its fault lamps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protocols.cards import Face, Misread
from protocols.felt_link.messages import FaultKind, WireFaultCleared, WireFaultRaised
from sim_hardware.deck import Piece, choose
from sim_hardware.faults import FaultBoard, FaultName
from sim_hardware.shuffler_states import State


class Reader:
    """Reads the cards that pass it. It fails only for a fault of its own."""

    def __init__(self, seed: int, faults: FaultBoard) -> None:
        self._seed = seed
        self._faults = faults

    def read_packet(self, pieces: Sequence[Piece], shuffle: int, position: int) -> tuple[Face, ...]:
        """Return the faces of a packet. With dust on the lens one of them, chosen by the seed, is not readable."""
        faces = self.read(pieces)
        if not faces or self._faults.strike(FaultName.UNREADABLE_CARD, position) is None:
            return faces
        dusty = choose(len(faces), self._seed, shuffle, position)
        return (*faces[:dusty], Misread.UNREADABLE, *faces[dusty + 1 :])

    def read(self, pieces: Sequence[Piece]) -> tuple[Face, ...]:
        """Return the faces of what was ejected."""
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
        """Set it for this packet, as the program says, unless a hand holds it. Return whether that changed it."""
        wanted = self.program[packet - 1] if packet <= len(self.program) else self.cards
        if self.is_held or wanted == self.cards:
            return False
        self.cards = wanted
        return True

    def turn(self) -> None:
        """Set two cards fewer, or two more if there are not as many."""
        self.cards = self.cards - 2 if self.cards > 2 else self.cards + 2

    def feel(self, *, is_held: bool) -> bool:
        """Turn and hold the switch by hand, or turn it back and let go. Return whether that changed it."""
        if is_held is self.is_held:
            return False
        if self._before is None:
            self._before = self.cards
            self.turn()
        else:
            self.cards, self._before = self._before, None
        return True


class FaultLamps:
    """The faults that the host knows. A new fault is reported at once, its end when the store has room."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def news(self, standing: Mapping[str, str], *, has_room: bool) -> list[WireFaultRaised | WireFaultCleared]:
        """Return what to report now. `standing` has every present fault (word to detail). New faults come first."""
        raised = [WireFaultRaised(word, detail) for word, detail in standing.items() if word not in self._told]
        over = sorted(self._told - standing.keys()) if has_room else []
        self._told = (self._told | standing.keys()) - set(over)
        return [*raised, *(WireFaultCleared(word) for word in over)]

    def forget(self) -> None:
        """Forget everything: the power failed."""
        self._told.clear()


def standing_faults(state: State, is_door_open: bool, packet: int, unproven: tuple[str, str] | None) -> dict[str, str]:
    """Return every fault that stops the machine, word to detail. A machine that starts up has none."""
    standing: dict[str, str] = {}
    if state is State.BOOTING:
        return standing
    if is_door_open:
        standing[FaultKind.DOOR_OPEN] = "close the door"
    if state is State.JAMMED:
        standing[FaultKind.JAM] = f"cards are stuck after {packet} packet{'' if packet == 1 else 's'}: free them"
    if unproven is not None and state in (State.UNPROVEN, State.EJECTING):
        word, detail = unproven
        standing[word] = detail
    return standing
