"""The tables: matches with people at them, and what each viewer is shown."""
