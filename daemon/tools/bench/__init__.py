"""The bench: emulated hardware, a broker and the daemon together, watched from outside over MQTT.

The bench is the one part of the daemon that knows the emulator. Everything that it shows and counts arrived on MQTT, as
it would at any other subscriber. Only the dealer's hands touch the emulated devices.
"""
