"""`systemd/CODES.md` is what the code says, and has a remedy for every code."""

from __future__ import annotations

from tests.docs.codes import PAGE, alert_rows, device_rows, error_rows, finding_rows, page


def test_the_page_of_codes_is_what_the_code_says() -> None:
    is_fresh = PAGE.read_text(encoding="utf-8") == page()
    assert is_fresh, "write it anew with `python -m tests.docs.codes`, and read its diff"


def test_every_code_has_a_remedy() -> None:
    for row in (*alert_rows(), *device_rows(), *error_rows(), *finding_rows()):
        assert row.cells[-1].strip(" …") or row.code.startswith(("setup-", "journal")), row.code
