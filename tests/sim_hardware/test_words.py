"""The control interface: every word answered in one line, on a real socket, for the owner alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocols.felt_link import messages as m
from sim_hardware.control import LINE_BYTES_MAX, ControlServer, tell
from sim_hardware.faults import SHUFFLER_FAULTS, FaultName
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_words import shuffler_vocabulary
from sim_hardware.words import WordError
from tests.sim_hardware.files import permissions
from tests.support.sentences import Says


@pytest.fixture
async def rig() -> AsyncIterator[ShufflerRig]:
    settings = ShufflerSettings(seed=7, pace=Pace(speed=0))
    made = ShufflerRig(settings, MemoryPort(), boots=numbered_boots("boot"))
    await made.start()
    yield made
    await made.stop()


def say(rig: ShufflerRig, *lines: str) -> list[str]:
    vocabulary = shuffler_vocabulary(rig)
    return [vocabulary.answer(line) for line in lines]


async def test_the_status_counts_cards_and_names_none(rig: ShufflerRig) -> None:
    assert say(rig, "status") == [
        "ok state=ready mode=5 packets=0 rack=52 tray=0 taken=0 ejected=0 locked=no door=closed lamp=off "
        "boot=boot-1 unacknowledged=4"
    ]


async def test_hands(rig: ShufflerRig) -> None:
    assert say(rig, "press green", "open", "close", "reboot", "unplug", "replug") == [
        "ok state=ready",
        "ok state=unproven",
        "ok state=unproven",
        "ok state=unproven",
        "ok state=unproven",
        "ok state=unproven",
    ]


async def test_what_the_machine_does_not_take_says_what_it_would(rig: ShufflerRig, says: Says) -> None:
    (refused, empty) = say(rig, "load", "clear")
    says(refused)
    assert "press" in refused
    says(empty)


async def test_a_stacked_deck_by_word(rig: ShufflerRig) -> None:
    rig.machine.take_order(m.EjectRemainder(), 0)
    rig.emulator.turn()
    assert say(rig, "load Ah Kd ...") == ["ok state=ready"]
    assert [str(piece.face) for piece in list(rig.machine.places.rack)[:2]] == ["Ah", "Kd"]


async def test_faults_are_switched_on_and_off(rig: ShufflerRig) -> None:
    assert say(
        rig, "faults", "fault jam next", "fault dropped-frames on 40", "fault short-hand packet 3", "faults"
    ) == [
        "ok none",
        "ok jam=next",
        "ok jam=next dropped-frames=on:40",
        "ok jam=next dropped-frames=on:40 short-hand=packet:3",
        "ok jam=next dropped-frames=on:40 short-hand=packet:3",
    ]
    assert say(rig, "fault jam off", "fault dropped-frames off", "fault short-hand off")[-1] == "ok none"


@pytest.mark.parametrize("name", SHUFFLER_FAULTS)
async def test_every_fault_describes_itself(rig: ShufflerRig, name: FaultName) -> None:
    (described,) = say(rig, f"fault {name}")
    assert described.startswith(f"ok {name} (")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "tkae",
        "press",
        "press Green",
        "take it",
        "take",
        "load Ax",
        "fault",
        "fault jamm on",
        "fault jam on 0",
        "fault jam packet x",
        "help tkae",
    ],
)
async def test_a_wrong_line_says_what_is_right(rig: ShufflerRig, line: str, says: Says) -> None:
    says(say(rig, line)[0])


async def test_help_lists_every_word_and_explains_each(rig: ShufflerRig) -> None:
    (names,) = say(rig, "help")
    for name in names.removeprefix("ok ").split(", "):
        assert say(rig, f"help {name}")[0].startswith(f"ok {name}")


@pytest.fixture
async def socket(rig: ShufflerRig, tmp_path: Path) -> AsyncIterator[Path]:
    control = ControlServer(shuffler_vocabulary(rig), tmp_path / "control")
    await control.start()
    yield control.path
    await control.stop()
    assert not control.path.exists()


async def test_the_socket_answers_line_by_line_and_is_its_owner_s(socket: Path) -> None:
    assert permissions(socket) == 0o600
    reader, writer = await asyncio.open_unix_connection(socket)
    writer.write(b"faults\npress next\nnonsense\n")
    answers = [await reader.readline() for _ in range(3)]
    assert answers[:2] == [b"ok none\n", b"ok state=ready\n"]
    assert answers[2].startswith(b"error ")
    writer.close()
    await writer.wait_closed()


async def test_the_client_gives_the_answer_or_raises_it(socket: Path, says: Says) -> None:
    assert await tell(socket, "faults") == "none"
    with pytest.raises(WordError) as raised:
        await tell(socket, "nonsense")
    says(raised.value)


async def test_a_line_without_end_is_answered_and_hung_up_on(socket: Path) -> None:
    reader, writer = await asyncio.open_unix_connection(socket)
    writer.write(b"x" * (3 * LINE_BYTES_MAX))
    assert (await reader.read()).startswith(b"error a line has at most")
    writer.close()
    await writer.wait_closed()


async def test_a_socket_in_use_is_not_taken_over(rig: ShufflerRig, socket: Path) -> None:
    with pytest.raises(FileExistsError, match="another emulator answers"):
        await ControlServer(shuffler_vocabulary(rig), socket).start()
    assert await tell(socket, "faults") == "none"
