"""A person at a table, by MQTT alone. Runs in a container beside the installed feltd, with what feltd brings.

    person.py ask USER COMMAND DATA [ROUND]    asks for something; the status is 0 if the table accepts
    person.py deal USER ROUNDS [PHASE]         deals so many rounds, then one up to this phase, if it is named

BASE, BROKER, PORT and CA say which table and where; the password of a user is "password of USER" where there is a CA.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import aiomqtt

BASE = os.environ.get("BASE", "felt/v1/harbour/table7")
CA = os.environ.get("CA")
ANSWER_S_MAX = 3.0
AGAIN_S = 1.0
DEAL_S_MAX = 120.0
STAKE = {"seat": 1, "wager": "range", "stake_cents": 500}


class Person:
    """One user at the broker: hears the table's picture and its settled rounds, and asks for things."""

    def __init__(self, client: aiomqtt.Client, user: str) -> None:
        self.picture: dict[str, Any] = {}
        self.settled = 0
        self.news = asyncio.Event()
        self._client = client
        self._user = user
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def subscribe(self) -> None:
        """Before anything is asked: an answer can come at once."""
        for topic in (f"reply/{self._user}", "state", "event/round-settled"):
            await self._client.subscribe(f"{BASE}/{topic}", qos=1)

    async def hear(self) -> None:
        async for message in self._client.messages:
            said = json.loads(bytes(message.payload))
            if message.topic.matches(f"{BASE}/state"):
                self.picture = said["table"]
            elif message.topic.matches(f"{BASE}/event/+"):
                self.settled += 1
            elif said["id"] in self._answers:
                self._answers.pop(said["id"]).set_result(said)
            self.news.set()

    async def ask(self, command: str, data: dict[str, Any], round_id: str | None) -> bool:
        """Ask, and return whether the table accepts. Without an answer in time, it does not."""
        expires = datetime.now(UTC) + timedelta(minutes=1)
        request = {"id": str(uuid4()), "expires": expires.isoformat(), "data": data}
        request |= {} if round_id is None else {"round": round_id}
        answer = self._answers[str(request["id"])] = asyncio.get_running_loop().create_future()
        await self._client.publish(f"{BASE}/cmd/{self._user}/{command}", json.dumps(request), qos=1)
        async with asyncio.timeout(ANSWER_S_MAX):
            said = await answer
        sys.stdout.write(f"{json.dumps(said)}\n")
        return said["accepted"] is True

    async def act(self) -> None:
        """Do the one thing that a dealer does now, as the picture offers it: stake, green, next, clear an alert."""
        offered = {offer["command"]: offer for offer in self.picture.get("may", ()) if "dealer" in offer["roles"]}
        keys = offered.get("press", {}).get("choices", ())
        staked = any(seat["stakes"] for seat in self.picture.get("seats", ()))
        if "clear-alert" in offered:
            await self.ask("clear-alert", {"alert": offered["clear-alert"]["choices"][0]}, None)
        elif "bet" in offered and not staked:
            await self.ask("bet", STAKE, self.picture["round_id"])
        elif "green" in keys:
            await self.ask("press", {"button": "green"}, None)
        elif "next" in keys:
            await self.ask("press", {"button": "next"}, None)

    async def deal(self, rounds: int, phase: str | None) -> None:
        """Act until so many rounds are settled; then until a staked round is in the phase, if one is named."""
        while self.settled < rounds or (phase is not None and not self._is_in(phase)):
            self.news.clear()
            try:
                await self.act()
                async with asyncio.timeout(AGAIN_S):
                    await self.news.wait()
            except TimeoutError:
                continue

    def _is_in(self, phase: str) -> bool:
        return self.picture.get("phase") == phase and any(seat["stakes"] for seat in self.picture["seats"])


@asynccontextmanager
async def at_the_table(user: str) -> AsyncIterator[Person]:
    proof: dict[str, Any] = {}
    if CA is not None:
        proof = {
            "username": user,
            "password": f"password of {user}",
            "tls_params": aiomqtt.TLSParameters(ca_certs=CA),
        }
    host, port = os.environ.get("BROKER", "127.0.0.1"), int(os.environ.get("PORT", "1883"))
    async with aiomqtt.Client(host, port, protocol=aiomqtt.ProtocolVersion.V5, **proof) as client:
        person = Person(client, user)
        await person.subscribe()
        hearing = asyncio.create_task(person.hear())
        try:
            yield person
        finally:
            hearing.cancel()


async def main(what: str, user: str, *words: str) -> bool:
    async with at_the_table(user) as person:
        if what == "ask":
            command, data, *of_round = words
            return await person.ask(command, json.loads(data), of_round[0] if of_round else None)
        rounds, *phase = words
        async with asyncio.timeout(DEAL_S_MAX):
            await person.deal(int(rounds), phase[0] if phase else None)
        return True


if __name__ == "__main__":
    try:
        sys.exit(0 if asyncio.run(main(*sys.argv[1:])) else 1)
    except (TimeoutError, aiomqtt.MqttError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
