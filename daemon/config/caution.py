"""One thing that is allowed in a configuration, and is probably not what was meant."""

from __future__ import annotations

from typing import Literal, TypeAlias

from protocols.frozen import dataclass

CautionCode: TypeAlias = Literal[
    "amounts-small",
    "certificate-of-another",
    "certificate-out-of-date",
    "dealer-may-void",
    "limits-begin-later",
    "limits-of-nothing",
    "limits-refuse",
    "no-password",
    "password-odd",
    "paytable-edge",
    "people-seats",
    "rounding-gives-away",
    "table-twice",
    "time-zone-fixed",
    "tls-missing",
    "tls-unexpected",
    "user-of-another",
]
"""Every caution. They are public names, and stay; `systemd/CODES.md` explains each."""


@dataclass(frozen=True, slots=True)
class Caution:
    """What a person should look at again. `code` is stable, `said` is prose."""

    code: CautionCode
    said: str

    @property
    def sentence(self) -> str:
        """Return it as `check-config` prints it."""
        return f"{self.said} [{self.code}]"
