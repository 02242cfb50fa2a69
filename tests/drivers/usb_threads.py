"""Which threads of the USB transport are still there."""

from __future__ import annotations

import threading


def usb_threads() -> list[str]:
    """Their names."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("usb")]
