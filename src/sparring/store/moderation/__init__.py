"""Bans, reports and the log of moderators' actions."""
