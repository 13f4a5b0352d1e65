"""External bots: classes found by the entry point `sparring.bots`, and programs that talk over a pipe.

Each runs in its own process, gets what its seat knows, and has a time limit per action. A bot that raises, hangs or
gives an invalid answer is out: the caller gets `BotFailed`, and a random bot takes over.
"""

from .external_bot import ExternalBot, installed, named, piped
from .timed_process import BotFailed, time_limit

__all__ = ["BotFailed", "ExternalBot", "installed", "named", "piped", "time_limit"]
