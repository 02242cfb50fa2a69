"""Every command that writes files by name writes none through a link: root runs it in directories of other users."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from daemon.cli import feltd
from daemon.tools.folder import Folder
from daemon.tools.whole import write_whole
from tests.journal.played import journal_of, shuffled_games
from tests.support.rights import NOBODY

ROUND = "t7-1"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return journal_of(tmp_path_factory.mktemp("journal") / "journal.db", shuffled_games(1, 1))


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    file = tmp_path / "shadow"
    file.write_text("root's\n")
    return file


def run(*words: str | Path) -> int:
    done = CliRunner().invoke(feltd, [*map(str, words)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (
            ("files", "INTO"),
            ("man/feltd.1", "systemd/nats/nats-server.conf", "completion/feltd.bash", "feltd.cdx.json"),
        ),
        (("schemas", "INTO"), ("asyncapi.json",)),
        (("journal", "show", "JOURNAL", ROUND, "--picture", "INTO/picture.svg"), ("picture.svg",)),
    ],
)
def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(
    journal: Path, tmp_path: Path, victim: Path, words: tuple[str, ...], names: tuple[str, ...]
) -> None:
    into = tmp_path / "into"
    for name in names:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        (into / name).symlink_to(victim)
    assert run(*(word.replace("INTO", str(into)).replace("JOURNAL", str(journal)) for word in words)) == 0
    assert victim.read_text() == "root's\n"
    assert all((into / name).is_file() and not (into / name).is_symlink() for name in names)
    assert not [path for path in into.rglob("*") if path.name.startswith(".")], "no draft is left"


def test_a_link_in_the_place_of_a_directory_is_refused(tmp_path: Path) -> None:
    elsewhere = tmp_path / "etc"
    elsewhere.mkdir()
    (tmp_path / "man").symlink_to(elsewhere)
    with Folder.opened(tmp_path) as folder, pytest.raises(OSError, match="Not a directory"), folder.below("man"):
        pass
    assert not list(elsewhere.iterdir())


def test_a_new_directory_that_somebody_replaced_is_not_written_to(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An export is made in a directory whose owner can put a link where root has just made it."""
    elsewhere = tmp_path / "etc"
    elsewhere.mkdir()
    monkeypatch.setattr(Path, "mkdir", lambda self, mode: self.symlink_to(elsewhere))
    done = CliRunner().invoke(feltd, ["journal", "export", str(journal), str(tmp_path / "export")])
    assert getattr(done.exception, "code", None) == "export-directory"
    assert not list(elsewhere.iterdir())


def test_an_export_goes_on_into_the_directory_that_it_made(tmp_path: Path) -> None:
    elsewhere, export, kept = tmp_path / "etc", tmp_path / "export", tmp_path / "kept"
    elsewhere.mkdir()
    with Folder.made_new(export, 0o700) as folder:
        export.rename(kept)
        export.symlink_to(elsewhere)
        folder.write("base.json", b"{}")
        with folder.below("schemas") as schemas:
            schemas.write("state.json", b"{}")
    assert not list(elsewhere.iterdir())
    assert sorted(path.name for path in kept.rglob("*.json")) == ["base.json", "state.json"]


def test_a_file_that_was_not_finished_is_not_there(tmp_path: Path) -> None:
    def half() -> None:
        with Folder.opened(tmp_path) as folder, folder.writing("half") as written:
            written.write(b"the first half")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        half()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a link another user's")
def test_a_list_is_not_written_where_another_user_s_link_leads(tmp_path: Path, victim: Path) -> None:
    link = tmp_path / "feltd.acl"
    link.symlink_to(victim)
    write_whole(link, "a house's own link leads elsewhere")
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    with pytest.raises(OSError, match="link of another user"):
        write_whole(link, "a list")
    assert victim.read_text() == "a house's own link leads elsewhere"
