"""The rules at the command line: one hand adjudicated, a paytable audited, a draw advised.

Everything here reads, prints and asks `daemon.rules`; nothing here decides an amount.
"""
