"""Bytes to frozen wire events and back. Pure: no input or output, clock, randomness or logging."""
