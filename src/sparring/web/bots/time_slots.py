"""Time slots: how long bots' choices appear to take, in whole slots that depend on the bot's level only."""

from sparring.bots import DEFAULT_LEVEL, SEARCHES, is_random
from sparring.bots.external import time_limit

#: The slot of each level (seconds).
SLOTS = {"random": 0.25, "first-match": 0.5, "gentle": 0.5, "steady": 0.5, "strong": 0.75, "master": 1.5}
LONGEST_SLOT = 1.5

#: How much longer the slot of a third-party bot is than its time limit.
GUESTS_MORE = 0.5


def slot_of(bot: str) -> float:
    """Return a bot's slot in seconds: public knowledge, and longer than the bot usually thinks."""
    if is_random(bot):
        return SLOTS["random"]
    kind, _, budget = bot.partition(":")
    if kind in SEARCHES:
        return SLOTS.get(budget.removeprefix("level=") or DEFAULT_LEVEL, LONGEST_SLOT)
    return time_limit() + GUESTS_MORE


def rest_of_slot(gone: float, slot: float) -> float:
    """Return the time until the current slot ends, after `gone` seconds."""
    return slot - gone % slot if slot else 0.0
