"""`feltd capture`: records a device's line into a file. `protocols.capture` defines the file's form."""
