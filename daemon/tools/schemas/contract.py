"""The public contract: every message that a table publishes or takes, each with its JSON Schema.

The schemas are made from the types that the daemon writes and reads, so they cannot disagree with it. Schemas of our
own messages allow unknown fields, because fields may be added. Schemas of commands refuse them, as the daemon does.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Final, TypeAlias, cast, get_args

import msgspec

from daemon.journal.encoding import is_owed_now
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.mqtt.commands import ITEMS_MAX, NUMBER_MAX, RESEND, TEXT_MAX, TEXT_PATTERN, Command, ResendData
from daemon.mqtt.documents import Reply, State, Status
from daemon.mqtt.envelope import CONTENT_TYPE, Envelope, schema_id
from daemon.mqtt.metrics import Metrics
from daemon.table.inputs import Action
from daemon.table.picture import AlertView, DeviceView
from protocols.cards import Card, Face, Misread
from protocols.frozen import dataclass

Schema: TypeAlias = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
JSON_TYPE: Final = "application/json"
CARD_PATTERN: Final = "[23456789TJQKA][cdhs]"
FACE_PATTERN: Final = "|".join(
    (CARD_PATTERN, *(mark.value.replace("?", r"\?").replace("[]", r"\[\]") for mark in Misread))
)


class Way(Enum):
    """Who sends a message: AsyncAPI's word for it, from the table's side."""

    WE = "send"
    THEY = "receive"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the contract, by its name in schema files and in the AsyncAPI document."""

    name: str
    address: str | None  # below felt/v1/{site}/{table}/; None: the requester names the topic
    way: Way
    content_type: str
    schema: Schema
    summary: str


@cache
def messages() -> tuple[Message, ...]:
    """Return the whole contract. It does not change while a process runs."""
    return (*_events(), *_documents(), *_commands())


def data_schemas() -> dict[str, Schema]:
    """Return the schema of each event's `data` alone, by its name."""
    return {f"{kind}.data": _identified(kind, _schema_of(cls)) for cls, kind in FACT_KINDS.items()}


def _events() -> list[Message]:
    return [
        Message(f"event.{kind}", f"event/{kind}", Way.WE, CONTENT_TYPE, _event_schema(cls, kind), _summary(cls))
        for cls, kind in FACT_KINDS.items()
    ]


def _event_schema(cls: type, kind: str) -> Schema:
    schema = _schema_of(Envelope)
    own = cast(Schema, schema["properties"])
    own["type"] = {"const": kind}
    own["dataschema"] = {"const": schema_id(kind)}
    return _identified(f"event.{kind}", _with_data(schema, _schema_of(cls)) | {"description": _summary(cls)})


def _documents() -> list[Message]:
    about: tuple[tuple[str, str | None, type], ...] = (
        ("status", "status", Status),
        ("state", "state", State),
        ("metrics", "metrics", Metrics),
        ("device", "device/{device}", DeviceView),
        ("alert", "alert/{alert}", AlertView),
        ("reply", None, Reply),
    )
    return [
        Message(name, address, Way.WE, JSON_TYPE, _identified(name, _schema_of(cls)), _summary(cls))
        for name, address, cls in about
    ]


def _commands() -> list[Message]:
    data: dict[str, type] = {KINDS[action]: action for action in get_args(Action)} | {RESEND: ResendData}
    return [
        Message(f"cmd.{name}", f"cmd/{{user}}/{name}", Way.THEY, JSON_TYPE, _command_schema(name, cls), _summary(cls))
        for name, cls in data.items()
    ]


def _command_schema(name: str, cls: type) -> Schema:
    data = _as_new(_bounded(_schema_of(cls)), cls)
    schema = _with_data(_schema_of(Command), data)
    if data.get("required"):
        schema["required"] = [*schema["required"], "data"]
    return _identified(f"cmd.{name}", _closed(schema) | {"description": _summary(cls)})


def _as_new(data: Schema, cls: type) -> Schema:
    """Return the schema where what only an older journal may have as null is not null."""
    owed = {field.name for field in fields(cls) if is_owed_now(field)} if is_dataclass(cls) else set[str]()
    properties = {name: _never_null(value) if name in owed else value for name, value in data["properties"].items()}
    return data | {"properties": properties}


def _never_null(value: Schema) -> Schema:
    kept = [choice for choice in value["anyOf"] if choice != {"type": "null"}]
    return {**{key: said for key, said in value.items() if key != "anyOf"}, **kept[0]}


def _with_data(schema: Schema, data: Schema) -> Schema:
    """Put the schema of the data into the message's, and the definitions of both at the top."""
    definitions = {**schema.pop("$defs", {}), **data.pop("$defs", {})}
    schema["properties"]["data"] = data
    return {**schema, "$defs": definitions} if definitions else schema


def _closed(schema: Schema) -> Schema:
    """Return the same schema where each object refuses unknown fields and each integer has bounds."""
    closed = {key: _closed_inside(value) for key, value in schema.items()}
    match closed.get("type"):
        case "object":
            return closed | {"additionalProperties": False}
        case "integer":
            return {"minimum": -NUMBER_MAX, "maximum": NUMBER_MAX} | closed
        case _:
            return closed


def _bounded(schema: Schema) -> Schema:
    """Return the schema of a command's data where texts and lists have the bounds that the daemon has."""
    properties = {name: _with_bounds(value) for name, value in schema.get("properties", {}).items()}
    return schema | {"properties": properties}


def _with_bounds(value: Schema) -> Schema:
    match value:
        case {"anyOf": choices}:
            return value | {"anyOf": [_with_bounds(choice) for choice in choices]}
        case {"type": "array"}:
            return {"maxItems": ITEMS_MAX} | value
        case {"type": "string", "pattern": _}:
            return value
        case {"type": "string"}:
            return {"maxLength": TEXT_MAX, "pattern": TEXT_PATTERN} | value
        case _:
            return value


def _closed_inside(value: object) -> object:
    match value:
        case dict():
            return _closed(value)
        case list():
            return [_closed_inside(item) for item in value]
        case _:
            return value


def _schema_of(cls: type) -> Schema:
    (_,), definitions = msgspec.json.schema_components([cls], schema_hook=_spelling)
    own = {**definitions.pop(cls.__name__), "description": _summary(cls)}
    return {**own, "$defs": dict(definitions)} if definitions else own


def _spelling(type_: type) -> Schema:
    """Return the schema of a type that is ours."""
    if type_ is Card:
        return {"type": "string", "pattern": f"^({CARD_PATTERN})$"}
    if type_ is Face:
        return {"type": "string", "pattern": f"^({FACE_PATTERN})$"}
    if type_ is Fraction:
        return {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$"}
    raise NotImplementedError(f"{type_.__name__} has no spelling in the public contract")


def _identified(name: str, schema: Schema) -> Schema:
    return {"$schema": DIALECT, "$id": schema_id(name), **schema, "title": name}


def _summary(cls: type) -> str:
    return " ".join((cls.__doc__ or "").split())
