"""Where the dealer presses: a pad of keys beside him, else the keys of the device, else those of the panel."""

from __future__ import annotations

from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import TableClient
from daemon.tools.bench.sources import Source, has_keys
from drivers.events import Button
from sim_hardware.buttons_rig import ButtonsRig


class Keys:
    """The dealer's keys."""

    def __init__(self, client: TableClient, pad: ButtonsRig | None, device: Source) -> None:
        self._client = client
        self._pad = pad
        self._device = device if has_keys(device) else None

    @property
    def has_pad(self) -> bool:
        """Whether there is a key for every decision."""
        return self._pad is not None

    async def press(self, button: Button) -> None:
        """Press one; what comes of it is heard."""
        if self._pad is not None:
            self._pad.press(button.value)
        elif self._device is not None:
            self._device.press(button.value)
        else:
            await self._client.ask("press", Actor.DEALER, button=button.value)
