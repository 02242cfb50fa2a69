"""Wire events to device events, over a port. What is peculiar to a device stops here."""
