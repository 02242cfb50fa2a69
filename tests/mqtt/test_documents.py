"""The retained picture is the same bytes, whether msgspec writes it or the journal's own writer."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from itertools import accumulate
from pathlib import Path

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from daemon.journal.encoding import Codec
from daemon.journal.reading import JournalReader
from daemon.mqtt.documents import STATE, State
from daemon.mqtt.properties import publish_properties
from daemon.table import view
from daemon.table.inputs import Configured
from daemon.table.reducer import apply, blank
from tests.journal.releases import releases

CHECKED = Codec[State](State, {})
_PAHO_S_OWN = """
import json
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
print(json.dumps([vars(Properties(4)), list(ReasonCode.names.items())]))
"""


@pytest.mark.parametrize("kept", releases(), ids=lambda path: path.stem)
def test_msgspec_writes_what_the_journals_writer_writes(kept: Path) -> None:
    with closing(JournalReader.open_read_only(kept)) as opened:
        first, *rest = [happened for _, happened in opened.replay(0)]
    assert isinstance(first, Configured)
    states = accumulate((first, *rest), lambda state, each: apply(state, each).state, initial=blank(first))
    for state in states:
        document = State("a", "000000000001", view.public(state))
        assert STATE.encode(document) == CHECKED.encode(document)


def test_all_packets_share_what_paho_makes_for_each() -> None:
    made = subprocess.run([sys.executable, "-c", _PAHO_S_OWN], capture_output=True, check=True, text=True).stdout
    publish_properties("text/plain", None)  # feltd's are in place
    shared = [vars(Properties(PacketTypes.PUBACK)), list(ReasonCode.names.items())]  # type: ignore[no-untyped-call]
    assert json.loads(json.dumps(shared)) == json.loads(made)


def test_what_stands_beside_one_message_is_not_beside_another() -> None:
    with_correlation = publish_properties("text/plain", b"7")
    without = publish_properties("text/plain", None)
    assert with_correlation.json() == {"ContentType": "text/plain", "CorrelationData": "37"}  # type: ignore[no-untyped-call]
    assert without.json() == {"ContentType": "text/plain"}  # type: ignore[no-untyped-call]
