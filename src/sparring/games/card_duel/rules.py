"""Card Duel: set-up, turns, legal choices, playing cards and attacking (R1 to R17 of rules.md)."""

from sparring.engine.cards import put, shuffle
from sparring.engine.chance import below
from sparring.engine.rule import beat, end_moment, offer, rule
from sparring.engine.types import Numbers

from . import card_effects as E
from .board import attack_of, draw_cards, enter, free_slot, hurt, hurt_player, in_play, queue, sweep, take_from_hand
from .params import CHARACTER, SEATS, Params
from .resolving import check_end, end_by_rounds, resolve
from .state import (
    AIM, CARD_PLAYED, DONE, ENEMY, FIXED, LANES, MAIN, MOVES, NO_ATTACK, NO_CHARACTER, NOTHING, OPPONENT, PLACE, READY,
    ROW_FULL, SEAT1, SLOT, STRUCK, TARGET, TOO_EXPENSIVE, USED, State,
)  # fmt: skip

#: The first turn of the player who goes second.
SECOND_TURN = 2


@rule
def setup(params: Params, s: State) -> None:
    """Shuffle both decks, choose who goes first, deal the hands (R4, R10) and start the first turn."""
    for seat in range(SEATS):
        s.life[seat] = params.life
        for card in range(params.cards):
            for _ in range(params.copies[seat, card]):
                put(s.deck[seat], card)
        shuffle(s.rng, s.deck[seat])
    if params.first != SEAT1:
        s.first = below(s.rng, SEATS)
    draw_cards(params, s, s.first, params.hand)
    draw_cards(params, s, 1 - s.first, params.hand + params.second_cards)
    begin_turn(params, s, s.first)


