"""Crazy Eights: read and write positions."""

from typing import Any

from sparring.engine.cards import in_order, members, only, put, set_of, shuffle, take_top
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import PositionReader, words_in
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup
from sparring.scene.playing_cards import card_name

from .params import SUITS
from .rules import CARDS, DEALT, DEALT_TO_TWO, KINDS, State

#: A card by its rank and the first letter of its suit: 8S.
NAMES = tuple(card_name(card) for card in range(CARDS))


def read_cards(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read hands, the top card, other played cards and the deck (top first); the rest is dealt at random."""
    taken: set[int] = set()

    def cards(key: str, value: Any) -> list[int]:
        found = [card(key, name) for name in words_in(value, key)]
        for one in found:
            if one in taken:
                raise BadPosition(f"{key}: {NAMES[one]} already has another place.")
            taken.add(one)
        return found

    hands = fields.per_seat("hands", None)
    for seat, hand in enumerate(hands):
        if hand is not None:
            s.hand[seat] = set_of(cards("hands", hand))
    top = fields.take("top")
    known = cards("top", [top]) if top is not None else []
    s.played = set_of(cards("played", fields.take("played", [])))
    deck = fields.take("deck")
    order = cards("deck", deck) if deck is not None else []
    rest = [one for one in range(CARDS) if one not in taken]
    for one in rest:
        put(s.deck, one)
    shuffle(s.rng, s.deck)
    for seat, hand in enumerate(hands):
        if hand is None:
            for _ in range(DEALT_TO_TWO if s.seats == 2 else DEALT):
                s.hand[seat] |= only(_top(s))
    s.top = known[0] if known else _top(s)
    s.played |= only(s.top)
    if deck is not None and s.deck[0]:
        raise BadPosition("A position with a deck must place every other card, too.")
    for one in order[::-1]:
        put(s.deck, one)
    s.cards[: s.seats] = [int(hand).bit_count() for hand in s.hand[: s.seats]]
    s.suit = fields.one_of("suit", SUITS, SUITS[int(s.top) % KINDS])
    s.way = s.way or 1


def card(key: str, name: str) -> int:
    """Return a card by its name."""
    if name.upper() not in NAMES:
        raise BadPosition(f"{key}: there is no card {name}; write the rank and the letter of the suit, as in 10H.")
    return NAMES.index(name.upper())


def _top(s: State) -> int:
    if not s.deck[0]:
        raise BadPosition("There are not enough cards to deal what the position leaves open.")
    return int(take_top(s.deck))


def write_cards(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return hands, the top card, other played cards, the deck, and the suit to match."""
    played = [NAMES[one] for one in members(s.played) if one != s.top]
    return {
        "hands": [[NAMES[one] for one in members(hand)] for hand in s.hand[: s.seats]],
        "top": NAMES[s.top], "played": played, "deck": [NAMES[one] for one in in_order(s.deck)[::-1]],
        "suit": SUITS[s.suit],
    }  # fmt: skip


POSITIONS = Positions(State, read_more=read_cards, write_more=write_cards)
read, write = POSITIONS.read, POSITIONS.write


def components(setup: GameSetup, s: State) -> list[str]:
    """Return every card, wherever it is; the deck has its own list."""
    sets = (s.played, *s.hand)
    return [NAMES[one] for one in [*in_order(s.deck), *(one for cards in sets for one in members(cards))]]
