"""World of Fighters: the rules (R1 and so on refer to the rulings in rules.md)."""

from sparring.engine.cards import insert, pour, put, put_copies, shuffle, take_top
from sparring.engine.rule import beat, end_moment, finish, rule, seats_with_most
from sparring.engine.squares import OFF

from .moves import (
    at_super_range, block_value, can_move, first_mover, forces_ring_out, may_claim, ordinary_score, overrules, score,
)  # fmt: skip
from .params import DECK, SEATS, TOGETHER, Params
from .state import (
    ACTION_CARD, BLOCK, CLAIM, COUNTER, COUNTERED, FIRST_BLOW, FORCED_OFF, HAND, HEALTH, KNOCK_OUT, MOVE, MOVE_CARD,
    MOVED, NO_FIGHTER, NOTHING, PUNCH, RESHUFFLED, RING_OUT, ROUND_LIMIT, SECOND_BLOW, SHOWN, SKIP, THROWN_OUT, TO_CALL,
    TO_CLAIM, TO_COUNTER, TO_MOVE, TO_PICK, TO_PLAY, TO_SQUARE, TWO_BLOCKS, State, note_reshuffle, take_from_hand,
)  # fmt: skip

# The match and its rounds


@rule
def setup(params: Params, s: State) -> None:
    """Set up the Action deck; P1 picks a fighter first (R3)."""
    for kind in range(PUNCH, BLOCK + 1):
        put_copies(s.deck, kind, DECK[kind - 1])
    for seat in range(SEATS):
        s.fighter[seat] = NO_FIGHTER
        s.square[seat] = OFF


@rule
def begin_match(params: Params, s: State) -> None:
    """Set health, put the tokens on the red squares, and deal three Action cards each."""
    for seat in range(SEATS):
        s.health[seat] = HEALTH
        s.square[seat] = params.red[seat]
    shuffle(s.rng, s.deck)
    for seat in range(SEATS):
        draw_up(s, seat)
    begin_round(s)


@rule
def begin_round(s: State) -> None:
    """Start the next round: the first mover chooses a Movement card."""
    s.turn += 1
    s.phase = MOVE_CARD
    s.player = first_mover(s)
    end_moment(s)


@rule
def is_quiescent(params: Params, s: State) -> bool:
    """Return whether a round is just starting and nothing is committed."""
    return s.phase == MOVE_CARD and s.player == first_mover(s)


@rule
def draw_up(s: State, seat: int) -> None:
    """Draw Action cards up to three; reshuffle the discards as soon as the draw pile is empty (R19)."""
    hand = s.hand[seat]
    while hand[0] < HAND:
        insert(hand, take_top(s.deck))
        if s.deck[0] == 0:
            note_reshuffle(s)
            pour(s.discard, s.deck)
            shuffle(s.rng, s.deck)
            beat(s, RESHUFFLED)


# Choices


@rule
def step(params: Params, s: State, action: int) -> None:
    """Apply a choice of `s.player`."""
    player = s.player
    if s.phase == MOVE_CARD:
        s.movement[player] = action - TO_MOVE + 1
        s.phase = ACTION_CARD
    elif s.phase == ACTION_CARD:
        commit_action(params, s, action)
    elif s.phase == MOVE:
        move(params, s, action - TO_SQUARE)
    elif s.phase == COUNTER:
        make_counter(params, s, action)
    elif s.phase == CLAIM:
        answer_claim(params, s, action)
    else:
        pick(params, s, action - TO_PICK)
    if s.player != player:
        end_moment(s)


@rule
def pick(params: Params, s: State, fighter: int) -> None:
    """Give the player a fighter; begin the match after the second pick (R3)."""
    s.fighter[s.player] = fighter
    if s.player == 0:
        s.player = 1
    else:
        begin_match(params, s)


# Commitments and movement


@rule
def commit_action(params: Params, s: State, action: int) -> None:
    """Commit an Action card, perhaps calling the super; after the second player, reveal Movement cards (R5, R24)."""
    s.called[s.player] = action >= TO_CALL
    s.action[s.player] = action - (TO_CALL if action >= TO_CALL else TO_PLAY) + 1
    if s.player == first_mover(s):
        s.phase = MOVE_CARD
        s.player = 1 - s.player
    else:
        s.phase = MOVE
        ask_move(params, s, first_mover(s))


@rule
def ask_move(params: Params, s: State, seat: int) -> None:
    """Ask a seat to move; with no legal move its fighter is forced off and loses (R8)."""
    s.player = seat
    if not can_move(params, s):
        finish(s, FORCED_OFF, 1 << (1 - seat))


@rule
def move(params: Params, s: State, square: int) -> None:
    """Move a token; after both have moved, reveal the Action cards."""
    s.square[s.player] = square
    if s.player == first_mover(s):
        ask_move(params, s, 1 - s.player)
    else:
        beat(s, MOVED)
        show(params, s)


# Revealing Action cards


@rule
def show(params: Params, s: State) -> None:
    """Reveal both Action cards; a called super is performed if the range is right (R24, R25)."""
    s.shown = True
    end_moment(s)
    for seat in range(SEATS):
        s.lost[seat] = 0
        take_from_hand(s, seat, s.action[seat])
        if s.called[seat] and at_super_range(params, s, seat):
            perform(s, seat)
    beat(s, SHOWN)
    first = first_mover(s)
    if not ask_claim(params, s, first) and not ask_claim(params, s, 1 - first):
        ring_out(params, s)


