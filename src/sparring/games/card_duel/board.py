"""Card Duel: the characters in play, what changes them, and what changes players (R13 to R17 of rules.md)."""

from sparring.engine.cards import insert, put, remove, take_top
from sparring.engine.chance import below
from sparring.engine.rule import rule

from . import card_effects as E
from .params import SEATS, Params
from .state import ARRIVED, CHAIN, MOST_ENERGY_NOW, MOST_SHIELDS, MOST_STAT, POINTS, READY, State


@rule
def attack_of(params: Params, s: State, seat: int, slot: int) -> int:
    """Return the attack of a character in play."""
    return min(MOST_STAT, max(0, params.card_attack[s.row[seat, slot] - 1] + s.more_attack[seat, slot]))


@rule
def health_of(params: Params, s: State, seat: int, slot: int) -> int:
    """Return the health that a character in play has left."""
    return params.card_health[s.row[seat, slot] - 1] + s.more_health[seat, slot] - s.damage[seat, slot]


@rule
def free_slot(params: Params, s: State, seat: int) -> int:
    """Return a player's first free slot, or -1."""
    for slot in range(params.slots):
        if s.row[seat, slot] == 0:
            return slot
    return -1


@rule
def in_play(params: Params, s: State, seat: int) -> int:
    """Return the number of characters that a player has in play."""
    count = 0
    for slot in range(params.slots):
        if s.row[seat, slot]:
            count += 1
    return count


@rule
def enter(params: Params, s: State, card: int, seat: int, slot: int) -> None:
    """Put a character from a player's hand into a slot."""
    s.row[seat, slot] = card + 1
    s.owner[seat, slot] = seat
    s.tired[seat, slot] = READY if params.fast[card] else ARRIVED


@rule
def leave(s: State, seat: int, slot: int) -> None:
    """Clear a slot; a character keeps nothing when it leaves play."""
    s.row[seat, slot] = 0
    s.owner[seat, slot] = 0
    s.damage[seat, slot] = 0
    s.more_attack[seat, slot] = 0
    s.more_health[seat, slot] = 0
    s.shield[seat, slot] = 0
    s.tired[seat, slot] = 0


@rule
def queue(params: Params, s: State, card: int, seat: int, when: int, slot: int, aim: int) -> None:
    """Queue the effects of a card for this time, if it has any; beyond CHAIN of them nothing happens (R12)."""
    for place in range(params.effects[card]):
        if params.effect_when[card, place] == when and s.queued < CHAIN:
            entry = s.waiting[s.queued]
            entry[0] = card
            entry[1] = seat
            entry[2] = when
            entry[3] = slot + 1
            entry[4] = aim
            s.queued += 1
            return


@rule
def hurt(params: Params, s: State, seat: int, slot: int, number: int) -> None:
    """Deal damage to a character; a shield stops it (R14)."""
    if s.row[seat, slot] == 0 or number <= 0:
        return
    if s.shield[seat, slot]:
        s.shield[seat, slot] -= 1
        return
    s.damage[seat, slot] = min(1000, s.damage[seat, slot] + number)
    queue(params, s, s.row[seat, slot] - 1, seat, E.HIT, slot, 0)


@rule
def hurt_player(params: Params, s: State, seat: int, number: int) -> None:
    """Take life from a player, or score for the other one (R1)."""
    if params.win == POINTS:
        s.points[1 - seat] = min(MOST_STAT, s.points[1 - seat] + number)
    else:
        s.life[seat] = max(0, s.life[seat] - number)


@rule
def defeat(params: Params, s: State, seat: int, slot: int) -> None:
    """Discard a character, and queue what happens when it is defeated (R15)."""
    card = s.row[seat, slot] - 1
    put(s.discard[s.owner[seat, slot]], card)
    leave(s, seat, slot)
    queue(params, s, card, seat, E.DEFEATED, slot, 0)


@rule
def sweep(params: Params, s: State) -> None:
    """Defeat all characters without health, first those of the player whose turn it is (R15)."""
    for place in range(SEATS):
        seat = s.player if place == 0 else 1 - s.player
        for slot in range(params.slots):
            if s.row[seat, slot] and health_of(params, s, seat, slot) <= 0:
                defeat(params, s, seat, slot)


@rule
def return_to_hand(params: Params, s: State, seat: int, slot: int) -> None:
    """Put a character back into the hand of its owner, where everyone knows it; a full hand discards it (R16)."""
    card = s.row[seat, slot] - 1
    owner = s.owner[seat, slot]
    leave(s, seat, slot)
    if s.hand[owner, 0] < params.hand_limit:
        insert(s.hand[owner], card)
        s.known[owner, card] += 1
    else:
        put(s.discard[owner], card)


