"""The rules of the games: pure values in, pure values out, exact to the cent.

Nothing here raises because of a card. A hand that cannot be settled is a result that says why (`Voided`),
a bet or a decision that the rules do not allow is an answer that says what would be (`Refused`), and only
a programming error is an exception.
"""

from typing import Final

VERSION: Final = "1"
"""Which rules settled a hand; every event says it. A change that moves an amount counts it up."""
