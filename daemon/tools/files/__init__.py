"""The files that a package or an administrator installs beside the program."""
