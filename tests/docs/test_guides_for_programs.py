"""What the auditor's and the integrator's guides say is what the code does: names, figures, limits, who may."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from daemon.config.people import Role
from daemon.journal.journal import CHECKPOINT_RECORDS
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.mqtt.answering import COMMAND_BYTES_MAX
from daemon.mqtt.commands import NAMES, RESEND_EVENTS_MAX, VALID_S_MAX, Command, ResendData
from daemon.mqtt.documents import Reply, Running, State, Status
from daemon.mqtt.envelope import Envelope
from daemon.mqtt.topics import Topics
from daemon.mqtt.waiting import SHARE_MAX
from daemon.table.picture import TableView
from daemon.table.round_facts import RoundSettled, RoundVoided, SettledWager
from daemon.table.vocabulary import DeckProof, Evidence
from daemon.tools.journal.command import journal
from tests.docs.documents import ROOT, blocks, cells, quoted, section, text_of
from tests.docs.test_codes import ROWS

AUDITOR = text_of("daemon/journal/AUDITOR.md")
INTEGRATOR = text_of("daemon/mqtt/INTEGRATOR.md")
TO_A_HUNDRED = -2
TO_TEN = -1


def _fields(kind: type) -> set[str]:
    if issubclass(kind, msgspec.Struct):
        return {field.encode_name for field in msgspec.structs.fields(kind)}
    return {field.name for field in fields(kind)} if is_dataclass(kind) else set()


def _words(enums: tuple[type[Enum], ...]) -> set[str]:
    return {str(member.value) for enum in enums for member in enum}


TOPICS = {
    "status",
    "state",
    "metrics",
    "event/<type>",
    "device/<name>",
    "alert/<id>",
    "reply/<user>",
    "cmd/<user>/<name>",
}
NOT_OURS = {
    "clean_start",  # MQTT's
    "felt/v1/SITE/TABLE/",
    "cmd.<name>.json",
    "make run",
    *("-I", "bench", "table1"),
    "v1",
}


@cache  # the source of each error is read for it: every process that collects these tests would wait for it
def _known() -> set[str]:
    return {
        *NAMES,
        *FACT_KINDS.values(),
        *KINDS.values(),
        *(
            name
            for kind in (*FACT_KINDS, SettledWager, Command, ResendData, Envelope, Reply, State, Status, TableView)
            for name in _fields(kind)
        ),
        *_words((Running, Role, DeckProof, Evidence)),
        *(f"bench-{role.value}" for role in Role),
        *(row.code for rows in ROWS.values() for row in rows()),
        *TOPICS,
        *NOT_OURS,
    }


def _typed() -> set[str]:
    """Return what a reader may type of `feltd journal`: `tests/docs/test_names.py` looks at whole commands."""
    options = {option for inner in journal.commands.values() for each in inner.params for option in each.opts}
    return options | journal.commands.keys()


@pytest.mark.parametrize("guide", [AUDITOR, INTEGRATOR], ids=["auditor", "integrator"])
def test_every_name_in_a_guide_is_one_of_the_code(guide: str) -> None:
    known, typed = _known(), _typed()
    unknown = [words for words in quoted(guide) if words not in known and words.partition(" ")[0] not in typed]
    assert [words for words in unknown if not words.startswith("feltd ")] == []


def test_the_integrator_has_every_topic() -> None:
    topics = Topics("site", "table")
    really = {
        *(topics.status, topics.state, topics.metrics, topics.event("<type>"), topics.command("<user>", "<name>")),
        *(topics.reply("<user>"), f"{topics.base}/device/<name>", f"{topics.base}/alert/<id>"),
    }
    listed = {
        name for cell in cells(section(INTEGRATOR, "## The contract"), 0) for name in re.findall(r"`(.+?)`", cell)
    }
    assert {f"{topics.base}/{name}" for name in listed} == really
    assert "`felt/v1/SITE/TABLE/`" in INTEGRATOR
    (status,) = [row for row in INTEGRATOR.splitlines() if row.startswith("| `status`")]
    assert set(re.findall(r"`([a-z]+)`", status)) == {"status", *_words((Running,))}


def test_the_integrator_has_every_field_of_a_command_and_its_limits() -> None:
    asking = section(INTEGRATOR, "## Ask for something")
    assert {cell.strip("`") for cell in cells(asking, 0)} == _fields(Command)
    assert VALID_S_MAX == 10 * 60
    assert "at most ten minutes ahead" in asking
    assert f"at most {COMMAND_BYTES_MAX:,} bytes" in asking
    assert SHARE_MAX == 8
    assert "eight commands of a user" in asking
    assert {"id", "accepted", "code", "message"} <= set(re.findall(r"`([a-z]+)`", asking)) & _fields(Reply)


def test_the_integrator_knows_how_to_ask_for_missing_events() -> None:
    once = section(INTEGRATOR, "## Each event once")
    assert _fields(ResendData) == {"from", "to"} <= set(quoted(once))
    assert f"at most {RESEND_EVENTS_MAX:,} events" in once
    assert [role.value for role in Role if f"`{role.value}`" in once] == ["collector", "display"]


def _settles(kind: type) -> bool:
    return any(hint is SettledWager or SettledWager in get_args(hint) for hint in get_type_hints(kind).values())


def test_the_integrator_has_every_event_that_settles_a_wager() -> None:
    """A ledger that knew only one of them would miss money."""
    money = set(quoted(section(INTEGRATOR, "## Money")))
    settling = {name for kind, name in FACT_KINDS.items() if _settles(kind) and kind is not RoundVoided}
    assert len(settling) == 4
    assert settling <= money
    assert {name for name in money if name in set(FACT_KINDS.values())} == settling | {"round-settled", "round-voided"}
    needed = {"stake_cents", "outcome", "pays_cents", "returned_cents", "paytable", "paytable_hash"}
    assert needed <= _fields(SettledWager) & money
    assert {name for name in _fields(RoundSettled) if name.endswith("_cents")} <= money


def test_the_integrators_client_is_as_long_as_the_guide_says() -> None:
    (client,) = blocks(text_of("daemon/mqtt/README.md"), "python")
    assert f"some {round(len(client.splitlines()), TO_TEN)} lines of Python" in INTEGRATOR


def test_the_benchs_users_are_those_of_the_guide() -> None:
    named = set(re.findall(r"`bench-([a-z]+)`", INTEGRATOR))
    assert {"player", "dealer", "supervisor", "collector"} <= named <= _words((Role,))


def test_the_auditor_knows_how_a_deck_is_proven_and_how_often_a_journal_is_signed() -> None:
    proven = section(AUDITOR, "## What is proven")
    assert {str(proof.value) for proof in DeckProof} <= set(quoted(proven))
    assert f"in {CHECKPOINT_RECORDS:,}\n  records" in AUDITOR
    lines = len((ROOT / "daemon" / "tools" / "journal" / "verify.py").read_text(encoding="utf-8").splitlines())
    assert f"some {round(lines, TO_A_HUNDRED)} lines of Python" in AUDITOR


def test_the_auditor_has_every_fact_that_names_who_ruled_or_entered() -> None:
    """Bets and decisions are the players'; these are where a person took the place of a machine."""
    by_person: dict[str, Any] = {name: kind for kind, name in FACT_KINDS.items() if name in set(quoted(AUDITOR))}
    assert {"cards-entered", "ruling-given", "journal-continued"} <= by_person.keys()
    for name in ("cards-entered", "ruling-given", "journal-continued"):
        assert "who" in _fields(by_person[name]), name
