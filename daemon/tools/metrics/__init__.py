"""`feltd metrics`: what the tables of a broker have retained, for Prometheus."""
