"""The configuration: a TOML file, checked as a whole, and told about as a whole."""
