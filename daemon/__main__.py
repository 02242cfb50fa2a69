"""`python -m daemon` is `feltd`."""

from daemon.cli import main

main()
