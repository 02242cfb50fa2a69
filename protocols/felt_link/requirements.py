"""What a felt-link device must do: every MUST of SPEC.md under a number of its own, as its section 11 lists them.

`feltd selftest --conformance` gives a verdict on each. A number stays with its requirement, and is not used again.
"""

from __future__ import annotations

from typing import Final

from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement. `section` is that of SPEC.md which explains it. `text` follows "a device must"."""

    number: str
    section: int
    text: str


REQUIREMENTS: Final = tuple(
    Requirement(number, section, text)
    for number, section, text in (
        ("FL-01", 3, "leave alone a frame whose CRC does not fit"),
        ("FL-02", 3, "leave alone a frame whose CRC has small letters"),
        ("FL-03", 3, "leave alone a frame with a leading zero in its number"),
        ("FL-04", 3, "leave alone carriage returns and line feeds between frames"),
        ("FL-05", 3, "leave alone a frame longer than FRAME_LENGTH_MAX, and read the next one"),
        ("FL-06", 3, "read a frame that begins within an unfinished one"),
        ("FL-07", 3, "never guess a card"),
        ("FL-08", 4, "say hello every HELLO_NS until it is welcomed"),
        ("FL-09", 4, "send nothing but hello until it is welcomed, and obey nothing but a welcome"),
        ("FL-10", 4, "leave alone a welcome for another boot"),
        ("FL-11", 4, "leave alone a welcome for a version that it did not offer"),
        ("FL-12", 4, "leave alone a welcome with a number that it never sent"),
        ("FL-13", 4, "send a beat at once when it is welcomed, and then every event after the welcome's number"),
        ("FL-14", 4, "obey a welcome below its oldest event, and send from that event"),
        ("FL-15", 4, "obey another welcome while it is welcomed"),
        ("FL-16", 4, "go on saying hello when it is refused"),
        ("FL-17", 5, "send something at least every BEAT_NS"),
        ("FL-18", 5, "name in its beat the last event that it has sent since the last welcome"),
        ("FL-19", 5, "say hello again when it has heard no sound frame for SILENCE_NS"),
        ("FL-20", 6, "number its events without holes, each number with one content"),
        ("FL-21", 6, "have at most WINDOW_EVENTS events on their way"),
        ("FL-22", 6, "mark an event that was sent before with R"),
        ("FL-23", 6, "leave alone an acknowledgement of what it never sent"),
        ("FL-24", 6, "go back to the event that a refusal names"),
        ("FL-25", 6, "take no refusal for an acknowledgement, and leave alone one of an event that it does not keep"),
        ("FL-26", 6, "go back to its oldest event when nothing was acknowledged for RETRANSMIT_NS"),
        ("FL-27", 6, "keep an event over lost connections until it is acknowledged"),
        ("FL-28", 6, "forget an event that is acknowledged"),
        ("FL-29", 6, "keep its boot for as long as it keeps its events and their numbers, and no longer"),
        ("FL-30", 6, "keep STORE_DEPTH_MAX events, and begin nothing when only STORE_RESERVE places are left"),
        ("FL-31", 6, "record its mode when it starts, and at every accepted `mode`"),
        ("FL-32", 6, "shuffle a deck that is put in without an order, unless it is locked"),
        ("FL-33", 7, "answer each command at once"),
        ("FL-34", 7, "answer a command whose id it knows as before, and not do it again"),
        ("FL-35", 7, "refuse another command under a known id with `id-reused`"),
        ("FL-36", 7, "refuse a command that it does not know with `unknown-command`"),
        ("FL-37", 7, "refuse a command with a wrong argument with `bad-argument`"),
        ("FL-38", 7, "refuse every motion with `locked` while it is locked"),
        ("FL-39", 7, "shuffle, give one packet and eject the rest when it is ordered to"),
        ("FL-40", 7, "refuse `dispense` with `busy` while a packet lies in the tray"),
        ("FL-41", 7, "refuse a packet that is not the next with `position`"),
        ("FL-42", 7, "refuse `dispense` with `no-deck` where a packet would not be whole, and `eject` of nothing"),
        ("FL-43", 6, "take a new boot if it has kept its store through a loss of power and its known commands not"),
        ("FL-44", 6, "say only what its version of felt-link knows"),
        ("FL-45", 6, "record every spot on which chips lie as the first events of a new boot, if it sees stakes"),
        ("FL-46", 6, "never guess an amount"),
    )
)
