"""The public contract: every message is valid against its schema, and the documents agree with each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from daemon.config.people import Person, Role
from daemon.journal.encoding import fields_codec, is_owed_now
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.journal.reading import JournaledFact
from daemon.journal.record import FACT_BODIES
from daemon.mqtt.commands import NAMES, NUMBER_MAX, RESEND, TEXT_PATTERN, Malformed, read
from daemon.mqtt.documents import REPLY, STATE, STATUS, Reply, Running, State, Status, picture
from daemon.mqtt.envelope import envelope, sequence_text
from daemon.mqtt.problems import Problem
from daemon.table.facts import FactData
from daemon.table.inputs import Action
from daemon.table.picture import TableView
from daemon.table.vocabulary import RoundId
from daemon.tools.schemas.command import ASYNCAPI_FILE, schema_files
from drivers.events import Stamp
from tests.journal.any_value import anything
from tests.mqtt.running import TOPICS

FILES = schema_files()
NOW = Stamp(1_790_000_000_000_000_000, 1)
TEXTS = st.text(min_size=1).filter(re.compile(TEXT_PATTERN).match)
A_FEW = settings(max_examples=20, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])


def validate(name: str, message: bytes) -> None:
    jsonschema.Draft202012Validator(FILES[f"{name}.json"]).validate(json.loads(message))


def fact(data: FactData, round_id: RoundId | None) -> JournaledFact:
    kind = FACT_KINDS[type(data)]
    return JournaledFact("abc", 1, 0, 1, NOW.utc_ns, "1", kind, round_id, FACT_BODIES[kind].encode(data))


def told(name: str, payload: bytes) -> object:
    """What a supervisor's command is read as."""
    return read("ana", Person(role=Role.SUPERVISOR, tables=("*",)), name, payload, NOW)


def command(data: object) -> dict[str, Any]:
    expires = datetime.fromtimestamp(1_790_000_060, UTC).isoformat()
    return {"id": "1", "expires": expires, "data": data}


@pytest.mark.parametrize("cls", FACT_KINDS, ids=lambda cls: FACT_KINDS[cls])
def test_any_event_is_valid_against_its_schema(cls: type[FactData]) -> None:
    @A_FEW
    @given(data=anything(cls), round_id=st.sampled_from((None, RoundId("round-1"))))
    def valid(data: FactData, round_id: RoundId | None) -> None:
        message = envelope(TOPICS.base, fact(data, round_id))
        validate(f"event.{FACT_KINDS[cls]}", message)
        jsonschema.Draft202012Validator(FILES[f"{FACT_KINDS[cls]}.data.json"]).validate(json.loads(message)["data"])

    valid()


@pytest.mark.parametrize("cls", get_args(Action), ids=lambda cls: KINDS[cls])
def test_any_command_that_is_valid_is_read_and_one_that_is_read_is_valid(cls: type[Any]) -> None:
    codec = fields_codec(cls, KINDS)
    name, owed = KINDS[cls], [field.name for field in fields(cls) if is_owed_now(field)]
    kinds = get_type_hints(cls)
    fields_of = {field: TEXTS if kind is str else st.from_type(kind) for field, kind in kinds.items()}

    @A_FEW
    @given(action=st.builds(cls, **fields_of))
    def agree(action: object) -> None:
        assume(all(type(value) is not int or abs(value) <= NUMBER_MAX for value in _values(action)))
        assume(not any(getattr(action, name) is None for name in owed))
        assume(all(type(value) is not str or re.match(TEXT_PATTERN, value) for value in _values(action)))
        whole = command(codec.to_builtins(action))
        validate(f"cmd.{name}", json.dumps(whole).encode())
        assert not isinstance(told(name, json.dumps(whole).encode()), Malformed)
        for broken in (*breakages(whole), *(whole | {"data": whole["data"] | {field: None}} for field in owed)):
            said = json.dumps(broken).encode()
            assert isinstance(told(name, said), Malformed), said
            with pytest.raises(jsonschema.ValidationError):
                validate(f"cmd.{name}", said)

    agree()


def _values(action: Any) -> list[object]:  # noqa: ANN401  # any dataclass
    return [getattr(action, field.name) for field in fields(action)]


