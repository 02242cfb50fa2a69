"""A house's options for one game: one class a game, and nothing else declares them.

Theory of operation. A field is an option. Its annotation has its type and bounds. Its default is what applies where the
house says nothing. From these fields the configuration reads `[games.NAME]`, `feltd adjudicate` reads `house`, and the
journal writes the settings of a table. The rules, the table and the audits are handed the value itself.

A paytable is an option like the others. Where a house may replace a published one, the default is the published one,
and a house's own is read on its scale. Where none is replaced, the default is None, and the field's metadata names the
scale under `SCALE`. A default that was another before has that one under `IN_JOURNALS`, so that old rounds replay as
they were. The money rule belongs to the table and not to one game, so it is neither read nor written with the options.
"""

from __future__ import annotations

from dataclasses import Field, field, fields
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from msgspec import Meta

from daemon.rules.money import WHOLE_CENTS, Cents, MoneyRule
from daemon.rules.paytable import Paytable, Scale
from protocols.frozen import dataclass

AMOUNT_MOST: Final = Cents(100_000_000)
"""A million dollars: above any limit of the law, and far below what overflows anywhere."""
Amount: TypeAlias = Annotated[Cents, Meta(ge=1, le=AMOUNT_MOST)]

HouseT = TypeVar("HouseT", bound="House")

SCALE: Final = "scale"
RULING: Final = "ruling"
"""Metadata of a field that is not an option: which of two rulings applies. Only a journal can have the earlier one."""
_OF_THE_TABLE: Final = "of the table"


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What every game's options have."""

    money: MoneyRule = field(default=WHOLE_CENTS, metadata={_OF_THE_TABLE: True})


def options_of(house: type[House]) -> tuple[Field[Any], ...]:
    """Return the fields that are a game's own, as a journal has them."""
    return tuple(option for option in fields(house) if _OF_THE_TABLE not in option.metadata)


def keys_of(house: type[House]) -> tuple[Field[Any], ...]:
    """Return the options among them, which a house may choose: the keys of a configuration."""
    return tuple(option for option in options_of(house) if RULING not in option.metadata)


def scale_of(option: Field[Any]) -> Scale[Any] | None:
    """Return the scale that a paytable of the house's own stands on, or None where the option is not a paytable."""
    if isinstance(option.default, Paytable):
        return option.default.scale
    return option.metadata.get(SCALE)


def narrowed(house: House, kind: type[HouseT]) -> HouseT:
    """Return only those options that `kind` declares: what the rules know of a table's options, or of a file's."""
    own = {option.name: getattr(house, option.name) for option in options_of(kind)}
    return kind(money=house.money, **own)


def rows_of(paytable: Paytable[Any]) -> tuple[tuple[str, str], ...]:
    """Return the rows in words, as a house writes them."""
    return tuple((row.name, str(row.award)) for row in paytable.rows)
