"""What a bench shows of itself, and what people can do to it, on topics that no table has.

    bench/<site>/<table>/device/<name>   the front of an emulated device (retained)
    bench/<site>/<table>/room            speed, pause, and at which seats guests sit (retained)
    bench/<site>/<table>/seat/<number>   the cards that the guest there holds (retained)
    bench/<site>/<table>/felt            what lies at each place, face up, and how many are left to count (retained)
    bench/<site>/<table>/do/<word>       a word for a device or for the room

A word for a device is one that `feltd emulate tell` knows. What came of it stands in the front as `said`. Everybody
who reaches the bench's broker may say everything: a bench has no money.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Never
from uuid import uuid4

import aiomqtt
import msgspec

from daemon.mqtt import client as mqtt
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.tools.bench.client import broker_gone
from daemon.tools.bench.dealer import People
from daemon.tools.bench.devices import PAD
from daemon.tools.bench.world import SITE, TABLE, World
from drivers.profiles import PROFILES
from protocols.cards import Card, Face
from sim_hardware.buttons_rig import ButtonsRig, buttons_vocabulary
from sim_hardware.fronts import front_of
from sim_hardware.pace import Knob
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shoe_words import shoe_vocabulary
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_words import shuffler_vocabulary
from sim_hardware.words import Vocabulary

BASE: Final = f"bench/{SITE}/{TABLE}"
LOOK_S: Final = 0.1
SPEED_MAX: Final = 50.0

Rig = ShufflerRig | ShoeRig | ButtonsRig


class Word(msgspec.Struct, frozen=True):
    """What somebody asks of the bench. Each word reads what it needs."""

    device: str = ""
    rest: str = ""
    seat: int = 0
    speed: float = 1.0
    cards: tuple[str, ...] = ()


class Stage:
    """The bench's own topics, on a connection of their own."""

    def __init__(self, world: World, people: People, knob: Knob) -> None:
        self._world = world
        self._people = people
        self._knob = knob
        self._rigs: Final = _rigs(world)
        self._words: Final = {name: _vocabulary(rig) for name, rig in self._rigs.items()}
        self._said = dict.fromkeys(self._rigs, "")
        self._shown: dict[str, bytes] = {}
        self._room_words: Final[dict[str, Callable[[Word], None]]] = {
            "speed": self._turn_knob,
            "pause": lambda _: self._people.pause_or_go_on(),
            "sit": self._sit,
            "leave": lambda word: self._people.play_for(word.seat),
            "deal": lambda _: self._people.guests.ready(),
            "keep": self._keep,
        }

    async def run(self) -> Never:
        """Show and listen until cancelled. Afterwards the broker retains nothing of it."""
        broker = self._world.broker
        version = MqttVersion(self._world.settings.mqtt)
        settings = MqttSettings(host="127.0.0.1", port=broker.port, version=version, session_expiry_s=0)
        async with mqtt.connected(settings, f"bench-stage-{uuid4().hex}", None) as connection:
            await connection.listen(f"{BASE}/do/+")
            try:
                async with asyncio.TaskGroup() as parts:
                    parts.create_task(self._listen(connection))
                    parts.create_task(self._show(connection))
            finally:
                for topic in self._shown:
                    connection.post(topic, b"", retain=True)
        raise AssertionError("both parts go on")

    async def _show(self, connection: mqtt.Connection) -> Never:
        while True:
            self._stand_up_who_is_away()
            wanted = self._pictures()
            for topic in self._shown.keys() - wanted.keys():
                await connection.post(topic, b"", retain=True)
            for topic, payload in wanted.items():
                if self._shown.get(topic) != payload:
                    await connection.post(topic, payload, retain=True)
            self._shown = wanted
            await asyncio.sleep(LOOK_S)

    def _stand_up_who_is_away(self) -> None:
        """Go on without a guest who answers nothing: a tab that was closed must not stop the table."""
        ask = self._world.client.state.get("table", {}).get("ask") or {}
        away = self._people.guests.away(ask.get("seat"), asyncio.get_running_loop().time())
        if away is not None and not self._people.is_paused:
            self._people.play_for(away)

    def _pictures(self) -> dict[str, bytes]:
        guests = self._people.guests
        fronts = {
            f"{BASE}/device/{name}": {**msgspec.to_builtins(front_of(rig)), "said": self._said[name]}
            for name, rig in self._rigs.items()
        }
        room = {
            "speed": self._knob.speed,
            "is_paused": self._people.is_paused,
            "guests": sorted(guests.seats),
            "arriving": sorted(guests.arriving),
            "waits_for_bets": guests.is_waited_for,
        }
        seats: dict[str, Any] = {
            f"{BASE}/seat/{seat}": {"cards": _names(self._people.cards_of(seat))} for seat in guests.seats
        }
        shown = {**fronts, f"{BASE}/room": room, f"{BASE}/felt": self._felt(), **seats}
        return {topic: msgspec.json.encode(document) for topic, document in shown.items()}

    def _felt(self) -> dict[str, Any]:
        """Return what lies where and is counted: a machine that reads or counts no cards leaves it to the dealer."""
        lying = self._people.lying()
        return {
            "places": {
                str(place): {"cards": _names(hand.cards), "given_up": _names(hand.given_up)}
                for place, hand in sorted(lying.items())
            },
            "rest": self._people.rest(),
        }

    async def _listen(self, connection: mqtt.Connection) -> Never:
        try:
            async for message in connection.messages:
                self._do(str(message.topic).rpartition("/")[2], bytes(message.payload))
                connection.acknowledge(message)
        except aiomqtt.MqttError as error:
            raise broker_gone(error) from error
        raise AssertionError("a connection that ends raises")

    def _do(self, name: str, payload: bytes) -> None:
        """Do a word. One that cannot be read is left out: there is nobody to answer."""
        try:
            word = msgspec.json.decode(payload or b"{}", type=Word)
        except msgspec.MsgspecError:
            return
        if name in self._room_words:
            self._room_words[name](word)
        elif word.device in self._words:
            self._said[word.device] = self._words[word.device].answer(f"{name} {word.rest}")

    def _turn_knob(self, word: Word) -> None:
        if math.isfinite(word.speed) and 0 < word.speed <= SPEED_MAX:
            self._knob.speed = word.speed

    def _sit(self, word: Word) -> None:
        if 1 <= word.seat <= self._world.settings.seats:
            self._people.sit(word.seat)

    def _keep(self, word: Word) -> None:
        """Keep some of the cards that the guest holds: a hand cannot gain cards by a word."""
        held = self._people.cards_of(word.seat)
        kept = tuple(face for face in held if str(face) in word.cards)
        if word.seat in self._people.guests.seats and all(isinstance(face, Card) for face in kept):
            self._people.keep(word.seat, kept)


def _names(faces: Sequence[Face]) -> list[str]:
    return [str(face) for face in faces]


def _rigs(world: World) -> dict[str, Rig]:
    rigs: dict[str, Rig] = {PROFILES[world.settings.profile].role.value: world.rig}
    if world.draws_rig is not None:
        rigs["shoe"] = world.draws_rig
    if world.pad is not None:
        rigs[PAD] = world.pad
    return rigs


def _vocabulary(rig: Rig) -> Vocabulary:
    match rig:
        case ShufflerRig():
            return shuffler_vocabulary(rig)
        case ShoeRig():
            return shoe_vocabulary(rig)
        case ButtonsRig():
            return buttons_vocabulary(rig)
