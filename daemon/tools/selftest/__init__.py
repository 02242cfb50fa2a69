"""`feltd selftest`: does this device do what its protocol promises?

Theory of operation. The driver contract suite (`tests/drivers`) runs against devices that can be told to misbehave.
The selftest is the part of it that is safe on a real device. `asking` holds the conversations, one connection after
another, each with a new `Device` as after a restart of the daemon. It returns observations (`observed`). `judging` is
pure: it makes a check of each observation, against the device's profile. `examination` decides the order, and what is
left out.

Without permission nothing moves a card or changes a mode, and nothing is written to a device that is only listened to.
The daemon never receives an event that we acknowledge. So we acknowledge only if the device holds nothing but the event
that was made for the test, or with permission.
"""