@rule
def perform(s: State, seat: int) -> None:
    """Perform a super and use it up, whatever its effect (R32)."""
    s.performed[seat] = True
    s.super_used[seat] = True


@rule
def ask_claim(params: Params, s: State, seat: int) -> bool:
    """Ask a seat whether it claims its super, if it may (R24, `reveal`); return whether it is asked."""
    if not may_claim(params, s, seat):
        return False
    s.phase = CLAIM
    s.player = seat
    return True


@rule
def answer_claim(params: Params, s: State, action: int) -> None:
    """Apply the answer to a claim, then ask the second mover if it may claim too (R24)."""
    if action == TO_CLAIM:
        perform(s, s.player)
    if s.player != first_mover(s) or not ask_claim(params, s, 1 - s.player):
        ring_out(params, s)


@rule
def ring_out(params: Params, s: State) -> None:
    """End the match if a performed super meets an opponent on the edge; otherwise settle the attacks (R28 to R31)."""
    first = first_mover(s)
    winners = 0
    if forces_ring_out(params, s, first):
        winners = 1 << first
    if forces_ring_out(params, s, 1 - first) and (winners == 0 or params.settle == TOGETHER):
        winners |= 1 << (1 - first)
    if winners:
        beat(s, THROWN_OUT)
        finish(s, RING_OUT, winners)
    else:
        settle(params, s)


# Damage


@rule
def settle(params: Params, s: State) -> None:
    """Apply the revealed Action cards (R17, R20, R23)."""
    first = first_mover(s)
    second = 1 - first
    if s.action[first] != BLOCK and s.action[second] != BLOCK:
        exchange_attacks(params, s, first, second)
    elif s.action[second] != BLOCK:
        attack_block(params, s, second, first)
    elif s.action[first] != BLOCK:
        attack_block(params, s, first, second)
    else:  # no damage and no Counter (R23)
        beat(s, TWO_BLOCKS)
        clean_up(params, s)


@rule
def exchange_attacks(params: Params, s: State, first: int, second: int) -> None:
    """Apply two attacks: in order, so that a fighter at 0 health doesn't attack back, or both at once (R17)."""
    attack(s, first, score(params, s, first))
    if s.health[second] > 0 or params.settle == TOGETHER:
        attack(s, second, score(params, s, second))
    if not knocked_out(s):
        clean_up(params, s)


@rule
def attack_block(params: Params, s: State, attacker: int, blocker: int) -> None:
    """Apply an attack against a Block; unless overruled or knocked out, the blocker may then counter (R20, R28)."""
    points = score(params, s, attacker)
    overruled = overrules(params, s, attacker)
    if not overruled:
        points = max(0, points - block_value(params, s, blocker))
    attack(s, attacker, points)
    if knocked_out(s):
        return
    if overruled:
        clean_up(params, s)
    else:
        s.phase = COUNTER
        s.player = blocker


@rule
def make_counter(params: Params, s: State, action: int) -> None:
    """Apply the blocker's Counter, an ordinary attack, or none; then clean up (R20 to R22)."""
    player = s.player
    if action != SKIP:
        s.counter = action - TO_COUNTER + 1
        take_from_hand(s, player, s.counter)
        deal_damage(s, 1 - player, ordinary_score(params, s, player, s.counter))
        beat(s, COUNTERED)
    if not knocked_out(s):
        clean_up(params, s)


@rule
def attack(s: State, attacker: int, points: int) -> None:
    """Apply an attack of `points` to the opponent."""
    deal_damage(s, 1 - attacker, points)
    beat(s, FIRST_BLOW if attacker == first_mover(s) else SECOND_BLOW)


@rule
def deal_damage(s: State, seat: int, points: int) -> None:
    """Reduce a seat's health by `points`, but not below 0."""
    points = min(int(points), int(s.health[seat]))
    s.health[seat] -= points
    s.lost[seat] += points


@rule
def knocked_out(s: State) -> bool:
    """End the match if a seat has no health left, as a draw if neither has; return whether it ended (R17)."""
    if s.health[0] > 0 and s.health[1] > 0:
        return False
    finish(s, KNOCK_OUT, 1 if s.health[0] > 0 else 2 if s.health[1] > 0 else 0)
    return True


@rule
def clean_up(params: Params, s: State) -> None:
    """Discard used cards, draw up to three, rest the Movement cards; start the next round or end (R6, R18, R33)."""
    first = first_mover(s)
    discard_and_rest(s, first)
    discard_and_rest(s, 1 - first)
    s.last_counter = s.counter
    if s.counter != NOTHING:
        put(s.discard, s.counter)
        s.counter = NOTHING
    s.shown = False
    draw_up(s, first)
    draw_up(s, 1 - first)
    if s.turn == params.round_limit:
        s.phase = MOVE_CARD
        finish(s, ROUND_LIMIT, seats_with_most(s, s.health))  # both if equal (R33)
    else:
        begin_round(s)


@rule
def discard_and_rest(s: State, seat: int) -> None:
    """Discard a seat's Action card and rest its Movement card."""
    put(s.discard, s.action[seat])
    s.last_action[seat] = s.action[seat]
    s.last_performed[seat] = s.performed[seat]
    s.action[seat] = NOTHING
    s.called[seat] = False
    s.performed[seat] = False
    s.resting[seat] = s.movement[seat]
    s.movement[seat] = NOTHING
