"""High Card: the items that the lab measures (the cards), and how close a seat is to winning."""

from sparring.engine.cards import count_cards
from sparring.engine.game import GameSetup, Item
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from .params import Params
from .rules import HIGH, State


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return the cards by value, with a number where several have the same value."""
    values = setup.content.values
    return tuple(
        Item("card", f"{value}" if values.count(value) == 1 else f"{value}, number {card + 1}")
        for card, value in enumerate(values)
    )


@rule
def held(params: Params, state: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand."""
    count_cards(marks, state.hand[seat])


@rule
def played(params: Params, state: State, action: int, marks: Numbers) -> None:
    """Mark the card that is played; a call plays none."""
    if action < HIGH:
        marks[action] += 1


@rule
def progress(params: Params, state: State, seat: int) -> float:
    """Return the share of all tricks that a seat has taken."""
    return state.tricks[seat] / params.hand
