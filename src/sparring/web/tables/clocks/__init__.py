"""Time at a table: clocks, absence, pauses, what is proposed, and how a match ends besides its rules."""
