"""`feltd capture`: a device's line into a file. `protocols.capture` has the file's form."""
