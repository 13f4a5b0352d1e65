"""Five Circles: decks, hands, rows and current values (sections 4 to 8); places are numbered as in `state.py`."""

from sparring.engine.cards import insert, put, remove, reshuffle, take_top
from sparring.engine.rule import beat, end_moment, finish, rule
from sparring.engine.types import CardPile

from .state import (
    ARRIVED, ASLEEP, AT_ONCE, BLUE, BOTH_HOLD, DESTROYED, FALLING, GREEN, HALF, HOLD, LIFE_LOST, MEET, NO_LIFE, OWN,
    RED, RESHUFFLE, RESHUFFLED, RESOURCE, SEATS, SEEN, SIDE, SILENT, Params, State,
)  # fmt: skip


# Decks and hands


@rule
def count_decks(params: Params) -> int:
    """Return the number of draw decks, which is also that of discard piles (R2)."""
    return SEATS if params.decks == OWN else 1


@rule
def deck_of(params: Params, s: State, seat: int) -> CardPile:
    """Return the draw deck of a seat (R2)."""
    return s.deck[HALF if params.decks == OWN and seat else 0 :]


@rule
def discard_of(params: Params, s: State, seat: int) -> CardPile:
    """Return the discard pile of a seat (R2)."""
    return s.discard[HALF if params.decks == OWN and seat else 0 :]


@rule
def add_to_hand(s: State, seat: int, card: int, seen: int) -> None:
    """Add a card to a hand; `seen` is 1 if the other seat knows which card it is."""
    s.cards[seat] += 1
    if card >= RESOURCE:
        s.held[seat, card - RESOURCE] += 1
        s.known[seat, card - RESOURCE] += seen
    else:
        insert(s.hand[seat], card)
        s.status[card] = SEEN if seen else 0


@rule
def draw_card(params: Params, s: State, seat: int) -> bool:
    """Draw one card, reshuffling with `empty=reshuffle` (R17); return whether there was one."""
    deck = deck_of(params, s, seat)
    if deck[0] == 0:
        discard = discard_of(params, s, seat)
        if params.empty != RESHUFFLE or discard[0] == 0:
            return False
        reshuffle(s.rng, deck, discard)
        forget_top(params, s, seat)
        beat(s, RESHUFFLED)
    seen = 0
    for viewer in range(SEATS):
        if s.known_top[viewer] > 0 and (params.decks != OWN or viewer == seat):
            s.known_top[viewer] -= 1
            if viewer != seat:
                seen = 1
    add_to_hand(s, seat, take_top(deck), seen)
    return True


@rule
def forget_top(params: Params, s: State, seat: int) -> None:
    """Clear what the seats know about the top of this seat's draw deck (section 12)."""
    s.known_top[seat] = 0
    if params.decks != OWN:
        s.known_top[1 - seat] = 0


@rule
def leave_hand(params: Params, s: State, seat: int) -> None:
    """Record that a card left the hand face up; with `refill=at-once` an empty hand draws (R16)."""
    s.cards[seat] -= 1
    end_moment(s)
    if s.cards[seat] == 0 and params.refill == AT_ONCE:
        for _ in range(3):
            draw_card(params, s, seat)


@rule
def play_resource(params: Params, s: State, seat: int, colour: int) -> None:
    """Move a resource from the hand to the table, ready (R18)."""
    s.held[seat, colour] -= 1
    if s.known[seat, colour] > 0:
        s.known[seat, colour] -= 1
    s.ready[seat, colour] += 1
    s.laid += 1
    leave_hand(params, s, seat)


@rule
def count_resources(s: State, seat: int) -> int:
    """Return how many resources a hand holds."""
    return s.held[seat, RED] + s.held[seat, BLUE] + s.held[seat, GREEN]


# Paying


@rule
def spend(s: State, seat: int, colour: int, price: int) -> None:
    """Spend ready resources (R59)."""
    s.ready[seat, colour] -= price
    s.spent[seat, colour] += price


@rule
def payable(params: Params, s: State, seat: int, card: int) -> bool:
    """Return whether a seat has the full cost of a character ready (section 1)."""
    missing = 0
    for colour in range(3):
        missing |= int(s.ready[seat, colour] < params.card_cost[card, colour])
    return missing == 0


# Rows


@rule
def enter_play(params: Params, s: State, seat: int, card: int) -> None:
    """Move a character from the hand to the lane after the seat's highest occupied one (R25)."""
    remove(s.hand[seat], card)
    put_in_lane(s, card, seat * SIDE + s.last[seat] + 1)
    s.last[seat] += 1
    s.status[card] = ARRIVED
    leave_hand(params, s, seat)


@rule
def put_in_lane(s: State, card: int, at: int) -> None:
    """Put a character at a place in play."""
    s.row[at] = card + 1
    s.at[card] = at


