"""Print and play: cards, boards, counters and rules of any game, on paper and for other tables. See `docs/print.md`."""
