"""The configuration: a TOML file, checked as a whole, and told about as a whole.

`load.load` gives a `settings.Config`, or raises `load.InvalidConfigurationError` with every problem there is.
"""
