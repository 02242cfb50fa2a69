"""What an Angel Eye's reports mean at the table, what its damage hides, and when something may be said to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drivers import events as e
from drivers.angel_eye import NOT_ANSWERED, NOT_IDENTIFIED, NOT_SENT
from drivers.commands import NOT_CAPABLE, QUEUE_FULL, CommandDue, DeviceCommand, Lock, Reshuffle, Unlock
from drivers.driver import Damaged, Rejected, Understood
from drivers.errors import SetupCode
from drivers.profile import Capability, Firmware, Profile
from drivers.profiles import PROFILES
from drivers.shoe import HIDDEN_BY_DAMAGE, NONSENSE_BYTES_MAX
from protocols.angel_eye.frame import ReportFrame, encode
from protocols.angel_eye.limits import ANSWER_NS_MAX
from protocols.angel_eye.options import AngelEyeOptions, CardAgainMeans, SeqRange
from protocols.cards import Card, Face, Misread
from tests.drivers.shoes import SHOE, Heard
from tests.support.sentences import Says

READ_ONLY = PROFILES["angel-eye-iiex"]
EIGHT = Card.parse("8s")
CHECKED = e.Confidence.CHECKED
LOCKED = bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"
UNLOCKED = bytes.fromhex("02 4F 50 4C 4B 30 31 03") + b"18"


def with_options(**options: object) -> Profile:
    return replace(READ_ONLY, options=replace(AngelEyeOptions(), **options))  # type: ignore[arg-type]


ARMED = replace(with_options(commands_armed=True), capabilities=frozenset({Capability.FACES, Capability.COMMANDS}))


OVERDRAW = "error 2, overdraw: the shoe referees baccarat, and takes this card for one too many"


def report(seq: str, data: bytes) -> bytes:
    return encode(ReportFrame(ord(seq), data)) * 3


def reports(*data: bytes) -> bytes:
    return b"".join(report(str(seq % 10), one) for seq, one in enumerate(data))


def drawn(face: Face, target: str = "player", index: int = 1, confidence: e.Confidence = CHECKED) -> e.CardDrawn:
    return e.CardDrawn(face, confidence, claim=e.Claim(target, index))


def test_it_is_up_as_soon_as_its_port_is_open_and_never_resumed() -> None:
    shoe = Heard(READ_ONLY)
    assert shoe.driver.next_timeout_ns() == 0
    assert shoe.outcomes() == [Understood(e.LinkUp(e.Identity("Angel Eye II-EX shoe", "", "", ()), "", resumed=False))]
    assert shoe.driver.next_timeout_ns() is None
    shoe.reconnect()
    assert len(shoe.outcomes()) == 1


def test_the_literal_of_the_device_page_is_a_card() -> None:
    assert Heard(READ_ONLY).events(bytes.fromhex("05 31 44 81 B8 03 34 46") * 3) == [drawn(EIGHT)]


@pytest.mark.parametrize(
    ("data", "events"),
    [
        (b"S", [e.Restarted("")]),
        (b"P", []),
        (b"G\x90", []),
        (b"C", [e.CutCardDrawn(None)]),
        (b"D\x81\xb8", [drawn(EIGHT)]),
        (b"D\x92\x80", [drawn(Misread.UNREADABLE, "banker", 2)]),
        (b"D\xa0\xb8", [drawn(EIGHT, "burn", 0)]),
        (b"D\xc0\xb8", [drawn(EIGHT, "first-card", 0)]),
        (b"D\xd3\xb8", [drawn(EIGHT, "burn-count", 3)]),
        (b"D\xb1\xb8", [drawn(EIGHT, "target-3", 1)]),
        (b"d\x80\xb8", [e.CardDrawn(EIGHT, CHECKED, outside=e.OutsideGame.LOCKED)]),
        (b"d\x90\xb8", [e.CardDrawn(EIGHT, CHECKED, outside=e.OutsideGame.IN_ERROR)]),
        (b"d\xa0\x80", [e.CardDrawn(Misread.UNREADABLE, CHECKED, outside=e.OutsideGame.SETTING_MODE)]),
        (b"d\xb0\xb8", [e.CardDrawn(EIGHT, CHECKED, outside=e.OutsideGame.OTHER)]),
        (
            b"E\xc1",
            [e.ReadFailed("error 1, cannot-read"), e.FaultRaised(e.FaultKind.READER, "error 1, cannot-read")],
        ),
        (
            b"E\x81",
            [e.ReadFailed("error 1, cannot-read"), e.Anomaly("shoe-error", "error 1, cannot-read; the shoe goes on")],
        ),
        (b"E\xc2", [e.FaultRaised(e.FaultKind.OTHER, OVERDRAW)]),
        (b"E\xc3", [e.FaultRaised(e.FaultKind.OTHER, "error 3, button-mishandled")]),
        (b"E\xc4", [e.CardReturned(None), e.FaultRaised(e.FaultKind.JAM, "error 4, reverse-run-at-exit")]),
        (b"E\xc5", [e.CardReturned(None), e.FaultRaised(e.FaultKind.JAM, "error 5, reverse-run-midway")]),
        (b"E\xc6", [e.ReadFailed("error 6, card-code"), e.FaultRaised(e.FaultKind.READER, "error 6, card-code")]),
        (b"E\xc7", [e.FaultRaised(e.FaultKind.OTHER, "error 7, drawing-time-out")]),
        (b"E\xe0", [e.FaultRaised(e.FaultKind.OTHER, "error 32")]),
        (b"e\x81", []),
        (b"L\x81", [e.ShoeLockChanged(True)]),
        (b"L\x80", [e.ShoeLockChanged(False)]),
        (b"M010012", [e.Anomaly("preset-changed", "preset 01 of the shoe is now 0012")]),
        (b"X\x81", [e.EventsLost(1, "report 'X' cannot be understood: no such report is known")]),
        (b"\xc4", [e.EventsLost(1, "report '\\xc4' cannot be understood: no such report is known")]),
    ],
)
def test_each_report_in_the_tables_language(data: bytes, events: list[e.DeviceEvent]) -> None:
    assert Heard(READ_ONLY).events(report("1", data)) == events


def test_a_fault_is_over_when_the_last_error_of_its_kind_is() -> None:
    shoe = Heard(READ_ONLY)
    shoe.events(reports(b"E\xc1", b"E\xc6"))
    assert shoe.events(report("5", b"e\x81")) == []
    assert shoe.events(report("6", b"e\x86")) == [e.FaultCleared(e.FaultKind.READER)]


def test_a_reconnected_shoe_has_no_faults_that_nobody_could_clear() -> None:
    shoe = Heard(READ_ONLY)
    shoe.events(reports(b"E\xc1", b"E\xc2"))
    shoe.reconnect()
    assert shoe.events() == [e.FaultCleared(e.FaultKind.OTHER), e.FaultCleared(e.FaultKind.READER)]
    assert shoe.events(report("6", b"e\x81")) == []


def test_a_card_that_contradicts_another_report_is_disputed() -> None:
    shoe = Heard(READ_ONLY)
    first, contradiction = (encode(ReportFrame(0x31, b"D\x81" + card)) for card in (b"\xb8", b"\xb9"))
    assert shoe.events(first + contradiction * 2) == [
        drawn(EIGHT),
        e.Anomaly("seq-contradicted", "SEQ 1 came again over another content"),
        drawn(Card.parse("9s"), confidence=e.Confidence.DISPUTED),
    ]


def test_a_repeated_card_that_came_is_no_news() -> None:
    assert Heard(READ_ONLY).events(reports(b"D\x81\xb8", b"R\x81\xb8")) == [drawn(EIGHT)]


def test_a_repeated_card_that_never_came_proves_a_loss() -> None:
    assert Heard(READ_ONLY).events(reports(b"D\x81\xb8", b"R\x91\xb8")) == [
        drawn(EIGHT),
        e.EventsLost(1, "the shoe repeats a card that had never come"),
        drawn(EIGHT, "banker"),
    ]


def test_a_card_repeated_as_another_one_is_disputed() -> None:
    assert Heard(READ_ONLY).events(reports(b"D\x81\x80", b"R\x81\xb8")) == [
        drawn(Misread.UNREADABLE),
        drawn(EIGHT, confidence=e.Confidence.DISPUTED),
    ]


@pytest.mark.parametrize("over", [b"P", b"G\x90", b"S"])
def test_a_repeated_card_of_an_earlier_game_is_not_one_of_this(over: bytes) -> None:
    *_, lost, card = Heard(READ_ONLY).events(reports(b"D\x81\xb8", over, b"R\x81\xb8"))
    assert isinstance(lost, e.EventsLost)
    assert card == drawn(EIGHT)


def test_r_as_a_redeal_clears_the_deal() -> None:
    shoe = Heard(with_options(card_again_means=CardAgainMeans.REDEAL))
    assert shoe.events(reports(b"D\x81\xb8", b"R\x81\xb8")) == [drawn(EIGHT), e.DealCleared(), drawn(EIGHT)]


def test_a_gap_is_told_where_the_profile_knows_the_range() -> None:
    shoe = Heard(with_options(seq_range=SeqRange(0x30, 0x39)))
    events = shoe.events(report("1", b"P") + report("4", b"D\x81\xb8"))
    assert events == [e.EventsLost(None, "SEQ 2 was due and 4 came: 2 reports or more"), drawn(EIGHT)]


def test_damage_to_one_or_two_copies_hides_nothing() -> None:
    broken = bytes.fromhex("05 31 44 81 B8 03 34 45")
    shoe = Heard(READ_ONLY)
    assert shoe.events(broken * 2 + bytes.fromhex("05 31 44 81 B8 03 34 46")) == [drawn(EIGHT)]


def test_damage_as_long_as_three_copies_may_have_hidden_a_card_and_is_told_once() -> None:
    broken = bytes.fromhex("05 31 44 81 B8 03 34 45")
    shoe = Heard(READ_ONLY)
    shoe.outcomes(report("0", b"P"))
    lost = Understood(e.EventsLost(None, HIDDEN_BY_DAMAGE))
    assert shoe.outcomes(broken * 5) == [Damaged(8), Damaged(8), lost, *[Damaged(8)] * 3]
    shoe.outcomes(report("2", b"P"))
    assert lost in shoe.outcomes(broken * 3)


def noise(size: int) -> bytes:
    return b"\xff" * size


def test_a_line_of_nothing_but_damage_is_for_a_technician(says: Says) -> None:
    shoe = Heard(READ_ONLY)
    (rejected,) = [one for one in shoe.outcomes(noise(NONSENSE_BYTES_MAX)) if isinstance(one, Rejected)]
    assert rejected.problem.code is SetupCode.WRONG_DEVICE
    says(rejected.problem.remedy)
    says(rejected.problem.remedy)


def test_after_that_it_is_up_only_when_it_was_understood() -> None:
    shoe = Heard(READ_ONLY)
    shoe.outcomes(noise(NONSENSE_BYTES_MAX))
    shoe.reconnect()
    assert {type(one) for one in shoe.outcomes(noise(4 * NONSENSE_BYTES_MAX))} == {Damaged}
    up, card = shoe.outcomes(report("1", b"D\x81\xb8"))
    assert isinstance(up, Understood)
    assert isinstance(up.event, e.LinkUp)
    assert card == Understood(drawn(EIGHT))


def test_a_line_that_was_understood_once_is_not_given_up_for_damage() -> None:
    shoe = Heard(READ_ONLY)
    shoe.outcomes(report("1", b"P"))
    assert not [one for one in shoe.outcomes(noise(4 * NONSENSE_BYTES_MAX)) if isinstance(one, Rejected)]


@pytest.mark.parametrize(
    ("profile", "serial", "code"),
    [
        (READ_ONLY, "10042", SetupCode.WRONG_SERIAL),
        (replace(READ_ONLY, firmware=Firmware(least="1")), None, SetupCode.WRONG_FIRMWARE),
    ],
)
def test_what_it_can_never_show_cannot_be_demanded_of_it(profile: Profile, serial: str | None, code: SetupCode) -> None:
    (rejected,) = Heard(profile, serial).outcomes()
    assert isinstance(rejected, Rejected)
    assert rejected.problem.code is code


def due(command_id: str, command: DeviceCommand) -> CommandDue:
    return CommandDue(e.CommandId(command_id), SHOE, command)


def answered(command_id: str, refusal: str | None) -> e.CommandAnswered:
    return e.CommandAnswered(e.CommandId(command_id), refusal)


@pytest.mark.parametrize(
    "profile",
    [READ_ONLY, with_options(commands_armed=True), replace(ARMED, options=AngelEyeOptions())],
    ids=["default", "only the option", "only the capability"],
)
def test_nothing_is_ever_written_unless_commands_are_armed(profile: Profile) -> None:
    shoe = Heard(profile)
    shoe.events(reports(b"S", b"P", b"D\x81\xb8", b"E\xc1") + b"\x06\x15\x21" + noise(100))
    assert shoe.driver.send(due("a", Lock()), 0) == answered("a", NOT_CAPABLE)
    shoe.wait(10 * ANSWER_NS_MAX)
    assert shoe.driver.data_to_send() == b""


def armed_shoe() -> Heard:
    shoe = Heard(ARMED)
    shoe.events(report("1", b"P"))
    return shoe


def test_nothing_is_written_to_a_port_before_the_shoe_was_heard_on_it() -> None:
    shoe = Heard(ARMED)
    assert shoe.driver.send(due("a", Lock()), 0) == answered("a", NOT_IDENTIFIED)
    shoe.events(noise(30))
    assert shoe.driver.send(due("a", Lock()), 0) == answered("a", NOT_IDENTIFIED)
    assert shoe.driver.data_to_send() == b""


def test_lock_and_unlock_are_sent_one_after_the_other() -> None:
    shoe = armed_shoe()
    assert shoe.driver.send(due("a", Lock()), 0) is None
    assert shoe.driver.send(due("b", Unlock()), 0) is None
    assert shoe.driver.data_to_send() == LOCKED
    assert shoe.events(b"\x06") == [answered("a", None)]
    assert shoe.driver.data_to_send() == UNLOCKED
    assert shoe.events(b"\x15\x21") == [answered("b", "busy")]
    assert shoe.driver.data_to_send() == b""


def test_a_refusal_without_a_name_is_told_by_its_code() -> None:
    shoe = armed_shoe()
    shoe.driver.send(due("a", Lock()), 0)
    assert shoe.events(b"\x15\x7e") == [answered("a", "code-7e")]


def test_a_command_given_again_is_answered_and_not_done_again() -> None:
    shoe = armed_shoe()
    shoe.driver.send(due("a", Lock()), 0)
    shoe.driver.send(due("a", Lock()), 0)
    assert shoe.driver.data_to_send() == LOCKED
    shoe.events(b"\x06")
    assert shoe.driver.send(due("a", Lock()), 0) == answered("a", None)
    assert shoe.driver.data_to_send() == b""


def test_a_command_without_an_answer_is_given_up_after_two_seconds() -> None:
    shoe = armed_shoe()
    shoe.driver.send(due("a", Lock()), 0)
    assert shoe.wait(ANSWER_NS_MAX) == [answered("a", NOT_ANSWERED)]


def test_a_lost_connection_ends_what_was_asked_and_what_waited() -> None:
    shoe = armed_shoe()
    shoe.driver.send(due("a", Lock()), 0)
    shoe.driver.send(due("b", Unlock()), 0)
    shoe.driver.data_to_send()
    shoe.reconnect()
    assert shoe.events(report("1", b"P")) == [answered("a", NOT_ANSWERED), answered("b", NOT_SENT)]
    assert shoe.driver.data_to_send() == b""


def test_what_the_shoe_cannot_do_is_refused() -> None:
    assert armed_shoe().driver.send(due("a", Reshuffle()), 0) == answered("a", NOT_CAPABLE)


def test_only_so_many_commands_wait() -> None:
    shoe = armed_shoe()
    assert [shoe.driver.send(due(str(n), Lock()), 0) for n in range(9)] == [None] * 8 + [answered("8", QUEUE_FULL)]
