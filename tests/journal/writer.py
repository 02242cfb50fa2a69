"""A daemon that only writes, to be killed or limited: JOURNAL [BYTES_MAX]. Prints each offset when it is committed."""

from __future__ import annotations

import resource
import sys
from itertools import count
from pathlib import Path

from daemon.errors import JournalError
from daemon.journal.journal import Journal
from tests.journal.values import ACCEPTED, bet, dispensed, step


def main() -> None:
    journal = Journal.open(Path(sys.argv[1]), create=True)
    if len(sys.argv) > 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
    for number in count(journal.last_offset() + 1):
        event = dispensed(number) if number % 2 else bet(number)
        sys.stdout.write(f"{journal.append(event, step(3, ACCEPTED)).offset}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        main()
    except JournalError as refusal:
        sys.stdout.write(f"{refusal}\n")
        sys.exit(refusal.exit_status)
