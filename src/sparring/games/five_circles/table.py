"""Five Circles: decks, hands, rows and values (sections 4 to 8). How a place in play is numbered: see `state.py`."""

from sparring.engine.beats import beat
from sparring.engine.cards import insert, pour, put, remove, shuffle, take_top
from sparring.engine.rule import end_moment, finish, rule

from .options import AT_ONCE, BOTH_HOLD, HOLD, MEET, OWN, RESHUFFLE, SILENT
from .state import (
    ARRIVED, ASLEEP, BLUE, DESTROYED, FALLING, GREEN, HALF, LIFE_LOST, NO_LIFE, RED, RESHUFFLED, RESOURCE, SEATS, SEEN,
    SIDE,
)  # fmt: skip


# Decks and hands


@rule
def deck_of(kit, s, seat):
    """The draw deck of a seat (R2)."""
    return s.deck[HALF if kit.decks == OWN and seat else 0 :]


@rule
def discard_of(kit, s, seat):
    """The discard pile of a seat (R2)."""
    return s.discard[HALF if kit.decks == OWN and seat else 0 :]


@rule
def take_in(s, seat, card, seen):
    """A card goes to a hand; `seen`: the other seat knows which."""
    s.cards[seat] += 1
    if card >= RESOURCE:
        s.held[seat, card - RESOURCE] += 1
        s.known[seat, card - RESOURCE] += seen
    else:
        insert(s.hand[seat], card)
        s.status[card] = SEEN if seen else 0


@rule
def draw_card(kit, s, seat):
    """Draw one card; an empty deck may be made anew from the discard pile (R17). Whether there was one."""
    deck = deck_of(kit, s, seat)
    if deck[0] == 0:
        discard = discard_of(kit, s, seat)
        if kit.empty != RESHUFFLE or discard[0] == 0:
            return False
        pour(discard, deck)
        shuffle(s.rng, deck)
        forget_top(kit, s, seat)
        beat(s, RESHUFFLED)
    seen = 0
    for viewer in range(SEATS):
        if s.known_top[viewer] > 0 and (kit.decks != OWN or viewer == seat):
            s.known_top[viewer] -= 1
            if viewer != seat:
                seen = 1
    take_in(s, seat, take_top(deck), seen)
    return True


@rule
def forget_top(kit, s, seat):
    """Nobody knows what lies on top of this seat's draw deck any more (section 12)."""
    s.known_top[seat] = 0
    if kit.decks != OWN:
        s.known_top[1 - seat] = 0


@rule
def left_hand(kit, s, seat):
    """A card left the hand for the table, for all to see; an empty hand may draw at once (`refill`, R16)."""
    s.cards[seat] -= 1
    end_moment(s)
    if s.cards[seat] == 0 and kit.refill == AT_ONCE:
        for _ in range(3):
            draw_card(kit, s, seat)


@rule
def play_resource(kit, s, seat, colour):
    """A resource goes to the table, ready (R18)."""
    s.held[seat, colour] -= 1
    if s.known[seat, colour] > 0:
        s.known[seat, colour] -= 1
    s.ready[seat, colour] += 1
    s.laid += 1
    left_hand(kit, s, seat)


@rule
def has_resource(s, seat):
    """Whether a hand holds a resource."""
    return s.held[seat, RED] + s.held[seat, BLUE] + s.held[seat, GREEN] > 0


# Paying


@rule
def spend(s, seat, colour, price):
    """Ready resources are turned over (R59)."""
    s.ready[seat, colour] -= price
    s.spent[seat, colour] += price


@rule
def payable(kit, s, seat, card):
    """Whether the full cost of a character is ready (section 1)."""
    for colour in range(3):
        if s.ready[seat, colour] < kit.card_cost[card, colour]:
            return False
    return True


# Rows


@rule
def arrive(kit, s, seat, card):
    """A character from the hand takes the lane after the highest one occupied (R25)."""
    remove(s.hand[seat], card)
    settle(s, card, seat * SIDE + s.last[seat] + 1)
    s.last[seat] += 1
    s.status[card] = ARRIVED
    left_hand(kit, s, seat)


@rule
def settle(s, card, at):
    """A character stands at a place."""
    s.row[at] = card + 1
    s.at[card] = at


