"""What people say at a table: quick words, lines of their own, and descriptions of their moves."""
