"""Command bots (`pipe:COMMAND`), which can only be named when a server starts.

Tables and the database store an alias. Only the running server knows its command, so no form, page or row ever contains
one.
"""

import hashlib

from sparring.bots.external.external_bot import PIPE


def is_command(bot: str) -> bool:
    """Return whether a bot's spec is a command."""
    return bot.startswith(PIPE)


def alias_of(bot: str) -> str:
    """Return a bot's name for tables: its spec, or the alias of its command."""
    return f"piped:{hashlib.blake2b(bot.encode(), digest_size=6).hexdigest()}" if is_command(bot) else bot
