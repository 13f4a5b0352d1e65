"""High Card: how positions are read and written (their form is in positions.md)."""

from sparring.engine.errors import BadPosition
from sparring.engine.formats.positions import Positions
from sparring.engine.game import Box

from .rules import CALL, State


def check(box: Box, state: State, phase: str) -> None:
    """Check that a position fits the options, and that the player has a card."""
    if state.phase == CALL and not box.kit.call:
        raise BadPosition("Phase call needs the option call=leader.")
    if not state.over and state.hand[state.player, 0] == 0:
        raise BadPosition(f"Seat {state.player + 1} must have a card to play.")


#: Not every card needs a place, because those left out are never drawn.
POSITIONS = Positions(State, check, complete=False)
