"""The emulator: an independent witness that speaks bytes, and knows `protocols` and nothing else of ours.

From the cards outwards:

- `deck`, `places`, `holding`: pieces of pasteboard, where they lie, what a machine believes of them; `tampering` is
  what can be wrong with a deck that a dealer brings.
- `shuffler_states`, `shuffler`, `sensors`, `pace`: the machine. No port, no clock.
- `faults`: the named misbehaviours and which are switched on; `line` spoils frames.
- `felt_link_end`, `emulator`, `ports`: a mechanism served on a tty, on TCP, in memory, or on an emulated USB bus.
- `shuffler_rig`: all of that in one, for benches and tests; `dealer` works it without being told.
- `words`, `shuffler_words`, `control`, `command`: hands and faults from another terminal, and the programs.
- `broker`: the bench broker. `loop`: virtual time.

Another device brings a mechanism (see `emulator.Mechanism`), its words and its command; the rest serves it as it is.
A device of another protocol also needs an end in place of `felt_link_end`, and `emulator` to take either.
"""
