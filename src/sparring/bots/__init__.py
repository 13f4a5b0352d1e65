"""Bots: random play, tree search at several levels, mixed strategies, and external bots.

A bot gets only the view of its seat.

>>> from sparring import Match, bots
>>> match = Match.new("make-your-moves", seed=7)
>>> bot = bots.parse("random")
>>> match.choose(bot.choose(match.view(match.seat), bots.stream(seed=1, seat=match.seat)))
"""

from sparring.engine.game import LEVELS

from .bot import Bot, BotChoice, non_conceding, random_action, stream
from .bot_specs import (
    DEFAULT_LEVEL,
    REPLACEMENT_PREFIX,
    SEARCH_DRIVERS,
    SEARCHES,
    STRENGTHS,
    advise,
    compile_searches,
    free_name,
    is_random,
    is_ready,
    kinds,
    needed_searches,
    offered_bots,
    parse,
    remembers,
    replacement_bot,
    search_of,
    start_compiling,
    title,
)  # fmt: skip
from .external_bot import BotFailed, ExternalBot, installed

__all__ = [
    "DEFAULT_LEVEL",
    "LEVELS",
    "REPLACEMENT_PREFIX",
    "SEARCHES",
    "SEARCH_DRIVERS",
    "STRENGTHS",
    "Bot",
    "BotChoice",
    "BotFailed",
    "ExternalBot",
    "advise",
    "compile_searches",
    "free_name",
    "installed",
    "is_random",
    "is_ready",
    "kinds",
    "needed_searches",
    "non_conceding",
    "offered_bots",
    "parse",
    "random_action",
    "remembers",
    "replacement_bot",
    "search_of",
    "start_compiling",
    "stream",
    "title",
]  # fmt: skip
