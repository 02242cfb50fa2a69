"""The host link of the Angel Eye II-EX card-reading shoe, as public decoders of it know it.

No paper of the maker was seen. Where its decoders disagree, `options.AngelEyeOptions` has a choice.
"""

from __future__ import annotations

from typing import Final

NAME: Final = "angel-eye-iiex"
