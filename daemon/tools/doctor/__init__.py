"""`feltd doctor`: finds what on this machine, on its ports and at its broker would stop a table.

It changes nothing that lasts. It writes to no port; it opens the configured ports and listens. At the broker it uses a
client id of its own, so that a running daemon keeps its connection.
"""
