"""Keys of a device to what they mean at the table."""

from __future__ import annotations

from collections.abc import Mapping

from drivers.events import Button, ButtonPressed, KeyPressed


def pressed(key: str, keys: Mapping[str, Button]) -> ButtonPressed | KeyPressed:
    """What a key means; one that is mapped to nothing is named as the device names it."""
    button = keys.get(key)
    return KeyPressed(key) if button is None else ButtonPressed(button)
