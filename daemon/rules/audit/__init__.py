"""What every wager is worth, exactly: counts of combinations, and fractions made of them.

Nothing here is sampled and nothing is remembered: an edge is a sum over counted cases, in whole numbers until
it is printed.
"""
