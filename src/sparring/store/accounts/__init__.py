"""Store accounts, ways to sign in, API tokens, e-mail addresses, streaks of puzzles, and who is known."""
