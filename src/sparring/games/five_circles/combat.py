"""Five Circles: combat, lane by lane (section 7), packets of damage (section 8), and what activated abilities do.

In a lane, the hitter attacks: it hits the struck card, and the striker, if there is one, strikes the hitter. Usually
the struck card is the striker too; with Target they can differ. Each packet of an exchange has two stages, aimed and
landed, because its owner may respond between them.

"""

from sparring.engine.cards import empty, put, take_at
from sparring.engine.rule import beat, end_moment, rule

from .abilities import (
    ATTACK_BOOST_2, AVOID_DAMAGE, CHANGE_THE_FUTURE, DISPERSE, EXTRA_CARD, FIREBALL, FUTURE_VISION, HEAL_1, HEAL_2,
    LONG_RANGE, REORDER, RESTORE, SELF_DESTRUCT, SERENITY, USES_TARGET, attack_of, awake_at, blocker_at, can_use,
    check_destruction, is_silent, lose_life, strike_of,
)  # fmt: skip
from .state import (
    ANSWER, ARRIVED, ASLEEP, AVOIDING, BOOST, BOTH, COMBAT, DUEL, EXTRA, LANE, LANE_OVER, LONG, MAY, MEND, ONE,
    OWN_SIDE, PACKET, SIDE, SPREAD, STRUCK, TOP, WAIT, Params, State, add_to_hand, deck_of, discard_character,
    discard_of, forget_top, put_in_lane, regroup,
)  # fmt: skip

# Stages of an exchange: in odd ones a packet is about to be aimed, in even ones it has been.
(
    NEXT_LANE, HIT, HIT_LANDED, STRIKE_BACK, STRIKE_BACK_LANDED, REFLECTION, REFLECTION_LANDED, MIRRORED,
    MIRRORED_LANDED,
) = range(9)  # fmt: skip

# Who strikes first (`order`): both at once, the Fast card, or the striker while the hitter uses Long Range.
TOGETHER, HITTER_FIRST, STRIKER_FIRST, AT_RANGE = range(4)

CONTINUES, NEEDS_CHOICE, FINISHED = range(3)


@rule
def start_combat(s: State) -> None:
    """Start COMBAT before lane 1."""
    s.window = LANE
    s.lane = 0
    s.stage = NEXT_LANE
    beat(s, COMBAT)


@rule
def resolve_combat(params: Params, s: State) -> bool:
    """Run combat; return True if a choice is needed or the game is over, False after the last lane."""
    while not s.over:
        how = resolve_step(params, s)
        if how != CONTINUES:
            return how == NEEDS_CHOICE
    return True


@rule
def resolve_step(params: Params, s: State) -> int:
    """Run one step: the next lane, or a packet aimed or landed. Return CONTINUES, NEEDS_CHOICE or FINISHED."""
    if s.stage == NEXT_LANE:
        if s.lane >= s.last[s.active]:
            finish_combat(s)
            return FINISHED
        s.lane += 1
        if has_attacker(params, s):
            if params.attack == MAY:
                s.phase = LANE
                s.player = s.active
                return NEEDS_CHOICE
            attack_from_lane(params, s)
    elif s.stage & 1:
        s.stage += 1
        card = packet_target(s)
        points = packet_points(params, s)
        if aim_packet(params, s, card, points):
            return NEEDS_CHOICE
    else:
        after_packet(params, s)
    return CONTINUES


@rule
def finish_combat(s: State) -> None:
    """Close the gaps (REGROUP) and continue with MEND (R31)."""
    regroup(s, 0)
    regroup(s, 1)
    s.lane = 0
    s.window = MEND


@rule
def has_attacker(params: Params, s: State) -> bool:
    """Return whether the turn player has an attacker in this lane: awake and not too new (R21, R22, `summons`)."""
    card = awake_at(s, s.active * SIDE + s.lane)
    return card >= 0 and not (params.summons == WAIT and s.status[card] & ARRIVED)


