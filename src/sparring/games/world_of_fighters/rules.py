"""World of Fighters: the rules, ruling by ruling (R1 to R34 of rules.md)."""

from sparring.engine.cards import UNKNOWN, hide, holds, insert, pour, put, remove, shuffle, take_top
from sparring.engine.chance import below, bits
from sparring.engine.game import SOMETHING
from sparring.engine.options import option_fields
from sparring.engine.rule import Actions, end_moment, finish, record_dtype, rule, state_dtype
from sparring.engine.squares import (
    ASCENDING, NOWHERE, OFF, SIDE, column_of, distance, heading, on_edge, row_of, walk,
)  # fmt: skip

from .kit import DECK, FIGHTERS, OPTIONS

SEATS = 2
HAND = 3
CARDS = sum(DECK)
HEALTH = 20
SUPER_HEALTH = 7  # with so much health or less a super may be called
SUPER_SCORE = 6
ROWS = 7  # of the largest board

NOTHING = 0  # where a card could be
PUNCH, KICK, GRAPPLE, BLOCK = 1, 2, 3, 4
NO_FIGHTER = -1

PHASES: tuple[str, ...] = ("pick", "move_card", "action_card", "move", "claim", "counter")
PICK, MOVE_CARD, ACTION_CARD, MOVE, CLAIM, COUNTER = range(6)

ENDINGS: tuple[str, ...] = ("knock-out", "ring-out", "forced off", "round limit")
KNOCK_OUT, RING_OUT, FORCED_OFF, ROUND_LIMIT = range(4)

ACTIONS = Actions(fighter=FIGHTERS, movement=3, card=4, call=4, square=ROWS * SIDE, claim=1, no=1, counter=3, skip=1)
TO_PICK, TO_MOVE, TO_LAY, TO_CALL, TO_SQUARE, TO_CLAIM, NOT_CLAIM, TO_COUNTER, SKIP = ACTIONS.starts

UPTO = 1  # of the option `movement`
BOTH = 1  # of the option `punch_ends`
TOGETHER = 1  # of the option `settle`
REVEAL = 1  # of the option `super_call`
PLUS = 1  # of the option `super_score`
RINGOUT = 1  # of the option `super_vs_block`

KIT = record_dtype(
    [
        *option_fields(OPTIONS),
        ("columns", "i2"),
        ("rows", "i2"),
        ("red", "i2", SEATS),  # where each seat's token starts
        ("fighters", "i2"),
        ("long", "i2", FIGHTERS),  # whether the fighter's reach is long
        ("stat", "i2", (FIGHTERS, 5)),  # by kind
        ("super_kind", "i2", FIGHTERS),
        ("super_range", "i2", FIGHTERS),
    ]
)

STATE = state_dtype(
    SEATS,
    [
        ("deck", "i2", CARDS + 1),
        ("discard", "i2", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),  # holds a committed Action card too, until it is shown
        ("fighter", "i2", SEATS),
        ("square", "i2", SEATS),
        ("health", "i2", SEATS),
        ("super_used", "i2", SEATS),
        ("resting", "i2", SEATS),  # the Movement card used in the round before
        # Committed this round: Movement card, Action card, whether the super is called with it.
        ("movement", "i2", SEATS),
        ("action", "i2", SEATS),
        ("called", "i2", SEATS),
        ("performed", "i2", SEATS),
        ("shown", "i2"),  # whether the Action cards lie face up
        ("counter", "i2"),  # the card a Counter is made with
        ("lost", "i2", SEATS),  # health lost since the last SHOW
        # How the round before was played: what everybody saw, and the table goes on showing.
        ("last_action", "i2", SEATS),
        ("last_performed", "i2", SEATS),
        ("last_counter", "i2"),
    ],
)


# The match and its rounds


@rule
def setup(kit, s):
    """The Action deck lies ready; nobody has a fighter yet, and P1 picks first (R3)."""
    for kind in range(PUNCH, BLOCK + 1):
        for _ in range(DECK[kind - 1]):
            put(s.deck, kind)
    for seat in range(SEATS):
        s.fighter[seat] = NO_FIGHTER
        s.square[seat] = OFF


