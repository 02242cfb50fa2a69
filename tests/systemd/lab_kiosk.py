"""The display beside a table under real systemd: cage and Chromium as the unit starts them. `make test-container`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.systemd import container
from tests.systemd.lab_unit import HERE, INSTALLED, UNITS

SECONDS_MAX: Final = 500
NEEDED: Final = ("cage", "Xwayland", "chromium")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> container.Ran:
    missing = [program for program in NEEDED if shutil.which(program) is None]
    if missing:
        pytest.skip(f"the kiosk needs {', '.join(missing)} of Debian")
    files = {file.name: file for file in UNITS.iterdir() if file.is_file()}
    directory = tmp_path_factory.mktemp("kiosk")
    ran = container.run(directory, Path(HERE / "kiosk.sh").read_text(), INSTALLED, files, SECONDS_MAX)
    assert ran.status == 0, ran.output
    return ran


def test_systemd_starts_the_display_and_the_page_is_loaded_also_where_its_server_comes_later(
    shown: container.Ran,
) -> None:
    state = shown.shown("started")
    assert (state["ActiveState"], state["SubState"], state["NRestarts"]) == ("active", "running", "0")
    assert "--kiosk" in shown.note("browser")
    assert "http://localhost:8050/#/dealer/table7" in shown.note("browser")


def test_a_killed_browser_comes_back_with_its_page(shown: container.Ran) -> None:
    state = shown.shown("killed")
    assert (state["SubState"], state["NRestarts"]) == ("running", "1")


def test_the_screen_outlives_the_pages_server(shown: container.Ran) -> None:
    assert shown.shown("page-killed")["NRestarts"] == "1"
    assert shown.shown("stopped")["NRestarts"] == "1"


def test_a_display_that_is_stopped_leaves_no_browser(shown: container.Ran) -> None:
    # Without a display Debian 12's cage aborts when it is stopped, and leaves nothing behind.
    assert shown.shown("stopped")["ActiveState"] in ("inactive", "failed")
