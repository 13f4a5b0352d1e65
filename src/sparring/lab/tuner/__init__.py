"""Search for option and content values that meet a designer's objectives."""
