"""What can be wrong with the keys of an Angel Eye, and how it is said."""

from __future__ import annotations

from tests.daemon.config.files import GOOD

SHOE = GOOD + '[devices.shoe]\nprofile = "angel-eye-iiex-9600"\naddress = "tcp:10.0.0.40:4001"\n'
OPTIONS = SHOE + "[devices.shoe.angel_eye]\n"
AT = OPTIONS.count("\n")  # the line of that table

MISTAKES = {
    "a word for R that nobody has": (
        OPTIONS + 'card_again_means = "re-deal"\n',
        [
            f't.toml:{AT + 1}: devices.shoe.angel_eye.card_again_means: found "re-deal"; '
            "allowed: one of retransmission, redeal. Did you mean redeal? [not-allowed]"
        ],
    ),
    "a report number of two characters": (
        OPTIONS + 'seq_first = "10"\nseq_last = "9"\n',
        [
            f't.toml:{AT + 1}: devices.shoe.angel_eye.seq_first: found "10"; '
            "allowed: one character that can be printed. [not-allowed]"
        ],
    ),
    "a first report number without a last": (
        OPTIONS + 'seq_last = "9"\n',
        [
            f"t.toml:{AT + 1}: devices.shoe.angel_eye.seq_last: found it alone; "
            "allowed: seq_first beside it, or neither. [seq-range]"
        ],
    ),
    "report numbers that run backwards": (
        OPTIONS + 'seq_first = "9"\nseq_last = "0"\n',
        [f't.toml:{AT + 2}: devices.shoe.angel_eye.seq_last: found "0"; allowed: a character after "9". [seq-range]'],
    ),
    "a key with a slip": (
        OPTIONS + "comands_armed = true\n",
        [
            f"t.toml:{AT + 1}: devices.shoe.angel_eye.comands_armed: found an unknown key; allowed: one of "
            "card_again_means, seq_first, seq_last, commands_armed, command_bcc_covers_stx, command_bcc_form. "
            "Did you mean commands_armed? [unknown-key]"
        ],
    ),
    "the options of an Angel Eye for another shoe": (
        OPTIONS.replace("angel-eye-iiex-9600", "bee-tek-manual"),
        [
            f"t.toml:{AT}: devices.shoe.angel_eye: found it beside profile bee-tek-manual; "
            "allowed: only beside one of angel-eye-iiex, angel-eye-iiex-9600. [options-of-another]"
        ],
    ),
    "something else than a table of options": (
        SHOE + "angel_eye = true\n",
        [f"t.toml:{AT}: devices.shoe.angel_eye: found true; allowed: a table of keys. [wrong-type]"],
    ),
}
