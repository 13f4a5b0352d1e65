"""The benchmark suite for bots: fixed games, opponents and seeds, results that anyone can replay."""
