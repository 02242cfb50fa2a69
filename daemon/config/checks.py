"""What no key can say alone: whether the keys of a configuration fit together.

Each check yields the problems of one matter and says nothing of values that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any
from zoneinfo import available_timezones

from daemon.config.games import AT_TABLE, dealt_from, offered, own_paytable
from daemon.config.problems import KeyPath, Problem, ProblemCode, nearest, shown
from daemon.config.reading import complete, known
from daemon.config.sections import DeviceSection, LimitsSection, PaytableSection, Sections, WagerSection
from daemon.config.settings import limits_of
from daemon.rules.games import GAMES
from daemon.rules.limits import AggregateLimit, aggregate_problem
from daemon.rules.money import Cents
from daemon.rules.paytable import Paytable, PaytableInvalidError
from daemon.rules.wagers import GameName, WagerName
from daemon.table.settings import DealStyle, DrawStyle
from daemon.table.stakes import in_force
from daemon.table.vocabulary import Irregularity, Policy
from drivers.addresses import FORMS, Address, AddressError, parse_address
from drivers.profile import Capability, DeviceRole, Profile
from drivers.profiles import PROFILES
from protocols import angel_eye


def cross_check(file: Sections) -> Iterator[Problem]:
    """Every problem between keys, in the order of the example file."""
    yield from _games(file)
    yield from _seats(file)
    yield from _time_zone(file)
    yield from _sources(file)
    yield from _devices(file)
    yield from _order_of_days(file)
    for place, limits in enumerate(file.limits):
        yield from _limits(file, limits, ("limits", place))
    yield from _paytables(file)
    yield from _policies(file)
    yield from _mqtt(file)


def _games(file: Sections) -> Iterator[Problem]:
    others = file.table.other_games if known(file.table.other_games) else ()
    for place, game in enumerate(others):
        where = ("table", "other_games", place)
        if known(game) and game in (file.table.game, *others[:place]):
            yield Problem(ProblemCode.GAME_TWICE, where, shown(game.value), "each game once")


def _seats(file: Sections) -> Iterator[Problem]:
    seats, games = file.table.seats, [GAMES[game] for game in offered(file)]
    if not known(seats) or not games:
        return
    tightest = min(games, key=lambda game: game.positions_max)
    if seats > tightest.positions_max:
        allowed = f"at most {tightest.positions_max} for {tightest.name.value}"
        yield Problem(ProblemCode.TOO_MANY_SEATS, ("table", "seats"), str(seats), allowed)


def _time_zone(file: Sections) -> Iterator[Problem]:
    zone = file.table.time_zone
    if known(zone) and zone is not None and zone not in available_timezones():
        allowed = "a time zone that this machine knows, as America/Los_Angeles"
        meant = nearest(zone, available_timezones())
        yield Problem(ProblemCode.UNKNOWN_TIME_ZONE, ("table", "time_zone"), shown(zone), allowed, meant)


def _sources(file: Sections) -> Iterator[Problem]:
    """Several games may share one device, and what is wrong with it is said once."""
    games = offered(file)
    yield from dict.fromkeys(problem for game in games for problem in _source(file, game))
    yield from _deal_style(file)
    yield from _draws_from(file)


def _source(file: Sections, game: GameName) -> Iterator[Problem]:
    where, name = dealt_from(file, game)
    roles = " or a ".join(role.value for role in AT_TABLE[game].dealt_from)
    if name is None:
        allowed = f"the name of a device, because {game.value} is dealt from a {roles}"
        yield Problem(ProblemCode.SHUFFLER_MISSING, where, "nothing", allowed)
    elif known(name, file.devices) and name not in file.devices:
        allowed = "one of " + (", ".join(file.devices) or "the devices, and there are none")
        yield Problem(ProblemCode.UNKNOWN_DEVICE, where, shown(name), allowed, nearest(name, file.devices))
    elif (profile := source_profile(file, game)) is not None:
        yield from _unfit(file, game, profile, where, shown(name))


def _unfit(file: Sections, game: GameName, profile: Profile, where: KeyPath, name: str) -> Iterator[Problem]:
    """Whether a game can be dealt from such a device."""
    roles = AT_TABLE[game].dealt_from
    if profile.role not in roles:
        found = f"{name}, which is of profile {profile.name}, for {profile.role.value}"
        allowed = "a device whose profile is that of a " + " or a ".join(role.value for role in roles)
        yield Problem(ProblemCode.WRONG_ROLE, where, found, allowed)
    elif AT_TABLE[game].needs_packets and profile.can(Capability.BATCH):
        allowed = f"a device that gives packets: {game.value} dealt by hand cannot be followed yet"
        yield Problem(ProblemCode.PACKETS_NEEDED, where, f"{name}, which gives whole decks", allowed)
    elif (why_driven := AT_TABLE[game].needs_commands) is not None and not _needs_no_orders(file, profile):
        allowed = f"a device that the table drives: in {game.value} {why_driven}"
        yield Problem(ProblemCode.COMMANDS_NEEDED, where, f"{name}, which takes no commands", allowed)


def _deal_style(file: Sections) -> Iterator[Problem]:
    """Single cards go round the table out of a shoe only."""
    style = file.games.big_draw.deal if known(file.games) else DealStyle.FIVE_AT_ONCE
    profile = source_profile(file, GameName.BIG_DRAW) if GameName.BIG_DRAW in offered(file) else None
    if profile is not None and profile.role is DeviceRole.SHUFFLER and style is DealStyle.ONE_AT_A_TIME:
        allowed = f"{DealStyle.FIVE_AT_ONCE.value}, because a shuffler gives packets of five"
        yield Problem(ProblemCode.WRONG_ROLE, ("games", GameName.BIG_DRAW.value, "deal"), shown(style.value), allowed)


def _needs_no_orders(file: Sections, profile: Profile) -> bool:
    """A shoe has no motor; and a shuffler that gives no draws need not be told their sizes."""
    gives_draws = not known(file.games) or file.games.big_draw.draws_from is None
    return profile.role is DeviceRole.SHOE or profile.can(Capability.COMMANDS) or not gives_draws


def _draws_from(file: Sections) -> Iterator[Problem]:
    """The second device of a game that is dealt from a shuffler and then from a shoe."""
    name = file.games.big_draw.draws_from if known(file.games) else None
    where = ("games", GameName.BIG_DRAW.value, "draws_from")
    if name is None or not known(name, file.devices) or GameName.BIG_DRAW not in offered(file):
        return
    if name not in file.devices:
        allowed = "one of " + (", ".join(file.devices) or "the devices, and there are none")
        yield Problem(ProblemCode.UNKNOWN_DEVICE, where, shown(name), allowed, nearest(name, file.devices))
        return
    profile, source = PROFILES.get(file.devices[name].profile), source_profile(file, GameName.BIG_DRAW)
    if profile is not None and profile.role is not DeviceRole.SHOE:
        found = f"{shown(name)}, which is of profile {profile.name}, for {profile.role.value}"
        yield Problem(ProblemCode.WRONG_ROLE, where, found, "a device whose profile is that of a shoe")
    elif source is not None and source.role is DeviceRole.SHOE:
        allowed = "nothing, because first hands come out of a shoe as well"
        yield Problem(ProblemCode.WRONG_ROLE, where, shown(name), allowed)


def source_profile(file: Sections, game: GameName) -> Profile | None:
    """The profile of the device that a game is dealt from; None while that is not known."""
    _, name = dealt_from(file, game)
    if not known(name, file.devices) or name not in file.devices:
        return None
    profile = file.devices[name].profile
    return PROFILES.get(profile) if known(profile) else None


def _devices(file: Sections) -> Iterator[Problem]:
    if not known(file.devices):
        return
    taken: dict[Address, str] = {}
    for name, device in file.devices.items():
        where = ("devices", name)
        yield from _profile(device, where)
        yield from _angel_eye(device, (*where, "angel_eye"))
        address = _address(device)
        if isinstance(address, Problem):
            yield replace(address, key=(*where, "address"))
        elif address is not None and taken.setdefault(address, name) != name:
            allowed = f"an address of its own, because {taken[address]} is there"
            yield Problem(ProblemCode.ADDRESS_TAKEN, (*where, "address"), shown(device.address), allowed)


def _profile(device: DeviceSection, where: KeyPath) -> Iterator[Problem]:
    if known(device.profile) and device.profile not in PROFILES:
        allowed = "one of " + ", ".join(PROFILES)
        meant = nearest(device.profile, PROFILES)
        yield Problem(ProblemCode.UNKNOWN_PROFILE, (*where, "profile"), shown(device.profile), allowed, meant)
    least, below = device.firmware_least, device.firmware_below
    if least is not None and below is not None and known(least, below) and _version(least) >= _version(below):
        allowed = f"a version after firmware_least, {least}"
        yield Problem(ProblemCode.FIRMWARE_RANGE, (*where, "firmware_below"), shown(below), allowed)


def _angel_eye(device: DeviceSection, where: KeyPath) -> Iterator[Problem]:
    options = device.angel_eye
    if options is None or not known(options):
        return
    profile = PROFILES.get(device.profile) if known(device.profile) else None
    if profile is not None and profile.protocol != angel_eye.NAME:
        theirs = ", ".join(name for name, each in PROFILES.items() if each.protocol == angel_eye.NAME)
        found = f"it beside profile {profile.name}"
        yield Problem(ProblemCode.OPTIONS_OF_ANOTHER, where, found, f"only beside one of {theirs}")
    first, last = options.seq_first, options.seq_last
    if (first is None) != (last is None):
        key, other = ("seq_last", "seq_first") if first is None else ("seq_first", "seq_last")
        yield Problem(ProblemCode.SEQ_RANGE, (*where, key), "it alone", f"{other} beside it, or neither")
    elif first is not None and last is not None and known(first, last) and first >= last:
        yield Problem(ProblemCode.SEQ_RANGE, (*where, "seq_last"), shown(last), f"a character after {shown(first)}")


def _address(device: DeviceSection) -> Address | Problem | None:
    if not known(device.address):
        return None
    try:
        return parse_address(device.address)
    except AddressError as error:
        return Problem(ProblemCode.BAD_ADDRESS, (), str(error), FORMS)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _order_of_days(file: Sections) -> Iterator[Problem]:
    for place, (earlier, later) in enumerate(pairwise(file.limits), start=1):
        if known(earlier.first_day, later.first_day) and later.first_day <= earlier.first_day:
            allowed = f"a day after {earlier.first_day}, because limits stand earliest first"
            where = ("limits", place, "first_day")
            yield Problem(ProblemCode.LIMITS_ORDER, where, str(later.first_day), allowed)


def _limits(file: Sections, limits: LimitsSection, where: KeyPath) -> Iterator[Problem]:
    if not known(limits.wagers):
        return
    for name, wager in limits.wagers.items():
        path = (*where, "wagers", name.value)
        yield from _range(wager, limits.authorised_most_cents, path)
        yield from _steps(wager, file.money.chip_cents, path)
        if known(wager.aggregate_most_cents):
            yield from _aggregate(file, limits, name, (*path, "aggregate_most_cents"))


def _range(wager: WagerSection, authorised: int, where: KeyPath) -> Iterator[Problem]:
    least, most = wager.least_cents, wager.most_cents
    if known(most, authorised) and most is not None and most > authorised:
        yield _contradiction((*where, "most_cents"), most, f"at most authorised_most_cents, {authorised}")
    top = most if known(most) else authorised
    if known(least, top) and top is not None and least > top:
        yield _contradiction((*where, "least_cents"), least, f"at most the wager's most, {top}")


def _steps(wager: WagerSection, chip: int, where: KeyPath) -> Iterator[Problem]:
    step = wager.step_cents
    if known(step, chip) and step % chip:
        yield _contradiction((*where, "step_cents"), step, f"a multiple of money.chip_cents, {chip}")
    for key, amount in (("least_cents", wager.least_cents), ("most_cents", wager.most_cents)):
        if known(amount, step) and amount is not None and amount % step:
            yield _contradiction((*where, key), amount, f"a multiple of step_cents, {step}")


def _aggregate(file: Sections, limits: LimitsSection, name: WagerName, where: KeyPath) -> Iterator[Problem]:
    """Of each game that is offered and has this wager."""
    games = (game for game in offered(file) if name in GAMES[game].spots)
    yield from dict.fromkeys(problem for game in games for problem in _aggregate_in(game, file, limits, name, where))


def _aggregate_in(
    game: GameName, file: Sections, limits: LimitsSection, name: WagerName, where: KeyPath
) -> Iterator[Problem]:
    most, profile = limits.wagers[name].aggregate_most_cents, source_profile(file, game)
    if profile is not None and (not profile.can(Capability.FACES) or profile.can(Capability.BATCH)):
        allowed = f"none with {profile.name}: winners share it, and their hands are not known together"
        yield Problem(ProblemCode.AGGREGATE_LIMIT, where, str(most), allowed)
    style = file.games.big_draw.draw if known(file.games) else DrawStyle.FACE_DOWN
    if name is WagerName.BIG_DRAW and known(style) and style is DrawStyle.FACE_UP:
        allowed = 'none with draw = "face-up": winners share it, and each is paid before the next one draws'
        yield Problem(ProblemCode.AGGREGATE_LIMIT, where, str(most), allowed)
    if most is None or not complete(limits):
        return
    for paytable in GAMES[game].paytables_of(name, GAMES[game].house):
        unlawful = aggregate_problem(AggregateLimit(name, Cents(most)), paytable, limits_of(limits))
        if unlawful:
            yield Problem(ProblemCode.AGGREGATE_LIMIT, where, str(most), unlawful)


def _contradiction(where: KeyPath, cents: int, allowed: str) -> Problem:
    return Problem(ProblemCode.LIMITS_CONTRADICT, where, str(cents), allowed)


def _paytables(file: Sections) -> Iterator[Problem]:
    """Every row of a house's paytable means something, is reachable, and stands in order."""
    if not known(file.games):
        return
    for game, row in AT_TABLE.items():
        for key, published in row.published.items():
            section = getattr(row.section(file.games), key)
            if known(section) and known(section.name, section.source, section.rows):
                yield from _paytable(section, published, ("games", game.value, key))


