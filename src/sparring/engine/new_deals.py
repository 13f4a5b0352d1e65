"""New deals: deal everything hidden in a match again, so that no one knows more of it than everyone has seen.

A new deal depends on the view of a spectator and a new seed only. It is determinization, as searches do it for a seat,
with the view of no seat.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from . import chance
from .game import SPECTATOR, Box
from .messages import Text
from .types import AnyState
from .views import Transition, legal_in, view_of

#: The log's sentence about a new deal.
SENTENCE = Text("Everything hidden was dealt again: decks, hands and cards played face down.")

#: How many times other secret choices are tried, to find out whether those made are revealed.
TRIES = 64


class NewDeal(NamedTuple):
    """A new deal after a number of actions of the match, with its seed."""

    after: int
    seed: int


def redraw(box: Box, deals: Sequence[NewDeal], state: AnyState, played: int) -> bool:
    """Deal everything hidden in a full state again, in place, for each of the deals that comes after `played` actions.

    Return whether there is one.
    """
    rules, kit, g = box.game.rules, box.kit, np.zeros(4, np.int64)
    due = [deal for deal in deals if deal.after == played]
    for deal in due:
        chance.seed(g, deal.seed, chance.DETERMINIZATION)
        rules.redact(kit, state, SPECTATOR)
        rules.determinize(kit, state, SPECTATOR, g)
    return bool(due)


def secret_choices(box: Box, transitions: Sequence[Transition]) -> int:
    """Return how many choices at the end of a match are secret and not revealed yet, as in a simultaneous choice.

    A new deal takes them back, because it replaces the cards that they were made with.
    """
    observe = box.game.rules.observe_action

    def is_secret(each: Transition) -> bool:
        return not each.marks and int(observe(box.kit, each.before, each.action, SPECTATOR)) != each.action

    count = sum(1 for _ in takewhile(is_secret, reversed(transitions)))
    return count if count and _are_unrevealed(box, transitions[-count:]) else 0


def _are_unrevealed(box: Box, secret: Sequence[Transition]) -> bool:
    """Return whether spectators see the same after all such choices that lead to the same player and phase.

    That depends on nothing that isn't public, and so tells no one what was chosen.
    """
    rules, kit, same = box.game.rules, box.kit, False
    before, seen = (view_of(box, state, SPECTATOR + 1).state for state in (secret[0].before, secret[-1].after))
    observed = [int(rules.observe_action(kit, each.before, each.action, SPECTATOR)) for each in secret]
    g = np.zeros(4, np.int64)
    chance.seed(g, int(secret[0].before.moment), chance.DETERMINIZATION)
    for _ in range(TRIES):
        world, played = before.copy(), 0
        rules.determinize(kit, world, SPECTATOR, g)
        for expected in observed:
            similar = [a for a in legal_in(box, world) if rules.observe_action(kit, world, a, SPECTATOR) == expected]
            if not similar:
                break
            rules.step(kit, world, similar[chance.below(g, len(similar))])
            played += 1
        rules.redact(kit, world, SPECTATOR)
        if played < len(secret) or world.over or (world.player, world.phase) != (seen.player, seen.phase):
            continue
        if world.tobytes() != seen.tobytes():
            return False
        same = True
    return same
