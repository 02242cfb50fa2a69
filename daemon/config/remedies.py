"""What to do about each kind of problem of a configuration, whatever the value that was found."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from daemon.config.problems import ProblemCode

REMEDIES: Final[Mapping[ProblemCode, str]] = MappingProxyType(
    {
        ProblemCode.UNREADABLE: "Name a file that exists and that the user of feltd may read, in UTF-8.",
        ProblemCode.SYNTAX: "Write the line as TOML: a key, =, and a value; text stands in quotes.",
        ProblemCode.UNKNOWN_KEY: "Correct the key's name, or put it into the table that it belongs to.",
        ProblemCode.MISSING_KEY: "Add the key; feltd.example.toml shows it with a value.",
        ProblemCode.WRONG_TYPE: "Write a value of the kind that is named: text in quotes, a number without.",
        ProblemCode.NOT_ALLOWED: "Write one of the values that are named.",
        ProblemCode.GAME_TWICE: "Name each game once, and the first one in `game` alone.",
        ProblemCode.TOO_MANY_SEATS: "Lower `seats`, or do not offer that game here.",
        ProblemCode.UNKNOWN_DEVICE: "Name a device that stands below [devices].",
        ProblemCode.SHUFFLER_MISSING: "Name the shuffler or shoe of [devices] in `deals_from`.",
        ProblemCode.UNKNOWN_TIME_ZONE: "Write a name of `timedatectl list-timezones`.",
        ProblemCode.WRONG_ROLE: "Name a device of the kind that is needed, or give the device its own profile.",
        ProblemCode.PAYTABLE: "Write the paytable's rows as the approved rules have them, best first.",
        ProblemCode.COMMANDS_NEEDED: "Name a device that takes commands, or do not offer that game here.",
        ProblemCode.PACKETS_NEEDED: "Set the device to packets and choose its profile, or do not offer that game here.",
        ProblemCode.UNKNOWN_PROFILE: "Choose the profile of the device among those that are named.",
        ProblemCode.FIRMWARE_RANGE: "Let `firmware_least` come before `firmware_below`.",
        ProblemCode.OPTIONS_OF_ANOTHER: "Remove the table of options, or choose the profile that it belongs to.",
        ProblemCode.SEQ_RANGE: "Write both ends of the range, or neither.",
        ProblemCode.BAD_ADDRESS: "Write serial:PATH, tcp:HOST:PORT or usb:VID:PID.",
        ProblemCode.ADDRESS_TAKEN: "Give each device the address of its own port.",
        ProblemCode.AGGREGATE_LIMIT: "Correct the limit as the sentence says, or remove it.",
        ProblemCode.LIMITS_ORDER: "Put the limits in the order of their first days, each day once.",
        ProblemCode.LIMITS_CONTRADICT: "Let the least be at most the most, and both be sums of chips.",
        ProblemCode.FIXED_POLICY: "Write what the approved rules say.",
        ProblemCode.MQTT_CONTRADICT: "Write the keys that belong together, or none of them.",
        ProblemCode.TLS_FILE: "Name a file in PEM form: certificates, or the key that belongs to them.",
        ProblemCode.READABLE_BY_ALL: "Take the rights from others: chmod o= FILE.",
        ProblemCode.WRITABLE_BY_ALL: "Take the right to write from others: chmod o-w FILE.",
        ProblemCode.OTHER_SITE: "Name the file of people of this table's site.",
        ProblemCode.UNKNOWN_TABLE: "Add the table below [tables] in the file of people.",
        ProblemCode.USER_TWICE: "Give each table a user of its own.",
        ProblemCode.SEATS: "Name the seats of a player, from 1 up; nobody else has seats.",
    }
)
