"""Makes the guides ready to print: an HTML file for each, with its pictures inside. print_guides.py DIRECTORY GUIDE…"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

from markdown_it import MarkdownIt

PAPER = """\
@page { size: A4; margin: 10mm 14mm }
body { font: 9.4pt/1.25 Arial, "Liberation Sans", sans-serif; margin: 0; color: #111 }
h1 { font-size: 17pt; margin: 0 0 4pt }
h2 { font-size: 12pt; margin: 7pt 0 2pt }
p, ul, ol { margin: 4pt 0 }
ul, ol { padding-left: 16pt }
table { border-collapse: collapse; width: 100%; margin: 4pt 0 }
td, th { border: 0.5pt solid #999; padding: 1.5pt 4pt; text-align: left; vertical-align: top }
tr, pre, svg { break-inside: avoid }
svg { display: block; width: 62%; margin: 2pt auto }
code { font: 9pt monospace }
pre { background: #f2f2f2; padding: 4pt; margin: 4pt 0; white-space: pre-wrap; overflow-wrap: anywhere }
pre code { font-size: 8.3pt }
"""
PAGE = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title><style>
{paper}</style>
{body}</html>
"""
_LINK = re.compile(r'<a href="(?!https?:)[^"]+">(.*?)</a>')
_PICTURE = re.compile(r'<img src="([^"]+)" alt="[^"]*" ?/?>')


def printable(guide: Path) -> str:
    """Return the guide as a page that needs no other file."""
    text = guide.read_text(encoding="utf-8")
    body = MarkdownIt("commonmark").enable("table").render(text)
    body = _PICTURE.sub(lambda found: (guide.parent / found[1]).read_text(encoding="utf-8"), body)
    body = _LINK.sub(r"\1", body)  # paper follows no links
    title = html.escape(text.partition("\n")[0].removeprefix("# "))
    return PAGE.format(title=title, paper=PAPER, body=body)


def main(directory: str, *guides: str) -> None:
    Path(directory).mkdir(parents=True, exist_ok=True)
    for guide in map(Path, guides):
        (Path(directory) / f"{guide.stem.lower()}.html").write_text(printable(guide), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
