"""Untitled Movement Game: what bots learn from (features), what the lab measures (items), and reasons for hints."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.engine.cards import count_cards, in_order
from sparring.engine.features import layout
from sparring.engine.game import GameSetup, Item
from sparring.engine.rule import rule, seat_after
from sparring.engine.squares import OFF, SIDE, SQUARES, STRIDES, column_of, distance, row_of, square_at, square_name
from sparring.engine.types import Floats, Numbers
from sparring.scene.sentences import Text

from .maps import SIDE_NAMES, STARTS
from .moves import direction_of, is_playable, landings, on_goal
from .params import KIND_NAMES, KINDS, MOST, WAY_TEXTS, Params, board_of
from .state import (
    CARD, DISCARD, DISCARD_HAND, DONE, HAND, KIND, NO_MOVE, PHASES, PICK, PLACE_NEW, ROLL, SEATS, SPACE, THREE, TO,
    TOKEN, TOKENS, TURN, State,
)  # fmt: skip

# Feature vectors for learning agents and value models, from what a seat can see

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
def rotate_square(params: Params, s: State, seat: int, square: int) -> int:
    """Return the number of a space after rotating the board so that the seat is at the bottom."""
    row = row_of(square)
    column = column_of(square)
    side = s.side[seat]
    if side == 1:
        return square_at(row, params.columns - 1 - column)
    if side == 2:
        return square_at(params.columns - 1 - column, params.rows - 1 - row)
    if side == 3:
        return square_at(params.rows - 1 - row, column)
    return square


@rule
def rotate_back(params: Params, s: State, seat: int, square: int) -> int:
    """Return the space that `rotate_square` turned into `square`."""
    row = row_of(square)
    column = column_of(square)
    side = s.side[seat]
    if side == 1:
        return square_at(params.columns - 1 - row, column)
    if side == 2:
        return square_at(params.columns - 1 - column, params.rows - 1 - row)
    if side == 3:
        return square_at(row, params.rows - 1 - column)
    return square


@rule
def relative_action(params: Params, s: State, seat: int, action: int) -> int:
    """Return an action in the seat's frame: spaces are those of the board turned to it, as in its features."""
    if TO <= action < TO + SQUARES:
        return TO + rotate_square(params, s, seat, action - TO)
    return action


@rule
def absolute_action(params: Params, s: State, seat: int, action: int) -> int:
    """Return the action of the table for an action in the seat's frame (`relative_action`)."""
    if TO <= action < TO + SQUARES:
        return TO + rotate_back(params, s, seat, action - TO)
    return action


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the board in layers, rotated to the seat, then the rest."""
    for i in range(FEATURES):
        out[i] = 0.0
    encode_public(params, s, seat, out, encode_board(params, s, seat, out))


@rule
def value_features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write VALUE_FEATURES floats to `out` for value models: no spaces, only how far tokens are from their goals.

    With a weight per space, models learn to prefer certain spaces, and bots stay there until the match stalls.
    """
    for i in range(VALUE_FEATURES):
        out[i] = 0.0
    encode_public(params, s, seat, out, 0)


