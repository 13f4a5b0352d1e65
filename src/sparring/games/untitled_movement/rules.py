"""Untitled Movement Game: the rules, ruling by ruling (R1 to R36 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import draw, empty, insert, pour, put, remove, renew, shuffle, take_top
from sparring.engine.chance import die
from sparring.engine.rule import clockwise, end_moment, finish, no_news as news, places_on, rule
from sparring.engine.squares import OFF, STRIDES, add_to, take_from

from .features import CLUES, FEATURES, clues, observe
from .kit import KINDS
from .knowledge import glimpse, imagine, redact
from .maps import STARTS
from .moves import (
    goal_side, has_free_start, legal, on_goal, standing_at, token_off, way,
)  # fmt: skip
from .state import (
    ACTIONS, BEATS, BY_BOARD, CARD, D6, DISCARD, DISCARDED, DISCARD_HAND, DONE, DRAW, ENDINGS, HAND, HOME, KIND, KIT,
    MOVED, NO_MOVE, OPEN, PHASES, PICK, PLACE, PLACE_IT, RESHUFFLED, SPACE, STALLED, START, STATE, THREE, THROWN,
    THROWS, TO, TOKEN, TOKENS, TURN,
)  # fmt: skip

__all__ = [
    "ACTIONS", "BEATS", "CLUES", "ENDINGS", "FEATURES", "KIT", "OPEN", "PHASES", "STATE",
    "clues", "glimpse", "imagine", "legal", "news", "observe", "redact", "setup", "step",
]  # fmt: skip

# Set-up


@rule
def setup(kit, s):
    """Deal three cards to each seat, and ask the first one for a start (section 3)."""
    take_sides(kit, s)
    for kind in range(len(KINDS)):
        for _ in range(kit.count[kind]):
            put(s.deck, kind)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(HAND):
            insert(s.hand[seat], take_top(s.deck))
    s.phase = START


@rule
def take_sides(kit, s):
    """Seats sit clockwise from the bottom, two of them opposite each other; no token is on the board yet (R4)."""
    axis = kit.pair if kit.two_player_seats == BY_BOARD else kit.two_player_seats - 1
    for seat in range(s.seats):
        s.side[seat] = seat if s.seats == 4 else 2 * seat + axis
        for token in range(TOKENS):
            s.token[seat, token] = OFF
        if s.seats == 4:
            for i in range(STARTS):
                add_to(s.shut[1 - (s.side[seat] & 1)], kit.start[s.side[seat], i])


@rule
def opposite(s, seat):
    """The seat across the board."""
    return places_on(s, seat, s.seats >> 1)


@rule
def choose_start(kit, s, square):
    """The first token of the seat across is put where this seat says (R5)."""
    put_down(s, opposite(s, s.player), 0, square)
    end_moment(s)
    if s.player + 1 < s.seats:
        s.player += 1
    else:
        s.first = highest_thrower(kit, s)
        begin_turn(s, s.first)


@rule
def highest_thrower(kit, s):
    """Everybody throws the die; of those with the highest value only they throw again, until one is left (R6)."""
    throwing = (1 << s.seats) - 1
    while True:
        best = 0
        highest = 0
        many = 0
        for seat in range(s.seats):
            if (throwing >> seat) & 1:
                value = throw(kit, s)
                keep_throw(s, seat)
                if value > best:
                    best = value
                    highest = 0
                    many = 0
                if value == best:
                    highest |= 1 << seat
                    winner = seat
                    many += 1
        beat(s, THROWN)
        if many == 1:
            s.face = 0
            return winner
        throwing = highest


@rule
def throw(kit, s):
    """Throw the die: its value; a face above 3 counts 3 less (R7, R8)."""
    s.face = die(s.rng, 6 if kit.die == D6 else 3)
    return s.face - 3 if s.face > 3 else s.face


@rule
def keep_throw(s, seat):
    """Note a throw for the log; should there ever be too many, only the latest are kept."""
    if s.throws[0] == THROWS:
        empty(s.throws)
    put(s.throws, 8 * seat + s.face)


# The turn (section 5)


@rule
def begin_turn(s, seat):
    """The seat is to roll, or to discard its hand."""
    s.turn += 1
    s.player = seat
    s.phase = TURN
    end_moment(s)


@rule
def take_turn(kit, s, action):
    """Roll, or discard the whole hand: that is chosen before the die is seen (R14)."""
    if s.throws[0] > 0:
        empty(s.throws)
    if action == DISCARD_HAND:
        pour(s.hand[s.player], s.discard)
        beat(s, DISCARDED)
        end_turn(kit, s)
        return
    s.moves = throw(kit, s)
    end_moment(s)
    s.phase = THREE if s.moves == 3 and can_place(kit, s) else CARD


@rule
def can_place(kit, s):
    """Whether a token is off the board and one of the seat's starts is free (R12, R13)."""
    return token_off(s, s.player) != OFF and has_free_start(kit, s, s.player)


