"""How often a host takes a new hello."""

from __future__ import annotations

from protocols.felt_link.host import GREETINGS_AT_ONCE
from protocols.felt_link.limits import HELLO_NS
from tests.protocols.felt_link.pair import Host, hello


def test_hellos_of_ever_new_boots_are_taken_at_the_rate_at_which_a_device_says_them() -> None:
    """3,000 of them at once were 12,000 commits of the table, and ten seconds without an answer."""
    host = Host()
    greeted = 0
    for number in range(3_000):
        if host.hear(hello(f"B{number}")):
            greeted += 1
            host.link.welcome(0)
            list(iter(host.link.next_event, None))
    assert greeted == GREETINGS_AT_ONCE
    assert host.meet(hello("B4000"), at_ns=GREETINGS_AT_ONCE * HELLO_NS)
