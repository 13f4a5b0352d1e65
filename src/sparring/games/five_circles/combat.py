"""Five Circles: combat, lane by lane (section 7).

In a lane the hitter attacks: it hits the struck card, and the striker, if there is one, strikes it. Mostly struck and
striker are the same card. Each packet of an exchange has two stages, aimed and landed, since its owner may be asked
between.
"""

from sparring.engine.beats import beat
from sparring.engine.rule import rule

from .damage import aim
from .options import BOTH, DUEL, MAY, ONE, STRUCK, WAIT
from .state import ARRIVED, COMBAT, LANE, LANE_OVER, LONG, MEND, SIDE
from .table import attack_of, is_silent, lose_life, regroup, strike_of, sweep
from .using import awake_at, in_the_way

NEXT_LANE, HIT, HIT_LANDED, BACK, BACK_LANDED, REFLECTION, REFLECTION_LANDED, MIRRORED, MIRRORED_LANDED = range(9)

# Who goes first (`order`): nobody, or the Fast one; or the hitter uses Long Range and is struck meanwhile.
TOGETHER, HITTER_FIRST, STRIKER_FIRST, AT_RANGE = range(4)

GOES_ON, ASKS, DONE_FIGHTING = range(3)


@rule
def start_combat(s):
    """COMBAT begins before lane 1."""
    s.window = LANE
    s.lane = 0
    s.stage = NEXT_LANE
    beat(s, COMBAT)


@rule
def fight(kit, s):
    """Go on with the lanes until somebody is asked (then True), the last lane is done, or the game is over."""
    while not s.over:
        how = go_on(kit, s)
        if how != GOES_ON:
            return how == ASKS
    return True


@rule
def go_on(kit, s):
    """One piece of combat: the next lane, or a packet aimed or landed. Whether it goes on, asks, or is done."""
    if s.stage == NEXT_LANE:
        if s.lane >= s.last[s.active]:
            close_ranks(s)
            return DONE_FIGHTING
        s.lane += 1
        if attacks(kit, s):
            if kit.attack == MAY:
                s.phase = LANE
                s.player = s.active
                return ASKS
            engage(kit, s)
    elif s.stage & 1:
        s.stage += 1
        card = due_card(s)
        points = due_points(kit, s)
        if aim(kit, s, card, points):
            return ASKS
    else:
        landed(kit, s)
    return GOES_ON


@rule
def close_ranks(s):
    """REGROUP, and on to MEND (R31)."""
    regroup(s, 0)
    regroup(s, 1)
    s.lane = 0
    s.window = MEND


@rule
def attacks(kit, s):
    """Whether the turn player has an attacker in this lane: awake, and not too new (R21, R22, `summons`)."""
    card = awake_at(s, s.active * SIDE + s.lane)
    return card >= 0 and not (kit.summons == WAIT and s.status[card] & ARRIVED)


@rule
def engage(kit, s):
    """The card in this lane attacks: from afar, the card it chose, the card in front, or the open lane (section 7)."""
    at = s.active * SIDE + s.lane
    card = s.row[at] - 1
    if s.status[card] & LONG:
        if kit.longrange == STRUCK and awake_at(s, at ^ SIDE) >= 0:
            pair(kit, s, card, -1, awake_at(s, at ^ SIDE))
        else:
            lose_life(kit, s, 1 - s.active, attack_of(kit, s, card))
        return
    chosen = s.target[card] - 1
    if chosen >= 0 and s.at[chosen] and s.at[chosen] >> 6 != s.active:
        striker = awake_at(s, at ^ SIDE)
        if kit.target == DUEL:
            striker = awake_at(s, s.at[chosen])
        pair(kit, s, card, chosen, striker)
    elif in_the_way(kit, s, at ^ SIDE) >= 0:
        pair(kit, s, card, s.row[at ^ SIDE] - 1, awake_at(s, at ^ SIDE))
    else:
        lose_life(kit, s, 1 - s.active, 1 if kit.breach == ONE else attack_of(kit, s, card))


