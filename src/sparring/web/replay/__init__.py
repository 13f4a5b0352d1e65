"""Replays and reviews of matches, and uploaded match records."""
