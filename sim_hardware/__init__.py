"""The emulator: an independent witness that speaks bytes, and knows `protocols` and nothing else of ours.

From the cards outwards:

- `deck`, `holding`: pieces of pasteboard, where they lie, what a machine believes of them. `tampering` is what can be
  wrong with a deck that a dealer brings.
- `fronts`: what is to be seen on a device.
- `mechanism`: the seams of an emulated device. `pace`: how long its motors and the hands take.
- `shuffler_states`, `shuffler`, `sensors`: the shuffler as a machine. No port, no clock.
- `shoe`, `shoe_events`, `baccarat`: the shoe, what happens at it before it becomes words of a link, and its referee.
- `buttons`: a pad of keys.
- `faults`: the named misbehaviours and which are switched on. `cable` spoils frames.
- `felt_link_end` for shufflers and pads, `felt_link_shoe_end`, and on `talking_end` the ends `angel_eye_end` and
  `bee_tek_end`. `shoe_kinds`: a row for each protocol that a shoe can speak.
- `emulator`, `ports`: a mechanism served on a tty, on TCP, in memory, or on an emulated USB bus.
- `shuffler_rig`, `shoe_rig`, `buttons_rig`: all of that in one, for benches and tests. `shuffler_dealer` and
  `shoe_dealer` deal by themselves.
- `words`, `rig_words`, `shuffler_words`, `shoe_words`, `control`: hands and faults from another terminal.
- `program`, `command`, `shoe_command`, `buttons_command`: the programs. `replay` plays a recording.
- `broker`: the bench broker. `loop`: virtual time.

Another device brings a `Mechanism`, its words and its command. Another protocol brings an end. The rest serves them as
it is.
"""
