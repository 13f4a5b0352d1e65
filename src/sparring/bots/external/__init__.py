"""Bots of other people: classes found by the entry point `sparring.bots`, and programs that are spoken to over a pipe.

Each thinks in a process of its own, is handed what its seat knows, and has so long for a choice. One that raises, hangs
or answers nonsense loses its clock: whoever asked hears so (`LostClock`), and has somebody else choose for it.
"""

from .external_bot import ExternalBot, installed, named, piped
from .timed_process import BotFailed, limit

__all__ = ["BotFailed", "ExternalBot", "installed", "limit", "named", "piped"]
