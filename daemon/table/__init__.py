"""The table: a pure reducer from device events and requests to facts, device commands and the next state."""
