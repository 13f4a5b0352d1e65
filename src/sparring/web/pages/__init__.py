"""The pages that are looked at."""
