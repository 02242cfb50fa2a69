"""Topic filters and names, by the examples and clauses of MQTT 5.0, 4.7."""

from __future__ import annotations

import pytest

from sim_hardware.broker.topics import is_topic_filter, is_topic_name, matches


@pytest.mark.parametrize(
    ("pattern", "topic", "taken"),
    [
        ("sport/tennis/player1/#", "sport/tennis/player1", True),  # 4.7.1.2: # takes the parent level
        ("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", True),
        ("sport/tennis/player1/#", "sport/tennis/player2", False),
        ("#", "a/b", True),
        ("sport/tennis/+", "sport/tennis/player1", True),  # 4.7.1.3: + takes exactly one level
        ("sport/tennis/+", "sport/tennis/player1/ranking", False),
        ("sport/+", "sport", False),
        ("sport/+", "sport/", True),
        ("+/+", "/finance", True),
        ("/+", "/finance", True),
        ("+", "/finance", False),
        ("+/b/#", "a/b", True),
        ("#", "$SYS/uptime", False),  # 4.7.2: a leading wildcard takes no $ topic
        ("+/uptime", "$SYS/uptime", False),
        ("$SYS/#", "$SYS/uptime", True),
        ("A", "a", False),  # 4.7.3: case counts
        ("a/b", "a/b", True),
        ("a/b", "a/b/c", False),
        ("a/b/c", "a/b", False),
    ],
)
def test_a_filter_takes_a_name(pattern: str, topic: str, taken: bool) -> None:
    assert matches(pattern, topic) is taken


@pytest.mark.parametrize("text", ["#", "+", "a/#", "+/b/+", "/", "a//b", "$SYS/#"])
def test_a_well_formed_filter(text: str) -> None:
    assert is_topic_filter(text)


@pytest.mark.parametrize("text", ["", "a/#/b", "a#", "#/a", "a+/b", "a/b+", "a\0b", "a" * 65536, "ä" * 40000])
def test_a_malformed_filter(text: str) -> None:
    assert not is_topic_filter(text)


@pytest.mark.parametrize("text", ["", "a/+", "#", "a\0"])
def test_nothing_is_published_under_a_wildcard_or_nothing(text: str) -> None:
    assert not is_topic_name(text)
    assert is_topic_name("a/b c/$d")
