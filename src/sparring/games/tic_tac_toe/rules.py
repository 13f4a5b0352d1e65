"""Tic-tac-toe: rules and features (rulings R1 to R3 of rules.md)."""

import numpy as np

from sparring.engine.chance import reseed
from sparring.engine.errors import BadPosition
from sparring.engine.features import layout
from sparring.engine.formats.positions import Positions
from sparring.engine.game import GameSetup
from sparring.engine.hiding import default_redact
from sparring.engine.rule import ActionSpace, clockwise, end_moment, finish, no_private_observation, public_action, rule
from sparring.engine.state import Header, integer, integers, seat_number
from sparring.engine.types import Floats, Generator, Numbers

from .params import Params

SEATS = 2
ACROSS = 3
SQUARES = ACROSS * ACROSS
#: An empty square; on the board, seats count from 1.
EMPTY = 0

PHASES: tuple[str, ...] = ("take",)
ENDINGS: tuple[str, ...] = ("three in a row", "full board")
ROW, FULL = range(2)
BEATS: tuple[str, ...] = ()
ACTIONS = ActionSpace(square=SQUARES)
FEATURES = 2 * SQUARES
LAYOUT = layout(
    ("own", SQUARES, 0, 1, "the seat's own squares"),
    ("other", SQUARES, 0, 1, "the other seat's squares"),
)
LINES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]], np.int16)


@rule
def taken(state: "State") -> int:
    """Return the number of taken squares."""
    count = 0
    for square in range(SQUARES):
        count += state.board[square] != EMPTY
    return count


class State(Header, seats=SEATS):
    """The state of a match: the header that all games share, and these fields."""

    board = integers(SQUARES, EMPTY, SEATS)  # the owner of each square, row by row from the top
    turn = integer(1, SQUARES, default=lambda params, state: min(taken(state) + 1, SQUARES))
    player = seat_number(default=lambda params, state: taken(state) % SEATS)


def check(setup: GameSetup, state: State, phase: str) -> None:
    """Check that a position leaves a square to take."""
    if not state.over and taken(state) == SQUARES:
        raise BadPosition("board must have an empty square, unless the match is over.")


#: How positions are read and written (their form is in positions.md).
POSITIONS = Positions(State, check)


@rule
def setup(params: Params, state: State) -> None:
    """Start with an empty board (R1)."""
    state.turn = 1


@rule
def legal(params: Params, state: State, out: Numbers) -> int:
    """Write the empty squares to `out` and return how many there are (R1)."""
    count = 0
    for square in range(SQUARES):
        if state.board[square] == EMPTY:
            out[count] = square
            count += 1
    return count


@rule
def step(params: Params, state: State, action: int) -> None:
    """Take a square (R1). Three in a row win, or lose with the option (R2); a full board is a draw (R3)."""
    player = state.player
    other = clockwise(state, player)
    state.board[action] = player + 1
    end_moment(state)
    if has_line(state, player + 1):
        finish(state, ROW, 1 << (other if params.row else player))
    elif state.turn == SQUARES:
        finish(state, FULL, 0)
    else:
        state.turn += 1
        state.player = other


@rule
def has_line(state: State, mark: int) -> bool:
    """Return whether a seat has three in a row, column or diagonal."""
    for line in range(len(LINES)):
        mine = 0
        for place in range(ACROSS):
            if state.board[LINES[line, place]] == mark:
                mine += 1
        if mine == ACROSS:
            return True
    return False


# Nothing is hidden: views lack only the generator.
redact = default_redact(State)
private_observation = no_private_observation


@rule
def determinize(params: Params, state: State, seat: int, g: Generator) -> None:
    """Seed the generator, which is all that a view lacks."""
    reseed(state.rng, g)


observe_action = public_action


@rule
def features(params: Params, state: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the seat's own squares, then the other seat's."""
    for square in range(SQUARES):
        out[square] = 1.0 if state.board[square] == seat + 1 else 0.0
        out[SQUARES + square] = 1.0 if state.board[square] == 2 - seat else 0.0