@rule
def choose_on_three(s, action):
    """A 3 is for placing or for moving (R12)."""
    if action == PLACE_IT:
        s.moves = 0
        s.phase = PLACE
    else:
        s.phase = CARD


@rule
def place(s, square):
    """A new token comes onto the board; then one card is discarded (R12)."""
    put_down(s, s.player, token_off(s, s.player), square)
    stir(s)
    s.phase = DISCARD


@rule
def choose_card(kit, s, action):
    """Use a card; or leave off, which costs a card if none was used (R10, R11, R33)."""
    if action == NO_MOVE:
        s.moves = 0
        s.phase = DISCARD
    elif action == DONE:
        end_turn(kit, s)
    else:
        s.card = action - KIND
        s.phase = TOKEN


@rule
def move(kit, s, square):
    """The card is used: its token goes to the space, and the steps are paid (R9, R10).

    With the fourth token home its seat wins at once, and moves left are lost (R23).
    """
    cost = steps_to(s, square)
    remove(s.hand[s.player], s.card)
    put(s.discard, s.card)
    take_from(s.taken, s.token[s.player, s.picked])
    put_down(s, s.player, s.picked, square)
    s.moves -= cost
    if on_goal(kit, s, s.player, square):
        stir(s)
    wins = has_won(kit, s, s.player)
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
        end_turn(kit, s)


@rule
def steps_to(s, square):
    """How many steps the picked token makes to a landing."""
    here = s.token[s.player, s.picked] + STRIDES[way(s, s.player, s.card)]
    steps = 1
    while here != square:
        here += STRIDES[way(s, s.player, s.card)]
        steps += 1
    return steps


@rule
def put_down(s, seat, token, square):
    """A token stands on a space from now on."""
    s.token[seat, token] = square
    add_to(s.taken, square)


@rule
def stir(s):
    """A token was placed or arrived: the count of idle rounds begins anew (R25)."""
    s.idle = 0
    s.stirred = 1


@rule
def has_won(kit, s, seat):
    """Whether all tokens of a seat are home (R21, R23)."""
    return standing_at(kit, s, seat, goal_side(s, seat)) == TOKENS


@rule
def discard(kit, s, kind):
    """Exactly one card is discarded (R11, R12)."""
    remove(s.hand[s.player], kind)
    put(s.discard, kind)
    beat(s, DISCARDED)
    end_turn(kit, s)


@rule
def end_turn(kit, s):
    """Draw up to three cards, then it is the next seat's turn (R15, R31)."""
    s.moves = 0
    s.face = 0
    hand = s.hand[s.player]
    while hand[0] < HAND:
        if s.deck[0] == 0 and s.discard[0] > 0:
            renew(s.rng, s.deck, s.discard)
            beat(s, RESHUFFLED)
        insert(hand, draw(s.rng, s.deck, s.discard))
    after = clockwise(s, s.player)
    if after == s.first:
        end_round(kit, s)
    if not s.over:
        begin_turn(s, after)


# The stall rule (section 6)


@rule
def end_round(kit, s):
    """Everybody had a turn; after too many idle rounds the game ends (R25)."""
    if not s.stirred:
        s.idle += 1
    s.stirred = 0
    if s.idle == kit.stall_rounds:
        finish(s, STALLED, 0 if kit.stall_result == DRAW else leaders(kit, s))


@rule
def leaders(kit, s):
    """As bits: most tokens home, and of those with equally many the fewest on their own starts (R26)."""
    best = -1
    ahead = 0
    for seat in range(s.seats):
        home = standing_at(kit, s, seat, goal_side(s, seat))
        worth = home * (TOKENS + 1) + TOKENS - standing_at(kit, s, seat, s.side[seat])
        if worth > best:
            best = worth
            ahead = 0
        if worth == best:
            ahead |= 1 << seat
    return ahead


# Choosing


@rule
def step(kit, s, action):
    """Carry out a choice."""
    if s.phase == CARD:
        choose_card(kit, s, action)
    elif s.phase == TOKEN:
        s.picked = action - PICK
        s.phase = SPACE
    elif s.phase == SPACE:
        move(kit, s, action - TO)
    elif s.phase == TURN:
        take_turn(kit, s, action)
    elif s.phase == DISCARD:
        discard(kit, s, action - KIND)
    elif s.phase == THREE:
        choose_on_three(s, action)
    elif s.phase == PLACE:
        place(s, action - TO)
    else:
        choose_start(kit, s, action - TO)
