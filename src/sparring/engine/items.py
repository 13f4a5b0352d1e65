"""Items, which designers ask about, and how close each seat is to winning.

An item is a card by name, a kind of card, a fighter, an ability: anything that a designer may want to make stronger or
remove. A game declares its items, which of them a seat holds and which an action plays in `items.py`
(`game.ItemsModule`). Without it, each block of ACTIONS is an item, held by the seat that may choose from it. Without a
rule `ahead`, a seat is as close to winning as its payoff so far says.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from .game import Box, Game, Item
from .records import deal
from .rule import ActionSpace, rule

#: The number of deals tried to find one with a wanted item.
DEALS = 200


class ItemRules(NamedTuple):
    """The items of a game and their rules (see `game.ItemsModule`), with defaults where the game has none."""

    names: Callable[[Box], tuple[Item, ...]]
    held: Callable[..., Any]
    played: Callable[..., Any]
    ahead: Callable[..., float]


def item_rules(game: Game) -> ItemRules:
    """Return the items of a game."""
    own = game.items
    ahead = getattr(own, "ahead", None) or _paid_so_far(game)
    if own is None:
        return ItemRules(_kinds_of_choice, _may_choose(game), _kind_of_choice(game), ahead)
    return ItemRules(own.names, own.held, own.played, ahead)


def find_deal(box: Box, seats: int, names: Collection[str]) -> int | None:
    """Return the seed of a random deal that gives the first seat an item of one of these names (in lower case).

    None if there is no such item, or none was dealt in DEALS tries.
    """
    told = item_rules(box.game)
    items = told.names(box)
    wanted = [place for place, item in enumerate(items) if item.name.casefold() in names]
    for _ in range(DEALS if wanted else 0):
        marks, beginning = np.zeros(len(items), np.int64), deal(box, seats, None)
        told.held(box.kit, beginning.state, 0, marks)
        if marks[wanted].any():
            return beginning.seed
    return None


def action_blocks(actions: ActionSpace) -> np.ndarray[Any, Any]:
    """Return the index of each action's block, int16 of shape (len(actions),)."""
    return np.repeat(np.arange(len(actions.blocks)), list(actions.blocks.values())).astype(np.int16)


def _kinds_of_choice(box: Box) -> tuple[Item, ...]:
    return tuple(Item("choice", name.replace("_", " ")) for name in box.game.rules.ACTIONS.blocks)


def _may_choose(game: Game) -> Callable[..., Any]:
    family, legal, actions = action_blocks(game.rules.ACTIONS), game.rules.legal, len(game.rules.ACTIONS)

    def held(kit, s, seat, marks):
        if not s.over and seat == s.player:
            out = np.zeros(actions, np.int16)
            for i in range(legal(kit, s, out)):
                marks[family[out[i]]] += 1

    return rule(held)


def _kind_of_choice(game: Game) -> Callable[..., Any]:
    family = action_blocks(game.rules.ACTIONS)

    def played(kit, s, action, marks):
        marks[family[action]] += 1

    return rule(played)


def _paid_so_far(game: Game) -> Callable[..., float]:
    low, high = (game.payoffs.low, game.payoffs.high) if game.payoffs else (-1.0, max(game.seats) - 1.0)
    width = high - low

    def ahead(kit, s, seat):
        return (s.payoff[seat] - low) / width

    return rule(ahead)