@rule
def attack_from_lane(params: Params, s: State) -> None:
    """Let the card in this lane attack: at range, its target, the card in front, or unopposed (section 7)."""
    at = s.active * SIDE + s.lane
    card = s.row[at] - 1
    if s.status[card] & LONG:
        if params.longrange == STRUCK and awake_at(s, at ^ SIDE) >= 0:
            start_exchange(params, s, card, -1, awake_at(s, at ^ SIDE))
        else:
            lose_life(params, s, 1 - s.active, attack_of(params, s, card))
        return
    chosen = s.target[card] - 1
    if chosen >= 0 and s.at[chosen] and s.at[chosen] >> 6 != s.active:
        striker = awake_at(s, at ^ SIDE)
        if params.target == DUEL:
            striker = awake_at(s, s.at[chosen])
        start_exchange(params, s, card, chosen, striker)
    elif blocker_at(params, s, at ^ SIDE) >= 0:
        start_exchange(params, s, card, s.row[at ^ SIDE] - 1, awake_at(s, at ^ SIDE))
    else:
        lose_life(params, s, 1 - s.active, 1 if params.breach == ONE else attack_of(params, s, card))


@rule
def start_exchange(params: Params, s: State, hitter: int, struck: int, striker: int) -> None:
    """Start an exchange; -1 for a missing card. A Fast card goes first, two Fast cards go together (R51)."""
    s.hitter = hitter + 1
    s.struck = struck + 1
    s.striker = striker + 1
    fast = params.card_fast[hitter] > 0
    striker_fast = striker >= 0 and params.card_fast[striker] > 0
    s.stage = HIT
    s.order = TOGETHER
    if struck < 0:
        s.order = AT_RANGE
        s.stage = STRIKE_BACK
    elif fast and not striker_fast:
        s.order = HITTER_FIRST
    elif striker_fast and not fast:
        s.order = STRIKER_FIRST
        s.stage = STRIKE_BACK


@rule
def end_exchange(s: State) -> None:
    """End the exchange, so that the next lane follows."""
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
def is_still_in_play(s: State, card: int) -> bool:
    """Return whether a card (plus 1) exists and is still in play."""
    return card > 0 and s.at[card - 1] > 0


@rule
def packet_target(s: State) -> int:
    """Return the card at which the packet of this stage is aimed."""
    if s.stage == HIT_LANDED:
        return s.struck - 1
    if s.stage == MIRRORED_LANDED:
        return s.striker - 1
    return s.hitter - 1


@rule
def packet_points(params: Params, s: State) -> int:
    """Return the points of the packet of this stage: a strike, a strike with reflection, or a reflection."""
    if s.stage == HIT_LANDED:
        return strike_of(params, s, s.hitter - 1, s.struck - 1)
    if s.stage == STRIKE_BACK_LANDED:
        s.strike = strike_of(params, s, s.striker - 1, s.hitter - 1) if is_still_in_play(s, s.striker) else 0
        return s.strike + s.reflected
    if s.stage == REFLECTION_LANDED:
        return s.reflected if is_still_in_play(s, s.hitter) else 0
    return s.mirror if is_still_in_play(s, s.striker) else 0


@rule
def after_packet(params: Params, s: State) -> None:
    """Continue after a packet of the exchange has landed or vanished."""
    if s.stage == HIT_LANDED:
        after_hit(params, s)
    elif s.stage == STRIKE_BACK_LANDED:
        after_strike_back(params, s)
    else:
        check_destruction(params, s)
        if s.stage == REFLECTION_LANDED:
            s.stage = MIRRORED
        else:
            end_exchange(s)


@rule
def after_hit(params: Params, s: State) -> None:
    """Let the struck card reflect half of what landed, rounded up (R54), unless a Fast hitter destroyed it (R51)."""
    s.reflected = reflection(params, s, s.struck - 1, s.kept)
    s.stage = STRIKE_BACK
    if s.order == TOGETHER:
        return
    check_destruction(params, s)
    if s.order == STRIKER_FIRST:
        s.stage = REFLECTION
    elif not is_still_in_play(s, s.struck):
        s.reflected = 0


