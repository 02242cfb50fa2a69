"""The public contract in tools that other people wrote: AsyncAPI's parser, a strict validator, the CloudEvents SDKs."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

from daemon.journal.kinds import FACT_KINDS
from daemon.journal.reading import JournaledFact
from daemon.mqtt.envelope import envelope
from daemon.table.vocabulary import RoundId
from daemon.tools.schemas.command import ASYNCAPI_FILE, schema_files
from daemon.tools.schemas.contract import messages
from tests.contract.node import node
from tests.mqtt.running import TOPICS

FACTS = Path(__file__).parent.parent / "journals" / "format-2" / "facts.jsonl"


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("schemas")
    for name, schema in schema_files().items():
        (directory / name).write_bytes(msgspec.json.encode(schema))
    return directory


def events() -> list[bytes]:
    """Every event that a table can publish, in its envelope: at least one of each kind, with and without a round."""
    told = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    rounds = (RoundId("t7-1"), None)
    return [
        envelope(
            TOPICS.base,
            JournaledFact("abc", 1, 0, number, 10**18 + number, "1", fact["kind"], rounds[number % 2],
                          msgspec.json.encode(fact["body"])),
        )
        for number, fact in enumerate(told, 1)
    ]  # fmt: skip


def test_asyncapis_own_parser_loads_the_document_without_an_error(schemas: Path) -> None:
    loaded = json.loads(node("parse.cjs", schemas / ASYNCAPI_FILE))
    assert loaded == {"version": "3.1.0", "messages": sorted(message.name for message in messages())}


def test_a_strict_validator_compiles_every_schema_and_accepts_every_event(schemas: Path) -> None:
    told = "".join(f"event.{json.loads(event)['type']} {event.decode()}\n" for event in events())
    assert node("compile.cjs", schemas, said=told) == f"{len(schema_files()) - 1} schemas\n"


def test_the_strict_validator_refuses_characters_that_draw_nothing(schemas: Path) -> None:
    """Those above U+FFFF stand for themselves in the pattern: JavaScript and Python have no other word in common."""
    ruling = {"ruling": "void", "reason": "seen\U0001f0a1", "revision": 1}
    whole = {"id": "1", "expires": "2026-09-21T14:14:20Z", "round": "t7-1", "data": ruling}
    hidden = whole | {"data": ruling | {"reason": "seen\U000e0041"}}
    assert node("compile.cjs", schemas, said=f"cmd.rule {json.dumps(whole)}\n")
    with pytest.raises(AssertionError, match="reason must match pattern"):
        node("compile.cjs", schemas, said=f"cmd.rule {json.dumps(hidden)}\n")


def test_the_strict_validator_refuses_what_is_wrong(schemas: Path) -> None:
    broken = json.loads(events()[0]) | {"sequence": 7}
    with pytest.raises(AssertionError, match="sequence must be string"):
        node("compile.cjs", schemas, said=f"event.{broken['type']} {json.dumps(broken)}\n")


def test_the_cloudevents_sdk_of_javascript_reads_every_event() -> None:
    read = node("cloudevents.cjs", said="\n".join(event.decode() for event in events()))
    understood = [json.loads(line) for line in read.splitlines()]
    assert understood == [{key: event[key] for key in understood[0]} for event in map(json.loads, events())]
    assert {event["type"] for event in understood} == set(FACT_KINDS.values())


def test_the_cloudevents_sdk_of_python_reads_every_event() -> None:
    for said, event in zip(map(json.loads, events()), map(_read, events()), strict=True):
        assert (event.get_id(), event.get_type(), event.get_subject()) == (
            said["id"],
            said["type"],
            said.get("subject"),
        )
        assert event.get_extension("sequence") == said["sequence"]
        assert event.get_data() == said["data"]


def _read(event: bytes) -> CloudEvent:
    read = JSONFormat().read(CloudEvent, event)
    assert isinstance(read, CloudEvent)
    return read
