"""A flood from browsers, in a process of its own: `python -m tests.page.flooding URL`.

It goes on until it is ended, and then writes how many requests there were.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from typing import Final

import aiohttp

FLOODERS: Final = 40
TIMEOUT_S: Final = 10.0


async def flood(url: str) -> int:
    """Ask for everything that a stranger can ask for, from many connections, until SIGTERM."""
    over, requests = asyncio.Event(), 0
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    posts = {"Content-Type": "application/json", "Origin": url.rstrip("/")}
    login = json.dumps({"user": "dana", "password": "wrong"})
    press = json.dumps({"press_id": "0123456789", "data": {"button": "green"}})

    async def flooder(client: aiohttp.ClientSession, number: int) -> None:
        nonlocal requests
        while not over.is_set():
            requests += 1
            try:
                match number % 5:
                    case 0:
                        answer = client.get(f"{url}stream")
                    case 1:
                        answer = client.post(f"{url}login", data=login, headers=posts)
                    case 2:
                        answer = client.post(f"{url}tables/t7/cmd/press", data=press, headers=posts)
                    case 3:
                        answer = client.get(f"{url}tables/t7/rounds/t7-1/steps")
                    case _:
                        answer = client.get(url)
                async with answer as response:
                    await response.content.read(100)
            except (aiohttp.ClientError, TimeoutError, ConnectionError):
                await asyncio.sleep(0)

    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(TIMEOUT_S), connector=connector) as client:
        flooders = [asyncio.create_task(flooder(client, number)) for number in range(FLOODERS)]
        sys.stdout.write("floods\n")
        sys.stdout.flush()
        await over.wait()
        for each in flooders:
            each.cancel()
        await asyncio.wait(flooders)
    return requests


if __name__ == "__main__":
    sys.stdout.write(f"{asyncio.run(flood(sys.argv[1]))}\n")
