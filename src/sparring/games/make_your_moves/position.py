"""Make Your Moves: read and write positions (the form is in positions.md)."""

from typing import Any

from sparring.engine.cards import in_order, put
from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_reader import CardSupply, PositionReader, words_in
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup
from sparring.engine.state import UNKNOWN_SEAT

from . import rules
from .knowledge import has_coloured, is_consistent
from .moves import attack_fit, count_attack, count_defence, count_in, defence_fit, fits, has_several_fours
from .params import CARDS, PACK, Params
from .state import ASSIST_CARD, ASSIST_SIDE, ATTACK, DISCARD, ELIMINATION, FOUR, MARKER, NEEDED, PHASES, TARGET, State

#: Public inference about each hand: key in a position and field of the state.
KNOWN = {"wilds": "sure_wilds", "coloured": "sure_coloured", "kinds": "sure_kinds"}
#: A position can also describe the very start of a turn, before players draw.
DRAW = "draw"


def read_more(setup: GameSetup, s: State, fields: PositionReader, phase: str) -> None:
    """Read the cards picked for a four and what is known of hands, and count the cards of attack and defence."""
    names = PACK.names_in(setup)
    supply = CardSupply(names, names)
    for word in words_in(fields.take("picked", []), "picked"):
        left = [card for card in in_order(s.hand[s.defender]) if card not in s.picked[1:]]
        put(s.picked, supply.find(word, left, "picked"))
    _count_played(setup.params, s)
    _read_known(s, fields, phase, supply)


def write_more(setup: GameSetup, s: State) -> dict[str, Any]:
    """Return the cards picked for a four, and what is known of hands."""
    names = PACK.names_in(setup)
    known: Any = {key: getattr(s, field)[: s.seats].tolist() for key, field in KNOWN.items()}
    return {
        "picked": [names[card][0] for card in in_order(s.picked)], "known": {**known, "shuffled": _piles(setup, s)},
    }  # fmt: skip


def check(setup: GameSetup, s: State, phase: str) -> None:
    """Check that a position is possible, and go on to the decision that it is about."""
    player = int(s.player)
    if not s.over:
        check_seats(setup.params, s)
        check_played(s, phase)
    _enter(setup.params, s, phase, player)
    if not s.over:
        check_chooser(setup.params, s)


POSITIONS = Positions(
    State, check, read_more=read_more, write_more=write_more, phase="target", more_phases={DRAW: TARGET}
)


def _piles(setup: GameSetup, s: State) -> list[list[str]]:
    """Return the cards of each draw pile after the oldest that still has cards, in the order of the piles."""
    cards = range(len(setup.content.cards))
    return [
        [setup.content.cards[card].name for card in cards if s.shuffled[card] == pile]
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


def _enter(params: Params, s: State, phase: str, player: int) -> None:
    """Enter the phase; unless a position names the player, it follows from the phase."""
    if phase == DRAW:
        s.turn -= 1
        rules.begin_turn(params, s)
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
        rules.ask_assist(params, s, 1)
    else:
        raise BadPosition("Phase assist_side needs the field player: the seat that helps.")


def _count_played(params: Params, s: State) -> None:
    """Count the cards of attack and defence as the rules do, and check that they fit."""
    for card in in_order(s.attack):
        if not fits(params, card, attack_fit(s)):
            raise BadPosition("attack: at most three colours are allowed, with one card or stack of singles each.")
        count_attack(params, s, card)
    for card in in_order(s.defence):
        if not fits(params, card, defence_fit(params, s)):
            raise BadPosition("defence must fit the attack: the same colours or Wilds, and no more cards or stacks.")
        count_defence(params, s, card)


# Whether a position is possible and can be played on


def check_seats(params: Params, s: State) -> None:
    """Check points, point cards and which seats are out (R7, R25 to R27)."""
    for seat in range(s.seats):
        points, out = int(s.points[seat]), bool(s.out[seat])
        if out and (params.match != ELIMINATION or points < NEEDED or s.hand[seat, 0]):
            raise BadPosition(f"Seat {seat + 1} can be out only in an elimination match, with 3 points and no hand.")
        if points == NEEDED and not out:
            raise BadPosition(f"Seat {seat + 1} has 3 points, so the match is over or the seat must be in `out`.")
        if s.point_cards[seat, 0] > (0 if params.point_cards == MARKER else points):
            raise BadPosition(f"point_cards: seat {seat + 1} has more cards than {points} points allow.")
    if count_in(s) < 2:
        raise BadPosition("At least two seats must still be in.")
    if s.out[s.control]:
        raise BadPosition(f"Seat {s.control + 1} is out and can't be in control.")


def check_played(s: State, phase: str) -> None:
    """Check which cards can be on the table in a phase (section 5)."""
    others = s.defence[0] + s.fours[0] + s.help_attack[0] + s.help_defence[0]
    if phase in ("target", "discard", "draw"):
        if s.attack[0] or others:
            raise BadPosition(f"In phase {phase} no cards can be on the table.")
    elif phase == "attack":
        if others:
            raise BadPosition("In phase attack only the attack can be on the table.")
    elif s.ceiling == 0:
        raise BadPosition(f"Phase {phase} needs an attack with a coloured card.")
    elif s.defender == s.attacker or s.out[s.defender]:
        raise BadPosition("The defender must still be in, and can't be the attacker.")
    if s.helping[0] != (phase == "assist_side"):
        raise BadPosition("helping must be one card in phase assist_side, and empty in every other phase.")


def check_chooser(params: Params, s: State) -> None:
    """Check which seat must choose, and that it has a choice now and later."""
    if s.out[s.player] or not _can_choose(s):
        raise BadPosition(f"Seat {s.player + 1} has no choice to make in phase {PHASES[s.phase]}.")
    if s.phase in (TARGET, ATTACK) and s.ceiling == 0 and not has_coloured(params, s.hand[s.attacker]):
        raise BadPosition("The Attacker needs a coloured card; start a turn without an attack in phase draw.")
    for seat in range(s.seats):
        if not is_consistent(params, s, seat, s.hand[seat]):
            raise BadPosition(f"known: the hand of seat {seat + 1} contradicts what is known about it.")
    if s.phase == FOUR and not has_several_fours(params, s.hand[s.player]):
        raise BadPosition("Phase four needs a hand with more than one set of four to choose from.")


def _can_choose(s: State) -> bool:
    """Return whether `s.player` can be the seat to choose in this phase."""
    if s.phase in (TARGET, ATTACK):
        return bool(s.player == s.attacker)
    if s.phase in (ASSIST_CARD, ASSIST_SIDE):
        return bool(s.player not in (s.attacker, s.defender))
    return bool(s.phase == DISCARD or s.player == s.defender)
