"""Endpoints of tables and matches: the lobby, play, chat, clocks, event streams, replays and records."""
