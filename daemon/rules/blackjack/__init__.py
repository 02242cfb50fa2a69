"""Bad Beat Blackjack: the complete blackjack game, and the side bet that a two-card 19, 20 or 21 does not win.

A table needs `play` during a round and `settle` at its end. `record` settles a round of which only the cards and
decisions are known. `audit` computes what the side bet returns.
"""
