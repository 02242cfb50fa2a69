"""Machines that are heard by their lights: an input box on Modbus/TCP, wired as `drivers.contacts` says.

The box is an open matter: any with four digital inputs at discrete address 0. What the lights of a machine mean is
not. No vendor's paper was seen for the two machines that are named here, and none of them was heard: watch one first.

DeckMate 2: patents and public accounts agree on one deck that is lifted out whole after about 22 seconds, cards that
are counted and recognised inside, and red and green lights that tell a deck that does not fit. No public host link of
it is known. Ours counts nothing of what it sees.

i-Deal: patents describe hands that are given one after another, the number of cards set by the game that is chosen on
its screen, and a tray with a sensor. No public host link of it is known.

Washington (WAC 230-16-152) lets a shuffler report over a cellular network for billing, after the event and one way,
without card specific information and without live gaming data. So such a connection says nothing that a table could
use. Contacts beside the lights are another matter: ask the commission before wiring a machine.
"""

from __future__ import annotations

from typing import Final

from drivers.profile import Capability, DeviceRole, Evidence, LineSettings, Profile
from protocols import modbus_tcp

_NO_LINE: Final = LineSettings(baud=9_600)  # the box is on a network, and has no line to set


def _profile(name: str, title: str, evidence: Evidence, *can: Capability) -> Profile:
    return Profile(
        name=name,
        title=title,
        role=DeviceRole.SHUFFLER,
        protocol=modbus_tcp.NAME,
        line=_NO_LINE,
        evidence=evidence,
        capabilities=frozenset(can),
        is_asked=True,
    )


PROFILES: Final = (
    _profile("contacts-packets", "single-deck shuffler, packets, heard by its lights", Evidence.EMULATOR),
    _profile(
        "contacts-batch", "single-deck shuffler, whole decks, heard by its lights", Evidence.EMULATOR, Capability.BATCH
    ),
    _profile("deckmate-2-contacts", "DeckMate 2, heard by its lights", Evidence.PAPER, Capability.BATCH),
    _profile("i-deal-contacts", "i-Deal, heard by its lights", Evidence.PAPER),
)
