"""Why a device cannot be used, by who must act: time, or a technician."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from protocols.frozen import dataclass

_S: Final = 1_000_000_000


class LossCode(StrEnum):
    """Stable names of why a connection is missing, so that a screen can say it in another language."""

    CLOSED = "closed"
    NOT_REACHED = "not-reached"
    UNPLUGGED = "unplugged"
    FAILED = "link-failed"
    SILENT = "silent-too-long"
    UNNAMED = "says-not-who"


class LostEventsCode(StrEnum):
    """Stable names of how it is known that events of a device are lost."""

    GAP = "gap"
    HIDDEN_BY_DAMAGE = "hidden-by-damage"
    REPEATED_UNKNOWN = "repeated-unknown"
    UNCLEAR_REPORT = "unclear-report"


class LinkError(Exception):
    """The connection to the device is missing or broke. It can come back by itself, so feltd keeps trying."""

    def __init__(self, reason: str, code: LossCode = LossCode.FAILED) -> None:
        super().__init__(reason)
        self.code: Final = code


class ClosedError(LinkError):
    """The other end of a connection closed it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, LossCode.CLOSED)


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
    BOOT_REUSED = "boot-reused"
    SHARED = "shared-device"
    NO_ANSWER = "no-answer"
    UNKNOWN_HOST = "unknown-host"


# How often to look again. To look for a missing port costs one failed open, and a plugged-in cable must not wait. The
# other problems stay until a technician acts. To open a port that is not ours again and again can disturb its device.
_RETRY_NS: Final[Mapping[SetupCode, int]] = {SetupCode.NO_SUCH_PORT: 1 * _S}
_RETRY_SLOWLY_NS: Final = 5 * _S

# These also occur for a moment while an unplugged device comes back. The kernel makes the port before udev sets its
# owner, and our own closed port may still be held.
_PASSING: Final = frozenset({SetupCode.NO_SUCH_PORT, SetupCode.PERMISSION_DENIED, SetupCode.PORT_BUSY})


@dataclass(frozen=True, slots=True)
class SetupProblem:
    """What is wrong, and what a technician has to do."""

    code: SetupCode
    problem: str
    remedy: str

    @property
    def retry_ns(self) -> int:
        """Return how long to wait before the next try."""
        return _RETRY_NS.get(self.code, _RETRY_SLOWLY_NS)

    @property
    def may_pass(self) -> bool:
        """Return whether this can also be a device that is just being plugged in."""
        return self.code in _PASSING


class SetupError(Exception):
    """A port cannot be opened as it was configured."""

    def __init__(self, problem: SetupProblem) -> None:
        super().__init__(f"{problem.problem} {problem.remedy}")
        self.problem: Final = problem
