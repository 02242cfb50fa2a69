"""Logins and commands: the broker says who somebody is, and the table sees nobody else."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from daemon.mqtt.client import connected
from daemon.mqtt.delivery import Delivered
from daemon.page import failures, users
from daemon.page.answers import BROKER_AWAY, NO_ANSWER, Answer, LoginRefusedError
from daemon.page.named import Named
from daemon.page.reply import Press
from daemon.page.users import Logins, User
from tests.page.published import PASSWORD, PEOPLE, SITE, PublishedTable, named, published
from tests.page.served import page_settings, people_file
from tests.support.mosquitto import Mosquitto, mosquitto
from tests.support.sentences import Says
from tests.table.playing import Table

SOON_S = 60.0


@pytest.fixture
async def logins(broker: Mosquitto) -> AsyncIterator[Logins]:
    made = Logins(page_settings(broker.port).mqtt, SITE, ())
    yield made
    await made.end()


@pytest.fixture
async def table(broker: Mosquitto, tmp_path: Path) -> AsyncIterator[PublishedTable]:
    async with published(Table().ready(), tmp_path, broker.port) as running:
        await running.session.there.wait()
        yield running


async def logged_in(logins: Logins, name: str) -> User:
    user = logins.user(await logins.log_in(name, PASSWORD, "127.0.0.1"))
    assert user is not None
    return user


def bet(seat: int, press_id: str = "press-0001", round_id: str | None = "t7-1") -> Press:
    data = {"seat": seat, "wager": "poker_hand", "stake_cents": 500}
    return Press("t7", "bet", press_id, round_id, msgspec.Raw(msgspec.json.encode(data)))


async def test_a_command_is_the_persons_own(logins: Logins, table: PublishedTable) -> None:
    dana = await logged_in(logins, "dana")
    answer = await dana.press(bet(3))
    assert (answer.accepted, answer.code) == (True, "accepted")
    assert [(request.who, request.role.value) for request in table.requests] == [("dana", "dealer")]
    assert [stake.seat for stake in table.play.state.round.stakes] == [3]  # type: ignore[union-attr]


async def test_what_the_table_refuses_is_said_in_its_words(logins: Logins, table: PublishedTable, says: Says) -> None:
    answer = await (await logged_in(logins, "dana")).press(bet(9))
    assert (answer.accepted, answer.code) == (False, "no-such-seat")
    says(answer.message)


async def test_a_press_that_is_sent_twice_is_done_once(logins: Logins, table: PublishedTable) -> None:
    dana = await logged_in(logins, "dana")
    first, second = await asyncio.gather(dana.press(bet(1)), dana.press(bet(1)))
    assert first == second == await dana.press(bet(1))
    assert len(table.requests) == 1
    assert (await dana.press(bet(2, "press-0002"))).accepted
    assert len(table.requests) == 2


async def test_the_same_press_id_at_two_tables_is_two_presses(
    logins: Logins, table: PublishedTable, broker: Mosquitto, tmp_path: Path
) -> None:
    """Each gets its own table's answer."""
    async with published(named(Table(), "t8").ready(), tmp_path, broker.port) as other:
        await other.session.there.wait()
        dana = await logged_in(logins, "dana")
        here, there = bet(3), replace(bet(9), table="t8", round="t8-1")
        first, second = await asyncio.gather(dana.press(here), dana.press(there))
    assert (first.code, second.code) == ("accepted", "no-such-seat")


async def test_who_may_log_in_at_the_broker_no_longer_is_logged_in_no_longer(logins: Logins, broker: Mosquitto) -> None:
    token = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    passwords = broker.directory / "passwords"
    broker.stop()
    passwords.write_text("".join(line for line in passwords.read_text().splitlines(True) if "dana" not in line))
    broker.start()
    await asyncio.wait({logins._sessions[token].who.running}, timeout=SOON_S)
    assert logins.user(token) is None


async def test_who_may_not_publish_here_is_told_by_the_broker(
    logins: Logins, table: PublishedTable, says: Says
) -> None:
    answer = await (await logged_in(logins, "vera")).press(bet(1))
    assert (answer.accepted, answer.code) == (False, "broker-refused")
    says(answer.message)
    assert table.requests == []