@rule
def begin_match(kit, s):
    """Health, tokens on the red squares, three Action cards each (section 3)."""
    for seat in range(SEATS):
        s.health[seat] = HEALTH
        s.square[seat] = kit.red[seat]
    shuffle(s.rng, s.deck)
    for seat in range(SEATS):
        draw_up(s, seat)
    begin_round(s)


@rule
def begin_round(s):
    """The next round: the first mover chooses a Movement card."""
    s.turn += 1
    s.phase = MOVE_CARD
    s.player = first_mover(s)
    end_moment(s)


@rule
def first_mover(s):
    """P1 in odd rounds, P2 in even ones (R10)."""
    return (s.turn + 1) & 1


@rule
def draw_up(s, seat):
    """Draw Action cards up to three; as soon as the pile is empty the discards become the pile (R19)."""
    hand = s.hand[seat]
    while hand[0] < HAND:
        insert(hand, take_top(s.deck))
        if s.deck[0] == 0:
            pour(s.discard, s.deck)
            shuffle(s.rng, s.deck)


# Choosing


@rule
def legal(kit, s, out):
    """What `s.player` may choose, by the phase table of section 5."""
    if s.phase == MOVE_CARD:
        return movement_cards(s, out)
    if s.phase == ACTION_CARD:
        return action_cards(kit, s, out)
    if s.phase == MOVE:
        return destinations(kit, s, out)
    if s.phase == COUNTER:
        return counters(s, out)
    if s.phase == CLAIM:
        out[0] = TO_CLAIM
        out[1] = NOT_CLAIM
        return 2
    return free_fighters(kit, s, out)


@rule
def free_fighters(kit, s, out):
    """Every fighter but the one that is taken (R3)."""
    n = 0
    for fighter in range(kit.fighters):
        if fighter != s.fighter[1 - s.player]:
            out[n] = TO_PICK + fighter
            n += 1
    return n


@rule
def movement_cards(s, out):
    """The Movement cards that are not resting (R6)."""
    n = 0
    for card in range(1, 4):
        if card != s.resting[s.player]:
            out[n] = TO_MOVE + card - 1
            n += 1
    return n


@rule
def action_cards(kit, s, out):
    """Each kind in the hand, and the super with its kind if it may be called (R24)."""
    n = kinds_in(s.hand[s.player], 1, BLOCK, TO_LAY, out)
    if may_call(kit, s, s.player):
        out[n] = TO_CALL + kit.super_kind[s.fighter[s.player]] - 1
        n += 1
    return n


@rule
def kinds_in(hand, first, last, number, out):
    """The kinds of a hand that lie between two, each once, as choices from `number` on; how many."""
    n = 0
    kind = 0
    for i in range(1, hand[0] + 1):
        if hand[i] != kind and first <= hand[i] <= last:
            out[n] = number + hand[i] - 1
            n += 1
        kind = hand[i]
    return n


@rule
def counters(s, out):
    """Any attack card left in the hand, in range or not, or none (R20)."""
    n = kinds_in(s.hand[s.player], PUNCH, GRAPPLE, TO_COUNTER, out)
    out[n] = SKIP
    return n + 1


@rule
def has_super(s, seat):
    """Whether the health is low enough for a super, and the super not yet used (R24, R32)."""
    return 0 < s.health[seat] <= SUPER_HEALTH and s.super_used[seat] == 0


@rule
def may_call(kit, s, seat):
    """Whether a super may be called while placing: low health, unused, and a card of its kind (R24)."""
    return has_super(s, seat) and kit.super_call != REVEAL and holds(s.hand[seat], kit.super_kind[s.fighter[seat]])


@rule
def step(kit, s, action):
    """Carry out a choice."""
    player = s.player
    if s.phase == MOVE_CARD:
        s.movement[player] = action - TO_MOVE + 1
        s.phase = ACTION_CARD
    elif s.phase == ACTION_CARD:
        place_action(kit, s, action)
    elif s.phase == MOVE:
        move(kit, s, action - TO_SQUARE)
    elif s.phase == COUNTER:
        make_counter(kit, s, action)
    elif s.phase == CLAIM:
        answer_claim(kit, s, action)
    else:
        pick(kit, s, action - TO_PICK)
    if s.player != player:
        end_moment(s)


@rule
def pick(kit, s, fighter):
    """A fighter is taken; after the second one the match begins (R3)."""
    s.fighter[s.player] = fighter
    if s.player == 0:
        s.player = 1
    else:
        begin_match(kit, s)


