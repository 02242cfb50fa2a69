"""The guides: each fits on two printed pages, and what a command of theirs shows is what comes out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Browser

from daemon.mqtt.commands import NAMES as COMMANDS
from daemon.table.vocabulary import Ruling
from drivers.events import Button
from tests.docs.documents import GUIDES, ROOT, blocks, cells, examples, matches, section, text_of

PAGE = re.compile(rb"/Type /Page\b")
"""What stands in a PDF once for each page."""
KEPT = ROOT / "tests" / "journals" / "releases" / "0.1.0" / "big-50.db"


@pytest.fixture(scope="module")
def printable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guides as the package brings them."""
    directory = tmp_path_factory.mktemp("printable")
    subprocess.run(
        [sys.executable, ROOT / ".ci" / "print_guides.py", directory, *(ROOT / guide for guide in GUIDES)], check=True
    )
    return directory


@pytest.mark.asyncio(loop_scope="session")
async def test_a_guide_is_at_most_two_printed_pages_and_the_dealers_card_is_one(
    printable: Path, browser: Browser
) -> None:
    """Printed on A4 by a browser, with the pictures."""
    pages: dict[str, int] = {}
    page = await browser.new_page()
    for guide in GUIDES:
        name = Path(guide).stem
        await page.goto((printable / f"{name.lower()}.html").as_uri())
        pages[name] = len(PAGE.findall(await page.pdf(prefer_css_page_size=True)))
    await page.close()
    assert pages.pop("DEALER") == 1
    assert set(pages.values()) <= {1, 2}, pages


def test_the_dealers_card_has_pictures(printable: Path) -> None:
    assert (printable / "dealer.html").read_text(encoding="utf-8").count("<svg") == 3


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """What lies before a reader: a journal, a table's file, and a capture."""
    shutil.copy(KEPT, tmp_path / "journal.db")
    shutil.copy(ROOT / "systemd" / "feltd.example.toml", tmp_path / "table7.toml")
    shutil.copy(ROOT / "systemd" / "people.example.toml", tmp_path / "people.toml")
    shutil.copy(ROOT / "tests" / "captures" / "corrupted-frames.capture", tmp_path / "night.capture")
    return tmp_path


@pytest.mark.parametrize("guide", GUIDES)
def test_the_commands_of_a_guide_print_what_is_shown(guide: str, desk: Path) -> None:
    environ = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    for block in blocks(text_of(guide), "console"):
        for example in examples(block):
            shell = ["bash", "-c", f"( {example.command} ) 2>&1"]
            done = subprocess.run(shell, cwd=desk, env=environ, capture_output=True, text=True, timeout=500)
            assert matches(example.printed, done.stdout), f"$ {example.command}\n{done.stdout}"


def test_the_dealers_card_has_every_key_that_all_games_share() -> None:
    listed = cells(section(text_of("daemon/table/DEALER.md"), "## The keys"), 0)
    shared = [button.value for button in Button][: [*Button].index(Button.SEAT_1)]
    assert [key.lower() for key in listed] == shared


def test_the_dealers_card_quotes_what_the_table_says() -> None:
    """As far as a sentence is whole in the code, or was said in a journal that is kept."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "daemon" / "table").rglob("*.py"))
    said = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("sentences/*.txt"))
    for quoted in cells(text_of("daemon/table/DEALER.md"), 0):
        words = re.split(r"seat 3|Seat 3|…|[0-9.]+", quoted)
        for part in (part.strip(" .,:") for part in words):
            assert len(part) < 8 or part in code or part in said, part  # shorter ones say nothing


def test_the_pits_guide_has_every_ruling_and_only_real_commands() -> None:
    guide = text_of("daemon/table/PIT.md")
    assert {cell.strip("`") for cell in cells(section(guide, "## Rulings"), 0)} == {ruling.value for ruling in Ruling}
    named = {cell.strip("`") for cell in cells(section(guide, "## Your other commands"), 0)}
    assert named <= set(COMMANDS)