def _paytable(section: PaytableSection, published: Paytable[Any], where: KeyPath) -> Iterator[Problem]:
    try:
        in_force(own_paytable(section), published)
    except PaytableInvalidError as error:
        for problem in error.problems:
            allowed = "rows of the published scale, best first, none twice"
            yield Problem(ProblemCode.PAYTABLE, where, problem, allowed)


def _policies(file: Sections) -> Iterator[Problem]:
    fixed = Irregularity.WRONG_COUNT
    if known(file.irregularities) and file.irregularities.get(fixed) is Policy.SUPERVISOR:
        allowed = "void, because the approved rules void every hand and leave no choice"
        where = ("irregularities", fixed.value)
        yield Problem(ProblemCode.FIXED_POLICY, where, shown(Policy.SUPERVISOR.value), allowed)


def _mqtt(file: Sections) -> Iterator[Problem]:
    mqtt = file.mqtt
    if known(mqtt.password_file) and mqtt.username is None:
        yield _incomplete(("mqtt", "username"), "a name, because there is a password_file")
    tls = mqtt.tls
    if tls is None:
        return
    if known(tls.certificate_file) and tls.key_file is None:
        yield _incomplete(("mqtt", "tls", "key_file"), "a path, because there is a certificate_file")
    if known(tls.key_file) and tls.certificate_file is None:
        yield _incomplete(("mqtt", "tls", "certificate_file"), "a path, because there is a key_file")


def _incomplete(where: KeyPath, allowed: str) -> Problem:
    return Problem(ProblemCode.MQTT_CONTRADICT, where, "nothing", allowed)
