"""Leduc poker: read and write positions."""

from typing import Any

from sparring.engine.cards import in_order, put, shuffle, take_top
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup

from .rules import CARDS, NO_CARD, SEATS, State


def read_cards(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read the cards of the seats and the deck by number (0 and 1 are Jacks), and deal those that are left open."""
    left = [card for card in range(CARDS) if card != s.public]

    def dealt(key: str, value: Any) -> int:
        if not isinstance(value, int) or value not in left:
            raise BadPosition(f"{key}: {value} is not a card from 0 to {CARDS - 1}, or already has another place.")
        left.remove(value)
        return int(value)

    cards = fields.per_seat("cards", NO_CARD)
    for seat in range(SEATS):
        s.card[seat] = NO_CARD if cards[seat] == NO_CARD else dealt("cards", cards[seat])
    deck = fields.take("deck")
    if deck is not None and not isinstance(deck, list):
        raise BadPosition("deck must be a list of cards, from the top.")
    for card in list(left) if deck is None else [dealt("deck", card) for card in deck[::-1]]:
        put(s.deck, card)
    if deck is None:
        shuffle(s.rng, s.deck)
    for seat in range(SEATS):
        if s.card[seat] == NO_CARD:
            if not s.deck[0]:
                raise BadPosition("deck: there is no card left for each seat.")
            s.card[seat] = take_top(s.deck)


def write_cards(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return the cards of the seats, and the deck from its top."""
    return {"cards": s.card.tolist(), "deck": in_order(s.deck)[::-1]}


POSITIONS = Positions(State, read_more=read_cards, write_more=write_cards)
read, write = POSITIONS.read, POSITIONS.write


def components(setup: GameSetup, s: State) -> list[str]:
    """Return every card, wherever it is."""
    cards = [*s.card.tolist(), *([] if s.public == NO_CARD else [int(s.public)]), *in_order(s.deck)]
    return [f"card {card}" for card in cards]
