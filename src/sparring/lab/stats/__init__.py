"""Statistics of many matches: 95% intervals and confidence sequences."""
