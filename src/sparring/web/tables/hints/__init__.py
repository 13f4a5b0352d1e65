"""Hints at casual tables."""
