"""World of Fighters: legal choices, scores, and when a super can be claimed."""

import numpy as np

from sparring.engine.game import GameSetup
from sparring.engine.rule import offer, rule
from sparring.engine.squares import OFF, directions_on_board, distance, heading_bit, offer_walks, on_edge
from sparring.engine.types import CardPile, Numbers
from sparring.scene.sentences import Text

from .params import BOTH, KIND_TEXTS, PLUS, REVEAL, RINGOUT, UPTO, Fighter, Params
from .state import (
    ACTION_CARD, ACTIONS, BLOCK, CLAIM, COUNTER, GRAPPLE, KICK, MOVE, MOVE_CARD, NOT_CLAIM, PUNCH, SKIP, SUPER_SCORE,
    TO_CALL, TO_CLAIM, TO_COUNTER, TO_MOVE, TO_PICK, TO_PLAY, TO_SQUARE, State, has_super, may_call,
)  # fmt: skip


@rule
def first_mover(s: State) -> int:
    """Return the seat that moves first this round: P1 in odd rounds, P2 in even ones (R10)."""
    return (s.turn + 1) & 1


# Legal choices


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` and return how many there are."""
    if s.phase == MOVE_CARD:
        return movement_cards(s, out)
    if s.phase == ACTION_CARD:
        return action_cards(params, s, out)
    if s.phase == MOVE:
        return destinations(params, s, out)
    if s.phase == COUNTER:
        return counters(s, out)
    if s.phase == CLAIM:
        out[0] = TO_CLAIM
        out[1] = NOT_CLAIM
        return 2
    return free_fighters(params, s, out)


@rule
def free_fighters(params: Params, s: State, out: Numbers) -> int:
    """Write every fighter that is still free to `out` and return how many (R3)."""
    n = 0
    for fighter in range(params.fighters):
        n = offer(out, n, TO_PICK + fighter, fighter != s.fighter[1 - s.player])
    return n


@rule
def movement_cards(s: State, out: Numbers) -> int:
    """Write the Movement cards that are not resting to `out` and return how many (R6)."""
    n = 0
    for card in range(1, 4):
        n = offer(out, n, TO_MOVE + card - 1, card != s.resting[s.player])
    return n


@rule
def action_cards(params: Params, s: State, out: Numbers) -> int:
    """Write each kind in hand, and the super if it may be called, to `out` and return how many (R24)."""
    n = kinds_in(s.hand[s.player], 1, BLOCK, TO_PLAY, out)
    if may_call(params, s, s.player):
        out[n] = TO_CALL + params.super_kind[s.fighter[s.player]] - 1
        n += 1
    return n


@rule
def kinds_in(hand: CardPile, first: int, last: int, start: int, out: Numbers) -> int:
    """Write each kind from `first` to `last` in a hand to `out`, as choices from `start` on; return how many."""
    n = 0
    kind = 0
    for i in range(1, hand[0] + 1):
        n = offer(out, n, start + hand[i] - 1, (hand[i] != kind) & (first <= hand[i]) & (hand[i] <= last))
        kind = hand[i]
    return n


@rule
def counters(s: State, out: Numbers) -> int:
    """Write each attack left in hand, in range or not, and SKIP to `out`; return how many (R20)."""
    n = kinds_in(s.hand[s.player], PUNCH, GRAPPLE, TO_COUNTER, out)
    out[n] = SKIP
    return n + 1


@rule
def fewest_squares(params: Params, steps: int) -> int:
    """Return the smallest number of squares that a Movement card allows (R7)."""
    return 1 if params.movement == UPTO else int(steps)


@rule
def free_directions(params: Params, s: State, steps: int) -> int:
    """Return the directions in which `s.player` may move `steps` squares, as bits (R7, R9)."""
    here = s.square[s.player]
    opponent = s.square[1 - s.player]
    away = distance(here, opponent)
    is_blocked = (away == steps) | ((away < steps) & (params.pass_through == 0))
    blocked = heading_bit(here, opponent) * int(is_blocked)
    return directions_on_board(here, steps, params.columns, params.rows) & ~blocked


@rule
def can_move(params: Params, s: State) -> bool:
    """Return whether `s.player` has a legal move: if any length is possible, the shortest one is."""
    return free_directions(params, s, fewest_squares(params, s.movement[s.player])) != 0


@rule
def destinations(params: Params, s: State, out: Numbers) -> int:
    """Write the squares that `s.player` may move to, as choices, to `out` and return how many there are (R7, R9)."""
    here = s.square[s.player]
    steps = s.movement[s.player]
    n = 0
    for length in range(fewest_squares(params, steps), steps + 1):
        n = offer_walks(out, n, TO_SQUARE, here, length, free_directions(params, s, length))
    if params.movement == UPTO:
        sort(out, n)
    return n


@rule
def sort(out: Numbers, n: int) -> None:
    """Sort the first `n` choices in ascending order."""
    for i in range(1, n):
        action = out[i]
        j = i
        while j > 0 and out[j - 1] > action:
            out[j] = out[j - 1]
            j -= 1
        out[j] = action


# Range and scores

# Base values by range, from 0 (section 6.1 of the rulings); 0 is no attack.
PUNCH_CLOSE, PUNCH_LONG, PUNCH_BOTH, KICKS, GRAPPLES = range(5)
BASES = np.array([
    [0, 1, 2, 0, 0, 0, 0],
    [0, 0, 2, 1, 0, 0, 0],
    [0, 1, 2, 1, 0, 0, 0],
    [0, 0, 1, 2, 0, 0, 0],
    [0, 2, 1, 0, 0, 0, 0],
])  # fmt: skip


@rule
def range_now(s: State) -> int:
    """Return the range between the fighters, in king's moves (R11)."""
    return distance(s.square[0], s.square[1])


@rule
def at_super_range(params: Params, s: State, seat: int) -> bool:
    """Return whether the range is exactly what the seat's super requires."""
    return range_now(s) == params.super_range[s.fighter[seat]]


@rule
def may_claim(params: Params, s: State, seat: int) -> bool:
    """Return whether a seat may claim its super with its revealed card (R24, `reveal`)."""
    right_card = s.action[seat] == params.super_kind[s.fighter[seat]]
    return params.super_call == REVEAL and has_super(s, seat) and right_card and at_super_range(params, s, seat)


@rule
def overrules(params: Params, s: State, attacker: int) -> bool:
    """Return whether the attacker's super overrules the opponent's Block (R28)."""
    return s.performed[attacker] != 0 and s.performed[1 - attacker] == 0 and params.super_vs_block != RINGOUT


@rule
def forces_ring_out(params: Params, s: State, seat: int) -> bool:
    """Return whether a seat performed its super while the opponent is on the edge (R29)."""
    return s.performed[seat] != 0 and on_edge(s.square[1 - seat], params.columns, params.rows)


@rule
def base_value(params: Params, fighter: int, kind: int, at_range: int) -> int:
    """Return the base value of a kind of attack at a range (R12, R14)."""
    row = PUNCH_LONG if params.long[fighter] else PUNCH_CLOSE
    if params.punch_ends == BOTH:
        row = PUNCH_BOTH
    if kind == KICK:
        row = KICKS
    if kind == GRAPPLE:
        row = GRAPPLES
    return int(BASES[row, at_range])


@rule
def ordinary_score(params: Params, s: State, seat: int, kind: int) -> int:
    """Return the score of an ordinary attack: base plus stat, or 0 if the base is 0 (R13, R15)."""
    fighter = s.fighter[seat]
    stat = params.stat[fighter, kind]
    value = base_value(params, fighter, kind, range_now(s))
    return value + stat if value > 0 else 0


@rule
def super_score(params: Params, s: State, seat: int) -> int:
    """Return the score of a performed super; of a Block super, what it subtracts (R26, R27)."""
    fighter = s.fighter[seat]
    return SUPER_SCORE + (params.stat[fighter, params.super_kind[fighter]] if params.super_score == PLUS else 0)


@rule
def score(params: Params, s: State, seat: int) -> int:
    """Return the score of a seat's revealed attack card."""
    return super_score(params, s, seat) if s.performed[seat] else ordinary_score(params, s, seat, s.action[seat])


@rule
def block_value(params: Params, s: State, seat: int) -> int:
    """Return what a seat's revealed Block subtracts from an attack (R16, R27)."""
    return super_score(params, s, seat) if s.performed[seat] else params.stat[s.fighter[seat], BLOCK]


# What pages show: names, the numbers that add up to a score, and squares in reach


def card_of(setup: GameSetup, s: State, seat: int) -> Fighter:
    """Return the card of a seat's fighter."""
    found: Fighter = setup.content.fighters[int(s.fighter[seat])]
    return found


def kind_name(kind: int) -> Text:
    """Return `Punch`, `Kick`, `Grapple` or `Block`."""
    return Text(KIND_TEXTS[int(kind) - 1])


def some_cards(kind: int, n: int = 1) -> Text:
    """Return a number of Action cards of a kind: `a Punch`, `2 Punches`."""
    return (
        Text("a Punch", "{n} Punches", n=n), Text("a Kick", "{n} Kicks", n=n),
        Text("a Grapple", "{n} Grapples", n=n), Text("a Block", "{n} Blocks", n=n),
    )[int(kind) - 1]  # fmt: skip


def last_revealed(s: State) -> State:
    """Return the state with the Action cards that were last revealed, so that their scores can be worked out again."""
    shown = s.copy()
    if not s.shown:
        shown.action[:], shown.performed[:], shown.counter = s.last_action, s.last_performed, s.last_counter
        shown.turn -= 0 if s.over else 1
    return shown


def ordinary_parts(setup: GameSetup, s: State, seat: int, kind: int) -> tuple[int, ...]:
    """Return base and stat of an ordinary attack; nothing if it is out of range."""
    base = int(base_value(setup.params, s.fighter[seat], kind, range_now(s)))
    return (base, int(setup.params.stat[s.fighter[seat], kind])) if base else ()


def score_parts(setup: GameSetup, shown: State, seat: int) -> tuple[int, ...]:
    """Return the numbers that add up to the score of a revealed card; nothing for an attack out of range."""
    if shown.performed[seat]:
        stat = int(super_score(setup.params, shown, seat)) - SUPER_SCORE
        return (SUPER_SCORE, stat) if stat else (SUPER_SCORE,)
    if shown.action[seat] == BLOCK:
        return (int(block_value(setup.params, shown, seat)),)
    return ordinary_parts(setup, shown, seat, int(shown.action[seat]))


def squares_by(setup: GameSetup, s: State, seat: int, steps: int) -> list[int]:
    """Return the squares that a seat could reach with a Movement card if it moved now."""
    trial, out = s.copy(), np.zeros(len(ACTIONS), np.int16)
    trial.player = seat
    trial.movement[seat] = steps
    n = destinations(setup.params, trial, out) if s.square[seat] != OFF else 0
    return [int(action) - TO_SQUARE for action in out[:n]]
