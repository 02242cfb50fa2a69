"""The host's end: copies, contradictions, gaps, the disputed `R`, and commands only when they are armed."""

from __future__ import annotations

import pytest

from protocols.angel_eye import events as e
from protocols.angel_eye import messages as m
from protocols.angel_eye.frame import ReportFrame, encode
from protocols.angel_eye.host import HostConnection
from protocols.angel_eye.limits import ANSWER_NS_MAX, VOTE_NS_MAX
from protocols.angel_eye.options import AngelEyeOptions, BccForm, CardAgainMeans, SeqRange
from protocols.cards import Card
from protocols.codec import Gap, Garbage
from protocols.errors import LocalProtocolError
from tests.support.sentences import Says

ARMED = AngelEyeOptions(commands_armed=True)
DIGITS = AngelEyeOptions(seq_range=SeqRange(ord("0"), ord("9")))
EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
EIGHT = m.WireCardDrawn(m.Place(m.Target.PLAYER, 1), Card.parse("8s"))
LOCK = m.SetLock(is_locked=True)
LOCK_BYTES = bytes.fromhex("02 4F 50 4C 4B 30 32 03")


def report(seq: str, data: bytes) -> bytes:
    return encode(ReportFrame(ord(seq), data))


def hear(host: HostConnection, data: bytes, now_ns: int = 0) -> list[e.HostSideEvent | Garbage | Gap]:
    host.receive(data, now_ns)
    return take(host)


def take(host: HostConnection) -> list[e.HostSideEvent | Garbage | Gap]:
    found: list[e.HostSideEvent | Garbage | Gap] = []
    while (event := host.next_event()) is not None:
        found.append(event)
    return found


def listen(data: bytes, options: AngelEyeOptions = AngelEyeOptions()) -> list[e.HostSideEvent | Garbage | Gap]:  # noqa: B008
    return hear(HostConnection(options, 0), data)


def test_three_copies_are_one_report() -> None:
    assert listen(EIGHT_OF_SPADES * 3) == [e.ShoeReported(0x31, EIGHT)]


@pytest.mark.parametrize("lost", range(3))
def test_one_sound_copy_of_three_is_enough(lost: int) -> None:
    copies = [b"\x05" + EIGHT_OF_SPADES[2:]] * 3
    copies[lost] = EIGHT_OF_SPADES
    found = listen(b"".join(copies))
    assert [one for one in found if not isinstance(one, Garbage)] == [e.ShoeReported(0x31, EIGHT)]
    assert len([one for one in found if isinstance(one, Garbage)]) == 2


def test_the_same_card_under_the_next_number_is_another_card() -> None:
    found = listen(EIGHT_OF_SPADES * 3 + report("2", b"D\x81\xb8") * 3)
    assert found == [e.ShoeReported(0x31, EIGHT), e.ShoeReported(0x32, EIGHT)]


def test_a_number_may_come_round_again() -> None:
    found = listen(report("1", b"P") * 3 + report("2", b"C") * 3 + report("1", b"P") * 3)
    assert found == [
        e.ShoeReported(0x31, m.Standby()),
        e.ShoeReported(0x32, m.WireCutCardDrawn()),
        e.ShoeReported(0x31, m.Standby()),
    ]


def test_a_repeated_number_over_another_content_is_told_and_not_dropped() -> None:
    found = listen(EIGHT_OF_SPADES + report("1", NINE_DATA) * 2)
    assert found == [
        e.ShoeReported(0x31, EIGHT),
        e.ShoeOddity(e.Oddity.SEQ_CONTRADICTED, "SEQ 1 came again over another content"),
        e.ShoeReported(0x31, NINE, is_contradiction=True),
    ]


NINE_DATA = b"D\x81\xb9"
NINE = m.WireCardDrawn(m.Place(m.Target.PLAYER, 1), Card.parse("9s"))


@pytest.mark.parametrize("at", [1, 2])
def test_two_copies_outvote_a_third_whose_damage_its_check_does_not_show(at: int) -> None:
    copies = [EIGHT_OF_SPADES] * 3
    copies[at] = report("1", NINE_DATA)
    found = listen(b"".join(copies) + report("2", b"P") * 3)
    assert [one for one in found if isinstance(one, e.ShoeReported)] == [
        e.ShoeReported(0x31, EIGHT),
        e.ShoeReported(0x32, m.Standby()),
    ]
    assert [one.code for one in found if isinstance(one, e.ShoeOddity)] == [e.Oddity.COPY_OUTVOTED]


