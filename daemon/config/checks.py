"""Whether the keys of a configuration fit together.

Each check yields the problems of one matter, and ignores values that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from itertools import pairwise
from zoneinfo import available_timezones

from daemon.config.games import dealt_from, more_sources, offered, options_at_table, section_of
from daemon.config.problems import KeyPath, Problem, ProblemCode, nearest, shown
from daemon.config.reading import complete, known
from daemon.config.sections import DeviceSection, HousePolicy, LimitsSection, Sections, WagerSection
from daemon.config.settings import kind_of, limits_of, source_of
from daemon.rules.games import GAMES
from daemon.rules.limits import AggregateLimit, aggregate_problem
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName, WagerName
from daemon.table.games import PROCEDURES
from daemon.table.settings import SourceSettings
from daemon.table.vocabulary import Irregularity, SourceKind
from drivers.addresses import Address, AddressError, meant_address, parse_address
from drivers.profile import Capability, DeviceRole, Profile
from drivers.profiles import PROFILES
from protocols import angel_eye


def cross_check(file: Sections) -> Iterator[Problem]:
    """Yield every problem between keys, in the order of the example file."""
    yield from _games(file)
    yield from _seats(file)
    yield from _time_zone(file)
    # Games may share a device, and its problems are reported once.
    yield from dict.fromkeys(problem for game in offered(file) for problem in _sources_of(file, game))
    yield from _devices(file)
    yield from _order_of_days(file)
    for place, limits in enumerate(file.limits):
        yield from _limits(file, limits, ("limits", place))
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
        # Of a region alone: PST is not MST, and Etc/GMT+1 lies west of UTC where people write UTC+1.
        meant = nearest(zone, [name for name in available_timezones() if "/" in name and not name.startswith("Etc/")])
        yield Problem(ProblemCode.UNKNOWN_TIME_ZONE, ("table", "time_zone"), shown(zone), allowed, meant)


def _sources_of(file: Sections, game: GameName) -> Iterator[Problem]:
    where, name = dealt_from(file, game)
    kinds = PROCEDURES[game].play.dealt_from
    if name is None:
        allowed = f"the name of a device, because {game.value} is dealt from a {_roles(kinds)}"
        yield Problem(ProblemCode.SHUFFLER_MISSING, where, "nothing", allowed)
    yield from _source(file, game, where, name, kinds)
    for key, another in more_sources(file, game).items():
        yield from _source(file, game, ("games", game.value, key), another, tuple(SourceKind))
    source = source_profile(file, game)
    if name is not None and source is not None and _kind_fits(source, kinds):
        yield from _misfits(file, game, where, source_of(name, source))


def _source(
    file: Sections, game: GameName, where: KeyPath, name: str | None, kinds: tuple[SourceKind, ...]
) -> Iterator[Problem]:
    """Check that a named device exists, and that it can deal this game."""
    if name is None or not known(name, file.devices):
        return
    if name not in file.devices:
        if not known(*file.devices.values()):
            return  # keys of a device without [devices.NAME], which are reported themselves
        allowed = "one of " + (", ".join(file.devices) or "the devices, and there are none")
        yield Problem(ProblemCode.UNKNOWN_DEVICE, where, shown(name), allowed, nearest(name, file.devices))
    elif (profile := profile_of(file, name)) is None or _kind_fits(profile, kinds):
        return
    elif profile.role.value in _roles(kinds):
        allowed = f"a device that gives packets: {game.value} dealt by hand cannot be followed yet"
        yield Problem(ProblemCode.PACKETS_NEEDED, where, f"{shown(name)}, which gives whole decks", allowed)
    else:
        found = f"{shown(name)}, which is of profile {profile.name}, for {profile.role.value}"
        yield Problem(ProblemCode.WRONG_ROLE, where, found, f"a device whose profile is that of a {_roles(kinds)}")


def _misfits(file: Sections, game: GameName, where: KeyPath, source: SourceSettings) -> Iterator[Problem]:
    """Yield what else the game finds wrong between its options and the device that deals it."""
    profiles = {name: profile_of(file, name) for name in more_sources(file, game).values()}
    sources = {name: source_of(name, profile) for name, profile in profiles.items() if profile is not None}
    if not complete(section_of(file, game)) or len(sources) < len(profiles):
        return
    options = options_at_table(file, game, sources.__getitem__)
    for misfit in PROCEDURES[game].play.misfits(options, source):
        at = where if misfit.key is None else ("games", game.value, misfit.key)
        value = source.device if misfit.key is None else getattr(section_of(file, game), misfit.key)
        found = shown(value.value if isinstance(value, Enum) else value) + (f", {misfit.found}" if misfit.found else "")
        code = ProblemCode.COMMANDS_NEEDED if misfit.key is None else ProblemCode.WRONG_ROLE
        yield Problem(code, at, found, misfit.allowed)


def _kind_fits(profile: Profile, kinds: tuple[SourceKind, ...]) -> bool:
    return profile.role.value in _roles(kinds) and kind_of(profile) in kinds


def _roles(kinds: tuple[SourceKind, ...]) -> str:
    """Return the roles of devices in words. A batch shuffler is a shuffler, too."""
    roles = (DeviceRole.SHOE if kind is SourceKind.SHOE else DeviceRole.SHUFFLER for kind in kinds)
    return " or a ".join(dict.fromkeys(role.value for role in roles))


def can_deal(profile: Profile, game: GameName) -> bool:
    """Return whether such a device can deal a game with its default options."""
    play = PROCEDURES[game].play
    if not _kind_fits(profile, play.dealt_from):
        return False
    return all(misfit.key is not None for misfit in play.misfits(play.options(), source_of(profile.name, profile)))


def source_profile(file: Sections, game: GameName) -> Profile | None:
    """Return the profile of the device that a game is dealt from, or None while that is not known."""
    _, name = dealt_from(file, game)
    return profile_of(file, name)


def profile_of(file: Sections, name: str | None) -> Profile | None:
    """Return the profile of a device, or None while that is not known."""
    if name is None or not known(name, file.devices) or name not in file.devices:
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
        found = f"{shown(device.address)}, which {error.wrong}"
        return Problem(ProblemCode.BAD_ADDRESS, (), found, error.allowed, meant_address(device.address))


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
    """Check an aggregate limit in each offered game that has this wager."""
    games = (game for game in offered(file) if name in GAMES[game].spots)
    yield from dict.fromkeys(problem for game in games for problem in _aggregate_in(game, file, limits, name, where))


def _aggregate_in(
    game: GameName, file: Sections, limits: LimitsSection, name: WagerName, where: KeyPath
) -> Iterator[Problem]:
    most, profile = limits.wagers[name].aggregate_most_cents, source_profile(file, game)
    if profile is not None and (not profile.can(Capability.FACES) or profile.can(Capability.BATCH)):
        allowed = f"none with {profile.name}: winners share it, and their hands are not known together"
        yield Problem(ProblemCode.AGGREGATE_LIMIT, where, str(most), allowed)
    section = section_of(file, game)
    alone = PROCEDURES[game].play.not_shared(section, name) if complete(section) else None
    if alone is not None:
        yield Problem(ProblemCode.AGGREGATE_LIMIT, where, str(most), alone)
    if most is None or not complete(limits) or not complete(section):
        return
    for paytable in GAMES[game].paytables_of(name, section):
        unlawful = aggregate_problem(AggregateLimit(name, Cents(most)), paytable, limits_of(limits), GAMES[game].spots)
        if unlawful:
            yield Problem(ProblemCode.AGGREGATE_LIMIT, where, str(most), unlawful)


def _contradiction(where: KeyPath, cents: int, allowed: str) -> Problem:
    return Problem(ProblemCode.LIMITS_CONTRADICT, where, str(cents), allowed)


def _policies(file: Sections) -> Iterator[Problem]:
    fixed = Irregularity.WRONG_COUNT
    said = file.irregularities.get(fixed) if known(file.irregularities) else None
    if said not in (None, HousePolicy.VOID) and known(said):
        allowed = "void, because the approved rules void every hand and leave no choice"
        where = ("irregularities", fixed.value)
        yield Problem(ProblemCode.FIXED_POLICY, where, shown(said.value), allowed)


def _mqtt(file: Sections) -> Iterator[Problem]:
    mqtt = file.mqtt
    if known(mqtt.password_file) and mqtt.username is None:
        yield _incomplete(("mqtt", "username"), "a name, because there is a password_file")
    if known(mqtt.password_credential) and mqtt.password_credential is not None and mqtt.username is None:
        yield _incomplete(("mqtt", "username"), "a name, because there is a password_credential")
    tls = mqtt.tls
    if tls is None:
        return
    if known(tls.certificate_file) and tls.key_file is None:
        yield _incomplete(("mqtt", "tls", "key_file"), "a path, because there is a certificate_file")
    if known(tls.key_file) and tls.certificate_file is None:
        yield _incomplete(("mqtt", "tls", "certificate_file"), "a path, because there is a key_file")


def _incomplete(where: KeyPath, allowed: str) -> Problem:
    return Problem(ProblemCode.MQTT_CONTRADICT, where, "nothing", allowed)
