"""Where the dealer presses: a pad of keys, else the keys of the dealing device, else those of a screen."""

from __future__ import annotations

from typing import TypeAlias

from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import TableClient
from drivers.events import Button
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig

Source: TypeAlias = ShufflerRig | ShoeRig
"""The device that is dealt from."""


class Keys:
    """The dealer's keys."""

    def __init__(self, client: TableClient, pad: ButtonsRig | None, device: Source) -> None:
        self._client = client
        self._pad = pad
        self._device = device if _has_keys_for_the_table(device) else None

    @property
    def has_pad(self) -> bool:
        """Return whether there is a key for each decision."""
        return self._pad is not None

    async def press(self, button: Button) -> None:
        """Press a key. Its consequences are heard as events."""
        if self._pad is not None:
            self._pad.press(button.value)
        elif self._device is not None:
            self._device.press(button.value)
        else:
            await self._client.ask("press", Actor.DEALER, button=button.value)


def _has_keys_for_the_table(rig: Source) -> bool:
    if isinstance(rig, ShufflerRig):  # the key of a batch shuffler gives its deck out, and lights say nothing of keys
        return not rig.settings.batch and rig.wired is None
    return rig.kind.has_keys
