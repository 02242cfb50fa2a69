"""What each part of the daemon is given of a good file."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.config.document import InvalidConfigurationError
from daemon.config.files import password_of
from daemon.config.load import examine, load
from daemon.config.sections import Sections
from daemon.config.settings import Config
from daemon.mqtt.settings import MqttSettings, MqttVersion, TlsSettings
from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.limits import AggregateLimit, Day, Limits, StakeRange
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.wagers import GameName, WagerName
from daemon.table.settings import SUPERVISED, PayingStyle, Reconciling, SourceSettings
from daemon.table.vocabulary import Irregularity, SourceKind
from drivers.addresses import SerialAddress, TcpAddress
from drivers.events import Button, DeviceName
from drivers.profile import Firmware
from tests.daemon.config.files import GOOD, changed
from tests.support.certificates import certificates
from tests.support.rights import without_rights
from tests.support.sentences import Says


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_bytes(b"pass word\r\nand a second line\n")
    made = certificates(tmp_path)
    for path, name in ((made.authority, "ca.pem"), (made.certificate, "c.pem"), (made.key, "k.pem")):
        path.rename(tmp_path / name)
    for name in ("secret", "k.pem"):
        (tmp_path / name).chmod(0o600)
    return tmp_path


def loaded(directory: Path, text: str) -> Config:
    file = directory / "t.toml"
    file.write_text(text)
    return load(file)


def test_the_table_is_given_its_settings(directory: Path) -> None:
    table = loaded(
        directory,
        changed("seats = 6", 'seats = 6\nreconciling = "through"\npaying = "lay-and-pay"\nstub_count_rounds_max = 3')
        + '[games.big-50]\nred_black = "named"\n[money]\nchip_cents = 25\nbreakage = "house"\n'
        + '[irregularities]\nwrong-count = "void"\nboxed-card = "supervisor"\n',
    ).table
    assert (table.site, table.table, table.game, table.seats) == ("harbour", "7", GameName.BIG_50, 6)
    assert table.source == SourceSettings(DeviceName("shuffler"), True, True, True)
    assert table.options == Big50House(red_black=RedBlack.NAMED)
    assert table.money == MoneyRule(Cents(25), Breakage.HOUSE)
    assert (table.reconciling, table.paying) == (Reconciling.THROUGH, PayingStyle.LAY_AND_PAY)
    assert table.supervised == (*SUPERVISED, Irregularity.BOXED_CARD)
    assert table.stub_count_rounds_max == 3


def test_a_shuffler_that_gives_whole_decks_is_dealt_by_hand(directory: Path) -> None:
    text = changed('"big-50"', '"big-raise-holdem"').replace("shuffler-faces", "shuffler-batch")
    source = loaded(directory, text).table.source
    assert (source.kind, source.takes_commands, source.counts) == (SourceKind.BATCH, False, True)


def test_what_stands_still_for_a_supervisor_by_default_voids_where_the_house_says_so(directory: Path) -> None:
    table = loaded(directory, GOOD + '[irregularities]\nraise-without-pair = "void"\n').table
    assert table.supervised == tuple(name for name in SUPERVISED if name is not Irregularity.RAISE_WITHOUT_PAIR)


def test_a_house_can_have_a_supervisor_once_cards_are_out(directory: Path) -> None:
    assert loaded(directory, GOOD).table.supervised_once_seen == ()
    table = loaded(directory, GOOD + '[irregularities]\ndeck-not-proven = "supervisor-once-seen"\n').table
    assert table.supervised_once_seen == (Irregularity.DECK_NOT_PROVEN,)
    assert table.supervised == SUPERVISED


@pytest.mark.parametrize(
    ("profile", "commands", "faces", "counts"),
    [
        ("faces", True, True, True),
        ("counts", True, False, True),
        ("blind", True, False, False),
        ("observed", False, False, True),
    ],
)
def test_the_table_knows_what_its_shuffler_can_do(
    directory: Path, profile: str, commands: bool, faces: bool, counts: bool
) -> None:
    shuffler = loaded(directory, GOOD.replace("shuffler-faces", f"shuffler-{profile}")).table.source
    assert (shuffler.takes_commands, shuffler.reads_faces, shuffler.counts) == (commands, faces, counts)


def test_limits_hold_from_their_day(directory: Path) -> None:
    limits = loaded(
        directory,
        changed("step_cents = 100", "step_cents = 100\naggregate_most_cents = 2000000")
        + "[[limits]]\nfirst_day = 2024-02-29\nauthorised_most_cents = 50000\n"
        + "wagers_a_hand_max = 4\nlarge_wagers_a_hand_max = 3\nverify_over_cents = 100000\n",
    ).table.limits
    first, second = Day(14_245), Day(19_782)  # date -d 2009-01-01 +%s, and 2024-02-29, divided by 86,400
    assert limits.on(Day(first - 1)) is None
    assert (
        limits.on(first)
        == limits.on(Day(second - 1))
        == Limits(
            stakes={WagerName.BIG_50: StakeRange(Cents(100), Cents(10_000), Cents(100))},
            authorised_most=Cents(40_000),
            aggregates=(AggregateLimit(WagerName.BIG_50, Cents(2_000_000)),),
        )
    )
    assert limits.on(second) == Limits(
        authorised_most=Cents(50_000), wagers_max=4, large_wagers_max=3, verify_over=Cents(100_000)
    )


def test_devices_are_their_profile_with_what_the_house_says_differently(directory: Path) -> None:
    shuffler, pad = loaded(
        directory,
        GOOD
        + '[devices.pad]\nprofile = "felt-link-buttons"\naddress = "tcp:10.0.0.9:4001"\nserial_number = "P-1"\n'
        + 'firmware_least = "2.9"\nfirmware_below = "2.10"\nkeys = { F1 = "next", green = "void" }\n',
    ).devices
    assert (shuffler.name, shuffler.address) == ("shuffler", SerialAddress("/dev/serial/by-id/usb-shuffler"))
    assert (shuffler.serial, shuffler.profile.firmware) == (None, Firmware())
    assert (pad.name, pad.address, pad.serial) == ("pad", TcpAddress("10.0.0.9", 4001), "P-1")
    assert pad.profile.firmware == Firmware("2.9", "2.10")
    assert (pad.profile.keys["F1"], pad.profile.keys["green"]) == (Button.NEXT, Button.VOID)
    assert pad.profile.keys["count"] is Button.COUNT


def test_the_broker_is_reached_with_the_password_of_the_file(directory: Path) -> None:
    mqtt = loaded(
        directory,
        GOOD + '[mqtt]\nhost = "broker"\nport = 8883\nversion = "3.1.1"\nusername = "t7"\npassword_file = "secret"\n'
        'client_id = "c"\nkeepalive_s = 20\nsession_expiry_s = 60\n'
        '[mqtt.tls]\nca_file = "ca.pem"\ncertificate_file = "c.pem"\nkey_file = "k.pem"\n',
    ).mqtt
    assert mqtt == MqttSettings(
        host="broker",
        port=8883,
        version=MqttVersion.V3_1_1,
        client_id="c",
        user="t7",
        password="pass word",  # noqa: S106  the test's own
        tls=TlsSettings(
            ca_file=directory / "ca.pem", certificate_file=directory / "c.pem", key_file=directory / "k.pem"
        ),
        keepalive_s=20,
        session_expiry_s=60,
    )


def test_a_credential_of_the_unit_goes_before_the_file_and_an_empty_one_does_not(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GOOD + '[mqtt]\nusername = "t7"\npassword_file = "secret"\npassword_credential = "mqtt-password"\n'
    assert loaded(directory, text).mqtt.password == "pass word"  # noqa: S105  the test's own
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(directory))
    given = directory / "mqtt-password"
    given.write_text("\n", encoding="utf-8")
    assert loaded(directory, text).mqtt.password == "pass word"  # noqa: S105
    given.write_text("of the unit\n", encoding="utf-8")
    assert loaded(directory, text).mqtt.password == "of the unit"  # noqa: S105


def test_a_credential_that_systemd_keeps_from_a_reload_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian 12's systemd names the directory to `ExecReload=`, which may not look inside; reloads ended with 70."""
    sections = examine(GOOD + '[mqtt]\nusername = "t7"\npassword_credential = "mqtt-password"\n')
    assert isinstance(sections, Sections)
    closed = tmp_path / "credentials"
    closed.mkdir()
    (closed / "mqtt-password").write_text("of the unit\n", encoding="utf-8")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(closed))
    assert password_of(sections.mqtt, tmp_path) == "of the unit"
    closed.chmod(0)
    with without_rights():
        assert password_of(sections.mqtt, tmp_path) is None
    closed.chmod(0o700)


def test_without_a_word_the_broker_and_the_day_are_this_machines(directory: Path) -> None:
    config = loaded(directory, GOOD)
    assert config.mqtt == MqttSettings()
    assert config.calendar.zone is None


def test_paths_start_at_the_files_own_directory(directory: Path) -> None:
    assert loaded(directory, GOOD).journal == directory / "table7.journal"
    assert loaded(directory, changed("table7.journal", "/var/j.db")).journal == Path("/var/j.db")


def test_the_table_has_its_own_midnight(directory: Path) -> None:
    zone = loaded(directory, changed("seats = 6", 'seats = 6\ntime_zone = "America/Los_Angeles"')).calendar.zone
    assert str(zone) == "America/Los_Angeles"


def test_files_that_cannot_be_read_are_problems_at_their_keys(directory: Path, says: Says) -> None:
    (directory / "binary").write_bytes(b"\xff")
    with pytest.raises(InvalidConfigurationError) as caught:
        loaded(
            directory,
            GOOD + "[mqtt]\nusername = 't7'\npassword_file = 'none'\n[mqtt.tls]\nca_file = '.'\n"
            "certificate_file = 'c.pem'\nkey_file = 'binary'\n",
        )
    says(caught.value.message)
