"""What goes wrong in a protocol, by who must act.

Damage from the line is never an exception: it is a `Garbage`, a `Gap` or an anomaly value. Only misuse by our own side
of the connection raises.
"""

from __future__ import annotations


class LocalProtocolError(Exception):
    """Our own program asked for something that the connection's state or the protocol forbids. It is a defect."""
