"""`feltd files DIR`: unit, rules, examples, man pages and completion, from an installed feltd as from a clone."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from daemon.tools.files.manual import command_pages, configuration_page
from daemon.tools.files.sbom import bill_of_materials
from daemon.tools.folder import Folder

_INSTALLED: Final = Path(__file__).with_name("systemd")
_CLONED: Final = Path(__file__).resolve().parents[3] / "systemd"


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
def files(directory: Path) -> None:
    """Write unit, examples, man pages and completion into a directory.

    systemd/README.md in DIRECTORY says where each of them goes. feltd.cdx.json lists the packages that feltd uses.
    """
    from daemon.cli import feltd  # the whole command line, which imports this module only when it runs

    systemd = _INSTALLED if _INSTALLED.exists() else _CLONED
    directory.mkdir(parents=True, exist_ok=True)
    example = (systemd / "feltd.example.toml").read_text(encoding="utf-8")
    pages = command_pages(feltd) | {"feltd.toml.5": configuration_page(example)}
    with Folder.opened(directory) as folder:
        _copy(systemd, folder)
        with folder.below("man") as manual:
            for name, page in pages.items():
                manual.write(name, page.encode())
        with folder.below("completion") as completion:
            for shell in ("bash", "zsh", "fish"):
                source = get_completion_class(shell)
                assert source is not None, f"click completes for {shell}"
                script = source(feltd, {}, "feltd", "_FELTD_COMPLETE").source()
                completion.write(f"feltd.{shell}", script.encode())
        folder.write("feltd.cdx.json", bill_of_materials().encode())
    click.echo(f"{directory}: systemd, man ({len(pages)} pages), completion, feltd.cdx.json")


def _copy(source: Path, into: Folder) -> None:
    with into.below(source.name) as folder:
        for each in source.iterdir():
            if each.is_dir():
                _copy(each, folder)
            else:
                folder.write(each.name, each.read_bytes(), like=each.stat())
