"""Store sets and their pictures."""
