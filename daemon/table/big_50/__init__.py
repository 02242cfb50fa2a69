"""Big 50: one hand a player, settled by itself (big-50.md)."""
