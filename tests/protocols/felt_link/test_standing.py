"""What a hello means for a host that knows the device: the same store, another one, or one not to be believed."""

from __future__ import annotations

import pytest

from protocols.codec import Gap
from protocols.errors import LocalProtocolError
from protocols.felt_link import messages as m
from protocols.felt_link.events import Delivered, Greeted, Standing
from protocols.felt_link.host import HostLinkState
from protocols.felt_link.limits import WINDOW_EVENTS
from protocols.felt_link.memory import HostMemory
from tests.protocols.felt_link.pair import GREEN, Host, hello


def numbered(seq: int) -> m.Numbered:
    return m.Numbered(seq, False, GREEN)


def test_another_boot_means_that_the_device_restarted() -> None:
    host = Host(HostMemory.resume("B1", 41))
    assert host.meet(hello("B2", 1, 3)) == [Greeted(hello("B2", 1, 3), 1, Standing.RESTARTED, 0)]
    assert host.says() == [m.Welcome(1, "B2", 0)]
    assert host.hear(numbered(1)) == [Delivered("B2", 1, False, GREEN)]


def test_an_acknowledgement_of_an_earlier_boot_goes_nowhere() -> None:
    host = Host()
    host.meet()
    host.says()
    host.hear(numbered(1))
    host.meet(hello("B2"))
    host.says()
    host.link.acknowledge("B1", 1, 0)
    assert host.says() == []
    assert host.memory.on_disk == 0


def test_events_that_the_device_no_longer_keeps_are_a_gap_with_their_number() -> None:
    host = Host(HostMemory.resume("B1", 41))
    assert host.meet(hello(first=45, following=46)) == [
        Greeted(hello(first=45, following=46), 1, Standing.RESUMED, 3),
        Gap(3, "the device no longer keeps them"),
    ]
    window = range(45, 45 + WINDOW_EVENTS)
    assert host.hear(*(numbered(seq) for seq in window)) == [Delivered("B1", seq, False, GREEN) for seq in window]


@pytest.mark.parametrize(
    ("first", "following"),
    [(1, 5), (40, 41), (41, 41), (1, 60), (41 - WINDOW_EVENTS, 60)],
    ids=["numbers from 1", "one too few", "nothing kept", "counted past ours", "kept from before the last window"],
)
def test_a_device_that_counts_anew_under_its_boot_can_only_be_refused(first: int, following: int) -> None:
    host = Host(HostMemory.resume("B1", 41))
    greeting = hello(first=first, following=following)
    assert host.hear(greeting) == [Greeted(greeting, 1, Standing.REUSED, 0)]
    with pytest.raises(LocalProtocolError):
        host.link.welcome(0)
    assert host.says() == []
    host.link.refuse(m.HostRefusal.DEVICE, "boot-reused", 0)
    assert host.hear(numbered(42), m.Beat(42)) == []
    assert host.says() == [m.Refuse(m.HostRefusal.DEVICE, "boot-reused")]
    assert (host.memory.delivered, host.memory.on_disk) == (41, 41)


def test_a_device_that_keeps_the_whole_last_window_goes_on() -> None:
    host = Host(HostMemory.resume("B1", 41))
    [greeted] = host.hear(hello(first=42 - WINDOW_EVENTS, following=42))
    assert isinstance(greeted, Greeted)
    assert greeted.standing is Standing.RESUMED


def test_a_device_that_restarts_while_linked_is_greeted_anew_even_under_its_first_hello() -> None:
    host = Host()
    host.meet()
    host.hear(numbered(1))
    [greeted] = host.hear(hello())
    assert isinstance(greeted, Greeted)
    assert greeted.standing is Standing.REUSED
    assert host.link.state is HostLinkState.GREETED
