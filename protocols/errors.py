"""What goes wrong in a protocol, by who must act.

Damage from the line is never an exception: it is a `Garbage`, a `Gap` or an anomaly value. What is left to
raise is misuse by our own side of the connection.
"""

from __future__ import annotations


class LocalProtocolError(Exception):
    """Our own program asked a connection for something that its state or the protocol forbids: a bug, not a fault."""
