"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is slow, and slow is no failure; and a failure says how to have it again.
settings.register_profile("feltd", deadline=None, print_blob=True)
settings.load_profile("feltd")
