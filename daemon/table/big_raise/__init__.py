"""Big Raise Hold'em: players fold or raise against the dealer's up card (big-raise-holdem.md)."""
