"""What no key can say alone: whether the keys of a configuration fit together.

Each check yields the problems of one matter and says nothing of values that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from daemon.config.problems import KeyPath, Problem, ProblemCode, nearest, shown
from daemon.config.reading import known
from daemon.config.sections import LimitsSection, Sections, WagerSection
from daemon.rules.games import GAMES
from daemon.rules.wagers import GameName
from daemon.table.vocabulary import Irregularity, Policy

AT_TABLE = (GameName.BIG_50,)
"""The games that a table can be run with; the rules know more."""


def cross_check(file: Sections) -> Iterator[Problem]:
    """Every problem between keys, in the order of the example file."""
    yield from _game(file)
    yield from _seats(file)
    yield from _shuffler(file)
    yield from _order_of_days(file)
    for place, limits in enumerate(file.limits):
        yield from _limits(file, limits, ("limits", place))
    yield from _policies(file)
    yield from _mqtt(file)


def _game(file: Sections) -> Iterator[Problem]:
    game = file.table.game
    if known(game) and game not in AT_TABLE:
        allowed = ", ".join(name.value for name in AT_TABLE) + " (feltd cannot deal the others at a table yet)"
        yield Problem(ProblemCode.GAME_NOT_AT_TABLE, ("table", "game"), shown(game.value), allowed)


def _seats(file: Sections) -> Iterator[Problem]:
    game, seats = file.table.game, file.table.seats
    if not known(game, seats) or game not in GAMES:
        return
    most = GAMES[game].positions_max
    if seats > most:
        allowed = f"at most {most} seats, because a deck has no more hands of {game.value}"
        yield Problem(ProblemCode.TOO_MANY_SEATS, ("table", "seats"), str(seats), allowed)


def _shuffler(file: Sections) -> Iterator[Problem]:
    name, where = file.table.shuffler, ("table", "shuffler")
    if name is None:
        if file.table.game is GameName.BIG_50:
            allowed = "the name of a device, because big-50 is dealt from a shuffler"
            yield Problem(ProblemCode.SHUFFLER_MISSING, where, "nothing", allowed)
    elif known(name, file.devices) and name not in file.devices:
        allowed = "one of " + (", ".join(file.devices) or "the devices, and there are none")
        yield Problem(ProblemCode.UNKNOWN_DEVICE, where, shown(name), allowed, nearest(name, file.devices))


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


def _contradiction(where: KeyPath, cents: int, allowed: str) -> Problem:
    return Problem(ProblemCode.LIMITS_CONTRADICT, where, str(cents), allowed)


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
