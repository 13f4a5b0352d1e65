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
    SEARCHES,
    STAND_IN,
    STRENGTHS,
    advise,
    free_name,
    is_random,
    kinds,
    offered_bots,
    parse,
    remembers,
    stand_in,
    title,
)  # fmt: skip
from .external import BotFailed, ExternalBot, installed
from .precompile import CODE, code_of, is_ready, offered, start_warming, warm

__all__ = [
    "CODE",
    "DEFAULT_LEVEL",
    "LEVELS",
    "SEARCHES",
    "STAND_IN",
    "STRENGTHS",
    "Bot",
    "BotChoice",
    "BotFailed",
    "ExternalBot",
    "advise",
    "code_of",
    "free_name",
    "installed",
    "is_random",
    "is_ready",
    "kinds",
    "non_conceding",
    "offered",
    "offered_bots",
    "parse",
    "random_action",
    "remembers",
    "stand_in",
    "start_warming",
    "stream",
    "title",
    "warm",
]  # fmt: skip
