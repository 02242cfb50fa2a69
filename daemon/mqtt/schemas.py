"""The public contract in files: a JSON Schema for every message, and one AsyncAPI document over all of them.

Both come from the very types that are written and read, so they cannot say anything else than the daemon does.
What we publish is open, as fields may be added; what we are sent is closed, as an unknown field is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, TypeAlias, cast, get_args

import msgspec

from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.mqtt.commands import NUMBER_MAX, RESEND, Command, ResendData
from daemon.mqtt.documents import Reply, State, Status
from daemon.mqtt.envelope import CONTENT_TYPE, Envelope, schema_id
from daemon.table.facts import AlertRaised
from daemon.table.inputs import Action
from daemon.table.view import DeviceView
from protocols.cards import Card, Face, Misread

Schema: TypeAlias = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
ASYNCAPI_FILE: Final = "asyncapi.json"
JSON_TYPE: Final = "application/json"
CARD_PATTERN: Final = "[23456789TJQKA][cdhs]"
FACE_PATTERN: Final = "|".join(
    (CARD_PATTERN, *(mark.value.replace("?", r"\?").replace("[]", r"\[\]") for mark in Misread))
)


class Way(Enum):
    """Who says it."""

    WE = "send"
    THEY = "receive"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the contract, by its name in schema files and in the AsyncAPI document."""

    name: str
    address: str | None  # below felt/v1/{site}/{table}/; None: wherever the requester said
    way: Way
    content_type: str
    schema: Schema
    summary: str


def messages() -> tuple[Message, ...]:
    """The whole contract."""
    return (*_events(), *_documents(), *_commands())


def schema_files() -> dict[str, Schema]:
    """Every file of the contract, by its name."""
    schemas = {f"{message.name}.json": message.schema for message in messages()}
    data = {f"{kind}.data.json": _identified(kind, _schema_of(cls)) for cls, kind in FACT_KINDS.items()}
    return {**schemas, **data, ASYNCAPI_FILE: asyncapi()}


def write_schemas(directory: Path) -> tuple[Path, ...]:
    """Write them all into a directory, which is made if it is not there."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for name, schema in schema_files().items():
        path = directory / name
        path.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n")
        written.append(path)
    return tuple(written)


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
        ("device", "device/{device}", DeviceView),
        ("alert", "alert/{alert}", AlertRaised),
        ("reply", None, Reply),
    )
    return [
        Message(name, address, Way.WE, JSON_TYPE, _identified(name, _schema_of(cls)), _summary(cls))
        for name, address, cls in about
    ]


def _commands() -> list[Message]:
    data: dict[str, type] = {KINDS[action]: action for action in get_args(Action)} | {RESEND: ResendData}
    return [
        Message(f"cmd.{name}", f"cmd/{name}", Way.THEY, JSON_TYPE, _command_schema(name, cls), _summary(cls))
        for name, cls in data.items()
    ]


def _command_schema(name: str, cls: type) -> Schema:
    data = _schema_of(cls)
    schema = _with_data(_schema_of(Command), data)
    if data.get("required"):
        schema["required"] = [*schema["required"], "data"]
    return _identified(f"cmd.{name}", _closed(schema) | {"description": _summary(cls)})


def _with_data(schema: Schema, data: Schema) -> Schema:
    """The message's schema with the place for its data filled; both halves' definitions stand at the top."""
    definitions = {**schema.pop("$defs", {}), **data.pop("$defs", {})}
    schema["properties"]["data"] = data
    return {**schema, "$defs": definitions} if definitions else schema


def _closed(schema: Schema) -> Schema:
    """The same, with every object refusing what it does not name, and every number with an end."""
    closed = {key: _closed_inside(value) for key, value in schema.items()}
    match closed.get("type"):
        case "object":
            return closed | {"additionalProperties": False}
        case "integer":
            return {"minimum": -NUMBER_MAX, "maximum": NUMBER_MAX} | closed
        case _:
            return closed


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
    """How the types that only we have are written."""
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


def asyncapi() -> Schema:
    """AsyncAPI 3.0 over the whole contract."""
    all_messages = messages()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "feltd: one table",
            "version": "1",
            "description": "What a table's daemon says on MQTT, and what it can be asked.",
        },
        "defaultContentType": JSON_TYPE,
        "channels": {message.name: _channel(message) for message in all_messages},
        "operations": {message.name: _operation(message) for message in all_messages if message.name != "reply"},
        "components": {"messages": {message.name: _message(message) for message in all_messages}},
    }


def _channel(message: Message) -> Schema:
    refers = {message.name: {"$ref": f"#/components/messages/{message.name}"}}
    if message.address is None:
        return {"address": None, "messages": refers}
    address = f"felt/v1/{{site}}/{{table}}/{message.address}"
    return {
        "address": address,
        "parameters": {name: PARAMETERS[name] for name in _placeholders(address)},
        "messages": refers,
    }


PARAMETERS: Final[Mapping[str, Schema]] = {
    "site": {"description": "The casino."},
    "table": {"description": "The table."},
    "device": {"description": "A device of the table, by its name in the configuration."},
    "alert": {"description": "An alert, by the name with which it is cleared."},
}


def _placeholders(address: str) -> list[str]:
    return [level[1:-1] for level in address.split("/") if level.startswith("{")]


def _operation(message: Message) -> Schema:
    operation: Schema = {
        "action": message.way.value,
        "channel": {"$ref": f"#/channels/{message.name}"},
        "summary": message.summary,
    }
    if message.way is Way.THEY:
        where = "The response topic of the request (MQTT 5), else felt/v1/{site}/{table}/reply/{client}."
        operation["reply"] = {
            "address": {"location": "$message.header#/responseTopic", "description": where},
            "channel": {"$ref": "#/channels/reply"},
        }
    return operation


def _message(message: Message) -> Schema:
    return {
        "name": message.name,
        "summary": message.summary,
        "contentType": message.content_type,
        "payload": {
            "schemaFormat": f"application/schema+json;version={DIALECT.split('/')[4]}",
            "schema": message.schema,
        },
    }