def test_nobody_waits_for_the_vote_but_the_rival() -> None:
    host = HostConnection(AngelEyeOptions(), 0)
    assert hear(host, EIGHT_OF_SPADES, 1_000) == [e.ShoeReported(0x31, EIGHT)]
    assert hear(host, report("1", NINE_DATA), 2_000) == []
    assert host.next_timeout_ns() == 2_000 + VOTE_NS_MAX
    host.handle_timeout(2_000 + VOTE_NS_MAX - 1)
    assert take(host) == []
    host.handle_timeout(2_000 + VOTE_NS_MAX)
    assert [type(one) for one in take(host)] == [e.ShoeOddity, e.ShoeReported]
    assert host.next_timeout_ns() is None


@pytest.mark.parametrize(
    "data",
    [
        EIGHT_OF_SPADES + report("1", NINE_DATA) + report("2", b"P") * 3,  # the third copy was lost
        report("1", NINE_DATA) + EIGHT_OF_SPADES * 2 + report("2", b"P") * 3,  # the first one was handed on already
        EIGHT_OF_SPADES + report("1", NINE_DATA) + report("1", b"D\x81\xba") + report("2", b"P") * 3,
    ],
)
def test_what_no_vote_decides_is_a_contradiction(data: bytes) -> None:
    found = [one for one in listen(data) if isinstance(one, e.ShoeReported)]
    assert not found[0].is_contradiction
    assert found[-1] == e.ShoeReported(0x32, m.Standby())
    assert found[1:-1]
    assert all(one.is_contradiction for one in found[1:-1])


def test_a_fourth_copy_is_told() -> None:
    found = listen(EIGHT_OF_SPADES * 4)
    assert found == [
        e.ShoeReported(0x31, EIGHT),
        e.ShoeOddity(e.Oddity.SEQ_REPEATED, "SEQ 1 came 4 times over the same content"),
    ]


def test_a_shoe_that_is_reset_twice_says_so_twice() -> None:
    assert listen(report("1", b"S") * 6) == [e.ShoeReported(0x31, m.Started())] * 2


def test_without_a_known_range_no_gap_is_claimed() -> None:
    found = listen(report("1", b"P") * 3 + report("7", b"P") * 3)
    assert found == [e.ShoeReported(0x31, m.Standby()), e.ShoeReported(0x37, m.Standby())]


def test_with_a_known_range_a_step_in_the_numbers_is_a_gap() -> None:
    found = listen(report("1", b"P") * 3 + report("4", b"P") * 3, DIGITS)
    assert found[1] == Gap(None, "SEQ 2 was due and 4 came: 2 reports or more")
    assert found[2] == e.ShoeReported(0x34, m.Standby())


def test_the_range_comes_round_without_a_gap() -> None:
    data = b"".join(report(str(seq % 10), b"P") * 3 for seq in range(25))
    assert all(isinstance(one, e.ShoeReported) for one in listen(data, DIGITS))


def test_a_gap_across_the_end_of_the_range_is_counted() -> None:
    found = listen(report("9", b"P") * 3 + report("3", b"P") * 3, DIGITS)
    assert found[1] == Gap(None, "SEQ 0 was due and 3 came: 3 reports or more")


def test_a_shoe_that_starts_may_count_from_anywhere() -> None:
    found = listen(report("1", b"P") * 3 + report("7", b"S") * 3 + report("8", b"P") * 3, DIGITS)
    assert [type(one) for one in found] == [e.ShoeReported] * 3


def test_a_number_outside_the_range_is_told_and_proves_nothing() -> None:
    found = listen(report("1", b"P") * 3 + report("A", b"P") * 3 + report("7", b"P") * 3, DIGITS)
    assert [one.code for one in found if isinstance(one, e.ShoeOddity)] == [e.Oddity.SEQ_OUTSIDE_RANGE]
    assert not any(isinstance(one, Gap) for one in found)
    assert len([one for one in found if isinstance(one, e.ShoeReported)]) == 3


@pytest.mark.parametrize(
    ("means", "kind"),
    [(CardAgainMeans.RETRANSMISSION, m.CardResent), (CardAgainMeans.REDEAL, m.CardRedealt)],
)
def test_the_profile_says_what_r_means(means: CardAgainMeans, kind: type[m.CardResent] | type[m.CardRedealt]) -> None:
    found = listen(report("1", b"R\x81\xb8") * 3, AngelEyeOptions(card_again_means=means))
    assert found == [e.ShoeReported(0x31, kind(m.Place(m.Target.PLAYER, 1), Card.parse("8s")))]


