"""The games that a table can be run with: one row a game, from which reading, checking and settings take it.

A game that the rules know becomes dealable here by its row in `AT_TABLE`, beside its
section in `sections` and its procedure in `daemon.table.reducer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final

from daemon.config.problems import KeyPath
from daemon.config.reading import known
from daemon.config.sections import (
    Big50Section,
    BigDrawSection,
    BigRaiseSection,
    BlackjackSection,
    GamesSection,
    PaytableSection,
    Sections,
)
from daemon.rules import big_50
from daemon.rules.big_draw_pays import DEUCES_BIG_DRAW, DEUCES_FIRST_5, DRAW_BIG_DRAW, DRAW_FIRST_5
from daemon.rules.big_raise_pays import ANTE_BONUS, TWO_CARD_BONUS
from daemon.rules.blackjack.paytables import PAYTABLES
from daemon.rules.paytable import Paytable
from daemon.rules.wagers import GameName
from daemon.table.settings import (
    Big50Settings,
    BigDrawSettings,
    BigRaiseSettings,
    BlackjackSettings,
    GameSettings,
    OwnPaytable,
)
from drivers.profile import DeviceRole


@dataclass(frozen=True, slots=True)
class AtTable:
    """How one game is configured.

    `section` finds its options, and `options` makes of them what the table keeps. `published` are the paytables that
    a house may put its own in place of, by their keys. With `needs_packets` its hands are the packets of a
    shuffler: behind one that gives whole decks a round would wait for ever. `needs_commands` is why the table has to
    drive a shuffler.
    """

    section: Callable[[GamesSection], Any]
    options: Callable[[Any], GameSettings]
    published: Mapping[str, Paytable[Any]]
    dealt_from: tuple[DeviceRole, ...] = (DeviceRole.SHUFFLER,)
    needs_packets: bool = True
    needs_commands: str | None = None


def own_paytable(section: PaytableSection | None) -> OwnPaytable | None:
    """A house's paytable as the table keeps it."""
    return None if section is None else OwnPaytable(section.name, section.source, tuple(section.rows.items()))


def _big_50(section: Big50Section) -> GameSettings:
    return Big50Settings(
        red_black=section.red_black,
        poker_hand_pays=own_paytable(section.poker_hand_pays),
        red_black_pays=own_paytable(section.red_black_pays),
        big_50_pays=own_paytable(section.big_50_pays),
        range_pays=own_paytable(section.range_pays),
    )


def _big_raise(section: BigRaiseSection) -> GameSettings:
    return BigRaiseSettings(
        five_card_bonus=section.five_card_bonus,
        five_card_bonus_on_fold=section.five_card_bonus_on_fold,
        play_in_whole_antes=section.play_in_whole_antes,
        ante_bonus_pays=own_paytable(section.ante_bonus_pays),
        two_card_bonus_pays=own_paytable(section.two_card_bonus_pays),
    )


def _big_draw(section: BigDrawSection) -> GameSettings:
    return BigDrawSettings(
        draw=section.draw,
        deal=section.deal,
        first_5_needs_big_draw=section.first_5_needs_big_draw,
        first_5_alone_least_cents=section.first_5_alone_least_cents,
        first_5_alone_waits=section.first_5_alone_waits,
        draw_big_draw_pays=own_paytable(section.draw_big_draw_pays),
        draw_first_5_pays=own_paytable(section.draw_first_5_pays),
        deuces_big_draw_pays=own_paytable(section.deuces_big_draw_pays),
        deuces_first_5_pays=own_paytable(section.deuces_first_5_pays),
    )


def _blackjack(section: BlackjackSection) -> GameSettings:
    own = own_paytable(section.bad_beat_pays)
    same = {each.name: getattr(section, each.name) for each in fields(BlackjackSettings)}
    return BlackjackSettings(**(same | {"bad_beat_pays": own}))


AT_TABLE: Final[Mapping[GameName, AtTable]] = MappingProxyType(
    {
        GameName.BIG_50: AtTable(
            section=lambda games: games.big_50,
            options=_big_50,
            published=MappingProxyType(
                {
                    "poker_hand_pays": big_50.POKER_HAND,
                    "red_black_pays": big_50.RED_BLACK,
                    "big_50_pays": big_50.BIG_50,
                    "range_pays": big_50.RANGE,
                }
            ),
        ),
        GameName.BIG_RAISE: AtTable(
            section=lambda games: games.big_raise,
            options=_big_raise,
            published=MappingProxyType({"ante_bonus_pays": ANTE_BONUS, "two_card_bonus_pays": TWO_CARD_BONUS}),
            needs_packets=False,
        ),
        GameName.BIG_DRAW: AtTable(
            section=lambda games: games.big_draw,
            options=_big_draw,
            published=MappingProxyType(
                {
                    "draw_big_draw_pays": DRAW_BIG_DRAW,
                    "draw_first_5_pays": DRAW_FIRST_5,
                    "deuces_big_draw_pays": DEUCES_BIG_DRAW,
                    "deuces_first_5_pays": DEUCES_FIRST_5,
                }
            ),
            dealt_from=(DeviceRole.SHUFFLER, DeviceRole.SHOE),
            needs_commands="each draw is a packet of its own size",
        ),
        GameName.BLACKJACK: AtTable(
            section=lambda games: games.blackjack,
            options=_blackjack,
            published=MappingProxyType({"bad_beat_pays": PAYTABLES["P1"]}),
            dealt_from=(DeviceRole.SHOE,),
            needs_packets=False,
        ),
    }
)


def offered(file: Sections) -> Iterator[GameName]:
    """The games that the file names, as far as they could be read, the one that the table begins with first."""
    others = file.table.other_games if known(file.table.other_games) else ()
    return (game for game in (file.table.game, *others) if known(game))


def dealt_from(file: Sections, game: GameName) -> tuple[KeyPath, str | None]:
    """The device that a game is dealt from, its own or else the table's, and the key that says so."""
    section = AT_TABLE[game].section(file.games)
    if section.deals_from is not None:
        return ("games", game.value, "deals_from"), section.deals_from
    return ("table", "deals_from"), file.table.deals_from
