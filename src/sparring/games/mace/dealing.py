"""MACE: the cards of a position, each in its place; what is open comes from the rest of the pack by chance."""

from typing import Any

from sparring.engine.cards import insert, put
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.header import MOST
from sparring.engine.readable import Reader, whole
from sparring.engine.supply import Supply

from .kit import CLUBS, JOKER
from .moves import fits
from .state import CHARGES, HAND, MOMENTUM, NO_CARD, TABLE


def pack_of(box: Box) -> Supply:
    """All cards of the pack."""
    numbers = [*range(int(box.kit.cards)), *range(JOKER, JOKER + int(box.kit.jokers))]
    return Supply(numbers, {number: (box.content.card(number),) for number in numbers})


def read_cards(box: Box, s: Any, fields: Reader, g: Any) -> None:
    """Those that are named first; then what is open comes from the rest of the pack by chance."""
    supply = pack_of(box)
    hands = [None if hand is None else supply.take(hand, "hands", HAND) for hand in fields.per_seat("hands", None)]
    for seat, row in enumerate(fields.per_seat("charges", [])):
        for card in supply.take(row, "charges", CHARGES):
            if not fits(card, CLUBS):
                raise BadPosition(f"charges: {box.content.card(card)} is neither a Club nor a Joker.")
            put(s.charges[seat], card)
    _read_laid(s, fields)
    shown = fields.per_seat("momentum", None)
    momentum = [None if card is None else supply.take(card, "momentum", 1) for card in shown]
    for card in supply.take(fields.take("table", []), "table", TABLE):
        put(s.table, card)
    piles = supply.piles(fields)
    supply.shuffle(g)
    for seat in range(s.seats):
        _give_momentum(s, seat, momentum[seat], supply.left)
    for seat in range(s.seats):
        _give_hand(s, seat, hands[seat], supply.left)
    for pile, cards in zip((s.deck, s.discard), supply.fill(piles), strict=True):
        for card in cards:
            put(pile, card)


def _read_laid(s: Any, fields: Reader) -> None:
    """In which Rounds the Charges were laid; if nothing is said, one after the other before the first Round."""
    for seat, rounds in enumerate(fields.per_seat("laid", None)):
        many = int(s.charges[seat, 0])
        laid = list(range(1 - many, 1)) if rounds is None else rounds
        if not isinstance(laid, list) or len(laid) != many:
            raise BadPosition("laid has for each seat as many Rounds as it has Charges.")
        for number in laid:
            put(s.laid[seat], whole("laid", number, -CHARGES, MOST))
        if laid != sorted(set(laid)):
            raise BadPosition("laid: Charges lie in the order of the Rounds, the oldest first.")


def _give_momentum(s: Any, seat: int, told: list[int] | None, left: list[int]) -> None:
    """A Momentum card; before the reveal and for those out there may be none."""
    if told is None and not s.out[seat] and s.phase != MOMENTUM:
        card = next((card for card in left if card < JOKER), None)
        if card is None:
            raise BadPosition("momentum: no card is left for it.")
        left.remove(card)
        told = [card]
    if told and told[0] >= JOKER:
        raise BadPosition("momentum: a Joker cannot be Momentum.")
    if not told and not s.out[seat] and s.phase != MOMENTUM:
        raise BadPosition(f"momentum: seat {seat + 1} has none.")
    s.momentum[seat] = told[0] if told else NO_CARD


def _give_hand(s: Any, seat: int, told: list[int] | None, left: list[int]) -> None:
    if told is None:
        told = [] if s.out[seat] else [left.pop() for _ in range(min(HAND, len(left)))]
    if not told and not s.out[seat]:
        raise BadPosition(f"hands: seat {seat + 1} holds no card, so it would be out.")
    for card in told:
        insert(s.hand[seat], card)
