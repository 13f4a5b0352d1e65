"""Kuhn poker: how positions are read and written."""

from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup

from .rules import NO_CARD, State, deal


def deal_others(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Deal the cards that the position leaves open (seat 1, seat 2, unused: 0 Jack, 1 Queen, 2 King, -1 any)."""
    known = [card for card in s.card if card != NO_CARD]
    if len(set(known)) != len(known):
        raise BadPosition("cards must be three different numbers from 0 to 2 (seat 1, seat 2, unused), or -1 for any.")
    deal(s, s.rng)


POSITIONS = Positions(State, read_more=deal_others)
read, write = POSITIONS.read, POSITIONS.write


def components(setup: GameSetup, s: State) -> list[str]:
    """Return every card, wherever it is."""
    return [f"card {card}" for card in s.card]
