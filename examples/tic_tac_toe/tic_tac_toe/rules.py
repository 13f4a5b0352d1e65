"""Tic-tac-toe: the rules (R1 and R2 of rules.md)."""

import numpy as np

from sparring.engine.chance import forget, reseed
from sparring.engine.layouts import layout
from sparring.engine.rule import ActionSpace, end_moment, finish, no_private_observation, rule
from sparring.engine.state import Header, dtype_of, integer, integers, seat_number
from sparring.engine.types import Floats, Generator, Numbers

from .kit import Params

SEATS = 2
SQUARES = 9
#: An empty square; on the board, seats count from 1.
EMPTY = 0

PHASES: tuple[str, ...] = ("take",)
ENDINGS: tuple[str, ...] = ("row", "full")
ROW, FULL = range(2)
BEATS: tuple[str, ...] = ()
ACTIONS = ActionSpace(square=SQUARES)
FEATURES = 2 * SQUARES
LAYOUT = layout(
    ("own", SQUARES, 0, 1, "the seat's own squares"),
    ("other", SQUARES, 0, 1, "the other seat's squares"),
)
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], np.int16)


class State(Header, seats=SEATS):
    """The state of a match."""

    #: The owner of each square, row by row from the top.
    board = integers(SQUARES, EMPTY, SEATS)
    turn = integer(1, SQUARES, default=lambda params, s: min(taken(s) + 1, SQUARES))
    player = seat_number(default=lambda params, s: taken(s) % SEATS)


KIT = dtype_of(Params)
STATE = dtype_of(State)

private_observation = no_private_observation


@rule
def setup(kit: Params, s: State) -> None:
    """Start with an empty board."""
    s.turn = 1


@rule
def legal(kit: Params, s: State, out: Numbers) -> int:
    """Write the empty squares (R1)."""
    count = 0
    for square in range(SQUARES):
        if s.board[square] == EMPTY:
            out[count] = square
            count += 1
    return count


@rule
def step(kit: Params, s: State, action: int) -> None:
    """Take a square (R1); three in a row win (R2)."""
    player = s.player
    s.board[action] = player + 1
    end_moment(s)
    if has_line(s, player + 1):
        finish(s, ROW, 1 << player)
    elif s.turn == SQUARES:
        finish(s, FULL, 0)
    else:
        s.turn += 1
        s.player = 1 - player


@rule
def taken(s: State) -> int:
    """Return the number of taken squares."""
    count = 0
    for square in range(SQUARES):
        count += s.board[square] != EMPTY
    return count


@rule
def has_line(s: State, mark: int) -> bool:
    """Return whether a seat has three in a row, column or diagonal (R2)."""
    for line in range(len(LINES)):
        mine = 0
        for place in range(3):
            if s.board[LINES[line, place]] == mark:
                mine += 1
        if mine == 3:
            return True
    return False


@rule
def redact(kit: Params, s: State, seat: int) -> None:
    """Erase the generator, which is never used; nothing else is hidden."""
    forget(s.rng)


@rule
def determinize(kit: Params, s: State, seat: int, g: Generator) -> None:
    """Reseed the generator; nothing else is hidden."""
    reseed(s.rng, g)


@rule
def observe_action(kit: Params, s: State, action: int, seat: int) -> int:
    """Return the action: every seat sees it."""
    return action


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write the seat's own squares, then the other seat's."""
    for square in range(SQUARES):
        out[square] = 1.0 if s.board[square] == seat + 1 else 0.0
        out[SQUARES + square] = 1.0 if s.board[square] == 2 - seat else 0.0
