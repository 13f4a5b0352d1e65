"""Make Your Moves Lite: the rules, ruling by ruling (R1 to R32 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import UNKNOWN, draw, insert, pour, put, remove, renew, shuffle, take_top
from sparring.engine.chance import below
from sparring.engine.rule import clockwise, end_moment, finish, no_news as news, places_on, rule

from .choices import legal
from .features import FEATURES, observe
from .knowledge import glimpse, has_coloured, imagine, no_longer_sure, note_reshuffle, redact, sure_of_fifth
from .moves import choice_of_fours, count_attack, count_defence, next_in, spare_card, still_in
from .state import (
    ACTIONS, ASSIST_CARD, ASSIST_SIDE, ATTACK, ATTACKER, BEATS, BY_POINTS, CARD, COMPARED, COUNTER, COUNTERED, DISCARD,
    DODGE, DODGE_TO, DONE, ELIMINATION, ENDINGS, FOUR, HAND, KIT, LAST_ONE_IN, MARKER, NEEDED, NO_ATTACK, OPEN, PHASES,
    RESHUFFLED, RESPOND, SCORED, SEAT, SEAT1, SKIP, STATE, TARGET, TURN_LIMIT,
)  # fmt: skip

__all__ = [
    "ACTIONS", "BEATS", "ENDINGS", "FEATURES", "KIT", "OPEN", "PHASES", "STATE",
    "glimpse", "imagine", "legal", "news", "observe", "redact", "setup", "step",
]  # fmt: skip

# The turn


@rule
def setup(kit, s):
    """Deal five to each seat and draw lots for control (section 3, R4)."""
    for card in range(kit.cards):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(HAND):
            insert(s.hand[seat], take_top(s.deck))
    if kit.first_control != SEAT1:
        s.control = below(s.rng, s.seats)
    begin_turn(kit, s)


@rule
def begin_turn(kit, s):
    """Start the next turn, and more of them as long as nobody has a choice to make (R3, R8)."""
    while not s.over:
        s.turn += 1
        end_moment(s)
        seat = s.control
        for _ in range(s.seats):
            fill_hand(kit, s, seat)
            seat = clockwise(s, seat)
        s.attacker = s.control
        if has_coloured(kit, s.hand[s.attacker]):
            s.sure_coloured[s.attacker] = 1
            s.phase = TARGET
            s.player = s.attacker
            return
        s.sure_wilds[s.attacker] = s.hand[s.attacker, 0]
        beat(s, NO_ATTACK)
        if give_up_attack(kit, s):
            return


@rule
def fill_hand(kit, s, seat):
    """Draw until the hand holds five, as long as there are cards (R8)."""
    if s.out[seat]:
        return
    hand = s.hand[seat]
    while hand[0] < HAND:
        card = draw_card(kit, s)
        if card == UNKNOWN:
            return
        insert(hand, card)


@rule
def draw_card(kit, s):
    """The top card of the draw pile; the discards become one that is empty (R7, R8). UNKNOWN: there is no card."""
    if s.deck[0] == 0 and s.discard[0] > 0:
        note_reshuffle(kit, s)
        renew(s.rng, s.deck, s.discard)
        beat(s, RESHUFFLED)
    return draw(s.rng, s.deck, s.discard)


@rule
def give_up_attack(kit, s):
    """A turn without attack: control goes to the next player (R2, R3). Whether somebody has a choice now."""
    s.control = next_in(s, s.attacker)
    return end_turn(kit, s)


@rule
def end_turn(kit, s):
    """Stop at the turn limit (R30), else let everybody discard (R28). False if the next turn is due at once."""
    if s.turn == kit.turn_limit:
        finish(s, TURN_LIMIT, leaders(kit, s))
        return True
    return ask_discard(s, 0)


@rule
def ask_discard(s, place):
    """Ask the next player still in who holds a card, clockwise from the Attacker (R28). Whether there is one."""
    for asked in range(place, s.seats):
        seat = places_on(s, s.attacker, asked)
        if not s.out[seat] and s.hand[seat, 0] > 0:
            s.asked = asked
            s.phase = DISCARD
            s.player = seat
            return True
    return False


@rule
def ask_assist(kit, s, place):
    """Ask the next bystander who holds a card, clockwise from the Attacker; after the last one comes SCORE (R21)."""
    for asked in range(place, s.seats):
        seat = places_on(s, s.attacker, asked)
        if seat != s.defender and not s.out[seat] and s.hand[seat, 0] > 0:
            s.asked = asked
            s.phase = ASSIST_CARD
            s.player = seat
            return
    score(kit, s)


# Choosing


@rule
def step(kit, s, action):
    """Carry out a choice."""
    player = s.player
    if s.phase == TARGET:
        choose_target(kit, s, action)
    elif s.phase == ATTACK:
        lay_attack(kit, s, action)
    elif s.phase == RESPOND:
        respond(kit, s, action)
    elif s.phase == FOUR:
        pick_for_four(kit, s, action - CARD)
    elif s.phase == DODGE_TO:
        s.defender = action - SEAT
        s.phase = RESPOND
        s.player = s.defender
    elif s.phase == ASSIST_CARD:
        assist(kit, s, action)
    elif s.phase == ASSIST_SIDE:
        pour(s.helping, s.help_attack if action == ATTACKER else s.help_defence)
        ask_assist(kit, s, s.asked + 1)
    else:
        discard(kit, s, action)
    if s.player != player:
        end_moment(s)


@rule
def choose_target(kit, s, action):
    """The Attacker names the Defender, or passes (R2, R9)."""
    if action == SKIP:
        if not give_up_attack(kit, s):
            begin_turn(kit, s)
    else:
        s.defender = action - SEAT
        s.phase = ATTACK


@rule
def lay(kit, s, pile, card):
    """Lay a card from the hand face up; everybody sees it."""
    remove(s.hand[s.player], card)
    put(pile, card)
    no_longer_sure(kit, s, s.player, card)
    end_moment(s)


@rule
def lay_attack(kit, s, action):
    """A card joins the attack, or the attack stands (R1, R12 to R15)."""
    if action == DONE:
        s.phase = RESPOND
        s.player = s.defender
        return
    lay(kit, s, s.attack, action - CARD)
    count_attack(kit, s, action - CARD)


@rule
def respond(kit, s, action):
    """A card joins the defence, the defence stands, or four of a colour stop or move the attack (R16 to R19)."""
    if action == DONE:
        ask_assist(kit, s, 1)
    elif action == COUNTER or action == DODGE:
        s.dodging = 1 if action == DODGE else 0
        end_moment(s)
        if choice_of_fours(kit, s.hand[s.player]):
            s.phase = FOUR
        else:
            pick_only_four(kit, s)
            lay_four(kit, s, False)
    else:
        lay(kit, s, s.defence, action - CARD)
        count_defence(kit, s, action - CARD)


@rule
def pick_only_four(kit, s):
    """The one four of the hand is picked without asking."""
    hand = s.hand[s.player]
    spare = spare_card(kit, hand)
    for i in range(1, hand[0] + 1):
        if hand[i] != spare:
            put(s.picked, hand[i])


@rule
def pick_for_four(kit, s, card):
    """One more card of the four; the fourth one lays them all."""
    put(s.picked, card)
    if s.picked[0] == 4:
        lay_four(kit, s, True)


@rule
def lay_four(kit, s, asked):
    """The four picked are laid: a Counter ends the attack, a Dodge asks who is attacked instead (R17 to R19)."""
    for i in range(1, 5):
        remove(s.hand[s.player], s.picked[i])
        no_longer_sure(kit, s, s.player, s.picked[i])
    if s.hand[s.player, 0] == 1:
        sure_of_fifth(kit, s, asked)
    pour(s.picked, s.fours)
    end_moment(s)
    if s.dodging:
        s.phase = DODGE_TO
        return
    s.phase = RESPOND  # nobody is picking any more
    s.control = s.defender
    beat(s, COUNTERED)
    clear_table(s)
    if not end_turn(kit, s):
        begin_turn(kit, s)


@rule
def assist(kit, s, action):
    """A bystander lays one card, or passes (R21, R22)."""
    if action == SKIP:
        ask_assist(kit, s, s.asked + 1)
    else:
        lay(kit, s, s.helping, action - CARD)
        s.phase = ASSIST_SIDE


@rule
def discard(kit, s, action):
    """A card goes to the discard pile, or this player is through (R28)."""
    if action != DONE:
        lay(kit, s, s.discard, action - CARD)
        if s.hand[s.player, 0] > 0:
            return
    if not ask_discard(s, s.asked + 1):
        begin_turn(kit, s)


# Resolution


@rule
def score(kit, s):
    """Compare, give the point and control, and see whether the match is over (section 6, R23 to R27)."""
    margin = power_of(kit, s.defence) + power_of(kit, s.help_defence)
    margin -= power_of(kit, s.attack) + power_of(kit, s.help_attack)
    beat(s, COMPARED)
    clear_table(s)
    end_moment(s)
    if margin > 0:
        s.control = s.defender
    if margin < 0:
        award(kit, s, s.defender if kit.match == ELIMINATION else s.attacker)
    elif margin >= 2:
        award(kit, s, s.attacker if kit.match == ELIMINATION else s.defender)
    if not s.over and not end_turn(kit, s):
        begin_turn(kit, s)


@rule
def power_of(kit, pile):
    """The powers of a pile added up."""
    total = 0
    for i in range(1, pile[0] + 1):
        total += kit.power[pile[i]]
    return total


@rule
def clear_table(s):
    """All laid cards go to the discard pile (R29)."""
    pour(s.attack, s.discard)
    pour(s.defence, s.discard)
    pour(s.fours, s.discard)
    pour(s.help_attack, s.discard)
    pour(s.help_defence, s.discard)
    s.dodging = 0
    s.attack_colours = 0
    s.strong_colours = 0
    s.ceiling = 0
    s.units = 0
    s.single_colours = 0
    s.wilds = 0


@rule
def award(kit, s, seat):
    """One point, with a card from the draw pile to mark it (R7, R24); the third one wins or puts out (R25, R26)."""
    s.points[seat] += 1
    if kit.point_cards != MARKER:
        card = draw_card(kit, s)
        if card != UNKNOWN:
            put(s.point_cards[seat], card)
    beat(s, SCORED)
    if s.points[seat] < NEEDED:
        return
    if kit.match == ELIMINATION:
        put_out(s, seat)
    else:
        finish(s, BY_POINTS, 1 << seat)


@rule
def put_out(s, seat):
    """A player with three points of damage is out; the last one in wins (R25, R27)."""
    s.out[seat] = 1
    pour(s.hand[seat], s.discard)
    s.sure_wilds[seat] = 0
    s.sure_coloured[seat] = 0
    s.sure_kinds[seat] = 0
    if still_in(s) == 1:
        finish(s, LAST_ONE_IN, 1 << next_in(s, seat))


@rule
def leaders(kit, s):
    """Who is ahead at the turn limit, as bits: most points, or in an elimination match fewest of those in (R30)."""
    best = -NEEDED - 1
    ahead = 0
    for seat in range(s.seats):
        if s.out[seat]:
            continue
        worth = -s.points[seat] if kit.match == ELIMINATION else s.points[seat]
        if worth > best:
            best = worth
            ahead = 0
        if worth == best:
            ahead |= 1 << seat
    return ahead
