"""Opponents: `random`, and `search` in several strengths. A bot sees what its seat knows, and nothing else.

>>> from sparring import Match, bots
>>> match = Match.new("make-your-moves", seed=7)
>>> bot = bots.parse("random")
>>> match.choose(bot.choose(match.view(match.seat), bots.stream(seed=1, seat=match.seat)))
"""

from .bot import Answer, Bot, is_ready, start_warming, stream, warm
from .words import LEVELS, STRENGTHS, advise, free_name, parse

__all__ = [
    "LEVELS", "STRENGTHS", "Answer", "Bot", "advise", "free_name", "is_ready", "parse", "start_warming", "stream",
    "warm",
]  # fmt: skip
