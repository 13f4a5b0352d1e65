"""Time slots: a bot's choice appears after a whole number of slots, whose length depends only on the bot."""

from sparring.bots import DEFAULT_LEVEL, SEARCHES, is_random
from sparring.bots.external import time_limit

#: The slot of each level (seconds): about twice as long as the level thinks in the slowest game, and at least 0.2.
SLOTS = {"random": 0.2, "first-match": 0.2, "gentle": 0.2, "steady": 0.2, "strong": 0.3, "master": 0.8}
#: The slot of a search with a budget of its own (seconds).
LONGEST_SLOT = 1.5

#: How much longer the slot of an external bot is than its time limit (seconds).
EXTERNAL_MARGIN = 0.5


def slot_of(bot: str) -> float:
    """Return a bot's slot in seconds: public knowledge, and longer than the bot usually thinks."""
    if is_random(bot):
        return SLOTS["random"]
    kind, _, budget = bot.partition(":")
    if kind in SEARCHES:
        return SLOTS.get(budget.removeprefix("level=") or DEFAULT_LEVEL, LONGEST_SLOT)
    return time_limit() + EXTERNAL_MARGIN


def rest_of_slot(elapsed: float, slot: float) -> float:
    """Return the time until the current slot ends, after `elapsed` seconds."""
    return slot - elapsed % slot if slot else 0.0
