"""A session in a process of its own, which a test kills. Arguments: JOURNAL PORT VERSION."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from daemon.mqtt.settings import MqttVersion
from tests.mqtt.conftest import reach
from tests.mqtt.running import HandTable, WatchedJournal


async def main(path: Path, port: int, version: MqttVersion) -> None:
    journal = WatchedJournal.open(path, create=True)
    journal.moved = asyncio.Event()
    await HandTable(journal).session(reach(port, version)).run()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), MqttVersion(sys.argv[3])))
