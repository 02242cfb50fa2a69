"""`feltd files DIR`: unit, rules, examples, man pages and completion, from an installed feltd as from a clone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from daemon.tools.files.manual import command_pages, configuration_page
from daemon.tools.files.sbom import bill_of_materials

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
    shutil.copytree(systemd, directory / "systemd", dirs_exist_ok=True)
    manual = directory / "man"
    manual.mkdir(exist_ok=True)
    example = (systemd / "feltd.example.toml").read_text(encoding="utf-8")
    pages = command_pages(feltd) | {"feltd.toml.5": configuration_page(example)}
    for name, page in pages.items():
        (manual / name).write_text(page, encoding="utf-8")
    completion = directory / "completion"
    completion.mkdir(exist_ok=True)
    for shell in ("bash", "zsh", "fish"):
        source = get_completion_class(shell)
        assert source is not None, f"click completes for {shell}"
        script = source(feltd, {}, "feltd", "_FELTD_COMPLETE").source()
        (completion / f"feltd.{shell}").write_text(script, encoding="utf-8")
    (directory / "feltd.cdx.json").write_text(bill_of_materials(), encoding="utf-8")
    click.echo(f"{directory}: systemd, man ({len(pages)} pages), completion, feltd.cdx.json")
