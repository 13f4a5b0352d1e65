"""Bots: `random`, `search` at several levels, mixed-strategy bots, and external bots (`external`).

A bot gets the view of its seat and nothing else.

>>> from sparring import Match, bots
>>> match = Match.new("make-your-moves", seed=7)
>>> bot = bots.parse("random")
>>> match.choose(bot.choose(match.view(match.seat), bots.stream(seed=1, seat=match.seat)))
"""

from sparring.engine.game import LEVELS

from .bot import Bot, BotChoice, random_action, non_conceding, stream
from .bot_specs import (
    STAND_IN,
    STRENGTHS,
    SEARCHES,
    DEFAULT_LEVEL,
    advise,
    is_random,
    free_name,
    kinds,
    parse,
    remembers,
    stand_in,
    offered_bots,
    title,
)  # fmt: skip
from .external import BotFailed, ExternalBot, installed
from .precompile import CODE, code_of, is_ready, offered, start_warming, warm

__all__ = [
    "CODE",
    "LEVELS",
    "STAND_IN",
    "STRENGTHS",
    "SEARCHES",
    "DEFAULT_LEVEL",
    "Bot",
    "BotChoice",
    "BotFailed",
    "ExternalBot",
    "advise",
    "code_of",
    "random_action",
    "is_random",
    "free_name",
    "installed",
    "is_ready",
    "non_conceding",
    "kinds",
    "offered",
    "parse",
    "remembers",
    "stand_in",
    "start_warming",
    "stream",
    "offered_bots",
    "title",
    "warm",
]  # fmt: skip