@rule
def take_control(params: Params, s: State, seat: int, slot: int) -> None:
    """Move a character to the other player's first free slot as if it had just come, with all its changes (R17)."""
    taker = 1 - seat
    free = free_slot(params, s, taker)
    if free < 0:
        return
    card = s.row[seat, slot]
    s.row[taker, free] = card
    s.owner[taker, free] = s.owner[seat, slot]
    s.damage[taker, free] = s.damage[seat, slot]
    s.more_attack[taker, free] = s.more_attack[seat, slot]
    s.more_health[taker, free] = s.more_health[seat, slot]
    s.shield[taker, free] = s.shield[seat, slot]
    s.tired[taker, free] = READY if params.fast[card - 1] else ARRIVED
    leave(s, seat, slot)


@rule
def draw_cards(params: Params, s: State, seat: int, number: int) -> None:
    """Draw cards; those beyond the hand limit are discarded, and an empty deck gives none (R5, R6)."""
    for _ in range(number):
        if s.deck[seat, 0] == 0:
            return
        card = take_top(s.deck[seat])
        if s.hand[seat, 0] < params.hand_limit:
            insert(s.hand[seat], card)
        else:
            put(s.discard[seat], card)


@rule
def take_from_hand(s: State, seat: int, card: int) -> None:
    """Remove a card from a hand; if everyone knew a copy there, it may be this one."""
    remove(s.hand[seat], card)
    if s.known[seat, card]:
        s.known[seat, card] -= 1


@rule
def discard_cards(s: State, seat: int, number: int) -> None:
    """Discard random cards from a hand."""
    for _ in range(number):
        if s.hand[seat, 0] == 0:
            return
        card = s.hand[seat, below(s.rng, s.hand[seat, 0]) + 1]
        take_from_hand(s, seat, card)
        put(s.discard[seat], card)


@rule
def weakest(params: Params, s: State, seat: int) -> int:
    """Return the slot of the character with the least health, the first of equals, or -1."""
    best = -1
    for slot in range(params.slots):
        if s.row[seat, slot] and (best < 0 or health_of(params, s, seat, slot) < health_of(params, s, seat, best)):
            best = slot
    return best


@rule
def strongest(params: Params, s: State, seat: int) -> int:
    """Return the slot of the character with the most attack, the first of equals, or -1."""
    best = -1
    for slot in range(params.slots):
        if s.row[seat, slot] and (best < 0 or attack_of(params, s, seat, slot) > attack_of(params, s, seat, best)):
            best = slot
    return best


@rule
def random_slot(params: Params, s: State, seat: int) -> int:
    """Return the slot of a random character, or -1."""
    count = in_play(params, s, seat)
    if count == 0:
        return -1
    left = below(s.rng, count)
    for slot in range(params.slots):
        if s.row[seat, slot]:
            if left == 0:
                return slot
            left -= 1
    return -1


@rule
def change(params: Params, s: State, seat: int, slot: int, does: int, number: int) -> None:
    """Carry out an effect on one character."""
    if s.row[seat, slot] == 0:
        return
    if does == E.DAMAGE:
        hurt(params, s, seat, slot, number)
    elif does == E.HEAL:
        s.damage[seat, slot] = max(0, s.damage[seat, slot] - number)
    elif does == E.ATTACK:
        s.more_attack[seat, slot] = min(MOST_STAT, s.more_attack[seat, slot] + number)
    elif does == E.WEAKEN:
        card = s.row[seat, slot] - 1
        s.more_attack[seat, slot] = max(-params.card_attack[card], s.more_attack[seat, slot] - number)
    elif does == E.HEALTH:
        s.more_health[seat, slot] = min(MOST_STAT, s.more_health[seat, slot] + number)
    elif does == E.SHIELD:
        s.shield[seat, slot] = min(MOST_SHIELDS, s.shield[seat, slot] + number)
    elif does == E.RETURN:
        return_to_hand(params, s, seat, slot)
    elif does == E.DESTROY:
        defeat(params, s, seat, slot)
    else:
        take_control(params, s, seat, slot)


@rule
def change_player(params: Params, s: State, seat: int, does: int, number: int) -> None:
    """Carry out an effect on a player."""
    if does == E.DAMAGE:
        hurt_player(params, s, seat, number)
    elif does == E.HEAL:
        s.life[seat] = min(params.life, s.life[seat] + number)
    elif does == E.DRAW:
        draw_cards(params, s, seat, number)
    elif does == E.DISCARD:
        discard_cards(s, seat, number)
    elif does == E.ENERGY:
        s.energy[seat] = min(MOST_ENERGY_NOW, s.energy[seat] + number)
    else:
        s.points[seat] = min(MOST_STAT, s.points[seat] + number)