@rule
def encode_public(params: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write the phase, each seat (own seat first), discards, picked card, moves left and counts."""
    out[n + s.phase] = 1.0
    n += len(PHASES)
    for place in range(s.seats):
        encode_seat(params, s, seat_after(s, seat, place), out, n + place * PER_SEAT)
    n += SEATS * PER_SEAT
    for i in range(1, s.discard[0] + 1):
        out[n + s.discard[i]] += 1 / MOST
    n += len(KINDS)
    if s.phase == TOKEN or s.phase == SPACE:
        out[n + s.card] = 1.0
    n += len(KINDS)
    out[n] = s.moves / 3
    out[n + 1] = s.deck[0] / MOST
    out[n + 2] = s.idle / params.stall_rounds
    out[n + 3] = s.seats / SEATS


@rule
def encode_board(params: Params, s: State, seat: int, out: Floats) -> int:
    """Write layers of 12 x 12: open spaces; own starts -1, goals 1; each seat's tokens 1, a picked one 0.5."""
    for square in range(SQUARES):
        if params.open[square]:
            out[rotate_square(params, s, seat, square)] = 1.0
    for i in range(STARTS):
        out[SQUARES + rotate_square(params, s, seat, params.start[s.side[seat], i])] = -1.0
        out[SQUARES + rotate_square(params, s, seat, params.start[s.side[seat] ^ 2, i])] = 1.0
    for place in range(s.seats):
        other = seat_after(s, seat, place)
        for token in range(TOKENS):
            square = s.token[other, token]
            if square != OFF:
                picked = s.phase == SPACE and other == s.player and token == s.picked
                out[(2 + place) * SQUARES + rotate_square(params, s, seat, square)] = 0.5 if picked else 1.0
    return LAYERS * SQUARES


@rule
def encode_seat(params: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write whether a seat is to choose, its moves, its tokens off the board and their distances to goals, its hand."""
    if s.player == seat:
        out[n] = 1.0
        out[n + 1] = s.moves / 3
    for token in range(TOKENS):
        if s.token[seat, token] == OFF:
            out[n + 2] += 1 / TOKENS
        else:
            for steps in range(params.far[s.side[seat], s.token[seat, token]], NEAR):
                out[n + 3 + steps] += 1 / TOKENS
    for i in range(1, s.hand[seat, 0] + 1):
        out[n + 3 + NEAR + s.hand[seat, i]] += 1 / HAND


# The items that the lab measures: kinds of card, sides; how close a seat is to winning

#: Item order: the kinds of card, then the board seen from each side.
FIRST_BOARD = len(KIND_NAMES)


def names(setup: GameSetup) -> tuple[Item, ...]:
    """Return the kinds of card, and the board from each side."""
    board = board_of(setup.content, setup.params).name
    return (
        *(Item("card", kind) for kind in KIND_NAMES),
        *(Item("board", f"{board} from the {side}") for side in SIDE_NAMES),
    )


@rule
def held(params: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand and the seat's side of the board."""
    count_cards(marks, s.hand[seat])
    marks[FIRST_BOARD + s.side[seat]] += 1


@rule
def played(params: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark a card picked to move a token; discarded cards don't count."""
    if s.phase == CARD and KIND <= action < PICK:
        marks[action - KIND] += 1


@rule
def progress(params: Params, s: State, seat: int) -> float:
    """Return how far a seat's tokens have come on average: 0 off the board, 1 home."""
    far = 0.0
    for token in range(TOKENS):
        square = s.token[seat, token]
        if square != OFF:
            far += max(0.0, 1.0 - params.far[s.side[seat], square] / (2 * SIDE))
    return far / TOKENS


# Reasons to prefer one action to another

#: The kinds of cards that lead towards the opposite side.
FORWARD = tuple(kind for kind, name in enumerate(KIND_NAMES) if name.startswith("forward"))


class _Reach(NamedTuple):
    """What a card can do for a token: whether it reaches a goal, and how many steps closer it gets at most."""

    goal: bool
    closer: int


def reasons_for(setup: GameSetup, s: State, action: int, other: int) -> list[Text]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    of_phase = REASONS.get(int(s.phase))
    return list(of_phase(setup, s, action, other)) if of_phase else []


def _space(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    here, there = action - TO, other - TO
    if on_goal(setup.params, s, s.player, here):
        if not on_goal(setup.params, s, s.player, there):
            yield Text("That brings a token home.")
        return
    near, far = (_steps_left(setup, s, square) for square in (here, there))
    if near < far:
        yield Text(
            "From {space} it is {n} step to your nearest goal, from {other} {far}.",
            "From {space} it is {n} steps to your nearest goal, from {other} {far}.",
            n=near, space=square_name(here), other=square_name(there), far=far,
        )  # fmt: skip
    start = int(s.token[s.player, s.picked])
    left = int(s.moves) - distance(start, here)
    if left > 0 and distance(start, here) < distance(start, there):
        yield Text(
            "A shorter move leaves you {n} move for another card.",
            "A shorter move leaves you {n} moves for another card.", n=left,
        )  # fmt: skip


def _token(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    one, two = (_reach(setup, s, each - PICK, int(s.card)) for each in (action, other))
    where, elsewhere = (square_name(int(s.token[s.player, each - PICK])) for each in (action, other))
    if one.goal and not two.goal:
        yield Text("The token on {space} can reach a goal with this card.", space=where)
    elif one.closer > two.closer and one.closer > 0:
        yield Text(
            "The token on {space} gets up to {n} step closer to a goal, the one on {other} {less}.",
            "The token on {space} gets up to {n} steps closer to a goal, the one on {other} {less}.",
            n=one.closer, space=where, other=elsewhere, less=_at_most(two),
        )  # fmt: skip


def _card(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    if action in (NO_MOVE, DONE):
        kinds = [kind for kind in in_order(s.hand[s.player]) if is_playable(setup.params, s, s.player, kind)]
        if all(_best(setup, s, kind).closer <= 0 for kind in kinds):
            yield Text("None of the cards that you can play brings a token closer to a goal.")
        return
    one, way = _best(setup, s, action - KIND), Text(WAY_TEXTS[action - KIND])
    alone = other in (NO_MOVE, DONE)
    two = _Reach(False, 0) if alone else _best(setup, s, other - KIND)
    if one.goal and not two.goal:
        yield Text("A move {way} can bring a token home now.", way=way)
    elif one.closer > two.closer and one.closer > 0 and alone:
        yield Text(
            "A move {way} gets a token up to {n} step closer to a goal.",
            "A move {way} gets a token up to {n} steps closer to a goal.", n=one.closer, way=way,
        )  # fmt: skip
    elif one.closer > two.closer and one.closer > 0:
        yield Text(
            "A move {way} gets a token up to {n} step closer to a goal, a move {other} {less}.",
            "A move {way} gets a token up to {n} steps closer to a goal, a move {other} {less}.",
            n=one.closer, way=way, other=Text(WAY_TEXTS[other - KIND]), less=_at_most(two),
        )  # fmt: skip


def _discard(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    kind, kept = action - KIND, other - KIND
    if in_order(s.hand[s.player]).count(kind) > 1:
        yield Text("You have another {card} card.", card=Text(WAY_TEXTS[kind]))
    if kept in FORWARD and kind not in FORWARD:
        values = {"card": Text(WAY_TEXTS[kept]), "other": Text(WAY_TEXTS[kind])}
        yield Text("Keep {card}: it leads towards your goals, {other} doesn't.", **values)


def _turn(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    trial = s.copy()
    trial.moves = 3
    stuck = not any(is_playable(setup.params, trial, s.player, kind) for kind in in_order(s.hand[s.player]))
    if action == DISCARD_HAND and stuck:
        yield Text("None of your cards can move a token, whatever you roll.")
    elif action == ROLL and not stuck:
        trial.moves = 1
        if any(_best(setup, trial, kind).goal for kind in in_order(s.hand[s.player])):
            yield Text("You can bring a token home with any roll.")


def _three(setup: GameSetup, s: State, action: int, other: int) -> Iterator[Text]:
    if action == PLACE_NEW:
        yield Text("Only a roll of 3 lets you place a new token.")


#: The reasons of each phase that has any.
REASONS = {SPACE: _space, TOKEN: _token, CARD: _card, DISCARD: _discard, TURN: _turn, THREE: _three}


def _best(setup: GameSetup, s: State, kind: int) -> _Reach:
    """Return what a card can do for the token it helps most."""
    reach = [_reach(setup, s, token, kind) for token in range(TOKENS) if s.token[s.player, token] != OFF]
    return _Reach(any(one.goal for one in reach), max((one.closer for one in reach), default=-SQUARES))


def _reach(setup: GameSetup, s: State, token: int, kind: int) -> _Reach:
    """Return what a card can do for a token; where it can't move, it gets no closer."""
    start = int(s.token[s.player, token])
    bits, stride = int(landings(setup.params, s, s.player, token, kind)), STRIDES[direction_of(s, s.player, kind)]
    squares = [start + step * stride for step in range(1, 4) if bits >> step & 1]
    closer = [_steps_left(setup, s, start) - _steps_left(setup, s, square) for square in squares]
    return _Reach(any(on_goal(setup.params, s, s.player, square) for square in squares), max(closer, default=-SQUARES))


def _steps_left(setup: GameSetup, s: State, square: int) -> int:
    return int(setup.params.far[s.side[s.player], square])


def _at_most(reach: _Reach) -> Text:
    return Text("{steps} at most", steps=reach.closer) if reach.closer > 0 else Text("none")
