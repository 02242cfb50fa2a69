"""The power of a table's machine fails, again and again, in the middle of its rounds.

The guest is a table's machine: Linux, systemd, the installed daemon under its own unit, which starts with the machine,
and the journal on a disk of its own. The disk forgets, by a seeded coin, what was written and not flushed
(`tests.lab.forgetful_disk`), and the power fails in a seeded write of it. The broker, the shuffler and the people are
out here and keep their power: what they were told, the journal has to know after the last start, and the rounds have to
come to what they come to where no power fails.

FELTD_POWER_CUTS is how often it fails, FELTD_SEED repeats a run.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from daemon.journal.reading import JournalReader
from daemon.mqtt.envelope import envelope
from daemon.mqtt.topics import Topics
from daemon.table.vocabulary import RequestId
from daemon.tools.bench import client as bench_client
from daemon.tools.bench.client import EventHeard, TableClient, connected, read_event
from daemon.tools.bench.devices import machine
from daemon.tools.bench.world import SITE, TABLE, configuration, people_file
from sim_hardware.ports import TcpPort
from sim_hardware.shuffler_rig import ShufflerRig
from tests.daemon.test_cli import feltd
from tests.lab import guest
from tests.lab.forgetful_disk import SECTOR, ForgetfulDisk, words
from tests.lab.guest import Guest
from tests.lab.machine import make_payload
from tests.lab.table import JOURNAL, UNIT
from tests.lab.vm import HOST, GuestError, Vm
from tests.line.at_the_bench import SEATS, Table, bench, is_whole, results, settings
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import mosquitto
from tests.support.processes import gone_afterwards

CUTS = int(os.environ.get("FELTD_POWER_CUTS", "5"))
WRITES_MAX = 250
"""The last write, counted from the start of the guest's agent, in which the power fails: a start is some 30 of them, a
round 150."""
WAIT_S_MAX = 900.0
"""Starting the machine and playing a round take half a minute where nothing else runs."""
DISK_BYTES = 64 << 20
FACTS_MAX = 100_000
_FELTD = "/opt/feltd/bin/feltd"
_FILES = "/etc/feltd"
_ON_DISK = "/var/lib/feltd"


class Witness(Table):
    """The people at the table, and everything that the table said to them or to anybody, each time that it said it."""

    patience_s = WAIT_S_MAX

    def __init__(self, rig: ShufflerRig, client: TableClient) -> None:
        super().__init__(_Running(rig, client))
        self.published: list[EventHeard] = []
        self.accepted: list[tuple[str, str]] = []
        client.listen(self.published.append)
        ask_as = client.ask_as

        async def noted(user: str, command: str, round_id: str | None = None, **data: object) -> dict[str, Any]:
            answer = await ask_as(user, command, round_id, **data)
            if answer["accepted"]:
                self.accepted.append((user, answer["id"]))
            return answer

        client.ask_as = noted  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True)
class _Running:
    rig: ShufflerRig
    client: TableClient


@dataclass(slots=True)
class Mains:
    """A machine that is installed, its journal's disk, and the switch."""

    installed: Guest
    payload: Path
    directory: Path
    disk: ForgetfulDisk
    starts: int = 0

    @asynccontextmanager
    async def on(self, *, keeps_disk: bool = False) -> AsyncIterator[Vm]:
        """Give it power; afterwards it has none, and no time to do anything about it."""
        self.starts += 1
        socket = self.directory / f"disk-{self.starts}.sock"
        with self.disk.plugged(socket):
            vm = Vm(self.installed, self.payload, self.directory, {}, keeps_disk=keeps_disk, more_words=words(socket))
            # In threads, because the shuffler and the people live in this loop.
            await asyncio.to_thread(vm.__enter__)
            try:
                yield vm
            except BaseException as error:
                error.add_note(await asyncio.to_thread(_last_words, vm))
                raise
            finally:
                await asyncio.to_thread(vm.__exit__)

    async def fail_in(self, writes: int) -> None:
        """Give it power until so many writes of its disk after its start."""
        async with self.on():
            self.disk.cut_after(writes)
            try:
                has_failed = await asyncio.to_thread(self.disk.cut.wait, WAIT_S_MAX)
            finally:
                self.disk.cut.set()  # a test that is interrupted leaves no thread behind that waits
            assert has_failed, "its disk was not written to so often"
        self.disk.lose()

    def copied(self, path: str) -> Path:
        """A copy of a file of the disk, whose place in the machine's tree this is. The machine was shut down."""
        image, copy = self.directory / "image", self.directory / Path(path).name
        image.write_bytes(self.disk.content)
        dump = f"dump /{Path(path).relative_to(_ON_DISK)} {copy}"
        subprocess.run(["debugfs", "-R", dump, image], check=True, capture_output=True)
        image.unlink()
        return copy