def test_only_something_sound_is_a_sign_of_life() -> None:
    host = HostConnection(AngelEyeOptions(), 0)
    hear(host, b"\x05garbage\x05", 5)
    assert host.heard_ns is None
    hear(host, EIGHT_OF_SPADES, 7)
    assert host.heard_ns == 7


def test_a_host_that_is_not_armed_writes_nothing() -> None:
    host = HostConnection(AngelEyeOptions(), 0)
    with pytest.raises(LocalProtocolError, match="not armed"):
        host.send_command(LOCK, 0)
    hear(host, EIGHT_OF_SPADES * 3 + b"\x06\x15\x21" + b"\x05rubbish")
    host.handle_timeout(10 * ANSWER_NS_MAX)
    assert host.data_to_send() == b""
    assert host.next_timeout_ns() is None


@pytest.mark.parametrize(
    ("options", "check"),
    [
        (ARMED, b"1B"),
        (AngelEyeOptions(commands_armed=True, command_bcc_covers_stx=False), b"19"),
        (AngelEyeOptions(commands_armed=True, command_bcc_form=BccForm.BYTE), b"\x1b"),
        (AngelEyeOptions(commands_armed=True, command_bcc_covers_stx=False, command_bcc_form=BccForm.BYTE), b"\x19"),
    ],
)
def test_lock_on_is_sent_as_the_page_prints_it(options: AngelEyeOptions, check: bytes) -> None:
    host = HostConnection(options, 0)
    host.send_command(LOCK, 0)
    assert host.data_to_send() == LOCK_BYTES + check
    assert host.data_to_send() == b""


def test_one_command_at_a_time(says: Says) -> None:
    host = HostConnection(ARMED, 0)
    host.send_command(LOCK, 0)
    with pytest.raises(LocalProtocolError) as raised:
        host.send_command(m.ConfirmProcess(), 0)
    says(raised.value)
    assert hear(host, b"\x06") == [e.Accepted(LOCK)]
    host.send_command(m.ConfirmProcess(), 0)
    assert host.asked == m.ConfirmProcess()


@pytest.mark.parametrize("code", m.NakCode)
def test_a_refusal_is_named(code: m.NakCode) -> None:
    host = HostConnection(ARMED, 0)
    host.send_command(LOCK, 0)
    assert hear(host, bytes((0x15, code))) == [e.Refused(LOCK, code)]
    assert host.asked is None


def test_a_refusal_without_a_name_keeps_its_code() -> None:
    host = HostConnection(ARMED, 0)
    host.send_command(LOCK, 0)
    assert hear(host, b"\x15\x77") == [e.Refused(LOCK, 0x77)]


def test_a_command_without_an_answer_is_given_up_after_two_seconds_and_not_repeated() -> None:
    host = HostConnection(ARMED, 0)
    host.send_command(LOCK, 1_000)
    host.data_to_send()
    assert host.next_timeout_ns() == 2_000_001_000
    host.handle_timeout(2_000_000_999)
    assert take(host) == []
    host.handle_timeout(2_000_001_000)
    assert take(host) == [e.Unanswered(LOCK)]
    assert host.data_to_send() == b""
    assert host.next_timeout_ns() is None


def test_an_answer_that_nobody_waits_for_is_told() -> None:
    found = listen(b"\x06\x15\x21")
    assert [one.code for one in found if isinstance(one, e.ShoeOddity)] == [e.Oddity.ANSWER_UNASKED] * 2


def test_a_command_on_the_line_is_told() -> None:
    (found,) = listen(LOCK_BYTES + b"1B")
    assert isinstance(found, e.ShoeOddity)
    assert found.code is e.Oddity.COMMAND_HEARD


def test_reports_between_a_command_and_its_answer_are_read() -> None:
    host = HostConnection(ARMED, 0)
    host.send_command(LOCK, 0)
    assert hear(host, EIGHT_OF_SPADES * 3 + b"\x06") == [e.ShoeReported(0x31, EIGHT), e.Accepted(LOCK)]


@pytest.mark.parametrize(("first", "last"), [(0x39, 0x30), (0x31, 0x31), (0x1F, 0x30), (0x30, 0x100)])
def test_a_range_that_is_none_is_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="runs upwards"):
        SeqRange(first, last)
