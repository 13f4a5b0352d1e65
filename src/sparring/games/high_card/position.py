"""High Card: how positions are read and written (their form is in positions.md)."""

from sparring.engine.errors import BadPosition
from sparring.engine.formats.positions import Positions
from sparring.engine.game import Box

from .rules import CALL, State


def check(box: Box, state: State, phase: str) -> None:
    """Check that a position fits the options."""
    if state.phase == CALL and not box.kit.call:
        raise BadPosition("Phase call needs the option call=leader.")


#: Not every card needs a place, because those left out are never drawn.
POSITIONS = Positions(State, check, complete=False)
