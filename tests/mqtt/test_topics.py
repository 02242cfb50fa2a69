"""Topics: the public names, and which topics an answer may go to."""

from __future__ import annotations

import pytest

from daemon.journal.kinds import FACT_KINDS
from daemon.mqtt.commands import NAMES
from daemon.mqtt.topics import Topics, is_level
from tests.support.sentences import Says

TOPICS = Topics("north", "7")


def test_the_public_names() -> None:
    assert [
        TOPICS.status,
        TOPICS.state,
        TOPICS.device("shuffler"),
        TOPICS.alert("jam-shuffler"),
        TOPICS.event("round-opened"),
        TOPICS.reply("panel"),
        TOPICS.commands,
    ] == [
        "felt/v1/north/7/status",
        "felt/v1/north/7/state",
        "felt/v1/north/7/device/shuffler",
        "felt/v1/north/7/alert/jam-shuffler",
        "felt/v1/north/7/event/round-opened",
        "felt/v1/north/7/reply/panel",
        "felt/v1/north/7/cmd/+/+",
    ]


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "a b", "é", "x" * 65, "$SYS", "a\n", "a.b", "A", "-a"])
def test_a_site_or_table_that_would_bend_the_topic_is_refused(name: str, says: Says) -> None:
    with pytest.raises(ValueError) as raised:
        Topics(name, "7")
    says(raised.value)
    with pytest.raises(ValueError) as raised:
        Topics("north", name)
    says(raised.value)


def test_a_device_or_alert_cannot_bend_its_topic() -> None:
    assert TOPICS.device("a/b") == "felt/v1/north/7/device/a%2Fb"
    assert TOPICS.alert("+") == "felt/v1/north/7/alert/%2B"


@pytest.mark.parametrize("below", ["", "/app", "/app/17", "/a/b/c"])
def test_an_answer_goes_to_the_users_own_topic_or_below_it(below: str) -> None:
    assert TOPICS.is_own_reply(f"felt/v1/north/7/reply/ana{below}", "ana")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "$SYS/broker",
        "app/17/answers",
        "felt/v1/north/7/event/hand-settled",
        "felt/v1/north/7/cmd/ana/bet",
        "felt/v1/north/8/reply/ana",
        "felt/v1/north/7/reply",
        "felt/v1/north/7/reply/anabel",
        "felt/v1/north/7/reply/bob",
        "felt/v1/north/7/reply/ana/",
        "felt/v1/north/7/reply/ana/+",
        "felt/v1/north/7/reply/ana/#",
        "felt/v1/north/7/reply/ana/x.y",
        "felt/v1/north/7/reply/ana/\x01",
        "felt/v1/north/7/reply/ana/answers\n",
        "felt/v1/north/7/reply/ana/a/b/c/d",
        "felt/v1/north/7/reply/ana/" + "a" * 65,
    ],
)
def test_an_answer_goes_nowhere_else(topic: str) -> None:
    assert not TOPICS.is_own_reply(topic, "ana")


def test_every_event_and_command_has_one_word_that_is_a_topic_level_in_every_broker() -> None:
    assert [name for name in (*FACT_KINDS.values(), *NAMES) if not is_level(name)] == []
