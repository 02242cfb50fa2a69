"""`feltd schemas`: the public contract in files, made from the types that the daemon reads and writes."""
