"""`feltd decode`: shows the raw bytes of a line to a technician, frame by frame."""