# Moving


@rule
def place_action(kit, s, action):
    """An Action card is committed, with or without the super; after the second player all is turned up (R5, R24)."""
    s.called[s.player] = 1 if action >= TO_CALL else 0
    s.action[s.player] = action - (TO_CALL if action >= TO_CALL else TO_LAY) + 1
    if s.player == first_mover(s):
        s.phase = MOVE_CARD
        s.player = 1 - s.player
    else:
        s.phase = MOVE
        ask_move(kit, s, first_mover(s))


@rule
def ask_move(kit, s, seat):
    """A player is to move; without a legal move the fighter is forced off and loses (R8)."""
    s.player = seat
    if not can_move(kit, s):
        finish(s, FORCED_OFF, 1 << (1 - seat))


@rule
def shortest(kit, steps):
    """The fewest squares that a Movement card allows (R7)."""
    return 1 if kit.movement == UPTO else int(steps)


@rule
def barred(kit, here, there, steps):
    """The direction in which the opponent stands in the way of a walk; NOWHERE if in none (R9)."""
    apart = distance(here, there)
    if apart > steps or (apart < steps and kit.pass_through):
        return NOWHERE
    return heading(here, there)


@rule
def can_move(kit, s):
    """Whether `s.player` has a legal move."""
    here = s.square[s.player]
    steps = s.movement[s.player]
    for walked in range(shortest(kit, steps), steps + 1):
        wrong = barred(kit, here, s.square[1 - s.player], walked)
        for direction in ASCENDING:
            if direction != wrong and walk(here, direction, walked, kit.columns, kit.rows) != OFF:
                return True
    return False


@rule
def destinations(kit, s, out):
    """Where `s.player` may move: straight in eight directions, not onto or across the opponent (R7, R9)."""
    here = s.square[s.player]
    steps = s.movement[s.player]
    n = 0
    for walked in range(shortest(kit, steps), steps + 1):
        wrong = barred(kit, here, s.square[1 - s.player], walked)
        for direction in ASCENDING:
            square = walk(here, direction, walked, kit.columns, kit.rows)
            if direction != wrong and square != OFF:
                out[n] = TO_SQUARE + square
                n += 1
    if kit.movement == UPTO:
        sort(out, n)
    return n


@rule
def sort(out, n):
    """Bring the first `n` choices into ascending order."""
    for i in range(1, n):
        action = out[i]
        j = i
        while j > 0 and out[j - 1] > action:
            out[j] = out[j - 1]
            j -= 1
        out[j] = action


@rule
def move(kit, s, square):
    """A token moves; when both have moved the Action cards are shown."""
    s.square[s.player] = square
    if s.player == first_mover(s):
        ask_move(kit, s, 1 - s.player)
    else:
        show(kit, s)


# Showing


@rule
def show(kit, s):
    """Both Action cards are turned up; a super that was called is performed if the range is right (R24, R25)."""
    s.shown = 1
    end_moment(s)
    for seat in range(SEATS):
        s.lost[seat] = 0
        remove(s.hand[seat], s.action[seat])
        if s.called[seat] and at_super_range(kit, s, seat):
            perform(s, seat)
    first = first_mover(s)
    if not ask_claim(kit, s, first) and not ask_claim(kit, s, 1 - first):
        ring_out(kit, s)


@rule
def range_now(s):
    """How far apart the fighters are (R11)."""
    return distance(s.square[0], s.square[1])


@rule
def at_super_range(kit, s, seat):
    """Whether the range is the one that the fighter's super requires."""
    return range_now(s) == kit.super_range[s.fighter[seat]]


@rule
def perform(s, seat):
    """A super is performed, and used up whatever comes of it (R32)."""
    s.performed[seat] = 1
    s.super_used[seat] = 1


@rule
def ask_claim(kit, s, seat):
    """Ask a player who qualifies whether the shown card is the super (R24, `reveal`). Whether this one does."""
    if kit.super_call != REVEAL or not has_super(s, seat) or s.action[seat] != kit.super_kind[s.fighter[seat]]:
        return False
    if not at_super_range(kit, s, seat):
        return False
    s.phase = CLAIM
    s.player = seat
    return True


