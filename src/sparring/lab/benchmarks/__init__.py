"""Measure how fast games run and how strong bots are."""
