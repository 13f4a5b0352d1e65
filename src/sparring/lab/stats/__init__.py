"""Statistics of many matches: intervals, tests, and confidence sequences."""
