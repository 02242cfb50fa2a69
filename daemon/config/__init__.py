"""The configuration: a TOML file that is checked as a whole, and whose problems are reported together.

`load.load` gives a `settings.Config`, or raises `document.InvalidConfigurationError` with every problem there is.
"""
