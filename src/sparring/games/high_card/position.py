"""High Card: read and write positions (the form is in positions.md)."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import insert, put, shuffle
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader

from .kit import CARDS
from .rules import CALL, HAND, leader


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up the state `s` from a position, shuffling the cards it leaves out into the deck with generator `g`."""
    fields = PositionReader(position, int(s.seats))
    read_phase(box, s, fields)
    read_turn(s, fields, high=HAND, player=int(leader(box.kit, s)))
    read_end(box, s, fields)
    left = list(range(CARDS))

    def cards(numbers: Any, key: str, room: int) -> list[int]:
        if not isinstance(numbers, list) or len(numbers) > room or any(number not in left for number in numbers):
            raise BadPosition(
                f"{key} must be a list of at most {room} cards (0 to {CARDS - 1}), and no card can be in two places."
            )
        for number in numbers:
            left.remove(number)
        return numbers

    for seat, numbers in enumerate(fields.per_seat("hands", [])):
        for card in cards(numbers, "hands", HAND):
            insert(s.hand[seat], card)
    for seat, numbers in enumerate(fields.per_seat("laid", [])):
        for card in cards(numbers, "laid", 1):
            put(s.laid[seat], card)
    for card in cards(fields.take("gone", []), "gone", CARDS):
        put(s.gone, card)
    deck = fields.take("deck")
    for card in left if deck is None else cards(deck, "deck", CARDS)[::-1]:
        put(s.deck, card)
    if deck is None:
        shuffle(g, s.deck)
    s.tricks[: s.seats] = fields.integer_per_seat("tricks", 0, 0, HAND)
    s.low = fields.flag("low")
    fields.done()
    if s.phase == CALL and not box.kit.call:
        raise BadPosition("Phase call needs the option call=leader.")


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state as a position."""

    def cards(pile: Any) -> list[int]:
        return pile[1 : pile[0] + 1].tolist()  # type: ignore[no-any-return]

    return {
        **write_header(box, s), "tricks": s.tricks[: s.seats].tolist(), "low": bool(s.low),
        "hands": [cards(hand) for hand in s.hand[: s.seats]], "laid": [cards(pile) for pile in s.laid[: s.seats]],
        "gone": cards(s.gone), "deck": cards(s.deck)[::-1],
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Return the name of every card, wherever it is."""
    return [f"card {card}" for pile in (s.deck, s.gone, *s.hand, *s.laid) for card in pile[1 : pile[0] + 1]]
