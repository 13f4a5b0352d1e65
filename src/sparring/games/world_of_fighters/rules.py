"""World of Fighters: the rules, ruling by ruling (R1 to R34 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import insert, pour, put, shuffle, take_top
from sparring.engine.rule import end_moment, finish, no_news as news, rule
from sparring.engine.squares import OFF

from .features import FEATURES, observe
from .knowledge import glimpse, imagine, leaves_hand, note_reshuffle, redact
from .kit import DECK
from .moves import (
    at_super_range, blocked, can_move, destinations, first_mover, may_call, may_claim, ordinary, overrules, score,
    throws_out,
)  # fmt: skip
from .state import (
    ACTIONS, ACTION_CARD, BEATS, BLOCK, CLAIM, COUNTER, COUNTERED, ENDINGS, FIRST_BLOW, FORCED_OFF, GRAPPLE, HAND,
    HEALTH, KIT, KNOCK_OUT, MOVE, MOVED, MOVE_CARD, NOTHING, NOT_CLAIM, NO_FIGHTER, OPEN, PHASES, PUNCH, RESHUFFLED,
    RING_OUT, ROUND_LIMIT, SEATS, SECOND_BLOW, SHOWN, SKIP, STATE, THROWN_OUT, TOGETHER, TO_CALL, TO_CLAIM,
    TO_COUNTER, TO_LAY, TO_MOVE, TO_PICK, TO_SQUARE, TWO_BLOCKS,
)  # fmt: skip

__all__ = [
    "ACTIONS", "BEATS", "ENDINGS", "FEATURES", "KIT", "OPEN", "PHASES", "STATE",
    "glimpse", "imagine", "legal", "news", "observe", "quiet", "redact", "setup", "step",
]  # fmt: skip

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
def quiet(kit, s):
    """A round begins: nothing is committed."""
    return s.phase == MOVE_CARD and s.player == first_mover(s)


@rule
def draw_up(s, seat):
    """Draw Action cards up to three; as soon as the pile is empty the discards become the pile (R19)."""
    hand = s.hand[seat]
    while hand[0] < HAND:
        insert(hand, take_top(s.deck))
        if s.deck[0] == 0:
            note_reshuffle(s)
            pour(s.discard, s.deck)
            shuffle(s.rng, s.deck)
            beat(s, RESHUFFLED)


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
def move(kit, s, square):
    """A token moves; when both have moved the Action cards are shown."""
    s.square[s.player] = square
    if s.player == first_mover(s):
        ask_move(kit, s, 1 - s.player)
    else:
        beat(s, MOVED)
        show(kit, s)


# Showing


@rule
def show(kit, s):
    """Both Action cards are turned up; a super that was called is performed if the range is right (R24, R25)."""
    s.shown = 1
    end_moment(s)
    for seat in range(SEATS):
        s.lost[seat] = 0
        leaves_hand(s, seat, s.action[seat])
        if s.called[seat] and at_super_range(kit, s, seat):
            perform(s, seat)
    beat(s, SHOWN)
    first = first_mover(s)
    if not ask_claim(kit, s, first) and not ask_claim(kit, s, 1 - first):
        ring_out(kit, s)


@rule
def perform(s, seat):
    """A super is performed, and used up whatever comes of it (R32)."""
    s.performed[seat] = 1
    s.super_used[seat] = 1


@rule
def ask_claim(kit, s, seat):
    """Ask a player who qualifies whether the shown card is the super (R24, `reveal`). Whether this one does."""
    if not may_claim(kit, s, seat):
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
        beat(s, THROWN_OUT)
        finish(s, RING_OUT, winners)
    else:
        settle(kit, s)


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
    else:  # nothing happens, nobody counters (R23)
        beat(s, TWO_BLOCKS)
        clean_up(kit, s)


@rule
def trade(kit, s, first, second):
    """Two attacks: in order, and whoever falls does not strike back; or both at once (R17)."""
    strike(s, first, score(kit, s, first))
    if s.health[second] > 0 or kit.settle == TOGETHER:
        strike(s, second, score(kit, s, second))
    if not knocked_out(s):
        clean_up(kit, s)


@rule
def strike_at_block(kit, s, attacker, blocker):
    """An attack meets a Block. A super overrules it; otherwise the blocker, if still up, may counter (R20, R28)."""
    points = score(kit, s, attacker)
    overruled = overrules(kit, s, attacker)
    if not overruled:
        points = max(0, points - blocked(kit, s, blocker))
    strike(s, attacker, points)
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
        leaves_hand(s, player, s.counter)
        hurt(s, 1 - player, ordinary(kit, s, player, s.counter))
        beat(s, COUNTERED)
    if not knocked_out(s):
        clean_up(kit, s)


@rule
def strike(s, attacker, points):
    """A shown attack does so much to the opponent."""
    hurt(s, 1 - attacker, points)
    beat(s, FIRST_BLOW if attacker == first_mover(s) else SECOND_BLOW)


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
