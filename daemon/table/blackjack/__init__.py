"""Bad Beat Blackjack: hands that grow card by card out of a shoe (bad-beat-blackjack.md)."""
