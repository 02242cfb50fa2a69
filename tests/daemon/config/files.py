"""Configuration files for the tests: one that is good, and ways to break it."""

from __future__ import annotations

from daemon.table.settings import AT_A_DEALERS_WILL

GOOD = """\
[table]
site = "harbour"
name = "7"
seats = 6
game = "big-50"
deals_from = "shuffler"

[[limits]]
first_day = 2009-01-01
authorised_most_cents = 40000

[limits.wagers.big_50]
least_cents = 100
most_cents = 10000
step_cents = 100

[devices.shuffler]
profile = "felt-link-shuffler-faces"
address = "serial:/dev/serial/by-id/usb-shuffler"

[journal]
path = "table7.journal"
"""

SAFE = "[irregularities]\n" + "".join(f'{each.value} = "supervisor-once-seen"\n' for each in AT_A_DEALERS_WILL)
"""What a house adds to it so that no dealer alone can void a round of which they have seen cards."""


def changed(old: str, new: str) -> str:
    """The good file with one place changed."""
    if GOOD.count(old) != 1:
        raise ValueError(f"{old!r} stands {GOOD.count(old)} times in the good file")
    return GOOD.replace(old, new)
