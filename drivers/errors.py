"""Why a device cannot be used, by who must act: time, or a technician."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_S: Final = 1_000_000_000


class LinkError(Exception):
    """The way to the device is not there, or broke. Time can heal it, so feltd keeps trying."""


class ClosedError(LinkError):
    """The other end of a connection closed it."""


class SetupCode(StrEnum):
    """Stable names of what only a technician can repair."""

    NO_SUCH_PORT = "no-such-port"
    PERMISSION_DENIED = "permission-denied"
    PORT_BUSY = "port-busy"
    NOT_A_PORT = "not-a-port"
    LINE_SETTINGS = "line-settings"
    AMBIGUOUS = "ambiguous-device"
    NO_USB = "no-usb"
    WRONG_DEVICE = "wrong-device"
    WRONG_SERIAL = "wrong-serial"
    WRONG_FIRMWARE = "wrong-firmware"
    MISSING_CAPABILITY = "missing-capability"
    PROTOCOL_VERSION = "protocol-version"
    SHARED = "shared-device"
    NO_ANSWER = "no-answer"
    UNKNOWN_HOST = "unknown-host"


# How often it is worth looking again. A missing port costs one failing open, and a cable that is plugged in
# must not wait; the others stay as they are until somebody has done something, and opening a port that is
# not ours again and again can disturb whatever is behind it.
_RETRY_NS: Final[Mapping[SetupCode, int]] = {SetupCode.NO_SUCH_PORT: 1 * _S}
_RETRY_SLOWLY_NS: Final = 5 * _S

# These also occur for a moment while a device that was unplugged comes back: the kernel makes the port before
# udev has given it its owner, and our own closed port may still be held.
_PASSING: Final = frozenset({SetupCode.NO_SUCH_PORT, SetupCode.PERMISSION_DENIED, SetupCode.PORT_BUSY})


@dataclass(frozen=True, slots=True)
class SetupProblem:
    """What is wrong, and what a technician does about it."""

    code: SetupCode
    problem: str
    remedy: str

    @property
    def retry_ns(self) -> int:
        """How long to wait before looking again."""
        return _RETRY_NS.get(self.code, _RETRY_SLOWLY_NS)

    @property
    def may_pass(self) -> bool:
        """Whether it can also be the moment between unplugged and plugged in."""
        return self.code in _PASSING


class SetupError(Exception):
    """Raised where a port cannot be opened as it was configured."""

    def __init__(self, problem: SetupProblem) -> None:
        super().__init__(f"{problem.problem} {problem.remedy}")
        self.problem: Final = problem
