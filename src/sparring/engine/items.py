"""Items, whose strength designers measure, and how close each seat is to winning.

An item is a card by name, a kind of card, a fighter, an ability: anything that a designer may want to make stronger or
remove. A game declares its items, and rules for which of them a seat holds and an action plays, in `items.py`
(`game.ItemsModule`). Without it, each block of ACTIONS is an item, held by the seat that may choose from it. Without a
rule `progress`, the payoff so far says how close a seat is to winning.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from .game import Game, GameSetup, Item
from .records import deal
from .rule import ActionSpace, rule

#: The maximum number of deals to search for one with a given item.
MAX_DEALS = 200


class ItemRules(NamedTuple):
    """The items of a game and their rules (see `game.ItemsModule`), with defaults where the game declares none."""

    names: Callable[[GameSetup], tuple[Item, ...]]
    held: Callable[..., Any]
    played: Callable[..., Any]
    progress: Callable[..., float]


def item_rules(game: Game) -> ItemRules:
    """Return the items of a game and their rules."""
    declared = game.items
    progress = getattr(declared, "progress", None) or _progress_by_payoff(game)
    if declared is None:
        return ItemRules(_block_items, _held_by_block(game), _played_by_block(game), progress)
    return ItemRules(declared.names, declared.held, declared.played, progress)


def find_deal(setup: GameSetup, seats: int, names: Collection[str]) -> int | None:
    """Return the seed of a random deal that gives the first seat an item of one of these names (in lower case).

    Returns None if there is no such item, or if MAX_DEALS deals do not give it.
    """
    rules = item_rules(setup.game)
    items = rules.names(setup)
    indices = [place for place, item in enumerate(items) if item.name.casefold() in names]
    for _ in range(MAX_DEALS if indices else 0):
        marks, start = np.zeros(len(items), np.int64), deal(setup, seats, None)
        rules.held(setup.params, start.state, 0, marks)
        if marks[indices].any():
            return start.seed
    return None


def action_blocks(actions: ActionSpace) -> np.ndarray[Any, Any]:
    """Return the index of each action's block, int16 of shape (len(actions),)."""
    return np.repeat(np.arange(len(actions.blocks)), list(actions.blocks.values())).astype(np.int16)


def _block_items(setup: GameSetup) -> tuple[Item, ...]:
    return tuple(Item("choice", name.replace("_", " ")) for name in setup.game.rules.ACTIONS.blocks)


def _held_by_block(game: Game) -> Callable[..., Any]:
    block_of, legal, actions = action_blocks(game.rules.ACTIONS), game.rules.legal, len(game.rules.ACTIONS)

    def held(params, s, seat, marks):
        if not s.over and seat == s.player:
            out = np.zeros(actions, np.int16)
            for i in range(legal(params, s, out)):
                marks[block_of[out[i]]] += 1

    return rule(held)


def _played_by_block(game: Game) -> Callable[..., Any]:
    block_of = action_blocks(game.rules.ACTIONS)

    def played(params, s, action, marks):
        marks[block_of[action]] += 1

    return rule(played)


def _progress_by_payoff(game: Game) -> Callable[..., float]:
    low, high = (game.payoffs.low, game.payoffs.high) if game.payoffs else (-1.0, max(game.seats) - 1.0)
    span = high - low

    def progress(params, s, seat):
        return (s.payoff[seat] - low) / span

    return rule(progress)