@rule
def discard_character(params: Params, s: State, card: int) -> None:
    """Move a character from play to the discard pile; it leaves a gap and loses all it carried (section 0)."""
    seat = s.at[card] >> 6
    s.row[s.at[card]] = 0
    s.at[card] = 0
    s.damage[card] = 0
    s.status[card] = 0
    s.target[card] = 0
    while s.last[seat] > 0 and s.row[seat * SIDE + s.last[seat]] == 0:
        s.last[seat] -= 1
    put(discard_of(params, s, params.card_owner[card]), card)


@rule
def regroup(s: State, seat: int) -> None:
    """Slide a row toward lane 1, closing its gaps (R31)."""
    lanes = 0
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0:
            lanes += 1
            if at != seat * SIDE + lanes:
                s.row[at] = 0
                put_in_lane(s, card, seat * SIDE + lanes)
    s.last[seat] = lanes


@rule
def count_in_play(s: State, seat: int) -> int:
    """Return how many characters a seat has in play."""
    count = 0
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            count += 1
    return count


@rule
def has_damaged(s: State, seat: int) -> bool:
    """Return whether any character of a seat has damage."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at] and s.damage[s.row[at] - 1] > 0:
            return True
    return False


# Current values (section 7), computed when needed and never stored (R35)


@rule
def is_silent(params: Params, s: State, card: int) -> bool:
    """Return whether a sleeping card has lost its abilities (`sleeper`, R57)."""
    return params.sleeper == SILENT and s.status[card] & ASLEEP != 0


@rule
def attack_bonus(params: Params, s: State, at: int) -> int:
    """Return the attack that the character at a place gives each neighbour (R35, R41)."""
    card = s.row[at] - 1
    if card < 0 or is_silent(params, s, card):
        return 0
    return params.card_boost[card] + 2 * (s.status[card] >> 8 & 3)


@rule
def attack_of(params: Params, s: State, card: int) -> int:
    """Return attack: the printed value plus bonuses from neighbours (R35)."""
    at = s.at[card]
    return params.card_attack[card] + attack_bonus(params, s, at - 1) + attack_bonus(params, s, at + 1)


@rule
def health_bonus(params: Params, s: State, at: int) -> int:
    """Return the health that the character at a place gives each neighbour (Defender, R35)."""
    card = s.row[at] - 1
    if card < 0 or is_silent(params, s, card):
        return 0
    return params.card_guard[card]


@rule
def health_of(params: Params, s: State, card: int) -> int:
    """Return health: the printed value plus bonuses from neighbours (R35)."""
    at = s.at[card]
    return params.card_health[card] + health_bonus(params, s, at - 1) + health_bonus(params, s, at + 1)


@rule
def strike_of(params: Params, s: State, card: int, other: int) -> int:
    """Return a card's strike on another: its attack less the armour it doesn't pierce (R38, R39)."""
    armour = 0 if is_silent(params, s, other) else max(0, params.card_armour[other] - params.card_pierce[card])
    return max(0, attack_of(params, s, card) - armour)


# Destruction


@rule
def has_lethal_damage(params: Params, s: State, card: int) -> bool:
    """Return whether damage exceeds health, or with `lethal=meet` equals it (R26)."""
    damage = s.damage[card]
    if params.lethal == MEET:
        damage += damage > 0
    return damage > params.card_health[card] and damage > health_of(params, s, card)


@rule
def check_destruction(params: Params, s: State) -> None:
    """Destroy all characters with lethal damage at the same moment; repeat until none is left (section 7, R47)."""
    destroyed = True
    while destroyed:
        destroyed = False
        for seat in range(SEATS):
            for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
                card = s.row[at] - 1
                if card >= 0 and s.damage[card] > 0 and has_lethal_damage(params, s, card):
                    s.status[card] |= FALLING
                    destroyed = True
        if destroyed:
            beat(s, DESTROYED)
            discard_marked(params, s, s.active)
            discard_marked(params, s, 1 - s.active)


@rule
def discard_marked(params: Params, s: State, seat: int) -> None:
    """Discard the marked characters of a row, from lane 1 outward."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0 and s.status[card] & FALLING:
            discard_character(params, s, card)


@rule
def lose_life(params: Params, s: State, seat: int, points: int) -> None:
    """Reduce life, not below 0; at 0 the game ends at once (R29, R32). Only Serenity prevents it."""
    if s.serene >> seat & 1:
        return
    s.life[seat] = max(0, s.life[seat] - points)
    beat(s, LIFE_LOST)
    if s.life[seat] == 0:
        finish(s, NO_LIFE, 2 - seat)


@rule
def has_combat(params: Params, s: State) -> bool:
    """Return whether there is combat this turn (`opening`, R23)."""
    if params.opening == HOLD:
        return s.turn > 1
    return params.opening != BOTH_HOLD or s.turn > 2
