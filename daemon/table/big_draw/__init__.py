"""Big Draw Poker: a button that goes round, a bet before the draw and one after it (big-draw.md)."""
