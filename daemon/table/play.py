"""What is particular to one game at the table: who is dealt what, what follows the proof, and what a hand comes to.

The procedure says what moves the round; this says with what. Code that all games share asks it through `Draft.play`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from daemon.rules.house import House
from daemon.rules.wagers import WagerName
from daemon.table.inputs import Action
from daemon.table.offers import Bounds
from daemon.table.picture import GamePicture, SeatPicture
from daemon.table.round_facts import HandSettled, SeatStake
from daemon.table.said import Clause, SaidId
from daemon.table.settings import SourceSettings, TableSettings
from daemon.table.shoe import ShoeRules
from daemon.table.state import Finding, Hand, Packet, Phase, Round, TableState
from daemon.table.vocabulary import Decision, SeatNumber, SourceKind
from drivers.events import Button
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.table.draft import Draft, Refusal


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a game cannot be dealt as it is configured: the option at fault, what is wrong with it, what is allowed.

    Without an option the device is at fault. `key` is a key of the configuration, whose value is said before `found`.
    """

    key: str | None
    found: str
    allowed: str


def fits_any(_options: House, _source: SourceSettings) -> Iterator[Misfit]:
    """Return no misfit: the game asks nothing else of its device."""
    return iter(())


def all_are_shared(_options: House, _wager: WagerName) -> str | None:
    """Return None: the game's hands are settled together."""
    return None


def a_deck_a_round(_settings: TableSettings) -> ShoeRules:
    """Return the rules for one deck that is shuffled for every round."""
    return ShoeRules(decks=1, is_for_one_round=True)


def draws_nothing(_round: Round) -> bool:
    """Return False: a hand of this game stays as it was dealt."""
    return False


def asks_for_no_card(_draft: Draft) -> None:
    """Ask for nothing: the planned packets come out of a shuffler whole."""


def finds_nothing(_draft: Draft, _hand: Hand) -> tuple[Finding, ...]:
    """Return no finding: nothing is decided on cards that nobody else has seen."""
    return ()


def leaves_alone(_draft: Draft, _hand: Hand) -> None:
    """Do nothing, for the same reason."""


def takes_bets_first(_draft: Draft) -> None:
    """Do nothing: the game's rounds begin with the bets."""


def invites(_round: Round) -> Clause:
    """Return the usual invitation to bet."""
    return _PLACE_BETS


def puts_nothing_down(_state: TableState, _seat: SeatNumber, _decision: Decision) -> Bounds | None:
    """Return no bounds: a decision puts no stake down, or one that is fixed."""
    return None


def shows_hands_only(_state: TableState) -> GamePicture:
    """Return an empty picture: nothing but the players' hands is shown."""
    return GamePicture()


def shows_the_packet(played: Round, seat: SeatNumber) -> SeatPicture:
    """Return the one packet that a seat was dealt."""
    hand = played.hand_of(seat)
    return _NO_PACKET if hand is None else SeatPicture(hand.cards_counted, hand.delivered)


_NO_PACKET: Final = SeatPicture()
_PLACE_BETS: Final = Clause(SaidId.PLACE_BETS)


def lies_on_its_spot(_round: Round, stake: SeatStake) -> int:
    """Return the whole stake: nothing of it lies beside its spot."""
    return stake.stake_cents


NOTHING_MOVES: Final = (Phase.DEALING, Phase.DEALT, Phase.COLLECTING, Phase.COUNTING)
"""In no game is a stake put down, taken or paid here, but for what was settled before."""


@dataclass(frozen=True, slots=True)
class GamePlay:
    """One game's particulars. A field with a default is one that most games need not say."""

    options: type[House]  # the class of the house's options
    first_packet_cards: int
    not_ready: Callable[[TableState], Refusal | None]  # why no cards can be dealt yet
    deal: Callable[[Draft], None]  # no more bets are taken: begin to deal
    plan: Callable[[TableState, Sequence[SeatNumber]], tuple[Packet, ...]]  # these seats' packets, in dealing order
    after_proof: Callable[[Draft], None]  # every card is accounted for
    resume: Callable[[Draft], None]  # the round stood still after the proof, and goes on
    asked: Callable[[TableState], SeatNumber | None]  # the seat that decides next
    keyed: Callable[[Round, SeatNumber, Button], Action | None]  # what a key of the game's own asks for that seat
    # The results of those of these hands that can be settled, in the same order.
    settle: Callable[[TableState, Sequence[Hand]], tuple[HandSettled, ...]]
    after_deal: Callable[[Draft], None]  # every planned packet is at its seat
    reconciled_in: Callable[[Round], Sequence[SeatNumber]]  # the seats that can be reconciled, in the game's order
    after_reconciling: Callable[[Draft], None]
    spot_names: Mapping[WagerName, str]
    draws_due: Callable[[Round], bool] = draws_nothing  # whether cards will be asked for after the deal
    ask_card: Callable[[Draft], None] = asks_for_no_card  # ask a shoe, which gives packets card by card
    dealt_from: tuple[SourceKind, ...] = (SourceKind.SHUFFLER,)  # the kinds of device that can deal the game
    misfits: Callable[[House, SourceSettings], Iterator[Misfit]] = fits_any  # what else does not fit the device
    # Why the winners of a wager cannot share what one deal may pay, or None where they can.
    not_shared: Callable[[House, WagerName], str | None] = all_are_shared
    shoe: Callable[[TableSettings], ShoeRules] = a_deck_a_round  # how the game is dealt from a shoe
    begins_in: Phase = Phase.BETTING  # a round that opens stands here
    ask_first: Callable[[Draft], None] = takes_bets_first  # what is waited for there before the bets
    invites: Callable[[Round], Clause] = invites  # the invitation to bet
    # A hand was decided on unseen, and its cards are entered now: what is irregular about it, and what the rules make
    # of that when a supervisor goes on.
    found_in: Callable[[Draft, Hand], tuple[Finding, ...]] = finds_nothing
    allow: Callable[[Draft, Hand], None] = leaves_alone
    # The bounds of a decision's stake where a player chooses it. Must not look at hidden cards.
    puts_down: Callable[[TableState, SeatNumber, Decision], Bounds | None] = puts_nothing_down
    still_in: tuple[Phase, ...] = NOTHING_MOVES  # in these, chips lie as they were bet until their result is said
    settling_in: tuple[Phase, ...] = (Phase.RECONCILING,)  # in these, a stake lies still until its result is said
    # The least that can lie on the spot of a stake: chips of a decision may lie beside it.
    least_on_spot: Callable[[Round, SeatStake], int] = lies_on_its_spot
    picture: Callable[[TableState], GamePicture] = shows_hands_only  # what the game adds to the public picture
    seat_picture: Callable[[Round, SeatNumber], SeatPicture] = shows_the_packet


def asks_nobody(_state: TableState) -> SeatNumber | None:
    """Return no seat: players decide nothing."""
    return None


def has_no_keys(_round: Round, _seat: SeatNumber, _button: Button) -> Action | None:
    """Return no action: no key says a decision."""
    return None


def right_to_left(played: Round) -> Sequence[SeatNumber]:
    """Return the order of reconciling where a game says no other (games/README.md)."""
    return tuple(reversed(played.players))
