"""The HTTP API: JSON and event streams under `/api`, with a generated reference."""
