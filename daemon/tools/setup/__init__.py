"""`feltd setup`: asks what it cannot find out, writes a table's file and its journal, and ends with doctor."""