def _last_words(vm: Vm) -> str:
    """What the table's unit said last, if there is still power."""
    with suppress(GuestError, OSError):
        return vm.run(f"journalctl --no-pager -o cat -u {UNIT} | tail -n 40")
    return "the machine does not answer"


async def installed(directory: Path, files: dict[str, str], seed: int) -> Mains:
    """Install a table as a technician does, with its journal on a disk of its own, and shut the machine down."""
    built = await asyncio.to_thread(guest.build)
    root = directory / "root.qcow2"
    disk = ForgetfulDisk(await asyncio.to_thread(_make_disks, built, root), seed)
    payload = await asyncio.to_thread(make_payload, directory)
    mains = Mains(Guest(built.kernel, built.initrd, root), payload, directory, disk)
    async with mains.on(keeps_disk=True) as vm:
        await asyncio.to_thread(_install, vm, files)
    return mains


def _make_disks(built: Guest, root: Path) -> bytes:
    """Make the machine's own disk; what an empty one for the journal has on it, as Debian formats it."""
    empty = root.with_name("journal.ext4")
    make = ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", str(built.disk), str(root)]
    for command in (make, ["mke2fs", "-q", "-t", "ext4", str(empty), f"{DISK_BYTES >> 10}k"]):
        subprocess.run(command, check=True, capture_output=True)
    content = empty.read_bytes()
    empty.unlink()
    return content


def _install(vm: Vm, files: dict[str, str]) -> None:
    vm.run("systemctl is-system-running --wait")
    vm.run("bash /opt/lab/install.sh 2>&1")
    vm.run(f"echo '/dev/vdc {_ON_DISK} ext4 defaults 0 2' >> /etc/fstab && mount {_ON_DISK}")
    vm.run("systemd-tmpfiles --create /usr/lib/tmpfiles.d/feltd.conf")
    for name, text in files.items():
        vm.write(f"{_FILES}/{name}", text)
    vm.run(f"systemctl restart feltd-user@{TABLE}")  # its directory, on the disk that was mounted since
    vm.run(f"runuser -u feltd-{TABLE} -- {_FELTD} create-journal --config {_FILES}/{TABLE}.toml")
    vm.run(f"systemctl enable {UNIT}")
    vm.power_off()


@asynccontextmanager
async def playing(directory: Path) -> AsyncIterator[tuple[Witness, dict[str, str]]]:
    """Everything that keeps its power: broker, shuffler, people. With the table's files."""
    asked, port = settings(directory), TcpPort(free_port())
    rig = ShufflerRig(machine(asked), port)
    with mosquitto(directory) as broker:
        await rig.start()
        try:
            async with connected(broker.port, Topics(SITE, TABLE)) as client:
                witness = Witness(rig, client)
                file = configuration(asked, broker.port, port.address.replace("127.0.0.1", HOST))
                text = file.read_text(encoding="utf-8").replace('host = "127.0.0.1"', f'host = "{HOST}"')
                text = text.replace('path = "journal.db"', f'path = "{JOURNAL}"')
                people = asyncio.create_task(witness.people.run())
                try:
                    yield witness, {f"{TABLE}.toml": text, "people.toml": people_file(SEATS)}
                finally:
                    people.cancel()
                    with suppress(asyncio.CancelledError):
                        await people
        finally:
            await rig.stop()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """People who wait for their answer until the machine has power again."""
    monkeypatch.setattr(bench_client, "ANSWER_S_MAX", WAIT_S_MAX)
    monkeypatch.setattr(bench_client, "REQUEST_VALID", timedelta(seconds=590))  # the table takes no more than 600


