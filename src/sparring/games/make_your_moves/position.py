"""Make Your Moves: read and write positions (the form is in positions.md)."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.cards import UNKNOWN, insert, put
from sparring.engine.errors import BadPosition
from sparring.engine.game import Box
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader, words_in
from sparring.engine.formats.card_supply import CardSupply

from . import rules
from .kit import CARDS, MoveDeck
from .moves import attack_fit, count_attack, count_defence, defence_fit, fits
from .position_checks import check_chooser, check_played, check_seats
from .state import HAND, MARKER, NEEDED, TARGET

#: The piles on the table during a turn: key in a position and field of the state.
PLAYED = {
    "attack": "attack", "defence": "defence", "fours": "fours", "help_attacker": "help_attack",
    "help_defender": "help_defence", "helping": "helping",
}  # fmt: skip
#: Public inference about each hand: key in a position and field of the state.
KNOWN = {"wilds": "sure_wilds", "coloured": "sure_coloured", "kinds": "sure_kinds"}
#: A position can also describe the very start of a turn, before players draw.
DRAW = "draw"


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up the state `s` from a position, dealing what it leaves open with generator `g`."""
    fields = PositionReader(position, int(s.seats))
    phase = read_phase(box, s, fields, "target", {DRAW: TARGET})
    _read_numbers(box.kit, s, fields)
    _read_cards(box, s, fields, g)
    _count_played(box.kit, s)
    _read_known(box, s, fields, phase)
    player = int(s.player)
    s.asked = fields.integer("asked", 0 if player == UNKNOWN else int((player - s.attacker) % s.seats), 0, int(s.seats))
    read_end(box, s, fields)
    fields.done()
    if not s.over:
        check_seats(box.kit, s)
        check_played(s, phase)
    _enter(box.kit, s, phase, player)
    if not s.over:
        check_chooser(box.kit, s)


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state as a position, with every card by name."""
    names = [card.name for card in box.content.cards]

    def cards(pile: Any) -> list[str]:
        return [names[card] for card in pile[1 : pile[0] + 1]]

    seats = range(s.seats)
    return {
        **write_header(box, s), "points": s.points[: s.seats].tolist(),
        "control": int(s.control) + 1, "attacker": int(s.attacker) + 1, "defender": int(s.defender) + 1,
        "asked": int(s.asked), "dodging": bool(s.dodging),
        "out": [seat + 1 for seat in seats if s.out[seat]],
        "hands": [cards(s.hand[seat]) for seat in seats], "point_cards": [cards(s.point_cards[seat]) for seat in seats],
        "draw_pile": cards(s.deck)[::-1], "discard_pile": cards(s.discard), "picked": cards(s.picked),
        **{key: cards(s[pile]) for key, pile in PLAYED.items()},
        "known": {**{key: s[field][: s.seats].tolist() for key, field in KNOWN.items()}, "shuffled": _piles(box, s)},
    }  # fmt: skip


def pieces(box: Box, s: Any) -> list[str]:
    """Return the name of every card, wherever it is."""
    piles = [s.deck, s.discard, *s.hand, *s.point_cards, *(s[pile] for pile in PLAYED.values())]
    return [box.content.cards[card].name for pile in piles for card in pile[1 : pile[0] + 1]]


def _supply(deck: MoveDeck) -> CardSupply:
    """Return all cards of the deck, to be taken by name or by kind (`Red2`)."""
    return CardSupply(range(len(deck.cards)), {n: (card.name, card.kind) for n, card in enumerate(deck.cards)})


def _read_numbers(kit: Any, s: Any, fields: PositionReader) -> None:
    read_turn(s, fields, 1, 1, int(kit.turn_limit), player=UNKNOWN)
    s.control = fields.seat("control", 0)
    s.attacker = fields.seat("attacker", int(s.control))
    s.defender = fields.seat("defender", (int(s.attacker) + 1) % int(s.seats))
    s.dodging = fields.flag("dodging")
    s.points[: s.seats] = fields.integer_per_seat("points", 0, 0, NEEDED)
    for seat in fields.seats_in("out"):
        s.out[seat] = 1


def _read_cards(box: Box, s: Any, fields: PositionReader, g: Any) -> None:
    supply = _supply(box.content)
    hands = [None if hand is None else supply.take(hand, "hands", HAND) for hand in fields.per_seat("hands", None)]
    for key, pile in PLAYED.items():
        _put_all(s[pile], supply.take(fields.take(key, []), key, len(s[pile]) - 1))
    points = fields.per_seat("point_cards", None)
    points = [supply.take(entry, "point_cards") if isinstance(entry, str | list) else entry for entry in points]
    piles = supply.piles(fields)
    supply.shuffle(g)
    for seat in range(s.seats):
        hand = hands[seat]
        if hand is None:
            hand = [] if s.out[seat] else supply.deal(HAND, "hands")
        for card in hand:
            insert(s.hand[seat], card)
        entry = points[seat]
        if entry is None:
            entry = 0 if box.kit.point_cards == MARKER else int(s.points[seat])
        _put_all(s.point_cards[seat], entry if isinstance(entry, list) else supply.deal(entry, "point_cards"))
    for pile, cards in zip((s.deck, s.discard), supply.fill(piles), strict=True):
        _put_all(pile, cards)
    held = s.hand[s.defender]
    for word in words_in(fields.take("picked", []), "picked"):
        left = [card for card in held[1 : held[0] + 1].tolist() if card not in s.picked[1:]]
        put(s.picked, supply.find(word, left, "picked"))


def _piles(box: Box, s: Any) -> list[list[str]]:
    """Return the cards of each draw pile after the oldest that still has cards, in the order of the piles."""
    cards = range(len(box.content.cards))
    return [
        [box.content.cards[card].name for card in cards if s.shuffled[card] == pile]
        for pile in range(1, int(s.shuffled.max()) + 1)
    ]


def _read_known(box: Box, s: Any, fields: PositionReader, phase: str) -> None:
    """Read public inference about each hand; by default only that the Attacker can attack."""
    known = fields.table("known")
    supply = _supply(box.content)
    piles = known.take("shuffled", [])
    if not isinstance(piles, list) or len(piles) > CARDS:
        raise BadPosition("known: shuffled must be a list of lists of cards, one for each draw pile after the oldest.")
    for pile, words in enumerate(piles, 1):
        s.shuffled[supply.take(words, "shuffled")] = pile
    if not known.fields.keys() & KNOWN.keys() and (phase == "target" or (phase == "attack" and s.ceiling == 0)):
        s.sure_coloured[s.attacker] = 1
    for key, field in KNOWN.items():
        if key in known.fields:
            s[field][: s.seats] = known.integer_per_seat(key, 0, 0, 0x7FFF)
    known.done()


def _enter(kit: Any, s: Any, phase: str, player: int) -> None:
    """Enter the phase; unless a position names the player, it follows from the phase."""
    if phase == DRAW:
        s.turn -= 1
        rules.begin_turn(kit, s)
        return
    if player != UNKNOWN:
        s.player = player
    elif phase in ("target", "attack"):
        s.player = s.attacker
    elif phase in ("respond", "four", "dodge_to"):
        s.player = s.defender
    elif phase == "discard":
        if not rules.ask_discard(s, 0):
            raise BadPosition("Phase discard needs a player with a card to discard.")
    elif phase == "assist_card":
        rules.ask_assist(kit, s, 1)
    else:
        raise BadPosition("Phase assist_side needs the field player: the seat that helps.")


def _count_played(kit: Any, s: Any) -> None:
    """Count the cards of attack and defence as the rules do, and check that they fit."""
    for card in s.attack[1 : s.attack[0] + 1]:
        if not fits(kit, card, attack_fit(s)):
            raise BadPosition("attack: at most three colours are allowed, with one card or stack of singles each.")
        count_attack(kit, s, card)
    for card in s.defence[1 : s.defence[0] + 1]:
        if not fits(kit, card, defence_fit(kit, s)):
            raise BadPosition("defence must fit the attack: the same colours or Wilds, and no more cards or stacks.")
        count_defence(kit, s, card)


def _put_all(pile: Any, cards: list[int]) -> None:
    for card in cards:
        put(pile, card)
