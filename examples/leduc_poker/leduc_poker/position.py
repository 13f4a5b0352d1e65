"""Leduc poker: read and write positions."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import put, shuffle
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.game import Box

from .rules import CARDS, NO_CARD, SEATS


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up a state: cards by number (0 and 1 are Jacks), chips, the round and its raises; the rest is the deck."""
    fields = PositionReader(position, SEATS)
    read_phase(box, s, fields)
    read_end(box, s, fields)
    left = list(range(CARDS))

    def dealt(key: str, value: Any, none: bool = False) -> int:
        if none and value == NO_CARD:
            return NO_CARD
        if value not in left:
            raise BadPosition(f"{key}: {value} is not a card from 0 to {CARDS - 1}, or already has another place.")
        left.remove(value)
        return int(value)

    cards = fields.take("cards")
    s.public = dealt("public", fields.take("public", NO_CARD), none=True)
    for seat in range(SEATS):
        s.card[seat] = dealt("cards", cards[seat]) if cards else NO_CARD
    deck = fields.take("deck")
    for card in left if deck is None else [dealt("deck", card) for card in deck[::-1]]:
        put(s.deck, card)
    if deck is None:
        shuffle(g, s.deck)
    for seat in range(SEATS):
        if s.card[seat] == NO_CARD:
            s.card[seat] = s.deck[s.deck[0]]
            s.deck[s.deck[0]] = 0
            s.deck[0] -= 1
    s.chips[:] = fields.integer_per_seat("chips", 1, 1, 13)
    read_turn(s, fields, 1 if s.public == NO_CARD else 2, 1, 2, turn="round")
    s.raises = fields.integer("raises", 0, 0, 2)
    s.calls = fields.integer("calls", 0, 0, 2)
    s.open = fields.flag("open")
    fields.done()


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state."""
    return {
        **write_header(box, s, turn="round"), "cards": s.card.tolist(), "public": int(s.public),
        "deck": s.deck[1 : s.deck[0] + 1].tolist()[::-1], "chips": s.chips.tolist(),
        "raises": int(s.raises), "calls": int(s.calls), "open": bool(s.open),
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Return every card, wherever it is."""
    cards = [*s.card.tolist(), *([] if s.public == NO_CARD else [int(s.public)]), *s.deck[1 : s.deck[0] + 1].tolist()]
    return [f"card {card}" for card in cards]
