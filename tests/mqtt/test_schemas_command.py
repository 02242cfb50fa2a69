"""`feltd schemas DIR`: the files are there, or somebody is told why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.errors import SetupError
from daemon.mqtt.command import schemas
from daemon.mqtt.schemas import schema_files
from tests.support.rights import without_rights


def test_the_contract_is_written_into_a_directory_of_its_own(tmp_path: Path) -> None:
    done = CliRunner().invoke(schemas, [str(tmp_path / "a" / "b")], catch_exceptions=False)
    assert {path.name for path in (tmp_path / "a" / "b").iterdir()} == schema_files().keys()
    assert done.output == f"{len(schema_files())} files in {tmp_path / 'a' / 'b'}\n"


def test_a_directory_that_may_not_be_written_is_a_technicians_matter(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with without_rights(), pytest.raises(SetupError, match="The schemas cannot be written"):
        CliRunner().invoke(schemas, [str(tmp_path / "a")], catch_exceptions=False)
    tmp_path.chmod(0o755)
