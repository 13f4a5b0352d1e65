"""Text mode: tables, replays and lessons for screen readers, from the same scenes and sentences as the pictures."""