@rule
def begin_turn(params: Params, s: State, seat: int) -> None:
    """Start a player's turn: energy, a draw, characters ready, and their effects (R3, R5, R7)."""
    s.turn += 1
    end_moment(s)
    if s.turn > 2 * params.rounds:
        s.turn -= 1
        end_by_rounds(params, s)
        return
    s.player = seat
    s.phase = MAIN
    s.moves = 0
    s.energy[1 - seat] = 0
    s.energy[seat] = params.energy if params.growth == FIXED else min(params.energy, (s.turn + 1) // 2)
    if s.turn == SECOND_TURN:
        s.energy[seat] += params.second_energy
    draw_cards(params, s, seat, params.draw)
    for slot in range(params.slots):
        s.tired[seat, slot] = READY
        if s.row[seat, slot]:
            queue(params, s, s.row[seat, slot] - 1, seat, E.TURN_STARTS, slot, 0)
    resolve(params, s)


@rule
def end_turn(params: Params, s: State) -> None:
    """Carry out the effects at the end of the turn; then it is the other player's turn."""
    for slot in range(params.slots):
        if s.row[s.player, slot]:
            queue(params, s, s.row[s.player, slot] - 1, s.player, E.TURN_ENDS, slot, 0)
    resolve(params, s)
    if not s.over:
        begin_turn(params, s, 1 - s.player)


# The legal choices


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` in ascending order; return how many there are."""
    if s.phase == PLACE:
        return free_slots(params, s, out)
    if s.phase == AIM:
        return enemies(params, s, out, False)
    if s.phase != MAIN:
        return targets(params, s, out)
    n = 0
    if s.moves < MOVES:
        n = playable_cards(params, s, out)
        for slot in range(params.slots):
            n = offer(out, n, SLOT + slot, attack_obstacle(params, s, slot) == NOTHING)
    out[n] = DONE
    return n + 1


@rule
def playable_cards(params: Params, s: State, out: Numbers) -> int:
    """Write the cards in hand that the player can play; return how many there are (R7, R9)."""
    hand = s.hand[s.player]
    n = 0
    last = -1
    for i in range(1, hand[0] + 1):
        card = hand[i]
        if card != last and play_obstacle(params, s, card) == NOTHING:
            out[n] = card
            n += 1
        last = card
    return n


@rule
def play_obstacle(params: Params, s: State, card: int) -> int:
    """Return what keeps the player from playing a card in hand: its energy, or no free slot for a character."""
    if params.cost[card] > s.energy[s.player]:
        return TOO_EXPENSIVE
    if params.kind[card] == CHARACTER and free_slot(params, s, s.player) < 0:
        return ROW_FULL
    return NOTHING


@rule
def attack_obstacle(params: Params, s: State, slot: int) -> int:
    """Return what keeps the player from attacking with a slot: it is ready if it has a character with attack."""
    if s.row[s.player, slot] == 0:
        return NO_CHARACTER
    if s.tired[s.player, slot] != READY:
        return int(s.tired[s.player, slot])
    return NO_ATTACK if attack_of(params, s, s.player, slot) == 0 else NOTHING


@rule
def free_slots(params: Params, s: State, out: Numbers) -> int:
    """Write the free slots of the player; return how many there are."""
    n = 0
    for slot in range(params.slots):
        n = offer(out, n, SLOT + slot, s.row[s.player, slot] == 0)
    return n


@rule
def enemies(params: Params, s: State, out: Numbers, guards: bool) -> int:
    """Write the enemy characters, or only those with Guard; return how many there are."""
    enemy = 1 - s.player
    n = 0
    for slot in range(params.slots):
        if s.row[enemy, slot] and (not guards or params.guard[s.row[enemy, slot] - 1]):
            out[n] = ENEMY + slot
            n += 1
    return n


@rule
def targets(params: Params, s: State, out: Numbers) -> int:
    """Write what the attacker can attack: the enemies with Guard, or else any enemy and the opponent (R8)."""
    n = enemies(params, s, out, True)
    if n:
        return n
    n = enemies(params, s, out, False)
    out[n] = OPPONENT
    return n + 1


# Carrying out a choice


@rule
def step(params: Params, s: State, action: int) -> None:
    """Carry out a choice of `s.player`."""
    if s.phase == PLACE:
        come_into_play(params, s, action - SLOT)
    elif s.phase == AIM:
        finish_card(params, s, action - ENEMY + 1)
    elif s.phase == TARGET:
        attack(params, s, s.attacker - 1, -1 if action == OPPONENT else action - ENEMY)
    elif action == DONE:
        end_moment(s)
        end_turn(params, s)
    elif action < SLOT:
        play_card(params, s, action)
    else:
        choose_target(params, s, action - SLOT)


@rule
def play_card(params: Params, s: State, card: int) -> None:
    """Pay for a card and show it; a character takes a slot, an event happens (R7, R9, R11)."""
    end_moment(s)
    take_from_hand(s, s.player, card)
    s.energy[s.player] -= params.cost[card]
    s.moves += 1
    s.card = card + 1
    if params.kind[card] != CHARACTER:
        aim(params, s)
    elif params.combat == LANES:
        s.phase = PLACE
    else:
        come_into_play(params, s, free_slot(params, s, s.player))


@rule
def come_into_play(params: Params, s: State, slot: int) -> None:
    """Put the character that is being played into a slot."""
    end_moment(s)
    enter(params, s, s.card - 1, s.player, slot)
    s.spot = slot + 1
    aim(params, s)


@rule
def aim(params: Params, s: State) -> None:
    """Let the player choose an enemy, if an effect of the card needs one and there is one (R13)."""
    if params.aims[s.card - 1] and in_play(params, s, 1 - s.player):
        s.phase = AIM
    else:
        finish_card(params, s, 0)


@rule
def finish_card(params: Params, s: State, chosen: int) -> None:
    """Carry out the effects of the card being played; `chosen` is the chosen enemy's slot plus 1, or 0."""
    end_moment(s)
    card = s.card - 1
    slot = s.spot - 1
    s.phase = MAIN
    if params.effects[card]:
        beat(s, CARD_PLAYED)
    if params.kind[card] != CHARACTER:
        put(s.discard[s.player], card)
    s.card = 0
    s.spot = 0
    queue(params, s, card, s.player, E.PLAYED, slot, chosen)
    resolve(params, s)


@rule
def choose_target(params: Params, s: State, slot: int) -> None:
    """Attack straight ahead, or let the attacker choose if there is an enemy (R8)."""
    enemy = 1 - s.player
    if params.combat == LANES:
        attack(params, s, slot, slot if s.row[enemy, slot] else -1)
    elif in_play(params, s, enemy):
        s.attacker = slot + 1
        s.phase = TARGET
    else:
        attack(params, s, slot, -1)


@rule
def attack(params: Params, s: State, slot: int, target: int) -> None:
    """Attack the enemy in a slot, or the opponent (-1): effects come first, then both strike (R14)."""
    end_moment(s)
    player = s.player
    enemy = 1 - player
    s.attacker = 0
    s.phase = MAIN
    s.moves += 1
    s.tired[player, slot] = USED
    queue(params, s, s.row[player, slot] - 1, player, E.ATTACKS, slot, 0)
    resolve(params, s)
    # Effects may have removed the attacker (another character in its slot is not USED) or the target.
    if s.over or s.row[player, slot] == 0 or s.tired[player, slot] != USED:
        return
    if target < 0:
        hurt_player(params, s, enemy, attack_of(params, s, player, slot))
    elif s.row[enemy, target]:
        blow = attack_of(params, s, player, slot)
        answer = attack_of(params, s, enemy, target)
        hurt(params, s, enemy, target, blow)
        hurt(params, s, player, slot, answer)
        sweep(params, s)
    else:
        return
    beat(s, STRUCK)
    check_end(params, s)
    resolve(params, s)