@rule
def reflection(params: Params, s: State, card: int, points: int) -> int:
    """Return half of the points, rounded up, for each Reflect on the card."""
    if is_silent(params, s, card):
        return 0
    return params.card_reflect[card] * (points + 1 >> 1)


@rule
def after_strike_back(params: Params, s: State) -> None:
    """Let the hitter reflect what struck it (`reflect=both`), then check destruction."""
    if params.reflect == BOTH:
        s.mirror = reflection(params, s, s.hitter - 1, min(s.kept, s.strike))
    if s.order == AT_RANGE:
        shoot_long_range(params, s)
        if s.over:
            return
    check_destruction(params, s)
    s.stage = MIRRORED
    if s.order == STRIKER_FIRST:
        if not is_still_in_play(s, s.hitter):
            s.mirror = 0
        elif is_still_in_play(s, s.struck):
            s.stage = HIT


@rule
def shoot_long_range(params: Params, s: State) -> None:
    """Take life by Long Range with `longrange=struck`, unless a faster card in front destroyed the shooter."""
    if params.card_fast[s.striker - 1] and not params.card_fast[s.hitter - 1]:
        check_destruction(params, s)
        if not is_still_in_play(s, s.hitter):
            s.mirror = 0
            return
    lose_life(params, s, 1 - s.active, attack_of(params, s, s.hitter - 1))


# Packets: points about to land on one character, and how its owner responds (section 8)


@rule
def is_shielded(params: Params, s: State, card: int) -> bool:
    """Return whether no damage lands on this card: Serenity (R50), or its own Avoid Damage (R49)."""
    if s.serene >> (s.at[card] >> 6) & 1:
        return True
    return s.status[card] & AVOIDING != 0 and not is_silent(params, s, card)


@rule
def aim_packet(params: Params, s: State, card: int, points: int) -> bool:
    """Aim a packet at a card; return whether its owner can respond. If not, it has landed or vanished (R37)."""
    s.kept = 0
    if points <= 0 or is_shielded(params, s, card):
        return False
    s.packet = points
    s.hit = card + 1
    seat = s.at[card] >> 6
    if can_use(params, s, seat, ANSWER):
        s.phase = ANSWER
        s.player = seat
        return True
    land_packet(s)
    return False


@rule
def land_packet(s: State) -> None:
    """Land what is left of the packet on the card it was aimed at."""
    s.damage[s.hit - 1] += s.packet
    s.kept = s.packet
    clear_packet(s)


@rule
def clear_packet(s: State) -> None:
    """Remove the packet."""
    s.packet = 0
    s.hit = 0


@rule
def move_point(params: Params, s: State, card: int) -> bool:
    """Move one point of the packet to another card, unreduced (Disperse, R48); return whether any are left."""
    s.packet -= 1
    if not is_shielded(params, s, card):
        s.damage[card] += 1
    if s.packet == 0:
        s.kept = 0
        clear_packet(s)
        return False
    return True


# What activated abilities do (section 9). `card` uses the ability; `chosen` is what was picked: a card, -1 for the
# opponent, or a place in a pile. After an effect that needs no further choice, `run_automatic_steps` follows, which
# starts with the destruction check.


@rule
def take_effect(params: Params, s: State, ability: int, card: int, chosen: int) -> bool:
    """Carry out an ability that has been paid for; return whether it needs another choice first."""
    if ability == SELF_DESTRUCT:
        self_destruct(params, s, card)
    elif ability == ATTACK_BOOST_2:  # for its neighbours until end of turn, even if they change (R41)
        s.status[card] += BOOST
    elif ability == USES_TARGET:  # wherever the chosen card is by then (R42)
        s.target[card] = chosen + 1
    elif ability == FIREBALL:
        return fireball(params, s, card, chosen)
    elif ability == LONG_RANGE:  # it attacks the opponent from a distance this turn (R45)
        s.status[card] |= LONG
    elif ability == HEAL_1:
        heal(s, chosen, 1)
    elif ability == HEAL_2:
        heal(s, chosen, 2)
    elif ability == DISPERSE:  # points of the packet may go to the owner's other characters, one by one (R48)
        s.phase = SPREAD
        return True
    elif ability == AVOID_DAMAGE:
        avoid_damage(params, s, card)
    elif ability == SERENITY:
        serenity(params, s, card)
    elif ability == RESTORE:
        restore(params, s, chosen)
    elif ability == FUTURE_VISION:
        future_vision(params, s)
    elif ability == CHANGE_THE_FUTURE:
        return change_the_future(params, s, chosen)
    elif ability == REORDER:
        return reorder(s, chosen)
    elif ability == EXTRA_CARD:  # a character from the hand comes into play without cost (R56)
        s.phase = EXTRA
        return True
    else:  # Sleep, until end of turn (R57)
        s.status[chosen] |= ASLEEP
    return False


