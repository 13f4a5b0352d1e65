"""Statistics of many matches: accumulators, intervals, tests and confidence sequences."""
