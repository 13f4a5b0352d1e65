"""Print and play: PDFs of a game's cards, boards, counters and rules, and card exports. See `docs/print.md`."""
