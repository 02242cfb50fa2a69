"""Bad Beat Blackjack: the complete blackjack game, and the side bet that a two-card 19, 20 or 21 does not win.

`play` is what a table needs while the round goes on, `settle` what it needs at the end, `record` what somebody
needs who has only the cards and decisions in front of him, `audit` what the side bet returns.
"""
