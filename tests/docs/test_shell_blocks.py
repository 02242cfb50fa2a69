"""Every block that a reader types into a shell runs in the tests: here, or in the drills of `make test-deb`."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.brokers import test_guide
from tests.docs import test_integrators
from tests.docs.documents import GUIDES, ROOT, blocks, quoted, text_of
from tests.docs.shell_blocks import ShellBlock, shell_blocks, typed_by_drills, typed_in_drills
from tests.docs.terminal import beside, run
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import mosquitto
from tests.systemd import test_mosquitto_certificates
from tests.tools.bench.running import benching

Scene = Callable[[list[str], Path], None]

BLOCKS = {f"{block.document} {block.name}": block for block in shell_blocks()}
TYPED_WITH_ITS_ANSWER = {
    "daemon/mqtt/README.md commands 1": test_integrators.test_a_bet_is_refused_as_shown_and_every_topic_is_listed,
    "systemd/README.md the-broker 5": test_guide.test_rabbitmq_is_set_up_by_the_commands_of_the_guide,
    "systemd/README.md the-broker 6": test_guide.test_nats_is_set_up_by_the_commands_of_the_guide,
    **{f"systemd/README.md the-broker {number}": test_mosquitto_certificates.Machine.follow for number in (7, 8, 9)},
}
BENCH_PORT = "18830"


def listen(lines: list[str], here: Path) -> None:
    """While a bench plays, as the page says."""
    with mosquitto(here) as broker, benching("--speed", "50", "--port", str(broker.port)):
        for line in lines:
            with beside(line.replace(BENCH_PORT, str(broker.port)), here, says="felt/v1/bench/table1/event/"):
                pass


def real_table(lines: list[str], here: Path) -> None:
    """With the shortest file, which stands before it; neither its device nor its broker is there."""
    (shown,) = blocks(text_of("README.md"), "toml")
    (here / "table7.toml").write_text(shown, encoding="utf-8")
    check, create, play = lines
    assert "all well" in run(check, here)
    run(create, here)
    with beside(play, here, says='"table-started"'):
        pass


def four_terminals(lines: list[str], here: Path) -> None:
    port = str(free_port())
    broker, shuffler, play, tell = (line.replace("1883", port).replace("/tmp/", f"{here}/") for line in lines)  # noqa: S108
    _table_at(here / "shuffler", here, port)
    with beside(broker, here, says=port), beside(shuffler, here, says="Interrupt to end"):
        run("feltd create-journal --config table7.toml", here)
        with beside(play, here, says='"device-up"'):
            run(tell, here)


def capture(lines: list[str], here: Path) -> None:
    record, decode, replay, for_the_project = (line.replace("/tmp/", f"{here}/") for line in lines)  # noqa: S108
    _table_at(here / "tty", here, str(free_port()))
    shuffler = "feltd emulate shuffler --pty tty --auto-dealer"
    with beside(shuffler, here, says="Interrupt to end"), beside(record, here, says="shuffler"):
        while b"HELLO".hex().upper() not in (here / "night.capture").read_text():
            time.sleep(0.05)  # another process writes it
    assert "hello" in run(decode, here)
    with beside(replay, here, says="shuffler"):
        pass
    run(for_the_project, here)
    assert (here / "given.capture").exists()


def _table_at(port: Path, here: Path, broker: str) -> None:
    """Write table7.toml: the example, with this port, this broker, and its journal beside it."""
    text = text_of("systemd/feltd.example.toml")
    for key, value in (("address", f'"serial:{port}"'), ("path", '"journal.db"'), ("#port", broker)):
        before, found, after = text.partition(f"\n{key} = ")
        assert found, key
        text = f"{before}\n{key.removeprefix('#')} = {value}\n{after.partition(chr(10))[2]}"
    (here / "table7.toml").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "systemd" / "people.example.toml", here)


SCENES: dict[str, Scene] = {
    "README.md what-you-see 1": listen,
    "README.md a-real-table 1": real_table,
    "daemon/mqtt/INTEGRATOR.md try-it 1": listen,
    "daemon/tools/README.md capture-and-replay-a-device-s-line-on-record 1": capture,
    "sim_hardware/README.md a-table-without-hardware-in-four-terminals 1": four_terminals,
}


@pytest.mark.parametrize("name", SCENES)
def test_a_block_runs_as_it_stands(name: str, tmp_path: Path) -> None:
    SCENES[name](BLOCKS[name].lines, tmp_path)


def test_no_block_stands_in_a_document_that_nothing_types() -> None:
    drilled = typed_in_drills()
    here = {*SCENES, *TYPED_WITH_ITS_ANSWER}
    assert here <= BLOCKS.keys()
    untyped = [name for name, block in BLOCKS.items() if name not in here and not _is_whole(block, drilled)]
    assert untyped == []


def _is_whole(block: ShellBlock, drilled: dict[str, set[int]]) -> bool:
    """Whether the drills type it: at once, or every line by itself."""
    lines = drilled.get(block.name, set())
    return 0 in lines or lines == set(range(1, len(block.lines) + 1))


@pytest.mark.parametrize("guide", [*GUIDES, "systemd/README.md"])
def test_a_command_of_systemd_within_a_sentence_is_typed_by_the_drills(guide: str) -> None:
    """Those of feltd within sentences are parsed by `test_every_command_line_shown_can_be_typed`."""
    named = {
        words for words in quoted(text_of(guide)) if re.match(r"(systemctl|journalctl|systemd-analyze) .*feltd", words)
    }
    assert named or guide not in ("systemd/IT.md", "systemd/README.md")
    typed = typed_by_drills()
    assert [words for words in sorted(named) if words not in typed] == []


def test_no_two_blocks_have_one_name_in_the_drills() -> None:
    names = [block.name for key, block in BLOCKS.items() if key not in {*SCENES, *TYPED_WITH_ITS_ANSWER}]
    assert len(names) == len(set(names))