@rule
def answer_claim(kit, s, action):
    """A super is claimed or not; then the other player may be asked (R24)."""
    if action == TO_CLAIM:
        perform(s, s.player)
    if s.player != first_mover(s) or not ask_claim(kit, s, 1 - s.player):
        ring_out(kit, s)


@rule
def ring_out(kit, s):
    """A performed super throws an opponent on the edge out of the ring, before any damage (R28 to R31)."""
    first = first_mover(s)
    winners = 0
    if throws_out(kit, s, first):
        winners = 1 << first
    if throws_out(kit, s, 1 - first) and (winners == 0 or kit.settle == TOGETHER):
        winners |= 1 << (1 - first)
    if winners:
        finish(s, RING_OUT, winners)
    else:
        settle(kit, s)


@rule
def throws_out(kit, s, seat):
    """Whether this player performed a super while the opponent stands on the edge (R29)."""
    return s.performed[seat] != 0 and on_edge(s.square[1 - seat], kit.columns, kit.rows)


# Scores

# The range table (6.1): what a kind is worth at range 1, 2 and 3; 0 is no attack.
PUNCH_CLOSE = (1, 2, 0)
PUNCH_LONG = (0, 2, 1)
PUNCH_BOTH = (1, 2, 1)
KICKS = (0, 1, 2)
GRAPPLES = (2, 1, 0)


@rule
def base(kit, fighter, kind, apart):
    """The value of a card in the range table (R12, R14)."""
    if apart > 3:
        return 0
    if kind == KICK:
        return KICKS[apart - 1]
    if kind == GRAPPLE:
        return GRAPPLES[apart - 1]
    if kit.punch_ends == BOTH:
        return PUNCH_BOTH[apart - 1]
    return PUNCH_LONG[apart - 1] if kit.long[fighter] else PUNCH_CLOSE[apart - 1]


@rule
def ordinary(kit, s, seat, kind):
    """The score of an ordinary attack: base and stat; nothing where the base is 0 (R13, R15)."""
    fighter = s.fighter[seat]
    value = base(kit, fighter, kind, range_now(s))
    return value + kit.stat[fighter, kind] if value > 0 else 0


@rule
def super_score(kit, s, seat):
    """What a performed super scores or, as a Block, takes away (R26, R27)."""
    fighter = s.fighter[seat]
    return SUPER_SCORE + (kit.stat[fighter, kit.super_kind[fighter]] if kit.super_score == PLUS else 0)


@rule
def score(kit, s, seat):
    """The score of a player's shown attack card."""
    return super_score(kit, s, seat) if s.performed[seat] else ordinary(kit, s, seat, s.action[seat])


@rule
def blocked(kit, s, seat):
    """What a player's shown Block takes off an attack (R16, R27)."""
    return super_score(kit, s, seat) if s.performed[seat] else kit.stat[s.fighter[seat], BLOCK]


# Settling


@rule
def settle(kit, s):
    """Apply the shown cards (6.3)."""
    first = first_mover(s)
    second = 1 - first
    if s.action[first] != BLOCK and s.action[second] != BLOCK:
        trade(kit, s, first, second)
    elif s.action[second] != BLOCK:
        strike_at_block(kit, s, second, first)
    elif s.action[first] != BLOCK:
        strike_at_block(kit, s, first, second)
    else:  # two Blocks: nothing happens, nobody counters (R23)
        clean_up(kit, s)


@rule
def trade(kit, s, first, second):
    """Two attacks: in order, and whoever falls does not strike back; or both at once (R17)."""
    hurt(s, second, score(kit, s, first))
    if s.health[second] > 0 or kit.settle == TOGETHER:
        hurt(s, first, score(kit, s, second))
    if not knocked_out(s):
        clean_up(kit, s)


@rule
def strike_at_block(kit, s, attacker, blocker):
    """An attack meets a Block. A super overrules it; otherwise the blocker, if still up, may counter (R20, R28)."""
    points = score(kit, s, attacker)
    overruled = s.performed[attacker] and not s.performed[blocker] and kit.super_vs_block != RINGOUT
    if not overruled:
        points = max(0, points - blocked(kit, s, blocker))
    hurt(s, blocker, points)
    if knocked_out(s):
        return
    if overruled:
        clean_up(kit, s)
    else:
        s.phase = COUNTER
        s.player = blocker


