"""External bots: classes installed under the entry point `sparring.bots`, and programs that exchange JSON lines.

Each runs in its own process, gets only what its seat knows, and has a time limit per action. If a bot raises, hangs or
sends an invalid answer, the caller gets `BotFailed` and lets a random bot take over.
"""

from .external_bot import BotFailed, ExternalBot, find_bot, installed, pipe_bot, time_limit

__all__ = ["BotFailed", "ExternalBot", "find_bot", "installed", "pipe_bot", "time_limit"]
