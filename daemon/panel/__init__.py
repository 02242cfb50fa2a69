"""The page for a browser beside the table: the table's public facts and picture, read only."""