@rule
def make_counter(kit, s, action):
    """The blocker strikes back with an ordinary attack, or does not; the card is spent in any case (R20 to R22)."""
    player = s.player
    if action != SKIP:
        s.counter = action - TO_COUNTER + 1
        remove(s.hand[player], s.counter)
        hurt(s, 1 - player, ordinary(kit, s, player, s.counter))
    if not knocked_out(s):
        clean_up(kit, s)


@rule
def hurt(s, seat, points):
    """Health goes down, not below 0."""
    points = min(int(points), int(s.health[seat]))
    s.health[seat] -= points
    s.lost[seat] += points


@rule
def knocked_out(s):
    """End the match if somebody has no health left; if nobody has any it is a draw (section 7, R17)."""
    if s.health[0] > 0 and s.health[1] > 0:
        return False
    finish(s, KNOCK_OUT, 1 if s.health[0] > 0 else 2 if s.health[1] > 0 else 0)
    return True


@rule
def clean_up(kit, s):
    """Discard what was used, draw up to three, rest the Movement cards, and go on (6.5, R6, R18, R33)."""
    first = first_mover(s)
    discard_action(s, first)
    discard_action(s, 1 - first)
    s.last_counter = s.counter
    if s.counter != NOTHING:
        put(s.discard, s.counter)
        s.counter = NOTHING
    s.shown = 0
    draw_up(s, first)
    draw_up(s, 1 - first)
    if s.turn == kit.round_limit:
        s.phase = MOVE_CARD
        finish(s, ROUND_LIMIT, healthier(s))
    else:
        begin_round(s)


@rule
def discard_action(s, seat):
    """A player's Action card is discarded, the Movement card rests."""
    put(s.discard, s.action[seat])
    s.last_action[seat] = s.action[seat]
    s.last_performed[seat] = s.performed[seat]
    s.action[seat] = NOTHING
    s.called[seat] = 0
    s.performed[seat] = 0
    s.resting[seat] = s.movement[seat]
    s.movement[seat] = NOTHING


@rule
def healthier(s):
    """Who has the higher health, as bits; both if they are equal (R33)."""
    if s.health[0] == s.health[1]:
        return 3
    return 1 if s.health[0] > s.health[1] else 2


# Hidden information (section 8)


@rule
def redact(kit, s, seat):
    """Forget the generator, the pile, the other hand, and what the other has committed and not turned up.

    The two cards of a player are committed as one: between them nobody else sees that the first one lies there.
    """
    for i in range(4):
        s.rng[i] = 0
    hide(s.deck)
    if s.phase == ACTION_CARD and s.player != seat:
        s.phase = MOVE_CARD
        s.movement[s.player] = NOTHING
    for other in range(SEATS):
        if other != seat:
            hide(s.hand[other])
            hide_commitments(s, other)


@rule
def hide_commitments(s, seat):
    """Turn face down what lies face down: all until TURN UP, then the Action card if no call has told its kind."""
    if s.phase <= ACTION_CARD:
        s.called[seat] = 0
        if s.movement[seat] != NOTHING:
            s.movement[seat] = UNKNOWN
    if s.action[seat] != NOTHING and not s.shown and not s.called[seat]:
        s.action[seat] = UNKNOWN


@rule
def glimpse(kit, s, action, seat):
    """Everything is chosen openly but the cards that are laid face down."""
    if seat != s.player and (s.phase == MOVE_CARD or s.phase == ACTION_CARD):
        return SOMETHING
    return action


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat does not know at random, and suppose commitments that could have been made."""
    for i in range(4):
        s.rng[i] = bits(g)
    pool_unseen(s, seat)
    shuffle(g, s.deck)
    for other in range(SEATS):
        if other != seat:
            deal_unseen(s, other)
            suppose_commitments(kit, s, other, g)


@rule
def pool_unseen(s, seat):
    """Gather every card that the seat has not seen in the pile."""
    s.deck[0] = 0
    for kind in range(PUNCH, BLOCK + 1):
        unseen = DECK[kind - 1] - count_of(s.discard, kind)
        if s.counter == kind:
            unseen -= 1
        for owner in range(SEATS):
            if owner == seat:
                unseen -= count_of(s.hand[owner], kind)
            if s.action[owner] == kind and (s.shown or owner != seat):
                unseen -= 1
        for _ in range(unseen):
            put(s.deck, kind)


@rule
def count_of(pile, kind):
    """How many cards of a kind lie in a pile."""
    count = 0
    for i in range(1, pile[0] + 1):
        if pile[i] == kind:
            count += 1
    return count


@rule
def deal_unseen(s, seat):
    """Deal a hidden hand from the pile; an announced super's card is in it."""
    hand = s.hand[seat]
    size = hand[0]
    hand[0] = 0
    if s.action[seat] > 0 and not s.shown:
        insert(hand, s.action[seat])
    while hand[0] < size:
        insert(hand, take_top(s.deck))


