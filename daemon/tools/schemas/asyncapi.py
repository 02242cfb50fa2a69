"""The AsyncAPI 3.1 document over the public contract.

An AsyncAPI tool resolves every `$ref` from the root of the document. So the definitions that a message's own schema
keeps in its `$defs` stand here once for all messages, in the components, and every reference names them there. The
payloads are plain AsyncAPI schemas: no keyword of ours is one that JSON Schema draft 7 reads in another way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from daemon.tools.schemas.contract import JSON_TYPE, Message, Schema, Way

ASYNCAPI: Final = "3.1.0"
PARAMETERS: Final[Mapping[str, Schema]] = {
    "site": {"description": "The casino."},
    "table": {"description": "The table."},
    "user": {"description": "The user with which the sender logged in to the broker."},
    "device": {"description": "A device of the table, by its name in the configuration."},
    "alert": {"description": "An alert, by the name with which it is cleared."},
}
_DEFINITION: Final = "#/$defs/"
_PREFIX: Final = {Way.WE: "", Way.THEY: "cmd."}  # a definition is closed inside commands, and open in our own messages


def asyncapi(messages: Sequence[Message]) -> Schema:
    """Return the document."""
    return {
        "asyncapi": ASYNCAPI,
        "info": {
            "title": "feltd: one table",
            "version": "1",
            "description": "What a table's daemon publishes on MQTT, and which commands it takes.",
        },
        "defaultContentType": JSON_TYPE,
        "channels": {message.name: _channel(message) for message in messages},
        "operations": {message.name: _operation(message) for message in messages if message.name != "reply"},
        "components": {
            "messages": {message.name: _message(message) for message in messages},
            "schemas": _schemas(messages),
        },
    }


def _channel(message: Message) -> Schema:
    refers = {message.name: {"$ref": f"#/components/messages/{message.name}"}}
    if message.address is None:
        return {"address": None, "messages": refers}
    address = f"felt/v1/{{site}}/{{table}}/{message.address}"
    placeholders = [level[1:-1] for level in address.split("/") if level.startswith("{")]
    return {"address": address, "parameters": {name: PARAMETERS[name] for name in placeholders}, "messages": refers}


def _operation(message: Message) -> Schema:
    operation: Schema = {
        "action": message.way.value,
        "channel": {"$ref": f"#/channels/{message.name}"},
        "summary": message.summary,
    }
    if message.way is Way.THEY:
        where = "The response topic of the request (MQTT 5), if it is reply/{user} or below it. Otherwise reply/{user}."
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
        "payload": {"$ref": f"#/components/schemas/{message.name}"},
    }


def _schemas(messages: Sequence[Message]) -> dict[str, Schema]:
    """Return the schema of each message, and of each definition inside them, by its name."""
    schemas: dict[str, Schema] = {}
    for message in messages:
        prefix = _PREFIX[message.way]
        # `$id` would be the base of the references inside, and `$schema` names another dialect than AsyncAPI's.
        own = {key: value for key, value in message.schema.items() if key not in ("$schema", "$id", "$defs")}
        schemas[message.name] = _refer(own, prefix)
        for name, definition in message.schema.get("$defs", {}).items():
            found = _refer(definition, prefix)
            assert schemas.setdefault(f"{prefix}{name}", found) == found, f"two definitions are named {name}"
    return schemas


def _refer(schema: Schema, prefix: str) -> Schema:
    """Return the same schema, with references to the components of the document."""
    return {key: _refer_inside(value, prefix) for key, value in schema.items()}


def _refer_inside(value: object, prefix: str) -> object:
    match value:
        case dict():
            return _refer(value, prefix)
        case list():
            return [_refer_inside(item, prefix) for item in value]
        case str() if value.startswith(_DEFINITION):
            return f"#/components/schemas/{prefix}{value.removeprefix(_DEFINITION)}"
        case _:
            return value
