"""The envelope: CloudEvents 1.0, made from the journal's row and nothing else."""

from __future__ import annotations

import json

import pytest

from daemon.journal.reading import JournaledFact
from daemon.mqtt.envelope import envelope, rfc3339

FACT = JournaledFact(
    journal="0123456789ab",
    offset=42,
    n=1,
    sequence=107,
    utc_ns=1_790_000_000_123_456_789,
    rules_version="1.0",
    kind="seat.reconciled",
    round_id=None,
    body=b'{"seat":1}',
)


def test_every_attribute_is_the_journals() -> None:
    assert json.loads(envelope("felt/v1/north/7", FACT)) == {
        "specversion": "1.0",
        "id": "0123456789ab:42:1",
        "source": "felt/v1/north/7",
        "type": "seat.reconciled",
        "time": "2026-09-21T14:13:20.123456Z",
        "datacontenttype": "application/json",
        "dataschema": "urn:felt:v1:seat.reconciled",
        "sequence": 107,
        "rulesver": "1.0",
        "data": {"seat": 1},
    }


def test_the_data_are_the_journals_bytes() -> None:
    assert b'"data":{"seat":1}' in envelope("felt/v1/north/7", FACT)


@pytest.mark.parametrize(
    ("utc_ns", "text"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (1_000_000_000, "1970-01-01T00:00:01.000000Z"),
        (1_790_000_000_999_999_999, "2026-09-21T14:13:20.999999Z"),
    ],
)
def test_a_moment_never_rounds_up_to_one_that_has_not_come(utc_ns: int, text: str) -> None:
    assert rfc3339(utc_ns) == text
