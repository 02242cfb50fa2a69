"""Everything that does not run at a table: people's commands. The daemon imports none of it."""
