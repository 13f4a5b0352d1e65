"""MACE: the cards of a position; cards it does not name are dealt from the rest of the pack at random."""

from typing import Any

from sparring.engine.cards import insert, put
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.formats.position_header import MAX_TURN
from sparring.engine.formats.position_reader import PositionReader, read_integer
from sparring.engine.formats.card_supply import CardSupply

from .kit import CLUBS, JOKER
from .moves import has_suit
from .state import CHARGES, HAND, MOMENTUM, NO_CARD, TABLE


def pack_of(box: Box) -> CardSupply:
    """Return all cards of the pack, ready to be placed."""
    numbers = [*range(int(box.kit.cards)), *range(JOKER, JOKER + int(box.kit.jokers))]
    return CardSupply(numbers, {number: (box.content.card(number),) for number in numbers})


def read_cards(box: Box, s: Any, fields: PositionReader, g: Any) -> None:
    """Place the cards that the position names, then deal the rest at random with generator `g`."""
    supply = pack_of(box)
    hands = [None if hand is None else supply.take(hand, "hands", HAND) for hand in fields.per_seat("hands", None)]
    for seat, row in enumerate(fields.per_seat("charges", [])):
        for card in supply.take(row, "charges", CHARGES):
            if not has_suit(card, CLUBS):
                raise BadPosition(f"charges: {box.content.card(card)} can't be a Charge; only Clubs and Jokers can.")
            put(s.charges[seat], card)
    _read_laid(s, fields)
    named = fields.per_seat("momentum", None)
    momentum = [None if card is None else supply.take(card, "momentum", 1) for card in named]
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


def _read_laid(s: Any, fields: PositionReader) -> None:
    """Read the Rounds in which Charges were played; by default one Round each, all before Round 1."""
    for seat, rounds in enumerate(fields.per_seat("laid", None)):
        count = int(s.charges[seat, 0])
        laid = list(range(1 - count, 1)) if rounds is None else rounds
        if not isinstance(laid, list) or len(laid) != count:
            raise BadPosition(f"laid: seat {seat + 1} needs a list of Rounds, one for each of its {count} Charges.")
        for number in laid:
            put(s.laid[seat], read_integer("laid", number, -CHARGES, MAX_TURN))
        if laid != sorted(set(laid)):
            raise BadPosition(f"laid: the Rounds of seat {seat + 1} must be in ascending order, each at most once.")


def _give_momentum(s: Any, seat: int, named: list[int] | None, left: list[int]) -> None:
    """Place or deal a Momentum card; a seat that is out, or has not picked yet, may have none."""
    if named is None and not s.out[seat] and s.phase != MOMENTUM:
        card = next((card for card in left if card < JOKER), None)
        if card is None:
            raise BadPosition(f"momentum: no card is left for seat {seat + 1}.")
        left.remove(card)
        named = [card]
    if named and named[0] >= JOKER:
        raise BadPosition(f"momentum: a Joker can't be Momentum (seat {seat + 1}).")
    if not named and not s.out[seat] and s.phase != MOMENTUM:
        raise BadPosition(f"momentum: seat {seat + 1} needs a card.")
    s.momentum[seat] = named[0] if named else NO_CARD


def _give_hand(s: Any, seat: int, named: list[int] | None, left: list[int]) -> None:
    if named is None:
        named = [] if s.out[seat] else [left.pop() for _ in range(min(HAND, len(left)))]
    if not named and not s.out[seat]:
        raise BadPosition(f"hands: seat {seat + 1} has no cards, so it must be out.")
    for card in named:
        insert(s.hand[seat], card)
