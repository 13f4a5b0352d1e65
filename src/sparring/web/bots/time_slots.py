"""How long the choices of bots take, as others see them: whole slots of time, by the level of the bot alone."""

from sparring.bots import THINKERS, USUAL, draws
from sparring.bots.external import limit

#: In which slots of time the choices of bots are shown, by their level (seconds).
SLOTS = {"random": 0.25, "first-match": 0.5, "gentle": 0.5, "steady": 0.5, "strong": 0.75, "master": 1.5}
LONGEST_SLOT = 1.5

#: How much longer a slot of somebody else's bot is than the time it has for a choice.
GUESTS_MORE = 0.5


def slot_of(bot: str) -> float:
    """How long a slot of a bot's time is (seconds): longer than it usually thinks, and known to everybody."""
    if draws(bot):
        return SLOTS["random"]
    kind, _, budget = bot.partition(":")
    if kind in THINKERS:
        return SLOTS.get(budget.removeprefix("level=") or USUAL, LONGEST_SLOT)
    return limit() + GUESTS_MORE


def rest_of_slot(gone: float, slot: float) -> float:
    """How long it is to the end of the slot that is going on, after so much time."""
    return slot - gone % slot if slot else 0.0
