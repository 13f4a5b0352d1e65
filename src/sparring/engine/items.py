"""Items, whose strength designers measure, and how close each seat is to winning.

An item is a card by name, a kind of card, a fighter, an ability: anything that a designer may want to make stronger or
remove. A game declares its items, and rules for which of them a seat holds and an action plays, in `items.py`
(`game.ItemsModule`). Without it, each block of ACTIONS is an item, held by the seat that may choose from it. Without a
rule `ahead`, the payoff so far says how close a seat is to winning.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from .game import Box, Game, Item
from .records import deal
from .rule import ActionSpace, rule

#: The maximum number of deals to search for one with a given item.
MAX_DEALS = 200


class ItemRules(NamedTuple):
    """The items of a game and their rules (see `game.ItemsModule`), with defaults where the game declares none."""

    names: Callable[[Box], tuple[Item, ...]]
    held: Callable[..., Any]
    played: Callable[..., Any]
    ahead: Callable[..., float]


def item_rules(game: Game) -> ItemRules:
    """Return the items of a game and their rules."""
    declared = game.items
    ahead = getattr(declared, "ahead", None) or _ahead_by_payoff(game)
    if declared is None:
        return ItemRules(_block_items, _held_by_block(game), _played_by_block(game), ahead)
    return ItemRules(declared.names, declared.held, declared.played, ahead)


def find_deal(box: Box, seats: int, names: Collection[str]) -> int | None:
    """Return the seed of a random deal that gives the first seat an item of one of these names (in lower case).

    Returns None if there is no such item, or if MAX_DEALS deals do not give it.
    """
    rules = item_rules(box.game)
    items = rules.names(box)
    indices = [place for place, item in enumerate(items) if item.name.casefold() in names]
    for _ in range(MAX_DEALS if indices else 0):
        marks, start = np.zeros(len(items), np.int64), deal(box, seats, None)
        rules.held(box.kit, start.state, 0, marks)
        if marks[indices].any():
            return start.seed
    return None


def action_blocks(actions: ActionSpace) -> np.ndarray[Any, Any]:
    """Return the index of each action's block, int16 of shape (len(actions),)."""
    return np.repeat(np.arange(len(actions.blocks)), list(actions.blocks.values())).astype(np.int16)


def _block_items(box: Box) -> tuple[Item, ...]:
    return tuple(Item("choice", name.replace("_", " ")) for name in box.game.rules.ACTIONS.blocks)


def _held_by_block(game: Game) -> Callable[..., Any]:
    block_of, legal, actions = action_blocks(game.rules.ACTIONS), game.rules.legal, len(game.rules.ACTIONS)

    def held(kit, s, seat, marks):
        if not s.over and seat == s.player:
            out = np.zeros(actions, np.int16)
            for i in range(legal(kit, s, out)):
                marks[block_of[out[i]]] += 1

    return rule(held)


def _played_by_block(game: Game) -> Callable[..., Any]:
    block_of = action_blocks(game.rules.ACTIONS)

    def played(kit, s, action, marks):
        marks[block_of[action]] += 1

    return rule(played)


def _ahead_by_payoff(game: Game) -> Callable[..., float]:
    low, high = (game.payoffs.low, game.payoffs.high) if game.payoffs else (-1.0, max(game.seats) - 1.0)
    span = high - low

    def ahead(kit, s, seat):
        return (s.payoff[seat] - low) / span

    return rule(ahead)
