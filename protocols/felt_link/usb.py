"""felt-link over USB: how a device shows that it speaks it, and what its endpoints carry.

A vendor-specific interface with the subclass and protocol below has three endpoints, in any order:

- bulk OUT, bulk IN: the bytes of felt-link, as over a serial line. Packets and transfers mean nothing; the device
  ends what it has to say with a short packet (an empty one after a whole number of full ones), so that a host's
  read ends with it.
- interrupt IN: "bytes are waiting for you", with how many, little-endian. It is answered for as long as some are
  waiting, so that a lost notice costs one polling interval and nothing else.

The line begins when the host sets the configuration. There is no flow control beyond USB's own: what the host does
not fetch stays in the device until its buffer is full, and is then thrown away; the link repeats what matters.
The link's own hello names the device; the serial number in its USB descriptors has to be the same.
"""

from __future__ import annotations

from typing import Final

# USB 2.0, table 9-12: class 0xFF leaves subclass and protocol to the vendor. Ours spell FL.
INTERFACE_CLASS: Final = 0xFF
INTERFACE_SUBCLASS: Final = 0x46
INTERFACE_PROTOCOL: Final = 0x4C

NOTICE_BYTES: Final = 4


def encode_notice(waiting: int) -> bytes:
    """The interrupt packet that says how many bytes are waiting."""
    return waiting.to_bytes(NOTICE_BYTES, "little")
