"""Bots: `random`, `search` at several levels, mixed-strategy bots, and external bots (`external`).

A bot gets the view of its seat and nothing else.

>>> from sparring import Match, bots
>>> match = Match.new("make-your-moves", seed=7)
>>> bot = bots.parse("random")
>>> match.choose(bot.choose(match.view(match.seat), bots.stream(seed=1, seat=match.seat)))
"""

from sparring.engine.game import LEVELS

from .bot import Bot, BotChoice, drawn, kept, stream
from .bot_specs import (
    STAND_IN,
    STRENGTHS,
    THINKERS,
    USUAL,
    advise,
    draws,
    free_name,
    kinds,
    parse,
    remembers,
    stand_in,
    strengths,
    title,
)  # fmt: skip
from .external import BotFailed, ExternalBot, installed
from .precompile import CODE, code_of, is_ready, offered, start_warming, warm

__all__ = [
    "CODE",
    "LEVELS",
    "STAND_IN",
    "STRENGTHS",
    "THINKERS",
    "USUAL",
    "Bot",
    "BotChoice",
    "BotFailed",
    "ExternalBot",
    "advise",
    "code_of",
    "drawn",
    "draws",
    "free_name",
    "installed",
    "is_ready",
    "kept",
    "kinds",
    "offered",
    "parse",
    "remembers",
    "stand_in",
    "start_warming",
    "stream",
    "strengths",
    "title",
    "warm",
]  # fmt: skip
