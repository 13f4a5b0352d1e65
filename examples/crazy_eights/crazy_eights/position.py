"""Crazy Eights: a state as people write it."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import put, shuffle, take_top
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.readable import Reader, words_in

from .kit import RANKS, SUITS
from .rules import CARDS, DEALT, DEALT_TO_TWO, DECK, ENDINGS, KINDS, PHASES, PLAYED, WHOLE_PACK

#: A card by its rank and the first letter of its suit: 8S.
NAMES = tuple(f"{rank}{suit[0].upper()}" for rank in RANKS for suit in SUITS)


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up a state: hands, the top card, other played ones, the deck (top first); what is left open is dealt."""
    fields = Reader(position, int(s.seats))
    s.where[:] = DECK
    taken: set[int] = set()

    def cards(key: str, value: Any) -> list[int]:
        found = [card(key, name) for name in words_in(value, key)]
        for one in found:
            if one in taken:
                raise BadPosition(f"{key}: {NAMES[one]} lies somewhere else already.")
            taken.add(one)
        return found

    hands = fields.per_seat("hands", None)
    for seat, hand in enumerate(hands):
        if hand is not None:
            s.where[cards("hands", hand)] = seat
    top = fields.take("top")
    known = cards("top", [top]) if top is not None else []
    s.where[cards("played", fields.take("played", []))] = PLAYED
    deck = fields.take("deck")
    order = cards("deck", deck) if deck is not None else []
    rest = [one for one in range(CARDS) if one not in taken]
    for one in rest:
        put(s.deck, one)
    shuffle(g, s.deck)
    for seat, hand in enumerate(hands):
        if hand is None:
            for _ in range(DEALT_TO_TWO if s.seats == 2 else DEALT):
                s.where[_top(s)] = seat
    s.top = known[0] if known else _top(s)
    s.where[s.top] = PLAYED
    if deck is not None and s.deck[0]:
        raise BadPosition("Where the deck is written down, so is every other card.")
    for one in order[::-1]:
        put(s.deck, one)
    s.cards[: s.seats] = [int((s.where == seat).sum()) for seat in range(s.seats)]
    s.suit = fields.one_of("suit", SUITS, SUITS[int(s.top) % KINDS])
    s.phase = fields.one_of("phase", PHASES, PHASES[0])
    s.player = fields.seat("player", 0)
    s.turn = fields.whole("turn", 0, 0, 1000)
    s.drawn = fields.whole("drawn", 0, 0, CARDS)
    s.owed = fields.whole("owed", 0, 0, 8)
    s.passes = fields.whole("passes", 0, 0, int(s.seats) + 1)
    s.way = fields.whole("way", 1, -1, 1) or 1
    s.moment = fields.whole("moment", 0, 0, 1_000_000)
    s.free, s.over = fields.flag("free"), fields.flag("over")
    s.ending = fields.one_of("ending", ENDINGS, ENDINGS[0])
    s.payoff[: s.seats] = [0.0 - paid for paid in fields.whole_per_seat("points", 0, 0, WHOLE_PACK)]
    fields.done()


def card(key: str, name: str) -> int:
    """A card by its name."""
    if name.upper() not in NAMES:
        raise BadPosition(f"{key}: there is no card {name}; a card is its rank and the letter of its suit, as 10H.")
    return NAMES.index(name.upper())


def _top(s: Any) -> int:
    if not s.deck[0]:
        raise BadPosition("There are not enough cards for all that is left open.")
    return int(take_top(s.deck))


def write(box: Box, s: Any) -> dict[str, Any]:
    """The whole true state."""
    seats = int(s.seats)
    played = [NAMES[one] for one in range(CARDS) if s.where[one] == PLAYED and one != s.top]
    return {
        "hands": [[NAMES[one] for one in range(CARDS) if s.where[one] == seat] for seat in range(seats)],
        "top": NAMES[s.top], "played": played, "deck": [NAMES[one] for one in s.deck[1 : s.deck[0] + 1].tolist()[::-1]],
        "suit": SUITS[s.suit], "phase": PHASES[s.phase], "player": int(s.player) + 1, "turn": int(s.turn),
        "drawn": int(s.drawn), "owed": int(s.owed), "passes": int(s.passes), "way": int(s.way),
        "moment": int(s.moment), "free": bool(s.free), "over": bool(s.over), "ending": ENDINGS[s.ending],
        "points": [int(-paid) for paid in s.payoff[:seats]],
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Every card, wherever it is: the deck knows its own."""
    deck = s.deck[1 : s.deck[0] + 1].tolist()
    return [NAMES[one] for one in [*deck, *(one for one in range(CARDS) if s.where[one] != DECK)]]
