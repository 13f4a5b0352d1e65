"""Tic-tac-toe: how positions are read and written. Marks are not pieces that could be lost."""

from sparring.engine.formats.positions import Positions

from .rules import State

POSITIONS = Positions(State)
