"""A new profile can be dealt from at the bench without a word there."""

from __future__ import annotations

import pytest

from daemon.rules.wagers import GameName
from daemon.tools.bench.games import GAMES

PACKETS = {
    "felt-link-shuffler-faces",
    "felt-link-shuffler-counts",
    "felt-link-shuffler-blind",
    "felt-link-shuffler-observed",
    "felt-link-shuffler-observed-faces",
    "contacts-packets",
    "i-deal-contacts",
}
BATCHES = {"felt-link-shuffler-batch", "contacts-batch", "deckmate-2-contacts"}
DRIVEN = {"felt-link-shuffler-faces", "felt-link-shuffler-counts", "felt-link-shuffler-blind"}
SHOES = {"angel-eye-iiex", "angel-eye-iiex-9600", "bee-tek-manual", "felt-link-shoe"}
KNOWN = PACKETS | SHOES | BATCHES | {"felt-link-buttons", "felt-link-stakes"}


@pytest.mark.parametrize(
    ("game", "usual", "able"),
    [
        (GameName.BIG_50, "felt-link-shuffler-faces", PACKETS),
        (GameName.BIG_RAISE, "felt-link-shuffler-faces", PACKETS | BATCHES),
        (GameName.BIG_DRAW, "felt-link-shuffler-faces", DRIVEN | SHOES),
        (GameName.BLACKJACK, "angel-eye-iiex", SHOES),
    ],
)
def test_what_deals_a_game_follows_from_role_and_capabilities(game: GameName, usual: str, able: set[str]) -> None:
    assert GAMES[game].profiles[0] == usual
    assert set(GAMES[game].profiles) & KNOWN == able


def test_before_a_shoe_for_the_draws_any_shuffler_that_gives_packets_deals_big_draw() -> None:
    assert set(GAMES[GameName.BIG_DRAW].profiles_before_shoe) & KNOWN == PACKETS
    assert GAMES[GameName.BIG_50].profiles_before_shoe == ()


def test_only_big_draw_takes_its_draws_from_a_shoe_beside_it() -> None:
    assert [name for name, game in GAMES.items() if game.draws_from] == [GameName.BIG_DRAW]
    assert set(GAMES[GameName.BIG_DRAW].draws_from) & KNOWN == SHOES