@rule
def suppose_commitments(kit, s, seat, g):
    """What lies face down: any available Movement card, any card of the hand; the super called or not if it may be."""
    if s.movement[seat] == UNKNOWN:
        card = 1 + below(g, 2 if s.resting[seat] else 3)
        s.movement[seat] = card + 1 if 0 < s.resting[seat] <= card else card
    if s.action[seat] == UNKNOWN:
        s.action[seat] = s.hand[seat, 1 + below(g, s.hand[seat, 0])]
        if s.phase <= ACTION_CARD and s.action[seat] == kit.super_kind[s.fighter[seat]] and may_call(kit, s, seat):
            s.called[seat] = below(g, 2)


# For learners

KINDS = 4
PER_SEAT = 31
FEATURES = len(PHASES) + 2 * KINDS + SEATS * PER_SEAT + 4


@rule
def one_hot(out, n, size, place):
    """So many numbers, all 0 but the one at `place` (if it is among them)."""
    for i in range(size):
        out[n + i] = 1.0 if i == place else 0.0
    return n + size


@rule
def count_kinds(pile, scale, out, n):
    """How many cards of each kind lie in a pile, as parts of `scale`."""
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = count_of(pile, kind) / scale
    return n + KINDS


@rule
def observe(kit, s, seat, out):
    """The phase, the hand, the discard pile, each seat beginning with one's own, the range, the pile and the round."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = count_kinds(s.hand[seat], HAND, out, n)
    n = count_kinds(s.discard, CARDS, out, n)
    for place in range(SEATS):
        n = observe_seat(kit, s, 1 - seat if place else seat, out, n)
    out[n] = range_now(s) / ROWS if s.square[0] != OFF and s.square[1] != OFF else 0.0
    out[n + 1] = s.deck[0] / CARDS
    out[n + 2] = s.turn / kit.round_limit
    out[n + 3] = 1.0 if s.player == seat else 0.0


@rule
def observe_seat(kit, s, seat, out, n):
    """A fighter with all data, where it stands, and what of its commitments is known."""
    here = s.fighter[seat] != NO_FIGHTER
    fighter = s.fighter[seat] if here else 0
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = kit.stat[fighter, kind] / 9 if here else 0.0
    n = one_hot(out, n + KINDS, KINDS, kit.super_kind[fighter] - 1 if here else NO_FIGHTER)
    out[n] = kit.super_range[fighter] / 3 if here else 0.0
    out[n + 1] = 1.0 if here and kit.long[fighter] else 0.0
    on_board = s.square[seat] != OFF
    out[n + 2] = column_of(s.square[seat]) / (kit.columns - 1) if on_board else 0.0
    out[n + 3] = row_of(s.square[seat]) / (kit.rows - 1) if on_board else 0.0
    out[n + 4] = 1.0 if on_board and on_edge(s.square[seat], kit.columns, kit.rows) else 0.0
    out[n + 5] = s.health[seat] / HEALTH
    out[n + 6] = 1.0 if has_super(s, seat) else 0.0
    out[n + 7] = s.super_used[seat]
    out[n + 8] = 1.0 if s.movement[seat] != NOTHING else 0.0
    out[n + 9] = 1.0 if s.action[seat] != NOTHING else 0.0
    out[n + 10] = s.called[seat]
    out[n + 11] = s.performed[seat]
    out[n + 12] = 1.0 if first_mover(s) == seat else 0.0
    n = one_hot(out, n + 13, 3, s.resting[seat] - 1)
    n = one_hot(out, n, 3, s.movement[seat] - 1)
    return one_hot(out, n, KINDS, s.action[seat] - 1)
