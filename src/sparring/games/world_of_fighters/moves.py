"""World of Fighters: where fighters can go, what their cards score, and when a super may be called."""

from sparring.engine.cards import holds
from sparring.engine.rule import rule
from sparring.engine.squares import ASCENDING, NOWHERE, OFF, distance, heading, on_edge, walk

from .state import BLOCK, BOTH, GRAPPLE, KICK, PLUS, REVEAL, RINGOUT, SUPER_HEALTH, SUPER_SCORE, TO_SQUARE, UPTO


@rule
def first_mover(s):
    """P1 in odd rounds, P2 in even ones (R10)."""
    return (s.turn + 1) & 1


@rule
def has_super(s, seat):
    """Whether the health is low enough for a super, and the super not yet used (R24, R32)."""
    return 0 < s.health[seat] <= SUPER_HEALTH and s.super_used[seat] == 0


@rule
def may_call(kit, s, seat):
    """Whether a super may be called while placing: low health, unused, and a card of its kind (R24)."""
    return has_super(s, seat) and kit.super_call != REVEAL and holds(s.hand[seat], kit.super_kind[s.fighter[seat]])


# Walking


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


# Range and scores

# The range table (6.1): what a kind is worth at range 1, 2 and 3; 0 is no attack.
PUNCH_CLOSE = (1, 2, 0)
PUNCH_LONG = (0, 2, 1)
PUNCH_BOTH = (1, 2, 1)
KICKS = (0, 1, 2)
GRAPPLES = (2, 1, 0)


@rule
def range_now(s):
    """How far apart the fighters are (R11)."""
    return distance(s.square[0], s.square[1])


@rule
def at_super_range(kit, s, seat):
    """Whether the range is the one that the fighter's super requires."""
    return range_now(s) == kit.super_range[s.fighter[seat]]


@rule
def may_claim(kit, s, seat):
    """Whether a super may be claimed for the shown card (R24, `reveal`)."""
    right_card = s.action[seat] == kit.super_kind[s.fighter[seat]]
    return kit.super_call == REVEAL and has_super(s, seat) and right_card and at_super_range(kit, s, seat)


@rule
def overrules(kit, s, attacker):
    """Whether this player's super leaves nothing of the opponent's Block (R28)."""
    return s.performed[attacker] != 0 and s.performed[1 - attacker] == 0 and kit.super_vs_block != RINGOUT


@rule
def throws_out(kit, s, seat):
    """Whether this player performed a super while the opponent stands on the edge (R29)."""
    return s.performed[seat] != 0 and on_edge(s.square[1 - seat], kit.columns, kit.rows)


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
