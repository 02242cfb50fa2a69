"""The envelope of an event: CloudEvents 1.0, structured mode, JSON.

The envelope is made from the journal's row alone, and the data are the journal's own bytes. So a fact that is
published again, by any later version, is the same message.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from daemon.clock import rfc3339
from daemon.journal.reading import JournaledFact

CONTENT_TYPE: Final = "application/cloudevents+json"
SEQUENCE_DIGITS: Final = 12  # at a million events a day enough for 2,700 years


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True):
    """The envelope of every event. `sequence` has no holes, and a resent event has the same `id`.

    `sequence` is CloudEvents' own extension: a string whose alphabetical order is the order of the events. As a number
    it grows by one from event to event.
    """

    specversion: Literal["1.0"]
    id: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]+:[1-9][0-9]*:[0-9]+$")]
    source: str
    type: str
    time: Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
    datacontenttype: Literal["application/json"]
    dataschema: str
    sequence: Annotated[str, msgspec.Meta(pattern=f"^[0-9]{{{SEQUENCE_DIGITS}}}$")]
    rulesver: str
    data: msgspec.Raw
    subject: str | None = None
    roundid: str | None = None


def schema_id(name: str) -> str:
    """Return the name of a message's JSON Schema, as in `$id` and `dataschema`."""
    return f"urn:felt:v1:{name}"


def sequence_text(number: int) -> str:
    """Return the number as events and the retained state spell it."""
    return f"{number:0{SEQUENCE_DIGITS}}"


def envelope(source: str, fact: JournaledFact) -> bytes:
    """Return the message for this fact."""
    return msgspec.json.encode(
        Envelope(
            specversion="1.0",
            id=fact.id,
            source=source,
            type=fact.kind,
            time=rfc3339(fact.utc_ns),
            datacontenttype="application/json",
            dataschema=schema_id(fact.kind),
            sequence=sequence_text(fact.sequence),
            rulesver=fact.rules_version,
            data=msgspec.Raw(fact.body),
            subject=fact.round_id,
            roundid=fact.round_id,
        )
    )
