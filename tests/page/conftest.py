"""A broker that checks passwords and holds its users to their own names, a browser, and a floor around them."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from daemon.config.people import People, TableUser
from daemon.page import steps
from daemon.tools.access import mosquitto as access_list
from tests.page.browsing import Floor, a_floor
from tests.page.published import PASSWORD, PEOPLE, SITE
from tests.page.served import STEPS_S
from tests.support.mosquitto import Mosquitto, mosquitto

OF_THE_SITE: Final = People(
    site=SITE, tables={"t7": TableUser(user="feltd"), "t8": TableUser(user="feltd8")}, people=dict(PEOPLE)
)
FELTD: Final = "user feltd\ntopic readwrite felt/v1/#\n"


@pytest.fixture(autouse=True)
def a_journal_may_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "STEPS_S_MAX", STEPS_S)


@pytest.fixture(scope="session")
def passwords(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: Mosquitto hashes a password slowly, on purpose."""
    file = tmp_path_factory.mktemp("page") / "passwords"
    file.write_text("".join(f"{user}:{PASSWORD}\n" for user in ("feltd", *PEOPLE)))
    subprocess.run(["mosquitto_passwd", "-U", str(file)], check=True, capture_output=True)
    file.chmod(0o644)
    return file


@pytest.fixture
def broker(tmp_path: Path, passwords: Path) -> Iterator[Mosquitto]:
    directory = tmp_path / "broker"
    directory.mkdir()
    _, _, of_people = access_list(OF_THE_SITE).partition("\nuser dana")
    access = f"{FELTD}\nuser dana{of_people}"
    # Mosquitto reads the file once, at its start. It is copied, because it may become another user's.
    own = directory / "passwords"
    own.write_bytes(passwords.read_bytes())
    with mosquitto(directory, access, (f"password_file {own}",), anonymous=False) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def floor(broker: Mosquitto, tmp_path: Path, browser: Browser) -> AsyncIterator[Floor]:
    async with a_floor(broker, tmp_path, browser) as running:
        yield running
