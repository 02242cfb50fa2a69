"""felt-link devices, over USB or any other line. A device's hello must promise the capabilities of its profile.

All of them keep their events until the journal has them. A key with one of felt-link's words has that meaning. The
configuration gives other keys their meaning.
"""

from __future__ import annotations

from typing import Final

from drivers.events import Button
from drivers.profile import Capability, DeviceRole, Evidence, LineSettings, Profile
from protocols import felt_link


def _profile(name: str, title: str, role: DeviceRole, *can: Capability) -> Profile:
    """Return a profile. A sensor under the felt has no keys; every other device has some."""
    keys = () if role is DeviceRole.STAKES else (Capability.BUTTONS,)
    return Profile(
        name=name,
        title=f"felt-link {title}",
        role=role,
        protocol=felt_link.NAME,
        line=LineSettings(baud=115_200),
        evidence=Evidence.EMULATOR,
        capabilities=frozenset({*can, *keys, Capability.NUMBERS, Capability.KEEPS_EVENTS}),
        keys={button.value: button for button in Button},
    )


PROFILES: Final = (
    # The usual shuffler of packets first. With COMMANDS the table drives it. Without, the dealer does, and the table
    # listens, checks and orders nothing.
    _profile(
        "felt-link-shuffler-faces",
        "single-deck shuffler, packets, reads faces",
        DeviceRole.SHUFFLER,
        Capability.FACES,
        Capability.COUNTS,
        Capability.COMMANDS,
    ),
    _profile(
        "felt-link-shuffler-counts",
        "single-deck shuffler, packets, counts only",
        DeviceRole.SHUFFLER,
        Capability.COUNTS,
        Capability.COMMANDS,
    ),
    # It only reports that a packet came out, so the dealer counts the stub.
    _profile(
        "felt-link-shuffler-blind",
        "single-deck shuffler, packets, neither faces nor counts",
        DeviceRole.SHUFFLER,
        Capability.COMMANDS,
    ),
    _profile(
        "felt-link-shuffler-observed",
        "single-deck shuffler, packets, observed only",
        DeviceRole.SHUFFLER,
        Capability.COUNTS,
    ),
    # Set to a game's own program, as an ACE or iDEAL is: its MODE tells the size of each packet before it comes.
    _profile(
        "felt-link-shuffler-observed-faces",
        "single-deck shuffler, packets of its own program, reads faces, observed only",
        DeviceRole.SHUFFLER,
        Capability.FACES,
        Capability.COUNTS,
    ),
    # A shuffled deck comes out whole, as from a DeckMate, and the dealer deals it by hand. People or another device
    # tell the table which cards were dealt.
    _profile(
        "felt-link-shuffler-batch",
        "single-deck shuffler, whole decks, counts only, observed only",
        DeviceRole.SHUFFLER,
        Capability.BATCH,
        Capability.COUNTS,
    ),
    _profile(
        "felt-link-shoe",
        "card-reading shoe",
        DeviceRole.SHOE,
        Capability.FACES,
        Capability.CUT_CARD,
        Capability.RETURNS,
    ),
    _profile("felt-link-buttons", "button pad", DeviceRole.BUTTONS),
    # Chips that tell their values, and a reader under each spot. What lies there is the bet, and nobody types it.
    _profile("felt-link-stakes", "bet sensor", DeviceRole.STAKES, Capability.STAKES),
)
