"""`feltd decode`: raw bytes of a line, told frame by frame to a technician."""