def test_the_disk_keeps_what_was_flushed_and_forgets_some_of_the_rest(tmp_path: Path) -> None:
    """Told by QEMU's own tool, which writes to it as QEMU does."""
    disk, socket = ForgetfulDisk(bytes(1 << 20), seed=1), tmp_path / "disk.sock"
    image = f"driver=raw,file.driver=nbd,file.server.type=unix,file.server.path={socket}"
    told = ("write -P 1 0 4k", "flush", "write -P 2 0 64k", "read -P 2 0 64k", "write -P 3 96k 512")
    command = ["qemu-io", "-t", "writeback", "--image-opts", image, *(word for each in told for word in ("-c", each))]
    disk.cut_after(3)
    with disk.plugged(socket), gone_afterwards(subprocess.Popen(command, stdout=subprocess.DEVNULL)) as writer:
        assert disk.cut.wait(WAIT_S_MAX)
        writer.kill()
    disk.lose()
    kept = [disk.content[place] for place in range(0, 64 << 10, SECTOR)]
    assert set(kept[:8]) == {1, 2}
    assert set(kept[8:]) == {0, 2}


@pytest.mark.usefixtures("patient")
@pytest.mark.timeout(3600)
async def test_what_was_acknowledged_before_a_power_cut_is_in_the_journal_after_it(tmp_path: Path) -> None:
    seed = int(os.environ.get("FELTD_SEED", random.randrange(1 << 32)))
    chance = random.Random(seed)
    sys.stdout.write(f"\nFELTD_SEED={seed}: {CUTS} power cuts\n")
    async with playing(tmp_path) as (witness, files):
        mains = await installed(tmp_path, files, seed)
        for _ in range(CUTS):
            await mains.fail_in(chance.randrange(1, WRITES_MAX))
            sys.stdout.write(f"{witness.tally.rounds} rounds, {len(witness.published)} events, {mains.disk}\n")
        async with mains.on() as vm:
            await witness.rounds(witness.tally.rounds + 1)
            await asyncio.to_thread(vm.power_off)
    is_whole(witness)
    rounds = range(1, witness.tally.rounds + 1)
    beside = tmp_path / "bench"
    beside.mkdir()
    async with bench(beside) as undisturbed:
        await undisturbed.rounds(len(rounds))
    assert results(witness, rounds) == results(undisturbed, rounds)
    journal = mains.copied(JOURNAL)
    verified = feltd("journal", "verify", journal)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    the_journal_knows_what_was_said(journal, witness)


def the_journal_knows_what_was_said(path: Path, witness: Witness) -> None:
    """Each event, however often it was published, and each answer that accepted something."""
    with closing(JournalReader.open_read_only(path)) as journal:
        facts = {fact.sequence: fact for fact in journal.facts_after(0, FACTS_MAX)}
        for said in witness.published:
            written = read_event(envelope(f"felt/v1/{SITE}/{TABLE}", facts[said.sequence]), 0)
            assert (said.kind, said.round_id, said.data) == (written.kind, written.round_id, written.data)
        for user, request in witness.accepted:
            answered = journal.answered(user, RequestId(request))
            assert answered is not None, f"{request} of {user} was accepted"
            assert answered[1].accepted, request
