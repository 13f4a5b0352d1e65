"""What the designer of a game asks about: its items, and who is ahead.

An item is a card by name, a kind, a fighter, an ability: whatever somebody may want to make stronger or take out. A
game says in `items.py` which there are, which of them a seat holds and which a choice plays (`game.Items`). For a game
that says nothing each kind of choice is an item: it is held by whoever may choose it. And the seats of a game that does
not say who is ahead are as far as what they have been paid so far.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np

from .game import Box, Game, Item
from .records import dealt
from .rule import ActionSpace, rule

#: So many deals are tried for one in which a seat holds what it is to hold.
DEALS = 200


class ItemRules(NamedTuple):
    """The items of a game and the rules about them (see `game.Items`): its own, or what holds where it says nothing."""

    names: Callable[[Box], tuple[Item, ...]]
    held: Callable[..., Any]
    played: Callable[..., Any]
    ahead: Callable[..., float]


def asked(game: Game) -> ItemRules:
    """What can be asked about a game."""
    own = game.items
    ahead = getattr(own, "ahead", None) or _paid_so_far(game)
    if own is None:
        return ItemRules(_kinds_of_choice, _may_choose(game), _kind_of_choice(game), ahead)
    return ItemRules(own.names, own.held, own.played, ahead)


def dealing(box: Box, seats: int, names: Collection[str]) -> int | None:
    """The seed of a deal that gives the first seat something of one of these names (in small letters), by chance.

    None if there is no such item, or it came in none of many deals.
    """
    told = asked(box.game)
    items = told.names(box)
    wanted = [place for place, item in enumerate(items) if item.name.casefold() in names]
    for _ in range(DEALS if wanted else 0):
        marks, beginning = np.zeros(len(items), np.int64), dealt(box, seats, None)
        told.held(box.kit, beginning.state, 0, marks)
        if marks[wanted].any():
            return beginning.seed
    return None


def families(actions: ActionSpace) -> np.ndarray[Any, Any]:
    """To which block of the numbering each choice belongs."""
    return np.repeat(np.arange(len(actions.blocks)), list(actions.blocks.values())).astype(np.int16)


def _kinds_of_choice(box: Box) -> tuple[Item, ...]:
    return tuple(Item("choice", name.replace("_", " ")) for name in box.game.rules.ACTIONS.blocks)


def _may_choose(game: Game) -> Callable[..., Any]:
    family, legal, actions = families(game.rules.ACTIONS), game.rules.legal, len(game.rules.ACTIONS)

    def held(kit, s, seat, marks):
        if not s.over and seat == s.player:
            out = np.zeros(actions, np.int16)
            for i in range(legal(kit, s, out)):
                marks[family[out[i]]] += 1

    return rule(held)


def _kind_of_choice(game: Game) -> Callable[..., Any]:
    family = families(game.rules.ACTIONS)

    def played(kit, s, action, marks):
        marks[family[action]] += 1

    return rule(played)


def _paid_so_far(game: Game) -> Callable[..., float]:
    low, high = (game.payoffs.low, game.payoffs.high) if game.payoffs else (-1.0, max(game.seats) - 1.0)
    width = high - low

    def ahead(kit, s, seat):
        return (s.payoff[seat] - low) / width

    return rule(ahead)