async def test_a_table_that_does_not_answer_leaves_it_open(
    logins: Logins, table: PublishedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    dana = await logged_in(logins, "dana")
    table.fall_silent()
    monkeypatch.setattr(users, "ANSWER_S_MAX", 0.1)
    assert await dana.press(bet(1)) == NO_ANSWER


async def test_no_answer_of_whatever_form_ends_a_login(
    logins: Logins, table: PublishedTable, broker: Mosquitto
) -> None:
    """A list in the place of the command's id did: the person was answered nothing any longer."""
    dana = await logged_in(logins, "dana")
    assert (await dana.press(bet(1, "press-0000"))).accepted, "from here on dana hears this table"
    whole = {"id": "press-0001", "accepted": True, "code": "accepted", "message": "done", "said": None}
    odd: tuple[object, ...] = (None, True, 5, [], {}, ["press-0001"])
    forged = [msgspec.json.encode(whole | {key: value}) for key in whole for value in odd]
    settings = replace(page_settings(broker.port).mqtt, user="feltd", password=PASSWORD)
    async with connected(settings, "forger") as forger:
        for payload in (b"", b"{", b"[]", b"[" * 100_000, b"\xff", *forged):
            assert isinstance(await forger.post(f"felt/v1/{SITE}/t7/reply/dana", payload), Delivered)
    assert (await asyncio.wait_for(dana.press(bet(3)), SOON_S)).accepted


async def test_while_the_broker_is_away_nothing_is_sent_and_later_it_is(
    logins: Logins, table: PublishedTable, broker: Mosquitto
) -> None:
    dana = await logged_in(logins, "dana")
    broker.stop()
    answers: list[Answer] = []
    while BROKER_AWAY not in answers:
        answers.append(await dana.press(bet(1, f"while-away-{len(answers)}")))
    broker.start()
    await table.session.there.wait()
    while not answers[-1].accepted:
        answers.append(await dana.press(bet(1, f"while-away-{len(answers)}")))


@pytest.mark.parametrize(("name", "password"), [("dana", "wrong"), ("nobody", PASSWORD), ("dana", "")])
async def test_a_wrong_name_or_password_is_refused_and_not_without_end(
    logins: Logins, name: str, password: str
) -> None:
    for _ in range(failures.FAILURES_MAX):
        with pytest.raises(LoginRefusedError) as refused:
            await logins.log_in(name, password, "10.0.0.1")
        assert refused.value.code == "refused"
    with pytest.raises(LoginRefusedError) as refused:
        await logins.log_in(name, PASSWORD, "10.0.0.1")
    assert refused.value.code == "too-many-failures"
    if name == "dana":
        assert await logins.log_in(name, PASSWORD, "10.0.0.2")


@pytest.mark.parametrize(
    ("name", "code"),
    [("feltd", "not-a-person"), ("screen", "not-a-person"), ("archive", "not-a-person"), ("vera", "refused")],
)
async def test_only_people_of_the_file_log_in(
    logins: Logins, table: PublishedTable, tmp_path: Path, name: str, code: str, says: Says
) -> None:
    """As a table's user the page would end the table's connection. Who has left the file may still be at the broker."""
    file = people_file(tmp_path)
    logins.named = Named(file)
    for text in (file.read_text(), "a mistake"):  # with one it counts as it was
        file.write_text(text)
        with pytest.raises(LoginRefusedError) as refused:
            await logins.log_in(name, PASSWORD, "10.0.0.1")
        assert refused.value.code == code
        assert await logins.log_in("dana", PASSWORD, "10.0.0.1")
    says(refused.value.message)
    assert table.session.connections == 1
    logins.named = Named()
    assert await logins.log_in(name, PASSWORD, "10.0.0.1"), "without the file the broker alone decides"


async def test_a_thousand_wrong_names_keep_nobody_out_who_is_named(logins: Logins) -> None:
    """Not from where they come either: all screens of a house may be behind one address."""
    logins.failures = failures.Failures(PEOPLE.__contains__)
    for number in range(1_000):
        logins.failures.add(f"nobody-{number}", "10.0.0.1")
    with pytest.raises(LoginRefusedError) as refused:
        await logins.log_in("nobody", PASSWORD, "10.0.0.1")
    assert refused.value.code == "too-many-failures"
    assert await logins.log_in("dana", PASSWORD, "10.0.0.1")
    for _ in range(failures.FAILURES_MAX):
        logins.failures.add("dana", "10.0.0.1")
    with pytest.raises(LoginRefusedError) as refused:
        await logins.log_in("dana", PASSWORD, "10.0.0.1")
    assert refused.value.code == "too-many-failures"
    assert await logins.log_in("sue", PASSWORD, "10.0.0.1")


async def test_who_logs_out_or_stays_too_long_is_logged_in_no_longer(
    logins: Logins, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    assert logins.user(token) is not None
    await logins.log_out(token)
    assert logins.user(token) is None
    assert logins.user(None) is None
    monkeypatch.setattr(users, "SESSION_S_MAX", 0.0)
    assert logins.user(await logins.log_in("dana", PASSWORD, "127.0.0.1")) is None


async def test_sessions_are_bounded(logins: Logins, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "SESSIONS_MAX", 1)
    await logins.log_in("dana", PASSWORD, "127.0.0.1")
    with pytest.raises(LoginRefusedError) as refused:
        await logins.log_in("sue", PASSWORD, "127.0.0.1")
    assert refused.value.code == "too-many-users"


async def test_a_broker_without_passwords_is_noticed(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as open_broker:
        made = Logins(page_settings(open_broker.port).mqtt, SITE, ("bench-dealer",))
        with pytest.raises(LoginRefusedError) as refused:
            await made.log_in("dana", PASSWORD, "127.0.0.1")
        assert refused.value.code == "open-broker"
        assert made.user(await made.log_in("bench-dealer", "", "127.0.0.1")) is not None
        await made.end()


async def test_a_broker_that_is_away_is_no_wrong_password(broker: Mosquitto, logins: Logins) -> None:
    broker.stop()
    with pytest.raises(LoginRefusedError) as refused:
        await logins.log_in("dana", PASSWORD, "127.0.0.1")
    assert refused.value.code == "broker-away"
    broker.start()


async def test_somebody_who_tries_many_names_shuts_out_nobody_elsewhere(
    logins: Logins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "FAILURES_OF_AN_ADDRESS_MAX", 3)
    for number in range(3):
        with pytest.raises(LoginRefusedError) as refused:
            await logins.log_in(f"nobody-{number}", "wrong", "10.0.0.66")
        assert refused.value.code == "refused"
    with pytest.raises(LoginRefusedError) as refused:
        await logins.log_in("dana", PASSWORD, "10.0.0.66")
    assert refused.value.code == "too-many-failures"
    assert await logins.log_in("dana", PASSWORD, "10.0.0.1")


async def test_the_addresses_that_failed_are_bounded_and_none_is_shut_out_for_it(
    logins: Logins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failures, "ADDRESSES_MAX", 2)
    for number in range(4):
        with pytest.raises(LoginRefusedError):
            await logins.log_in("dana", "wrong", f"10.0.0.{number}")
    assert await logins.log_in("dana", PASSWORD, "10.0.0.3")


async def test_a_user_who_logs_in_many_times_leaves_room_for_others(
    logins: Logins, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest session of the user ends."""
    monkeypatch.setattr(users, "SESSIONS_OF_A_USER_MAX", 2)
    monkeypatch.setattr(users, "SESSIONS_MAX", 3)
    tokens = [await logins.log_in("dana", PASSWORD, "127.0.0.1") for _ in range(4)]
    assert [logins.user(token) is None for token in tokens] == [True, True, False, False]
    assert await logins.log_in("sue", PASSWORD, "127.0.0.1")


async def test_two_screens_of_a_person_work_side_by_side(logins: Logins, broker: Mosquitto, tmp_path: Path) -> None:
    """The shipped broker takes a user's name for the client's id: two connections ended each other, without end."""
    broker.stop()
    broker.options += ("use_username_as_clientid true",)
    broker.start()
    async with published(Table().ready(), tmp_path, broker.port) as table:
        await table.session.there.wait()
        tokens = [await logins.log_in("dana", PASSWORD, "127.0.0.1") for _ in range(3)]
        for number, token in enumerate(tokens * 3):
            dana = logins.user(token)
            assert dana is not None
            assert (await dana.press(bet(1, f"press-{number:04}"))).accepted
        await logins.log_out(tokens[2])
        dana = logins.user(tokens[0])
        assert dana is not None
        assert (await dana.press(bet(2, "press-last"))).accepted


def change_password(broker: Mosquitto, user: str, password: str) -> None:
    """Give a user another one. The broker reads it at its next start."""
    passwords = broker.directory / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", str(passwords), user, password], check=True, capture_output=True)


async def test_a_login_with_a_changed_password_ends_the_sessions_of_the_old_one(
    logins: Logins, broker: Mosquitto
) -> None:
    old = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    broker.stop()
    change_password(broker, "dana", "changed")
    broker.start()
    new = await logins.log_in("dana", "changed", "127.0.0.1")
    assert logins.user(old) is None
    assert logins.user(new) is not None


async def test_few_logins_are_tried_at_once_and_fewer_of_one_address(logins: Logins) -> None:
    most, of_one = users.LOGINS_AT_ONCE_MAX, users.LOGINS_OF_AN_ADDRESS_MAX
    tried = [logins.log_in("dana", "wrong", "10.0.0.66") for _ in range(most)]
    tried += [logins.log_in("dana", "wrong", f"10.0.0.{number}") for number in range(most)]
    refused = await asyncio.gather(*tried, return_exceptions=True)
    codes = [error.code for error in refused if isinstance(error, LoginRefusedError)]
    assert codes[:most].count("too-many-logins") == most - of_one, "somebody who tries many at once"
    assert codes[most:].count("too-many-logins") == of_one, "all others have what is left"
    assert codes.count("refused") == most
    assert await logins.log_in("dana", PASSWORD, "127.0.0.1")


async def test_who_waits_beneath_is_logged_in_again(logins: Logins, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the same token: after a log-out, and when the visitor has stayed too long."""
    for ends_by_itself in (False, True):
        before = await logins.log_in("dana", PASSWORD, "127.0.0.1")
        if ends_by_itself:
            monkeypatch.setattr(users, "VISIT_S_MAX", 0.0)
        token = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
        if not ends_by_itself:
            assert (_name(logins, token), logins.who_waits(token)) == ("sue", "dana")
            await logins.log_out(token)
        assert (_name(logins, token), logins.who_waits(token)) == ("dana", None)
        await logins.log_out(token)
        assert _name(logins, token) is None


async def test_a_second_visitor_is_over_the_first_who_was_there_and_one_who_was_there_waits_for_nobody(
    logins: Logins,
) -> None:
    before = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    first = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
    second = await logins.log_in("vera", PASSWORD, "127.0.0.1", first)
    assert (_name(logins, second), logins.who_waits(second), _name(logins, first)) == ("vera", "dana", None)
    own = await logins.log_in("dana", PASSWORD, "127.0.0.1", second)
    assert (_name(logins, own), logins.who_waits(own)) == ("dana", None)
    await logins.log_out(own)
    assert _name(logins, own) is None


async def test_a_login_that_was_touched_twice_leaves_one_over_who_waits(logins: Logins) -> None:
    """Two lay over one dealer: the end of the first, which no browser had, took the dealer's session along."""
    before = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    first = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
    second = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
    assert _name(logins, first) is None
    assert (_name(logins, second), logins.who_waits(second)) == ("sue", "dana")
    await logins.log_out(second)
    assert (_name(logins, second), logins.who_waits(second)) == ("dana", None)


async def test_who_waits_beneath_is_not_logged_in_again_after_their_password_was_taken(logins: Logins) -> None:
    before = await logins.log_in("dana", PASSWORD, "127.0.0.1")
    token = await logins.log_in("sue", PASSWORD, "127.0.0.1", before)
    await logins.log_out(before)
    await logins.log_out(token)
    assert _name(logins, token) is None


def _name(logins: Logins, token: str) -> str | None:
    user = logins.user(token)
    return None if user is None else user.name