@rule
def self_destruct(params: Params, s: State, card: int) -> None:
    """Destroy both cards at once, without damage (R40)."""
    victim = s.row[s.at[card] ^ SIDE] - 1
    discard_character(params, s, card)
    discard_character(params, s, victim)


@rule
def fireball(params: Params, s: State, card: int, chosen: int) -> bool:
    """Deal a packet of 1 to an enemy character, or take 1 life from the opponent (R44)."""
    if chosen < 0:
        lose_life(params, s, 1 - (s.at[card] >> 6), 1)
        return False
    return aim_packet(params, s, chosen, 1)


@rule
def heal(s: State, chosen: int, points: int) -> None:
    """Remove damage (R46); in ANSWER, take that many points off the packet (`heal=rescue`)."""
    if s.hit:
        s.packet = max(0, s.packet - points)
        land_packet(s)
    else:
        s.damage[chosen] = max(0, s.damage[chosen] - points)


@rule
def avoid_damage(params: Params, s: State, card: int) -> None:
    """Ignore the packet and all further damage to this card this turn (R49); with `avoid=packet` only the packet."""
    if params.avoid != PACKET:
        s.status[card] |= AVOIDING
    s.kept = 0
    clear_packet(s)


@rule
def serenity(params: Params, s: State, card: int) -> None:
    """Discard the card and ignore all damage, or all to its side (`serenity`), until end of turn (R50)."""
    s.serene |= 1 << (s.at[card] >> 6) if params.serenity == OWN_SIDE else 3
    discard_character(params, s, card)


@rule
def restore(params: Params, s: State, chosen: int) -> None:
    """Move a card from the discard pile to the hand; both players know which (R52)."""
    discard = discard_of(params, s, s.player)
    add_to_hand(s, s.player, take_at(discard, chosen + 1), 1)


@rule
def future_vision(params: Params, s: State) -> None:
    """Show the top of the deck to the user only (R53)."""
    s.known_top[s.player] = min(TOP, deck_of(params, s, s.player)[0])
    end_moment(s)


@rule
def change_the_future(params: Params, s: State, chosen: int) -> bool:
    """Record a card's new place, top first; once only one is left, rearrange the deck (R53)."""
    put(s.picks, chosen)
    count = s.known_top[s.player]
    if s.picks[0] < count - 1:
        return True
    put(s.picks, count * (count - 1) // 2 - s.picks[1] - s.picks[2])
    deck = deck_of(params, s, s.player)
    top = deck[0]
    seen = (deck[top], deck[top - 1], deck[max(1, top - 2)])
    for i in range(count):
        deck[top - i] = seen[s.picks[i + 1]]
    empty(s.picks)
    return False


@rule
def look_before_arranging(params: Params, s: State) -> None:
    """Show the top to the user, and clear what the other seat knew of this deck (section 12)."""
    forget_top(params, s, s.player)
    future_vision(params, s)


@rule
def reorder(s: State, chosen: int) -> bool:
    """Swap the lanes of two characters; they keep damage and effects (R55)."""
    if s.first == 0:
        s.first = chosen + 1
        return True
    other = s.first - 1
    here = s.at[chosen]
    put_in_lane(s, chosen, s.at[other])
    put_in_lane(s, other, here)
    s.first = 0
    return False
