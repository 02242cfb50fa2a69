"""Modbus/TCP as far as an input box needs it: the host reads discrete inputs, and the box says which are closed.

The frames are those of the public papers of the Modbus organisation, "MODBUS Application Protocol Specification V1.1b3"
and "MODBUS Messaging on TCP/IP Implementation Guide V1.0b".
"""

from __future__ import annotations

from typing import Final

NAME: Final = "modbus-tcp"
