"""Asks the table for something on MQTT: ask.py USER COMMAND DATA [ROUND]. Its status is 0 if the table accepts."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import aiomqtt

BASE = os.environ.get("BASE", "felt/v1/harbour/table7")
ANSWER_S_MAX = 3


async def accepted(user: str, command: str, data: str, round_id: str | None) -> bool:
    expires = datetime.now(UTC) + timedelta(minutes=1)
    request = {"id": str(uuid4()), "expires": expires.isoformat(), "data": json.loads(data)}
    request |= {} if round_id is None else {"round": round_id}
    async with aiomqtt.Client("127.0.0.1", 1883, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe(f"{BASE}/reply/{user}", qos=1)
        await client.publish(f"{BASE}/cmd/{user}/{command}", json.dumps(request), qos=1)
        async with asyncio.timeout(ANSWER_S_MAX):
            message = await anext(aiter(client.messages))
    sys.stdout.write(f"{bytes(message.payload).decode()}\n")
    return json.loads(message.payload)["accepted"] is True


if __name__ == "__main__":
    user, command, data, *of_round = sys.argv[1:]
    try:
        sys.exit(0 if asyncio.run(accepted(user, command, data, of_round[0] if of_round else None)) else 1)
    except (TimeoutError, aiomqtt.MqttError) as error:
        sys.exit(str(error))