@rule
def leave(kit, s, card):
    """A character goes from play to the discard pile, leaves a gap, and loses all it carried (section 0)."""
    seat = s.at[card] >> 6
    s.row[s.at[card]] = 0
    s.at[card] = 0
    s.damage[card] = 0
    s.status[card] = 0
    s.target[card] = 0
    while s.last[seat] > 0 and s.row[seat * SIDE + s.last[seat]] == 0:
        s.last[seat] -= 1
    put(discard_of(kit, s, kit.card_owner[card]), card)


@rule
def regroup(s, seat):
    """A row slides toward lane 1 and closes its gaps (R31)."""
    lanes = 0
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0:
            lanes += 1
            if at != seat * SIDE + lanes:
                s.row[at] = 0
                settle(s, card, seat * SIDE + lanes)
    s.last[seat] = lanes


@rule
def in_play(s, seat):
    """How many characters a seat has in play."""
    count = 0
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            count += 1
    return count


@rule
def is_hurt(s, seat):
    """Whether a character of a seat has damage."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at] and s.damage[s.row[at] - 1] > 0:
            return True
    return False


# Values now (section 7): read when they are needed, never stored (R35)


@rule
def is_silent(kit, s, card):
    """Whether a sleeping card has lost its abilities (`sleeper`, R57)."""
    return kit.sleeper == SILENT and s.status[card] & ASLEEP != 0


@rule
def lent_attack(kit, s, at):
    """What the character at a place adds to a neighbour's attack (R35, R41)."""
    card = s.row[at] - 1
    if card < 0 or is_silent(kit, s, card):
        return 0
    return kit.card_boost[card] + 2 * (s.status[card] >> 8 & 3)


@rule
def attack_of(kit, s, card):
    """Attack: as printed, and what the neighbours add (R35)."""
    at = s.at[card]
    return kit.card_attack[card] + lent_attack(kit, s, at - 1) + lent_attack(kit, s, at + 1)


@rule
def lent_health(kit, s, at):
    """What the character at a place adds to a neighbour's health (Defender, R35)."""
    card = s.row[at] - 1
    if card < 0 or is_silent(kit, s, card):
        return 0
    return kit.card_guard[card]


@rule
def health_of(kit, s, card):
    """Health: as printed, and what the neighbours add (R35)."""
    at = s.at[card]
    return kit.card_health[card] + lent_health(kit, s, at - 1) + lent_health(kit, s, at + 1)


@rule
def strike_of(kit, s, card, other):
    """What a card's strike on another one comes to: its attack less the armour it does not pierce (R38, R39)."""
    armour = 0 if is_silent(kit, s, other) else max(0, kit.card_armour[other] - kit.card_pierce[card])
    return max(0, attack_of(kit, s, card) - armour)


# Destruction


@rule
def is_doomed(kit, s, card):
    """Whether a character has more damage than health; with `lethal=meet` as much is enough (R26)."""
    damage = s.damage[card]
    if kit.lethal == MEET:
        damage += damage > 0
    return damage > kit.card_health[card] and damage > health_of(kit, s, card)


@rule
def sweep(kit, s):
    """The destruction check: mark all doomed, remove them at one moment, and again until nobody is (section 7, R47)."""
    found = True
    while found:
        found = False
        for seat in range(SEATS):
            for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
                card = s.row[at] - 1
                if card >= 0 and s.damage[card] > 0 and is_doomed(kit, s, card):
                    s.status[card] |= FALLING
                    found = True
        if found:
            beat(s, DESTROYED)
            drop_doomed(kit, s, s.active)
            drop_doomed(kit, s, 1 - s.active)


@rule
def drop_doomed(kit, s, seat):
    """The marked ones of a row go to the discard pile, from lane 1 outward."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0 and s.status[card] & FALLING:
            leave(kit, s, card)


@rule
def lose_life(kit, s, seat, points):
    """Life lost, not below 0; at 0 the game ends at once (R29, R32). Nothing but Serenity reduces it."""
    if s.serene >> seat & 1:
        return
    s.life[seat] = max(0, s.life[seat] - points)
    beat(s, LIFE_LOST)
    if s.life[seat] == 0:
        finish(s, NO_LIFE, 2 - seat)


@rule
def fights(kit, s):
    """Whether there is combat in this turn (`opening`, R23)."""
    if kit.opening == HOLD:
        return s.turn > 1
    return kit.opening != BOTH_HOLD or s.turn > 2
