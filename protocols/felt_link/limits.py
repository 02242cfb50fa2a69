"""Every limit of felt-link version 1, each with its reason. SPEC.md states the same figures.

Times are nanoseconds here and milliseconds in the specification.
"""

from __future__ import annotations

from typing import Final

VERSIONS: Final = (1,)

# A remainder of a whole deck is 52 faces of two letters with blanks between: 155 characters. 256 leaves room for a deck
# with 33 cards too many, which must be reported and not cut off.
FIELD_LENGTH_MAX: Final = 256
# The longest field, every other field of the widest message, and the frame around them.
FRAME_LENGTH_MAX: Final = 512
# A hello has 8 fields; the rest is room for later versions.
FIELDS_MAX: Final = 12
WORD_LENGTH_MAX: Final = 32
TEXT_LENGTH_MAX: Final = 64
BOOT_LENGTH_MAX: Final = 16
COMMAND_ID_LENGTH_MAX: Final = 32
CAPABILITIES_MAX: Final = 16
VERSIONS_MAX: Final = 8
VERSION_MAX: Final = 99
# Never wraps: at one event a second it lasts 136 years.
SEQ_MAX: Final = 4_294_967_295
# Three digits: eight decks are 416 cards.
CARDS_MAX: Final = 999
# Blackjack has eight seats at most; the rest is room.
SEATS_MAX: Final = 16
# Hundredths of the table's money: far above any limit.
STAKE_MAX: Final = 999_999_999

# Two busy minutes of events while the host restarts; 12 kB in a small controller.
STORE_DEPTH_MAX: Final = 256
# Kept free for how a motion that has begun ends, and for faults.
STORE_RESERVE: Final = 16
# Events under way and not yet acknowledged: a commit takes the host about 1 ms, so 8 never wait on a sound line.
WINDOW_EVENTS: Final = 8
# The host has one command under way at a time, so 64 cover any retransmission.
COMMANDS_REMEMBERED: Final = 64

_MS: Final = 1_000_000
# While nobody answers: often enough that a technician who plugs a cable in sees the device within a second.
HELLO_NS: Final = 1_000 * _MS
# Four may be lost before silence is declared.
BEAT_NS: Final = 500 * _MS
SILENCE_NS: Final = 2_000 * _MS
# A full window of packets with faces (60 bytes each) takes 125 ms at 38,400 baud, and a commit seldom 100 ms.
RETRANSMIT_NS: Final = 1_000 * _MS
COMMAND_AGAIN_NS: Final = 500 * _MS
# The events behind a lost one are still arriving: asking again for each of them would have all of them sent again.
NAK_AGAIN_NS: Final = 250 * _MS
