"""Kuhn poker: read and write positions."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.game import Box

from .rules import CARDS, NO_CARD, SEATS, deal


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up a state: the cards of seat 1, seat 2 and the unused one (0 Jack, 1 Queen, 2 King), and the chips."""
    fields = PositionReader(position, SEATS)
    read_phase(box, s, fields)
    read_turn(s, fields, 1, 1, 1)
    read_end(box, s, fields)
    cards = fields.take("cards", [NO_CARD] * CARDS)
    known = [card for card in cards if card != NO_CARD]
    if len(cards) != CARDS or len(set(known)) != len(known) or not set(known) <= set(range(CARDS)):
        raise BadPosition("cards must be three different numbers from 0 to 2 (seat 1, seat 2, unused), or -1 for any.")
    s.card[:] = cards
    deal(s, g)
    s.chips[:] = fields.integer_per_seat("chips", 1, 1, 2)
    s.open = fields.flag("open")
    fields.done()


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state."""
    return {**write_header(box, s), "cards": s.card.tolist(), "chips": s.chips.tolist(), "open": bool(s.open)}


def pieces(box: Box, s: Any) -> list[str]:
    """Return every card, wherever it is."""
    return [f"card {card}" for card in s.card.tolist()]
