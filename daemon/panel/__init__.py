"""The panel: a read-only web page that shows the table's public facts and picture."""
