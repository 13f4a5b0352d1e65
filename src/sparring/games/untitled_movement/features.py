"""Untitled Movement Game: what a seat knows, as numbers for a learner."""

from sparring.engine.rule import places_on, rule
from sparring.engine.squares import OFF, SIDE, SQUARES, column_of, row_of, square_at

from .kit import KINDS, MOST
from .maps import STARTS
from .moves import standing_at
from .state import HAND, PHASES, SEATS, SPACE, TOKEN, TOKENS

LAYERS = 2 + SEATS  # open spaces, starts and goals, the tokens of each seat
PER_SEAT = 4 + len(KINDS)  # whose turn, tokens home and off the board, how far they have come, the hand
FEATURES = LAYERS * SQUARES + len(PHASES) + SEATS * PER_SEAT + 2 * len(KINDS) + 4


@rule
def facing(kit, s, seat, square):
    """Where a space lies when the board is turned so that the seat sits at the bottom."""
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
def observe(kit, s, seat, out):
    """The board from the seat's side, in layers; phase; the seats, one's own first; discards, card, die and counts."""
    for i in range(FEATURES):
        out[i] = 0.0
    n = observe_board(kit, s, seat, out)
    out[n + s.phase] = 1.0
    n += len(PHASES)
    for place in range(s.seats):
        observe_seat(kit, s, places_on(s, seat, place), out, n + place * PER_SEAT)
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
def observe_board(kit, s, seat, out):
    """Layers of 12 x 12: open spaces; own starts -1, goals 1; the tokens of each seat, the picked one as a half."""
    for square in range(SQUARES):
        if kit.open[square]:
            out[facing(kit, s, seat, square)] = 1.0
    for i in range(STARTS):
        out[SQUARES + facing(kit, s, seat, kit.start[s.side[seat], i])] = -1.0
        out[SQUARES + facing(kit, s, seat, kit.start[s.side[seat] ^ 2, i])] = 1.0
    for place in range(s.seats):
        other = places_on(s, seat, place)
        for token in range(TOKENS):
            square = s.token[other, token]
            if square != OFF:
                picked = s.phase == SPACE and other == s.player and token == s.picked
                out[(2 + place) * SQUARES + facing(kit, s, seat, square)] = 0.5 if picked else 1.0
    return LAYERS * SQUARES


@rule
def observe_seat(kit, s, seat, out, n):
    """Whether it is to choose, its tokens home and off the board, how far they have come, its hand by kind."""
    out[n] = 1.0 if s.player == seat else 0.0
    out[n + 1] = standing_at(kit, s, seat, s.side[seat] ^ 2) / TOKENS
    for token in range(TOKENS):
        if s.token[seat, token] == OFF:
            out[n + 2] += 1 / TOKENS
        else:
            out[n + 3] += max(0.0, 1.0 - kit.far[s.side[seat], s.token[seat, token]] / (2 * SIDE)) / TOKENS
    for i in range(1, s.hand[seat, 0] + 1):
        out[n + 4 + s.hand[seat, i]] += 1 / HAND
