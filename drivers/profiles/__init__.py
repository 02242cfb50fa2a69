"""Every kind of device that we know, by the name that a configuration uses. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drivers.profile import Profile
from drivers.profiles import (
    angel_eye_iiex,
    angel_eye_iiex_9600,
    bee_tek_manual,
    felt_link_buttons,
    felt_link_shoe,
    felt_link_shuffler_batch,
    felt_link_shuffler_blind,
    felt_link_shuffler_counts,
    felt_link_shuffler_faces,
    felt_link_shuffler_observed,
    felt_link_shuffler_observed_faces,
)

PROFILES: Final[Mapping[str, Profile]] = {
    module.PROFILE.name: module.PROFILE
    for module in (
        angel_eye_iiex,
        angel_eye_iiex_9600,
        bee_tek_manual,
        felt_link_buttons,
        felt_link_shoe,
        felt_link_shuffler_batch,
        felt_link_shuffler_blind,
        felt_link_shuffler_counts,
        felt_link_shuffler_faces,
        felt_link_shuffler_observed,
        felt_link_shuffler_observed_faces,
    )
}
