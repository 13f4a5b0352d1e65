"""Make Your Moves: read and write positions (the form is in positions.md)."""

from typing import Any

from sparring.engine.cards import in_order, put
from sparring.engine.errors import BadPosition
from sparring.engine.formats.card_supply import CardSupply
from sparring.engine.formats.position_reader import PositionReader, words_in
from sparring.engine.formats.positions import Positions
from sparring.engine.game import Box
from sparring.engine.state import UNKNOWN_SEAT

from . import rules
from .kit import CARDS, PACK, Params
from .moves import attack_fit, count_attack, count_defence, defence_fit, fits
from .position_checks import check_chooser, check_played, check_seats
from .state import TARGET, State

#: Public inference about each hand: key in a position and field of the state.
KNOWN = {"wilds": "sure_wilds", "coloured": "sure_coloured", "kinds": "sure_kinds"}
#: A position can also describe the very start of a turn, before players draw.
DRAW = "draw"


def read_more(box: Box, s: State, fields: PositionReader, phase: str) -> None:
    """Read the cards picked for a four and what is known of hands, and count the cards of attack and defence."""
    names = PACK.names_in(box)
    supply = CardSupply(names, names)
    for word in words_in(fields.take("picked", []), "picked"):
        left = [card for card in in_order(s.hand[s.defender]) if card not in s.picked[1:]]
        put(s.picked, supply.find(word, left, "picked"))
    _count_played(box.kit, s)
    _read_known(s, fields, phase, supply)


def write_more(box: Box, s: State) -> dict[str, Any]:
    """Return the cards picked for a four, and what is known of hands."""
    names = PACK.names_in(box)
    known: Any = {key: getattr(s, field)[: s.seats].tolist() for key, field in KNOWN.items()}
    return {
        "picked": [names[card][0] for card in in_order(s.picked)], "known": {**known, "shuffled": _piles(box, s)},
    }  # fmt: skip


def check(box: Box, s: State, phase: str) -> None:
    """Check that a position is possible, and go on to the decision that it is about."""
    player = int(s.player)
    if not s.over:
        check_seats(box.kit, s)
        check_played(s, phase)
    _enter(box.kit, s, phase, player)
    if not s.over:
        check_chooser(box.kit, s)


POSITIONS = Positions(
    State, check, read_more=read_more, write_more=write_more, phase="target", more_phases={DRAW: TARGET}
)


def _piles(box: Box, s: State) -> list[list[str]]:
    """Return the cards of each draw pile after the oldest that still has cards, in the order of the piles."""
    cards = range(len(box.content.cards))
    return [
        [box.content.cards[card].name for card in cards if s.shuffled[card] == pile]
        for pile in range(1, int(s.shuffled.max()) + 1)
    ]


def _read_known(s: State, fields: PositionReader, phase: str, supply: CardSupply) -> None:
    """Read public inference about each hand; by default only that the Attacker can attack."""
    known = fields.table("known")
    piles = known.take("shuffled", [])
    if not isinstance(piles, list) or len(piles) > CARDS:
        raise BadPosition("known: shuffled must be a list of lists of cards, one for each draw pile after the oldest.")
    for pile, words in enumerate(piles, 1):
        s.shuffled[supply.take(words, "shuffled")] = pile
    if not known.fields.keys() & KNOWN.keys() and (phase == "target" or (phase == "attack" and s.ceiling == 0)):
        s.sure_coloured[s.attacker] = 1
    for key, field in KNOWN.items():
        if key in known.fields:
            getattr(s, field)[: s.seats] = known.integer_per_seat(key, 0, 0, 0x7FFF)
    known.done()


def _enter(kit: Params, s: State, phase: str, player: int) -> None:
    """Enter the phase; unless a position names the player, it follows from the phase."""
    if phase == DRAW:
        s.turn -= 1
        rules.begin_turn(kit, s)
        return
    if player != UNKNOWN_SEAT:
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


def _count_played(kit: Params, s: State) -> None:
    """Count the cards of attack and defence as the rules do, and check that they fit."""
    for card in in_order(s.attack):
        if not fits(kit, card, attack_fit(s)):
            raise BadPosition("attack: at most three colours are allowed, with one card or stack of singles each.")
        count_attack(kit, s, card)
    for card in in_order(s.defence):
        if not fits(kit, card, defence_fit(kit, s)):
            raise BadPosition("defence must fit the attack: the same colours or Wilds, and no more cards or stacks.")
        count_defence(kit, s, card)
