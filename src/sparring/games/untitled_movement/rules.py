"""Untitled Movement Game: set-up, turns and the stall rule (the rulings in rules.md)."""

import numpy as np

from sparring.engine.cards import deal_cards, draw, empty, insert, pour, put, put_copies, remove, reshuffle, shuffle
from sparring.engine.chance import die
from sparring.engine.rule import beat, clockwise, end_moment, finish, rule, seat_after, seats_with_most, zeros
from sparring.engine.squares import OFF, add_to, take_from

from .maps import STARTS
from .moves import count_on_starts, goal_side, has_free_start, on_goal, stride_of, token_off_board
from .params import KINDS, Params
from .state import (
    ALL_ON_BOARD, BY_BOARD, CARD, DISCARD, DISCARD_HAND, DISCARDED, DONE, DRAW, HAND, HOME, KIND, MOST_ROLLS, MOVED,
    NO_FREE_START, NO_MOVE, NOTHING, PICK, PLACE, PLACE_NEW, RESHUFFLED, SEATS, SPACE, STALLED, START, THREE, THROWN,
    TO, TOKEN, TOKENS, TURN, State, face_value, faces_of,
)  # fmt: skip

# Set-up


@rule
def setup(params: Params, s: State) -> None:
    """Deal three cards to each seat; seat 1 chooses a start first (section 3)."""
    assign_sides(params, s)
    for kind in range(len(KINDS)):
        put_copies(s.deck, kind, params.count[kind])
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        deal_cards(s.deck, s.hand[seat], HAND)
    s.phase = START


@rule
def assign_sides(params: Params, s: State) -> None:
    """Assign sides clockwise from the bottom, two seats opposite each other, with all tokens off the board (R4)."""
    axis = params.pair if params.two_player_seats == BY_BOARD else params.two_player_seats - 1
    for seat in range(s.seats):
        s.side[seat] = seat if s.seats == 4 else 2 * seat + axis
        for token in range(TOKENS):
            s.token[seat, token] = OFF
        if s.seats == 4:
            for i in range(STARTS):
                add_to(s.shut[1 - (s.side[seat] & 1)], params.start[s.side[seat], i])


@rule
def opposite(s: State, seat: int) -> int:
    """Return the seat on the opposite side."""
    return seat_after(s, seat, s.seats >> 1)


@rule
def choose_start(params: Params, s: State, square: int) -> None:
    """Put the first token of the opposite seat on the chosen start (R5)."""
    put_token(s, opposite(s, s.player), 0, square)
    end_moment(s)
    if s.player + 1 < s.seats:
        s.player += 1
    else:
        s.first = roll_for_first(params, s)
        begin_turn(s, s.first)


@rule
def roll_for_first(params: Params, s: State) -> int:
    """Roll for the first turn and return the winner; seats tied for the highest value roll again (R6)."""
    rolling = (1 << s.seats) - 1
    while True:
        best = 0
        highest = 0
        tied = 0
        for seat in range(s.seats):
            if (rolling >> seat) & 1:
                value = roll_die(params, s)
                log_roll(s, seat)
                if value > best:
                    best = value
                    highest = 0
                    tied = 0
                if value == best:
                    highest |= 1 << seat
                    winner = seat
                    tied += 1
        beat(s, THROWN)
        if tied == 1:
            s.face = 0
            return winner
        rolling = highest


@rule
def roll_die(params: Params, s: State) -> int:
    """Roll the die and return its value (R7, R8)."""
    s.face = die(s.rng, faces_of(params))
    return face_value(s.face)


@rule
def log_roll(s: State, seat: int) -> None:
    """Keep a roll for the log; if there are ever too many, drop the earlier ones."""
    if s.throws[0] == MOST_ROLLS:
        empty(s.throws)
    put(s.throws, 8 * seat + s.face)


# The turn (section 5)


@rule
def begin_turn(s: State, seat: int) -> None:
    """Start a turn: the seat rolls or discards its hand."""
    s.turn += 1
    s.player = seat
    s.phase = TURN
    end_moment(s)


@rule
def roll_or_discard(params: Params, s: State, action: int) -> None:
    """Roll, or discard the whole hand, which is decided before the die is seen (R14)."""
    if s.throws[0] > 0:
        empty(s.throws)
    if action == DISCARD_HAND:
        pour(s.hand[s.player], s.discard)
        beat(s, DISCARDED)
        end_turn(params, s)
        return
    s.moves = roll_die(params, s)
    end_moment(s)
    s.phase = THREE if s.moves == 3 and place_obstacle(params, s) == NOTHING else CARD


@rule
def place_obstacle(params: Params, s: State) -> int:
    """Return what keeps the player from placing a token: all are on the board, or no start is free (R12, R13)."""
    if token_off_board(s, s.player) == OFF:
        return ALL_ON_BOARD
    return NOTHING if has_free_start(params, s, s.player) else NO_FREE_START


