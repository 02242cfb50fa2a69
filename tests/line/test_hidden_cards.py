"""No hidden card leaves the process: every topic and the log of a run of each game, searched end to end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.tools.bench.games import GAMES
from sim_hardware.mechanism import Refused
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from tests.line.at_the_bench import BenchTable, bench
from tests.line.hidden_cards import CARD, Entry, Leak, Said, Seen, leaks
from tests.support.mosquitto import mosquitto

ROUNDS = 3


def witness(table: BenchTable, timeline: list[Entry]) -> None:
    """Note each card as hands take it out of the device."""
    rig = table.rig
    if isinstance(rig, ShufflerRig):
        take = rig.take_packet

        def taken() -> Refused | None:
            cards = tuple(str(piece.face) for piece in rig.machine.places.tray)
            refused = take()
            if refused is None:
                timeline.append(Seen(cards))
            return refused

        rig.take_packet = taken  # type: ignore[method-assign]
    else:
        _witness_the_shoe(rig, timeline)


def _witness_the_shoe(rig: ShoeRig, timeline: list[Entry]) -> None:
    draw = rig.draw

    def drawn() -> Refused | None:
        before = len(rig.shoe.drawn)
        if not rig.shoe.is_cut_card_next and rig.shoe.inside:
            timeline.append(Seen((str(rig.shoe.inside[0].face),)))
        refused = draw()
        assert refused is None, refused
        assert len(rig.shoe.drawn) in (before, before + 1)
        return refused

    rig.draw = drawn  # type: ignore[method-assign]


@asynccontextmanager
async def beside(work: Any) -> AsyncIterator[None]:  # noqa: ANN401
    """Something that goes on until this is left."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def note(timeline: list[Entry], where: str, text: bytes) -> None:
    timeline.append(Said(where, text.decode()))


async def hear(client: aiomqtt.Client, timeline: list[Entry]) -> None:
    """Every topic but the commands, which come in."""
    async for message in client.messages:
        if "/cmd/" not in str(message.topic):
            note(timeline, str(message.topic), bytes(message.payload))


async def recorded(game: GameName, directory: Path) -> list[Entry]:
    """A few rounds, and everything that was seen and said. A shoe holds one deck, so that each card is one card."""
    timeline: list[Entry] = []
    asked = {"game": game, "profile": GAMES[game].profiles[0], "reconciling": Reconciling.STEP}
    with mosquitto(directory) as broker:
        async with aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client:
            await client.subscribe("felt/#", qos=1)
            async with beside(hear(client, timeline)), bench(directory, port=broker.port, **asked) as table:
                witness(table, timeline)
                await table.rounds(ROUNDS)
    log = (directory / "feltd.log").read_text(encoding="utf-8")
    return [*timeline, *(Said("log", line) for line in log.splitlines())]


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: game.value)
def timeline(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    return asyncio.run(recorded(request.param, tmp_path_factory.mktemp("run")))


def test_no_card_is_named_before_the_game_makes_it_public(timeline: list[Entry]) -> None:
    assert leaks(timeline) == []


def test_the_search_has_something_to_search(timeline: list[Entry]) -> None:
    """Cards are named on events and in the picture, and many were seen that never are."""
    naming = {_kind(entry) for entry in timeline if isinstance(entry, Said) and CARD.search(entry.text)}
    assert {"event", "state"} <= naming
    assert {"device", "status", "log"} <= {_kind(entry) for entry in timeline if isinstance(entry, Said)} - naming
    assert sum(len(entry.cards) for entry in timeline if isinstance(entry, Seen)) > 6 * ROUNDS


def _kind(entry: Said) -> str:
    return entry.where.split("/")[4] if "/" in entry.where else entry.where


def _first(timeline: list[Entry], is_it: Callable[[Said], bool]) -> int:
    return next(place for place, entry in enumerate(timeline) if isinstance(entry, Said) and is_it(entry))


def _hidden_card(timeline: list[Entry]) -> str:
    """One that lay somewhere in the first round and was not named on any event of it."""
    end = _first(timeline, lambda entry: entry.where.endswith("/round-settled"))
    seen = [card for entry in timeline[:end] if isinstance(entry, Seen) for card in entry.cards]
    named = {card for entry in timeline[: end + 1] if isinstance(entry, Said) for card in CARD.findall(entry.text)}
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    return next(card for card in [*seen, *deck] if card not in named)


PLANTS = {
    "an event": lambda entry: entry.where.endswith("/betting-closed"),
    "an event after the deal": lambda entry: entry.where.endswith("/round-settled"),
    "the picture": lambda entry: entry.where.endswith("/state") and '"betting"' in entry.text,
    "a device's document": lambda entry: "/device/" in entry.where,
    "an answer": lambda entry: "/reply/" in entry.where,
    "the table's status": lambda entry: entry.where.endswith("/status") and entry.text != "",
    "the log": lambda entry: entry.where == "log",
}


@pytest.mark.parametrize("plant", PLANTS.values(), ids=PLANTS)
def test_a_planted_leak_is_found(plant: Callable[[Said], bool], timeline: list[Entry]) -> None:
    place, card = _first(timeline, plant), _hidden_card(timeline)
    told = timeline[place]
    assert isinstance(told, Said)
    planted = Said(told.where, json.dumps({**json.loads(told.text), "note": f"it is {card}"}))
    found = leaks([*timeline[:place], planted, *timeline[place + 1 :]])
    assert found
    assert {leak.entry for leak in found} == {planted}
    assert {named for leak in found for named in leak.cards} == {card}


def test_a_public_card_that_is_told_an_event_too_early_is_found(timeline: list[Entry]) -> None:
    """The first card of the recording that becomes public, in the event before the one that opens it."""
    opens = _first(timeline, lambda entry: "/event/" in entry.where and bool(CARD.search(entry.text)))
    told = timeline[opens]
    assert isinstance(told, Said)
    card = CARD.findall(told.text)[0]
    before = max(
        place
        for place, entry in enumerate(timeline[:opens])
        if isinstance(entry, Said) and "/event/" in entry.where and entry.text
    )
    entry = timeline[before]
    assert isinstance(entry, Said)
    planted = Said(entry.where, json.dumps({**json.loads(entry.text), "note": card}))
    found = leaks([*timeline[:before], planted, *timeline[before + 1 :]])
    assert Leak(planted, (card,), "not public then") in found
