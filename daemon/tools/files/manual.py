"""Man pages from the commands' own help and from the example configuration, so that they cannot say something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import click

from daemon.errors import ExitStatus
from daemon.lazy import LazyCommand
from daemon.version import full_version

SUMMARY_CHARACTERS_MAX: Final = 200


def command_pages(group: click.Group) -> dict[str, str]:
    """Return a page of section 1 for the group and for each command below it, by file name."""
    return dict(_pages(group, None, group.name or "feltd"))


def configuration_page(example: str) -> str:
    """Return the page of section 5 for a table's file: the example with its explanations."""
    return "\n".join(
        [
            _head("feltd.toml", 5),
            ".SH NAME",
            r"feltd.toml \- the file of one casino table",
            ".SH DESCRIPTION",
            _text("feltd reads one TOML file for each table. `feltd check-config FILE` lists every mistake in it."),
            _text("This is the example that is installed with feltd; it explains every key."),
            ".SH EXAMPLE",
            ".nf",
            *(_verbatim(line) for line in example.splitlines()),
            ".fi",
            ".SH SEE ALSO",
            r"\fBfeltd\fR(1), \fBfeltd-check-config\fR(1)",
            "",
        ]
    )


def _pages(command: click.Command, parent: click.Context | None, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(command, LazyCommand):
        command = command.load()
    context = click.Context(command, parent, info_name=name, terminal_width=80)
    page = context.command_path.replace(" ", "-")
    yield f"{page}.1", _page(command, context, page)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from _pages(found, context, below)


def _page(command: click.Command, context: click.Context, page: str) -> str:
    help_text = re.sub(r"\x08\n?", "", command.help or command.short_help or "")
    first = help_text.partition("\n\n")[0]
    lines = [
        _head(page, 1),
        ".SH NAME",
        f"{_escaped(page)} \\- {_escaped(_one_line(first).rstrip('.'))}",
        ".SH SYNOPSIS",
        f"\\fB{_escaped(context.command_path)}\\fR {_escaped(' '.join(command.collect_usage_pieces(context)))}",
        ".SH DESCRIPTION",
        *(_text(paragraph) for paragraph in help_text.split("\n\n") if paragraph.strip()),
        ".SH OPTIONS",
    ]
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            lines += [".TP", f"\\fB{_escaped(record[0])}\\fR", _escaped(_one_line(record[1]))]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None:
                summary = found.get_short_help_str(SUMMARY_CHARACTERS_MAX)
                lines += [".TP", f"\\fB{_escaped(f'{page}-{below}')}\\fR(1)", _escaped(summary)]
    lines.append(".SH EXIT STATUS")
    for status in ExitStatus:
        lines += [".TP", f"\\fB{status.value}\\fR", _escaped(status.meaning)]
    lines += [".SH SEE ALSO", r"\fBfeltd\fR(1), \fBfeltd.toml\fR(5)", ""]
    return "\n".join(lines)


def _head(page: str, section: int) -> str:
    return f'.TH "{page.upper()}" "{section}" "" "feltd {_escaped(full_version())}" "feltd"\n.ad l'


def _text(paragraph: str) -> str:
    return f".PP\n{_escaped(_one_line(paragraph))}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _verbatim(line: str) -> str:
    return _escaped(line) or r"\&"


def _escaped(text: str) -> str:
    """Return the text as roff reads it literally: a backslash, a dash and a control character at the start."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped[:1] in (".", "'") else escaped
