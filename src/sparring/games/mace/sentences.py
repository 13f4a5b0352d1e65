"""MACE: cards, Charges, hexes and ways in words."""

from sparring.engine import hexes
from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene.card_names import signed
from sparring.scene.sentences import listed

from .kit import JOKER
from .moves import value_of
from .state import State


def value(box: Box, s: State, card: int) -> int:
    """Return the CV of a card if played now."""
    return int(value_of(box.kit, s, card))


def with_value(box: Box, s: State, card: int) -> str:
    """Return a card with its CV unless its name shows it: `K♠ (13)`, `7♦`, `a Joker (12)`."""
    name, cv = named(box, card), value(box, s, card)
    return name if name[:-1] == str(cv) else f"{name} ({cv})"


def named(box: Box, card: int) -> str:
    """Return a card's name in sentences, such as `K♠`; Jokers have no names. Choices are typed as `KS`."""
    return "a Joker" if card >= JOKER else signed(str(box.content.card(card)))


def charge_from_row(box: Box, before: State, card: int, after: State) -> str:
    """Return which Charge of a row was revealed or lost: `a Charge (9♣)`, `the 2nd of 3 Charges (9♣)`."""
    laid, left = (in_order(s.laid[before.player]) for s in (before, after))
    place = next(i for i, number in enumerate(laid, 1) if number not in left)
    which = "a Charge" if len(laid) == 1 else f"the {_ordinal(place)} of {len(laid)} Charges"
    return f"{which} ({named(box, card)})"


def _ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `3rd`, `4th` and so on, up to the 17 Charges a row can hold."""
    return f"{number}{('st', 'nd', 'rd')[number - 1] if number <= 3 else 'th'}"


def hexes_counted(number: int) -> str:
    """Return `1 hex`, `2 hexes`."""
    return f"{number} hex" if number == 1 else f"{number} hexes"


#: The directions of the board, by the steps in q and r.
WAYS = {
    (1, 0): "right", (-1, 0): "left", (0, 1): "down-right", (0, -1): "up-left", (1, -1): "up-right",
    (-1, 1): "down-left",
}  # fmt: skip


def way(start: int, end: int) -> str:
    """Return the way from a hex to another one as distances: `2 hexes left`, `2 hexes left and 1 up-left`."""
    q, r = (int(axis[end] - axis[start]) for axis in (hexes.Q, hexes.R))
    diagonal = min(abs(q), abs(r)) if q * r < 0 else 0  # steps to the upper right or lower left
    legs = [
        (diagonal, (_sign(q), -_sign(q))),
        (abs(q) - diagonal, (_sign(q), 0)),
        (abs(r) - diagonal, (0, _sign(r))),
    ]
    first, *more = [(steps, WAYS[direction]) for steps, direction in sorted(legs, reverse=True) if steps]
    return listed([f"{hexes_counted(first[0])} {first[1]}", *(f"{steps} {word}" for steps, word in more)])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def knock_path(s: State, radius: int) -> list[int]:
    """Return the hexes of the last Knockback, or nothing if the Fighter has moved since."""
    path = [int(s.knock_start)]
    for _ in range(s.knock_length):
        if path[-1] == s.at[s.knocked]:
            break
        there = int(hexes.beyond(s.knock_source, s.knock_start, path[-1], radius))
        if there == hexes.NOWHERE:
            break
        path.append(there)
    return path if path[-1] == s.at[s.knocked] else []
