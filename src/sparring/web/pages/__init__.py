"""HTML pages of games, tables, lessons and leaderboards."""
