"""Time at a table: clocks, absence, pauses, proposals and early endings."""
