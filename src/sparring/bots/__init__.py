"""Opponents: `random`, `search` in several strengths, and those of other people (`guests`).

A bot sees what its seat knows, and nothing else.

>>> from sparring import Match, bots
>>> match = Match.new("make-your-moves", seed=7)
>>> bot = bots.parse("random")
>>> match.choose(bot.choose(match.view(match.seat), bots.stream(seed=1, seat=match.seat)))
"""

from sparring.engine.game import LEVELS

from .bot import Answer, Bot, is_ready, start_warming, stream, warm
from .guests import Guest, LostClock, installed
from .words import STAND_IN, STRENGTHS, THINKERS, advise, free_name, kinds, parse, remembers, stand_in, title

__all__ = [
    "LEVELS", "STAND_IN", "STRENGTHS", "THINKERS", "Answer", "Bot", "Guest", "LostClock", "advise", "free_name",
    "installed", "is_ready", "kinds", "parse", "remembers", "stand_in", "start_warming", "stream", "title", "warm",
]  # fmt: skip
