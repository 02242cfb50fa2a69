"""`feltd selftest`: does this very device keep what its protocol promises?

Theory of operation. The driver contract suite (`tests/drivers`) runs against devices that can be told to misbehave;
this is the part of it that can be asked of a real one without harm. `asking` holds the conversations, one connection
after another, each with a new `Device` as after a restart of the daemon; what was seen comes back as values of
`observed`. `judging` is pure: it makes a check of each of them, against the device's profile. `examination` says in
which order, and what is not asked.

Nothing moves a card or changes a mode unless that was allowed, and a device that is only listened to is told nothing.
What we acknowledge the daemon never gets: so it is done only when the device keeps nothing but the event that was made
for the test, or when that was allowed.
"""
