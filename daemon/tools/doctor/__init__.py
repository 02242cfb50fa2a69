"""`feltd doctor`: what on this machine, on its ports and at its broker would keep a table from being played.

It changes nothing that lasts. No byte goes to any port; a configured one is opened and listened to. The broker is asked
under a name of its own, so that a running daemon is not thrown out.
"""
