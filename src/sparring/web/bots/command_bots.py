"""Bots that are commands (`pipe:COMMAND`): only who starts a server can name them.

A table, and the store, know such a bot by a mark. What it stands for the server alone knows, for as long as it runs; so
no form, page or row of the database ever holds a command.
"""

import hashlib

from sparring.bots.external.external_bot import PIPE


def is_command(bot: str) -> bool:
    """Whether the words of a bot are a command."""
    return bot.startswith(PIPE)


def mark(bot: str) -> str:
    """What tables call a bot: its own words, or the mark of its command."""
    return f"piped:{hashlib.blake2b(bot.encode(), digest_size=6).hexdigest()}" if is_command(bot) else bot
