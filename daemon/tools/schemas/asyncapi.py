"""The AsyncAPI 3.0 document over the public contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from daemon.tools.schemas.contract import DIALECT, JSON_TYPE, Message, Schema, Way

PARAMETERS: Final[Mapping[str, Schema]] = {
    "site": {"description": "The casino."},
    "table": {"description": "The table."},
    "user": {"description": "The user with which the sender logged in to the broker."},
    "device": {"description": "A device of the table, by its name in the configuration."},
    "alert": {"description": "An alert, by the name with which it is cleared."},
}


def asyncapi(messages: Sequence[Message]) -> Schema:
    """Return the document."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "feltd: one table",
            "version": "1",
            "description": "What a table's daemon publishes on MQTT, and which commands it takes.",
        },
        "defaultContentType": JSON_TYPE,
        "channels": {message.name: _channel(message) for message in messages},
        "operations": {message.name: _operation(message) for message in messages if message.name != "reply"},
        "components": {"messages": {message.name: _message(message) for message in messages}},
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
        "payload": {
            "schemaFormat": f"application/schema+json;version={DIALECT.split('/')[4]}",
            "schema": message.schema,
        },
    }
