"""feltd: one process beside one casino table. ARCHITECTURE.md walks its one straight line."""
