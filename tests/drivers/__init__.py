"""Drivers: one contract over every way to a device, and what is peculiar to each."""
