"""The page's file, those that it names, and what systemd gives to the page, looked at while the page is stopped."""

from __future__ import annotations

import grp
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from daemon.config.document import InvalidConfigurationError
from daemon.config.page import check_page
from daemon.tools.doctor.account import Account, check_readable
from daemon.tools.doctor.credential import CHECK, find_in_unit
from daemon.tools.doctor.findings import Finding, fine, problem, warning

UNIT: Final = "feltd-page"
GROUP: Final = "feltd"
_NOBODY_ELSE: Final = -1  # DynamicUser= of the unit: a number that owns no file


def check_page_file(file: Path) -> Iterator[Finding]:
    """Yield what would keep the page from being served, or from being of use."""
    try:
        checked = check_page(file)
    except InvalidConfigurationError as error:
        for each in error.problems:
            remedy = f"Correct it, then run feltd check-config {file}."
            yield problem("configuration", str(error.file), each.sentence(error.file), remedy)
        return
    yield fine("configuration", str(file), f"is the file of the page of {checked.section.site}.")
    for credential in checked.of_the_unit:
        if credential.parent.name != f"{UNIT}.service":
            remedy = f"Write {credential.parent.with_name(f'{UNIT}.service') / credential.name}."
            yield problem(CHECK, str(credential), f"is not where systemd puts what it gives to {UNIT}.", remedy)
        yield find_in_unit(credential.name, UNIT, "the file's name").finding
    with suppress(KeyError):  # who installed feltd otherwise has no such group
        page = Account(UNIT, _NOBODY_ELSE, frozenset({grp.getgrnam(GROUP).gr_gid}))
        yield from check_readable([path for path in checked.readable if path.exists()], page)
    for table, name in checked.section.journals.items():
        journal = file.absolute().parent / name
        if not journal.exists():
            remedy = (
                "Correct it, or leave it if its disk is not mounted yet: rounds are drawn from the events meanwhile."
            )
            yield warning("journal", str(journal), f"is not there, and [page] names it as that of {table}.", remedy)
