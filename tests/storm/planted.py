"""Bugs that could be in the product: each replaces a real function by one that is wrong in one way.

They are for the test of the tester. Each takes pytest's monkeypatch, so nothing of them is in the product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from pytest import MonkeyPatch  # noqa: PT013 - as a type

from daemon.intake import Intake
from daemon.journal import journal
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.journal.start import Start, read_start
from daemon.mqtt.outbox import CURSOR, Outbox
from daemon.table import carry_over, draft, orders, view
from daemon.table.inputs import Input
from daemon.table.round_facts import HandSettled, RoundSettled, RoundVoided
from drivers.commands import SetMode

Plant = Callable[[MonkeyPatch], None]


def told_before_the_commit(plant: MonkeyPatch) -> None:
    """Commits are put off until the next one, and everybody is told at once."""
    append, advance, do_upkeep = Journal.append, Journal.advance, Journal.do_upkeep

    def appended(self: Journal, *what: Any) -> Any:  # noqa: ANN401
        _end_transaction(self)
        self._db.execute("BEGIN IMMEDIATE")
        return append(self, *what)

    def advanced(self: Journal, name: str, sequence: int) -> None:
        _end_transaction(self)
        advance(self, name, sequence)

    def kept_up(self: Journal) -> None:
        _end_transaction(self)
        do_upkeep(self)

    plant.setattr(Journal, "append", appended)
    plant.setattr(Journal, "advance", advanced)
    plant.setattr(Journal, "do_upkeep", kept_up)


def _end_transaction(opened: Journal) -> None:
    if opened._db.in_transaction:
        opened._db.execute("COMMIT")


def acknowledged_before_the_commit(plant: MonkeyPatch) -> None:
    """The device is told that its event is safe, and then it is committed."""
    take = Intake.take_input

    def taken(self: Intake, happened: Input) -> Any:  # noqa: ANN401
        self._acknowledge_input(happened)
        return take(self, happened)

    plant.setattr(Intake, "take_input", taken)


def cursor_before_the_acknowledgement(plant: MonkeyPatch) -> None:
    """The cursor moves when a fact is sent, and not when the broker has it."""
    fill, save = Outbox._fill_window, Outbox._save_cursor

    def filled(self: Outbox, publisher: Any) -> None:  # noqa: ANN401
        fill(self, publisher)
        if self._sent > self._source.cursor(CURSOR):
            self._source.advance(CURSOR, self._sent)

    def saved(self: Outbox, sequence: int) -> None:
        if sequence > self._source.cursor(CURSOR):
            save(self, sequence)

    plant.setattr(Outbox, "_fill_window", filled)
    plant.setattr(Outbox, "_save_cursor", saved)


def receipts_forgotten_at_a_start(plant: MonkeyPatch) -> None:
    """After a start nobody knows what the devices had said before."""

    def read_without(opened: JournalReader, on_progress: Callable[[], None]) -> Start:
        return replace(read_start(opened, on_progress), receipts={})

    plant.setattr(journal, "read_start", read_without)


def request_done_again(plant: MonkeyPatch) -> None:
    """A client that asks again under the same id is not known."""
    plant.setattr(Journal, "answered", lambda *_: None)


def hand_settled_twice(plant: MonkeyPatch) -> None:
    """Now and then a hand's results are said again."""
    say = draft.Draft.say

    def said(self: draft.Draft, *facts: Any) -> None:  # noqa: ANN401
        say(self, *facts)
        if any(isinstance(fact, HandSettled) for fact in facts) and self.state.commands_issued % 7 == 0:
            say(self, *facts)

    plant.setattr(draft.Draft, "say", said)


def stake_lost_at_a_void(plant: MonkeyPatch) -> None:
    """Of a void round the last stake is not returned."""
    _saying(plant, RoundVoided, lambda fact: replace(fact, returned=fact.returned[:-1]))


def cent_lost_in_a_sum(plant: MonkeyPatch) -> None:
    """Where a round has four hands, a cent of its returns stays with the house."""
    _saying(
        plant,
        RoundSettled,
        lambda fact: (
            replace(fact, returned_cents=fact.returned_cents - 1, take_cents=fact.take_cents + 1)
            if fact.hands == 4
            else fact
        ),
    )


def _saying(plant: MonkeyPatch, kind: type, changed: Callable[[Any], Any]) -> None:
    say = draft.Draft.say
    plant.setattr(
        draft.Draft,
        "say",
        lambda self, *facts: say(self, *(changed(fact) if isinstance(fact, kind) else fact for fact in facts)),
    )


def card_shown_one_step_early(plant: MonkeyPatch) -> None:
    """The picture shows a seat's result as soon as it is known, and not when the dealer comes to the seat."""
    seat = view._seat

    def seen(number: Any, played: Any, play: Any, settled: Any, who: Any) -> Any:  # noqa: ANN401
        return replace(seat(number, played, play, settled, who), settled=settled)

    plant.setattr(view, "_seat", seen)


def size_withheld_while_a_packet_is_ordered(plant: MonkeyPatch) -> None:
    """A machine that was away is given packets, and not their size."""
    due = orders.due

    def ordered(now: draft.Draft) -> Iterator[Any]:
        machine = now.state.device(now.state.settings.source.device)
        size, wanted = machine.cards_a_packet, orders.cards_wanted(now)
        if size in (None, wanted) or now.state.round is None:
            yield from due(now)
        elif (needed := orders._needed(now.state.phase, now.state.round)) is not None:
            if needed != now.round.ordered and not orders._is_ordered(now, needed):
                yield needed
        else:
            yield from (command for command in due(now) if not isinstance(command, SetMode))

    plant.setattr(orders, "due", ordered)


def orders_not_repeated(plant: MonkeyPatch) -> None:
    """A command that the process had not sent is not sent after the start."""
    plant.setattr(Intake, "resend_commands", lambda _: None)


def carried_over_without_the_deck(plant: MonkeyPatch) -> None:
    """What outlives a round leaves out the shoe and what is owed to the deck."""
    real = carry_over.carry_over

    def carried(state: Any) -> Any:  # noqa: ANN401
        what = real(state)
        return None if what is None else replace(what, reshuffle_owed=False, shoe=None, commands_issued=0)

    plant.setattr("daemon.intake.carry_over", carried)


HARMLESS: Final = (
    cursor_before_the_acknowledgement,
    receipts_forgotten_at_a_start,
    request_done_again,
    hand_settled_twice,
    cent_lost_in_a_sum,
    card_shown_one_step_early,
    size_withheld_while_a_packet_is_ordered,
    orders_not_repeated,
    carried_over_without_the_deck,
)
"""Found in storms of links, broker and process alone."""
HARMFUL: Final = (told_before_the_commit, acknowledged_before_the_commit, stake_lost_at_a_void)
"""Found where machines and people go wrong as well."""