def breakages(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same message, each time with one fault."""
    yield whole | {"tea": 1}
    for key in ("id", "expires"):
        yield {name: value for name, value in whole.items() if name != key}
        yield whole | {key: 7}
    yield whole | {"role": "supervisor"}
    yield whole | {"id": "1\n"}
    yield whole | {"data": [whole["data"]]}
    yield whole | {"data": whole["data"] | {"tea": 1}}
    for key, value in whole["data"].items():
        if type(value) is int:
            yield whole | {"data": whole["data"] | {key: NUMBER_MAX + 1}}
        if value is not None:
            yield whole | {"data": whole["data"] | {key: {"not": "this"}}}


def test_a_resend_is_in_the_contract_too() -> None:
    validate(f"cmd.{RESEND}", json.dumps(command({"from": 1, "to": 2})).encode())
    for data in ({"from": 1}, {"from": 0, "to": 2}, {"from": "1", "to": 2}, {"from": 1, "to": 2, "tea": 3}):
        said = json.dumps(command(data)).encode()
        assert isinstance(told(RESEND, said), Malformed)
        with pytest.raises(jsonschema.ValidationError):
            validate(f"cmd.{RESEND}", said)


@A_FEW
@given(view=anything(TableView))
def test_any_retained_picture_is_valid(view: TableView) -> None:
    state = State("abc", sequence_text(7), view)
    validate("state", STATE.encode(state))
    for topic, message in picture(TOPICS, state).items():
        name = topic.removeprefix(TOPICS.base + "/").split("/")[0]
        validate(name, message)


@A_FEW
@given(status=anything(Status), reply=anything(Reply))
def test_any_status_and_reply_is_valid(status: Status, reply: Reply) -> None:
    validate("status", STATUS.encode(status))
    validate("reply", REPLY.encode(reply))


def test_the_schema_of_a_status_is_not_everythings() -> None:
    problem = Problem("event-refused", "What happened.", "What to do.")
    good = json.loads(STATUS.encode(Status(Running.RUNNING, "0.1", "abc", "2026-01-01T00:00:00Z", (problem,))))
    for broken in (good | {"status": "fine"}, good | {"problems": [{"code": 1}]}, {"status": "running"}):
        with pytest.raises(jsonschema.ValidationError):
            validate("status", json.dumps(broken).encode())


@pytest.mark.parametrize("name", FILES)
def test_every_schema_is_a_schema(name: str) -> None:
    if name != ASYNCAPI_FILE:
        jsonschema.Draft202012Validator.check_schema(FILES[name])
        assert FILES[name]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert FILES[name]["$id"].startswith("urn:felt:v1:")


def test_no_two_schemas_have_one_name() -> None:
    names = [schema["$id"] for name, schema in FILES.items() if name != ASYNCAPI_FILE]
    assert len(set(names)) == len(names)


def references(value: Any) -> Iterator[str]:  # noqa: ANN401  # any JSON
    """Every $ref: all of them are meant from the root of the document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_the_asyncapi_document_holds_together() -> None:
    document = FILES[ASYNCAPI_FILE]
    assert document["asyncapi"] == "3.1.0"
    assert {"title", "version"} <= document["info"].keys()
    for reference in references(document):
        found: Any = document
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        assert isinstance(found, dict)
    for channel in document["channels"].values():
        address = channel["address"]
        named = set() if address is None else {part[1:-1] for part in address.split("/") if part.startswith("{")}
        assert named == channel.get("parameters", {}).keys()


def test_the_asyncapi_document_has_every_event_command_and_document() -> None:
    document = FILES[ASYNCAPI_FILE]
    events = {f"event.{kind}" for kind in FACT_KINDS.values()}
    commands = {f"cmd.{name}" for name in NAMES}
    said = events | {"status", "state", "metrics", "device", "alert"}
    assert document["channels"].keys() == said | commands | {"reply"}
    assert document["components"]["messages"].keys() == said | commands | {"reply"}
    actions = {name: operation["action"] for name, operation in document["operations"].items()}
    assert actions == dict.fromkeys(said, "send") | dict.fromkeys(commands, "receive")
    assert all("reply" in document["operations"][name] for name in commands)


def test_channels_are_the_topics_that_are_used() -> None:
    channels = FILES[ASYNCAPI_FILE]["channels"]

    def at(name: str, **rest: str) -> str:
        return str(channels[name]["address"]).format(site="north", table="7", **rest)

    assert at("status") == TOPICS.status
    assert at("state") == TOPICS.state
    assert at("device", device="shuffler") == TOPICS.device("shuffler")
    assert at("alert", alert="jam") == TOPICS.alert("jam")
    assert at("event.bet-placed") == TOPICS.event("bet-placed")
    assert at("cmd.bet", user="ana") == TOPICS.command("ana", "bet")


def test_every_field_that_holds_money_says_its_unit() -> None:
    money = {"stake", "pays", "returned", "amount", "take", "threshold", "stakes"}
    for name, schema in FILES.items():
        for field, definition in _fields(schema):
            if definition.get("type") == "integer":
                assert field not in money, f"{name}: {field}"


def _fields(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401
    if isinstance(value, dict):
        if isinstance(value.get("properties"), dict):
            yield from value["properties"].items()
        for inner in value.values():
            yield from _fields(inner)
