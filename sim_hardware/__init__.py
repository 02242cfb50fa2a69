"""The emulator: an independent witness that speaks bytes, and knows `protocols` and nothing else of ours.

From the cards outwards:

- `deck`, `places`, `holding`: pieces of pasteboard, where they lie, what a machine believes of them; `tampering` is
  what can be wrong with a deck that a dealer brings.
- `shuffler_states`, `shuffler`, `sensors`, `pace`: the shuffler as a machine. No port, no clock.
- `shoe`, `shoe_events`: the shoe, and what happens at it before any protocol has a word for it.
- `faults`: the named misbehaviours and which are switched on; `cable` spoils frames.
- `link_controller`: the device's end of any link. `felt_link_end` for shufflers and `felt_link_shoe_end`;
  `angel_eye_end` and `bee_tek_end` on `talking_end`. `shoe_kinds`: a row for each protocol that a shoe can speak.
- `emulator`, `ports`: a mechanism served on a tty, on TCP, in memory, or on an emulated USB bus.
- `shuffler_rig`, `shoe_rig`: all of that in one, for benches and tests; `dealer`, `shoe_dealer` need no telling.
- `words`, `fault_words`, `shuffler_words`, `shoe_words`, `control`: hands and faults from another terminal.
- `program`, `command`, `shoe_command`, `replay_command`: the programs; `replay` plays a recording.
- `broker`: the bench broker. `loop`: virtual time.

Another device brings a mechanism (see `emulator.Mechanism`), its words and its command; another protocol brings an end.
The rest serves them as it is.
"""
