"""Requests at tables: identity, actions and live updates."""
