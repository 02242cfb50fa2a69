"""What can be wrong with the keys of an Angel Eye, and how it is said."""

from __future__ import annotations

from tests.daemon.config.files import GOOD

SHOE = GOOD + '[devices.shoe]\nprofile = "angel-eye-iiex-9600"\naddress = "tcp:10.0.0.40:4001"\n'
OPTIONS = SHOE + "[devices.shoe.angel_eye]\n"
AT = OPTIONS.count("\n")  # the line of that table

MISTAKES: dict[str, tuple[str, list[tuple[int | None, str]]]] = {
    "a word for R that nobody has": (
        OPTIONS + 'card_again_means = "re-deal"\n',
        [(AT + 1, "not-allowed")],
    ),
    "a report number of two characters": (
        OPTIONS + 'seq_first = "10"\nseq_last = "9"\n',
        [(AT + 1, "not-allowed")],
    ),
    "a first report number without a last": (
        OPTIONS + 'seq_last = "9"\n',
        [(AT + 1, "seq-range")],
    ),
    "report numbers that run backwards": (
        OPTIONS + 'seq_first = "9"\nseq_last = "0"\n',
        [(AT + 2, "seq-range")],
    ),
    "a key with a slip": (
        OPTIONS + "comands_armed = true\n",
        [(AT + 1, "unknown-key")],
    ),
    "the options of an Angel Eye for another shoe": (
        OPTIONS.replace("angel-eye-iiex-9600", "bee-tek-manual"),
        [(AT, "options-of-another")],
    ),
    "something else than a table of options": (
        SHOE + "angel_eye = true\n",
        [(AT, "wrong-type")],
    ),
}
