"""The envelope: CloudEvents 1.0, made from the journal's row and nothing else."""

from __future__ import annotations

import json

from daemon.journal.reading import JournaledFact
from daemon.mqtt.envelope import envelope

FACT = JournaledFact(
    journal="0123456789ab",
    offset=42,
    n=1,
    sequence=107,
    utc_ns=1_790_000_000_123_456_789,
    rules_version="1.0",
    kind="seat-reconciled",
    round_id=None,
    body=b'{"seat":1}',
)


def test_every_attribute_is_the_journals() -> None:
    assert json.loads(envelope("felt/v1/north/7", FACT)) == {
        "specversion": "1.0",
        "id": "0123456789ab:42:1",
        "source": "felt/v1/north/7",
        "type": "seat-reconciled",
        "time": "2026-09-21T14:13:20.123456Z",
        "datacontenttype": "application/json",
        "dataschema": "urn:felt:v1:seat-reconciled",
        "sequence": "000000000107",
        "rulesver": "1.0",
        "data": {"seat": 1},
    }


def test_the_data_are_the_journals_bytes() -> None:
    assert b'"data":{"seat":1}' in envelope("felt/v1/north/7", FACT)
