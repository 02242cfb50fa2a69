"""The keys for what the accounts of Angel Eye shoes disagree about: what they come to."""

from __future__ import annotations

from pathlib import Path

from daemon.config.load import load
from drivers.profile import Capability, Profile
from drivers.profiles import PROFILES
from protocols.angel_eye.options import AngelEyeOptions, BccForm, CardAgainMeans, SeqRange
from tests.daemon.config.angel_eye_mistakes import OPTIONS, SHOE


def profile(tmp_path: Path, text: str) -> Profile:
    file = tmp_path / "t.toml"
    file.write_text(text)
    return load(file).devices[1].profile


def test_without_keys_a_shoe_is_as_its_profile_has_it(tmp_path: Path) -> None:
    assert profile(tmp_path, OPTIONS) == profile(tmp_path, SHOE) == PROFILES["angel-eye-iiex-9600"]


def test_every_key_comes_to_its_option_and_the_rest_of_the_profile_stays(tmp_path: Path) -> None:
    shoe = profile(
        tmp_path,
        OPTIONS + 'card_again_means = "redeal"\nseq_first = "0"\nseq_last = "9"\n'
        'command_bcc_covers_stx = false\ncommand_bcc_form = "byte"\n',
    )
    assert shoe.options == AngelEyeOptions(
        card_again_means=CardAgainMeans.REDEAL,
        seq_range=SeqRange(0x30, 0x39),
        command_bcc_covers_stx=False,
        command_bcc_form=BccForm.BYTE,
    )
    assert shoe.line == PROFILES["angel-eye-iiex-9600"].line
    assert not shoe.can(Capability.COMMANDS)


def test_a_shoe_takes_commands_only_when_they_are_armed(tmp_path: Path) -> None:
    armed, unarmed = (profile(tmp_path, f"{OPTIONS}commands_armed = {word}\n") for word in ("true", "false"))
    assert armed.options == AngelEyeOptions(commands_armed=True)
    assert (armed.can(Capability.COMMANDS), unarmed.can(Capability.COMMANDS)) == (True, False)