@rule
def choose_on_three(s: State, action: int) -> None:
    """Use a 3 to place a token or to move (R12)."""
    if action == PLACE_NEW:
        s.moves = 0
        s.phase = PLACE
    else:
        s.phase = CARD


@rule
def place_token(s: State, square: int) -> None:
    """Place a new token; then one card is discarded (R12)."""
    put_token(s, s.player, token_off_board(s, s.player), square)
    note_progress(s)
    s.phase = DISCARD


@rule
def choose_card(params: Params, s: State, action: int) -> None:
    """Pick a card, or stop moving, which costs a card if none was played (R10, R11, R33)."""
    if action == NO_MOVE:
        s.moves = 0
        s.phase = DISCARD
    elif action == DONE:
        end_turn(params, s)
    else:
        s.card = action - KIND
        s.phase = TOKEN


@rule
def move(params: Params, s: State, square: int) -> None:
    """Play the picked card: move the picked token to a space and pay one move for each step (R9, R10).

    The last token that must come home wins at once; any moves left are lost (R23).
    """
    cost = steps_to(s, square)
    remove(s.hand[s.player], s.card)
    put(s.discard, s.card)
    take_from(s.taken, s.token[s.player, s.picked])
    put_token(s, s.player, s.picked, square)
    s.moves -= cost
    if on_goal(params, s, s.player, square):
        note_progress(s)
    wins = has_won(params, s, s.player)
    if wins or s.moves == 0:
        beat(s, MOVED)
    s.card = 0
    s.picked = 0
    if wins:
        s.moves = 0
        finish(s, HOME, 1 << s.player)
    elif s.moves > 0:
        s.phase = CARD
    else:
        end_turn(params, s)


@rule
def steps_to(s: State, square: int) -> int:
    """Return how many steps the picked token takes to a landing."""
    return (square - s.token[s.player, s.picked]) // stride_of(s, s.player, s.card)


@rule
def put_token(s: State, seat: int, token: int, square: int) -> None:
    """Put a token on a space."""
    s.token[seat, token] = square
    add_to(s.taken, square)


@rule
def note_progress(s: State) -> None:
    """Reset the count of idle rounds after a token was placed or came home (R25)."""
    s.idle = 0
    s.stirred = True


@rule
def has_won(params: Params, s: State, seat: int) -> bool:
    """Return whether a seat has brought enough tokens home (R21, R23)."""
    return count_on_starts(params, s, seat, goal_side(s, seat)) >= params.home


@rule
def discard_card(params: Params, s: State, kind: int) -> None:
    """Discard exactly one card and end the turn (R11, R12)."""
    remove(s.hand[s.player], kind)
    put(s.discard, kind)
    beat(s, DISCARDED)
    end_turn(params, s)


@rule
def end_turn(params: Params, s: State) -> None:
    """Draw up to three cards and pass the turn clockwise (R15, R31)."""
    s.moves = 0
    s.face = 0
    hand = s.hand[s.player]
    while hand[0] < HAND:
        if s.deck[0] == 0 and s.discard[0] > 0:
            reshuffle(s.rng, s.deck, s.discard)
            beat(s, RESHUFFLED)
        insert(hand, draw(s.rng, s.deck, s.discard))
    after = clockwise(s, s.player)
    if after == s.first:
        end_round(params, s)
    if not s.over:
        begin_turn(s, after)


# The stall rule (section 6)


@rule
def end_round(params: Params, s: State) -> None:
    """Count idle rounds, and end the match at the limit (R25)."""
    if not s.stirred:
        s.idle += 1
    s.stirred = False
    if s.idle == params.stall_rounds:
        finish(s, STALLED, 0 if params.stall_result == DRAW else leaders(params, s))


@rule
def leaders(params: Params, s: State) -> int:
    """Return the leaders as bits: most tokens home, and among those the fewest on their own starts (R26)."""
    scores = zeros(SEATS, np.int64)
    for seat in range(s.seats):
        home = count_on_starts(params, s, seat, goal_side(s, seat))
        scores[seat] = home * (TOKENS + 1) + TOKENS - count_on_starts(params, s, seat, s.side[seat])
    return seats_with_most(s, scores)


# Choices


@rule
def step(params: Params, s: State, action: int) -> None:
    """Apply one legal choice and everything automatic that follows."""
    if s.phase == CARD:
        choose_card(params, s, action)
    elif s.phase == TOKEN:
        s.picked = action - PICK
        s.phase = SPACE
    elif s.phase == SPACE:
        move(params, s, action - TO)
    elif s.phase == TURN:
        roll_or_discard(params, s, action)
    elif s.phase == DISCARD:
        discard_card(params, s, action - KIND)
    elif s.phase == THREE:
        choose_on_three(s, action)
    elif s.phase == PLACE:
        place_token(s, action - TO)
    else:
        choose_start(params, s, action - TO)
