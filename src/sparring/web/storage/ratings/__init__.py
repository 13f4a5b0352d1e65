"""Store results and ratings."""
