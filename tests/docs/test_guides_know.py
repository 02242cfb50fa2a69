"""What the guides say of the table is what the code does: who may clear what, who may ask for what, what a key does."""

from __future__ import annotations

import re
from datetime import date

import pytest

from daemon.config.sections import LimitsSection
from daemon.errors import ExitStatus
from daemon.journal.kinds import KINDS
from daemon.table.games import PROCEDURES
from daemon.table.inputs import Action
from daemon.table.keys import TRIGGERS
from daemon.table.procedure import Asked
from daemon.table.requests import MAY
from daemon.table.settings import AT_A_DEALERS_WILL
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Irregularity
from drivers.events import Button
from tests.docs.codes_of_alerts import alert_rows
from tests.docs.documents import ROOT, cells, quoted, section, text_of

PIT = text_of("daemon/table/PIT.md")
DEALER = text_of("daemon/table/DEALER.md")
TECHNICIAN = text_of("drivers/TECHNICIAN.md")
OF_A_DEALERS_WILL = {
    "a packet too many": (Irregularity.UNEXPECTED_CARDS, Irregularity.HAND_WITHOUT_STAKE),
    "or too few": (Irregularity.MISSING_HAND,),
    "a deck that is not proven": (Irregularity.DECK_NOT_PROVEN,),
    "a card that is missing": (Irregularity.CARD_MISSING,),
    "came too often or twice": (Irregularity.CARD_TOO_OFTEN, Irregularity.DUPLICATE_CARD),
    "could not be read": (Irregularity.UNREADABLE_CARD,),
    "was read in two ways": (Irregularity.DISPUTED_CARD,),
    "was turned over": (Irregularity.BOXED_CARD,),
    "is of another deck": (Irregularity.FOREIGN_CARD,),
    "a card out of a locked or unplugged shoe": (Irregularity.CARD_OUTSIDE_GAME,),
}
"""The pit's words for what its supervisor rules on where the house says so."""
_ALERT = re.compile(r"`([a-z-]+?)(-…)?`")


def cleared_by() -> dict[str, str]:
    """Return who may clear each alert, by its name without what it is about."""
    return {re.split(r"-<|-seat-", row.code)[0]: row.cells[1] for row in alert_rows()}


def test_the_pit_says_of_every_alert_who_may_clear_it() -> None:
    table = section(PIT, "## Alerts")
    rows = dict(zip(cells(table, 0), cells(table, 1), strict=True))
    named = {name: who for who, words in rows.items() for name, _ in _ALERT.findall(words)}
    (of_the_others,) = [who for who, words in rows.items() if words.startswith("every other")]
    assert {alert: named.get(alert, of_the_others) for alert in cleared_by()} == cleared_by()
    assert named.keys() <= cleared_by().keys()


def asks(name: str) -> type[Action]:
    (action,) = [kind for kind, public in KINDS.items() if public == name]
    return action


def test_a_supervisor_may_give_the_commands_of_the_pit_and_a_dealer_may_not() -> None:
    names = [cell.strip("`") for cell in cells(section(PIT, "## Your other commands"), 0)]
    for name in names:
        assert MAY[asks(name)] == {Actor.SUPERVISOR}, name
    assert set(names) | {"rule"} == {KINDS[action] for action, who in MAY.items() if who == {Actor.SUPERVISOR}}


def test_the_pit_knows_what_waits_for_a_supervisor_once_cards_are_out() -> None:
    words = " ".join(PIT.split())
    assert {each for several in OF_A_DEALERS_WILL.values() for each in several} == set(AT_A_DEALERS_WILL)
    assert [said for said in OF_A_DEALERS_WILL if said not in words] == []


def test_the_pit_names_the_amount_above_which_a_win_is_verified() -> None:
    usual = LimitsSection(first_day=date(2026, 1, 1), authorised_most_cents=10_000)
    assert f"{usual.verify_over_cents // 100:,} dollars" in section(PIT, "## Wins to verify")


def test_the_dealers_keys_do_what_the_card_says() -> None:
    """COUNT and SUPERVISOR have no row in any game, so they are only recorded; VOID only stops the round."""
    said = dict(zip(cells(section(DEALER, "## The keys"), 0), cells(section(DEALER, "## The keys"), 1), strict=True))
    for key, words in said.items():
        asked = TRIGGERS[Button(key.lower())]
        rows = [
            (phase, row.asked[asked])
            for procedure in PROCEDURES.values()
            for phase, row in procedure.rows.items()
            if asked in row.asked
        ]
        assert (rows == []) == ("is recorded, and changes nothing" in words), key
        if asked is Asked.ASK_VOID:
            assert {to for _, row in rows for to in row.to} == {Phase.HELD}
            assert Phase.BETTING not in {phase for phase, _ in rows}, "while cards are out"


@pytest.mark.parametrize("guide", ["drivers/TECHNICIAN.md", "daemon/table/PIT.md", "systemd/IT.md"])
def test_an_alert_that_a_guide_names_can_be_raised(guide: str) -> None:
    found = [_ALERT.fullmatch(f"`{words}`") for words in quoted(text_of(guide))]
    names = {alert[1] for alert in found if alert is not None and alert[2]}
    known = cleared_by().keys() | {"contacts", "felt-link"}  # kinds of profiles
    assert names <= known


def test_an_oddity_of_the_technicians_table_is_one_that_the_code_says() -> None:
    codes = {
        code
        for words in cells(section(TECHNICIAN, "## Something is wrong with a device"), 0)
        for code in re.findall(r"`([a-z-]+)`", words)
        if not code.endswith("-shuffler") or code.startswith("not-a-")
    }
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "drivers").rglob("*.py"))
    dynamic = {"not-a-shuffler", "not-a-shoe"}  # of the role of the other kind
    assert {"line-damage", *dynamic} <= codes
    assert [name for name in codes - dynamic if f'"{name}"' not in code] == []
    assert 'f"not-a-{only_of.value}"' in code


@pytest.mark.parametrize("guide", ["systemd/IT.md", "systemd/README.md"])
def test_it_knows_every_status_with_which_a_table_ends(guide: str) -> None:
    last = text_of(guide).rpartition("\n## ")[2]
    named = {int(number) for number in re.findall(r"\b(6\d|7\d)\b(?=[:,. |])", last)}
    assert named == {int(status) for status in ExitStatus if status >= ExitStatus.UNAVAILABLE}