@rule
def pair(kit, s, hitter, struck, striker):
    """An exchange begins; -1 for a card that is missing. Who is Fast goes first, two Fast cards go together (R51)."""
    s.hitter = hitter + 1
    s.struck = struck + 1
    s.striker = striker + 1
    fast = kit.card_fast[hitter] > 0
    striker_fast = striker >= 0 and kit.card_fast[striker] > 0
    s.stage = HIT
    s.order = TOGETHER
    if struck < 0:
        s.order = AT_RANGE
        s.stage = BACK
    elif fast and not striker_fast:
        s.order = HITTER_FIRST
    elif striker_fast and not fast:
        s.order = STRIKER_FIRST
        s.stage = BACK


@rule
def end_exchange(s):
    """On to the next lane."""
    beat(s, LANE_OVER)
    s.hitter = 0
    s.struck = 0
    s.striker = 0
    s.order = TOGETHER
    s.strike = 0
    s.reflected = 0
    s.mirror = 0
    s.kept = 0
    s.stage = NEXT_LANE


@rule
def is_there(s, card):
    """Whether a card (plus 1) is there and still in play."""
    return card > 0 and s.at[card - 1] > 0


@rule
def due_card(s):
    """The card on which the packet just aimed is to land."""
    if s.stage == HIT_LANDED:
        return s.struck - 1
    if s.stage == MIRRORED_LANDED:
        return s.striker - 1
    return s.hitter - 1


@rule
def due_points(kit, s):
    """How many points the packet just aimed has: a strike, a strike with reflection, or a reflection."""
    if s.stage == HIT_LANDED:
        return strike_of(kit, s, s.hitter - 1, s.struck - 1)
    if s.stage == BACK_LANDED:
        s.strike = strike_of(kit, s, s.striker - 1, s.hitter - 1) if is_there(s, s.striker) else 0
        return s.strike + s.reflected
    if s.stage == REFLECTION_LANDED:
        return s.reflected if is_there(s, s.hitter) else 0
    return s.mirror if is_there(s, s.striker) else 0


@rule
def landed(kit, s):
    """A packet of the exchange has landed, or vanished: what follows from it."""
    if s.stage == HIT_LANDED:
        hit_landed(kit, s)
    elif s.stage == BACK_LANDED:
        back_landed(kit, s)
    else:
        sweep(kit, s)
        if s.stage == REFLECTION_LANDED:
            s.stage = MIRRORED
        else:
            end_exchange(s)


@rule
def hit_landed(kit, s):
    """The struck card reflects half of what landed, rounded up (R54); not if a Fast hitter destroyed it first (R51)."""
    s.reflected = reflection(kit, s, s.struck - 1, s.kept)
    s.stage = BACK
    if s.order == TOGETHER:
        return
    sweep(kit, s)
    if s.order == STRIKER_FIRST:
        s.stage = REFLECTION
    elif not is_there(s, s.struck):
        s.reflected = 0


@rule
def reflection(kit, s, card, points):
    """Half of the points, rounded up, for each Reflect."""
    if is_silent(kit, s, card):
        return 0
    return kit.card_reflect[card] * (points + 1 >> 1)


@rule
def back_landed(kit, s):
    """The hitter was struck: it may mirror that (`reflect=both`); then what was destroyed leaves."""
    if kit.reflect == BOTH:
        s.mirror = reflection(kit, s, s.hitter - 1, min(s.kept, s.strike))
    if s.order == AT_RANGE:
        shoot(kit, s)
        if s.over:
            return
    sweep(kit, s)
    s.stage = MIRRORED
    if s.order == STRIKER_FIRST:
        if not is_there(s, s.hitter):
            s.mirror = 0
        elif is_there(s, s.struck):
            s.stage = HIT


@rule
def shoot(kit, s):
    """Long Range, `longrange=struck`: the shot counts, unless a faster card in front destroyed the shooter first."""
    if kit.card_fast[s.striker - 1] and not kit.card_fast[s.hitter - 1]:
        sweep(kit, s)
        if not is_there(s, s.hitter):
            s.mirror = 0
            return
    lose_life(kit, s, 1 - s.active, attack_of(kit, s, s.hitter - 1))
