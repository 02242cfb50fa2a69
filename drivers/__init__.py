"""Wire events to device events, over a port. No layer above knows the kind of a device."""
