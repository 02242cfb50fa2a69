"""A driver takes any bytes whatever: what follows from them is an outcome, and nothing is written to a stranger."""

from __future__ import annotations

import random

from drivers.addresses import SerialAddress
from drivers.driver import Damaged, Rejected, Understood
from drivers.errors import SetupCode
from drivers.events import Anomaly, DeckLoaded, LinkUp, PacketDispensed, Restarted
from drivers.felt_link import FeltLinkDriver
from drivers.profile import DeviceSettings, Profile
from tests.drivers.ways import FACES, NAME, renamed
from tests.protocols.subjects import from_a_device

CONNECTIONS = 40
CHUNKS = 60
KINDS = {LinkUp, Restarted, PacketDispensed, DeckLoaded, Anomaly}


def broken(source: random.Random) -> bytes:
    """A frame as a device sends it, mostly sound."""
    data = bytearray(from_a_device(source))
    if source.random() < 0.3:
        data[source.randrange(len(data))] ^= 1 << source.randrange(8)
    return bytes(data)


def live(profile: Profile, serial: str | None, seed: int) -> tuple[list[object], bytes]:
    """Many connections full of half-broken traffic; what followed, and what was said."""
    source = random.Random(seed)
    driver = FeltLinkDriver(DeviceSettings(NAME, SerialAddress("/dev/any"), profile, serial), None)
    outcomes: list[object] = []
    said = b""
    now_ns = 0
    for _ in range(CONNECTIONS):
        driver.connected(now_ns)
        for _ in range(CHUNKS):
            now_ns += source.randrange(1_000_000_000)
            driver.handle_timeout(now_ns)
            driver.receive(broken(source), now_ns)
            while (outcome := driver.next_outcome()) is not None:
                outcomes.append(outcome)
                if isinstance(outcome, Understood) and outcome.receipt is not None:
                    driver.acknowledge(outcome.receipt, now_ns)
            said += driver.data_to_send()
    return outcomes, said


def test_whatever_a_device_says_gives_outcomes_and_nothing_else() -> None:
    anyone = renamed(FACES, capabilities=frozenset())
    for seed in range(10):
        outcomes, said = live(anyone, None, seed)
        assert {type(outcome) for outcome in outcomes} == {Damaged, Understood, Rejected}, f"seed {seed}"
        codes = {outcome.problem.code for outcome in outcomes if isinstance(outcome, Rejected)}
        assert codes == {SetupCode.BOOT_REUSED}, f"seed {seed}"
        events = [outcome.event for outcome in outcomes if isinstance(outcome, Understood)]
        assert {type(event) for event in events} == KINDS, f"{seed}"
        assert "not-a-shoe" in {event.code for event in events if isinstance(event, Anomaly)}, f"seed {seed}"
        assert b"WELCOME" in said, f"seed {seed}"


def test_whatever_a_stranger_says_nothing_is_written_to_it() -> None:
    for seed in range(10):
        outcomes, said = live(FACES, "another number", seed)
        assert {type(outcome) for outcome in outcomes} == {Damaged, Rejected}, f"seed {seed}"
        assert said == b"", f"seed {seed}"
