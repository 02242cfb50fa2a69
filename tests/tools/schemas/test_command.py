"""`feltd schemas DIR`: the files are there, or somebody is told why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.errors import SetupError
from daemon.tools.schemas.command import schema_files, schemas
from tests.support.rights import without_rights
from tests.support.sentences import Says


def test_the_contract_is_written_into_a_directory_of_its_own(tmp_path: Path) -> None:
    done = CliRunner().invoke(schemas, [str(tmp_path / "a" / "b")], catch_exceptions=False)
    written = {path.name: json.loads(path.read_bytes()) for path in (tmp_path / "a" / "b").iterdir()}
    assert written == json.loads(json.dumps(schema_files()))
    assert done.output == f"{len(schema_files())} files in {tmp_path / 'a' / 'b'}\n"


def test_a_directory_that_may_not_be_written_is_a_technicians_matter(tmp_path: Path, says: Says) -> None:
    tmp_path.chmod(0o555)
    with without_rights(), pytest.raises(SetupError) as raised:
        CliRunner().invoke(schemas, [str(tmp_path / "a")], catch_exceptions=False)
    says(raised.value)
    tmp_path.chmod(0o755)
