"""Untitled Movement Game: feature vectors for learning agents and value models, from what a seat can see."""

from sparring.engine.layouts import layout
from sparring.engine.rule import seat_after, rule
from sparring.engine.squares import OFF, SIDE, SQUARES, column_of, row_of, square_at
from sparring.engine.types import Floats

from .kit import KINDS, MOST, Params
from .maps import STARTS
from .state import HAND, PHASES, SEATS, SPACE, TO, TOKEN, TOKENS, State

LAYERS = 2 + SEATS  # open spaces; own starts and goals; the tokens of each seat
NEAR = 12  # features for the number of tokens at most 0, 1, ... 11 steps from a goal
PER_SEAT = 3 + NEAR + len(KINDS)  # player to move, moves left, tokens off the board, NEAR, the hand
VALUE_FEATURES = len(PHASES) + SEATS * PER_SEAT + 2 * len(KINDS) + 4
FEATURES = LAYERS * SQUARES + VALUE_FEATURES
LAYOUT = layout(
    ("board", (LAYERS, SIDE, SIDE), -1, 1,
     ("the board by row and column, turned so that the seat is at the bottom: open spaces; own starts -1 "
      "and goals 1; the tokens of each seat, own seat first, 0.5 for a picked one")),
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("seats", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: must act, moves left / 3, tokens off the board, tokens at most 0, 1, ... "
      "11 steps from a goal, hand by kind")),
    ("discard", len(KINDS), 0, 1, "the discard pile, by kind"),
    ("card", len(KINDS), 0, 1, "the card being played, one-hot"),
    ("moves", 1, 0, 1, "moves left / 3"),
    ("deck", 1, 0, 1, "cards in the draw pile"),
    ("idle", 1, 0, 1, "idle rounds / limit"),
    ("players", 1, 0, 1, "seats in play / 4"),
)  # fmt: skip


@rule
def rotate_square(kit: Params, s: State, seat: int, square: int) -> int:
    """Return the number of a space after rotating the board so that the seat is at the bottom."""
    row = row_of(square)
    column = column_of(square)
    side = s.side[seat]
    if side == 1:
        return square_at(row, kit.columns - 1 - column)
    if side == 2:
        return square_at(kit.columns - 1 - column, kit.rows - 1 - row)
    if side == 3:
        return square_at(kit.rows - 1 - row, column)
    return square


@rule
def rotate_back(kit: Params, s: State, seat: int, square: int) -> int:
    """Return the space that `rotate_square` turned into `square`."""
    row = row_of(square)
    column = column_of(square)
    side = s.side[seat]
    if side == 1:
        return square_at(kit.columns - 1 - row, column)
    if side == 2:
        return square_at(kit.columns - 1 - column, kit.rows - 1 - row)
    if side == 3:
        return square_at(row, kit.rows - 1 - column)
    return square


@rule
def relative_action(kit: Params, s: State, seat: int, action: int) -> int:
    """Return an action in the seat's frame: spaces are those of the board turned to it, as in its features."""
    if TO <= action < TO + SQUARES:
        return TO + rotate_square(kit, s, seat, action - TO)
    return action


@rule
def absolute_action(kit: Params, s: State, seat: int, action: int) -> int:
    """Return the action of the table for an action in the seat's frame (`relative_action`)."""
    if TO <= action < TO + SQUARES:
        return TO + rotate_back(kit, s, seat, action - TO)
    return action


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the board in layers, rotated to the seat, then the rest."""
    for i in range(FEATURES):
        out[i] = 0.0
    encode_public(kit, s, seat, out, encode_board(kit, s, seat, out))


@rule
def value_features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write VALUE_FEATURES floats to `out` for value models: no spaces, only how far tokens are from their goals.

    With a weight per space, models learn to prefer certain spaces, and bots stay there until the match stalls.
    """
    for i in range(VALUE_FEATURES):
        out[i] = 0.0
    encode_public(kit, s, seat, out, 0)


@rule
def encode_public(kit: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write the phase, each seat (own seat first), discards, picked card, moves left and counts."""
    out[n + s.phase] = 1.0
    n += len(PHASES)
    for place in range(s.seats):
        encode_seat(kit, s, seat_after(s, seat, place), out, n + place * PER_SEAT)
    n += SEATS * PER_SEAT
    for i in range(1, s.discard[0] + 1):
        out[n + s.discard[i]] += 1 / MOST
    n += len(KINDS)
    if s.phase == TOKEN or s.phase == SPACE:
        out[n + s.card] = 1.0
    n += len(KINDS)
    out[n] = s.moves / 3
    out[n + 1] = s.deck[0] / MOST
    out[n + 2] = s.idle / kit.stall_rounds
    out[n + 3] = s.seats / SEATS


@rule
def encode_board(kit: Params, s: State, seat: int, out: Floats) -> int:
    """Write layers of 12 x 12: open spaces; own starts -1, goals 1; each seat's tokens 1, a picked one 0.5."""
    for square in range(SQUARES):
        if kit.open[square]:
            out[rotate_square(kit, s, seat, square)] = 1.0
    for i in range(STARTS):
        out[SQUARES + rotate_square(kit, s, seat, kit.start[s.side[seat], i])] = -1.0
        out[SQUARES + rotate_square(kit, s, seat, kit.start[s.side[seat] ^ 2, i])] = 1.0
    for place in range(s.seats):
        other = seat_after(s, seat, place)
        for token in range(TOKENS):
            square = s.token[other, token]
            if square != OFF:
                picked = s.phase == SPACE and other == s.player and token == s.picked
                out[(2 + place) * SQUARES + rotate_square(kit, s, seat, square)] = 0.5 if picked else 1.0
    return LAYERS * SQUARES


@rule
def encode_seat(kit: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write whether a seat is to choose, its moves, its tokens off the board and their distances to goals, its hand."""
    if s.player == seat:
        out[n] = 1.0
        out[n + 1] = s.moves / 3
    for token in range(TOKENS):
        if s.token[seat, token] == OFF:
            out[n + 2] += 1 / TOKENS
        else:
            for steps in range(kit.far[s.side[seat], s.token[seat, token]], NEAR):
                out[n + 3 + steps] += 1 / TOKENS
    for i in range(1, s.hand[seat, 0] + 1):
        out[n + 3 + NEAR + s.hand[seat, i]] += 1 / HAND
