"""MACE: the rules, ruling by ruling (R1 to R46 of rules.md)."""

from sparring.engine.beats import beat
from sparring.engine.cards import insert, pour, put, remove, shuffle, take_top
from sparring.engine.rule import end_moment, finish, no_news as news, rule

from .choices import legal
from .features import FEATURES, observe
from .kit import JOKER
from .knowledge import glimpse, imagine, redact
from .moves import draw_card, give_up_cards, knock, leave, open_charge, play, reveal, still_in, value_of
from .state import (
    ACTIONS, AIM, ANY_CARD, BEATS, BETWEEN, BLAST, BLAST_CARD, BLOCK, BOOST, CHARGE, CHARGE_LOST, CLUB, COMMIT,
    COMPARED, DEFENCE, DODGE, DODGE_MOVE, DRAW, DROP, DROP_CHARGE, END, ENDINGS, FORFEIT, GIVE_UP, HAND, KIT,
    KNOCKED_BACK, KNOCKED_OUT, LAST_ONE_IN, MOMENTUM, MOST_CARDS, MOVE, NEW_ROUND, NO_CARD, NO_SEAT, OFF, OPEN, PAID,
    PAY, PAYING, PHASES, RESHUFFLED, REVEAL_ONLY, ROUND_OVER, STALLED, STATE, STAY, STRIKE, TAKE, TARGET, TO, TURN,
    UP_AGAIN, WENT_DOWN,
)  # fmt: skip

__all__ = [
    "ACTIONS", "BEATS", "ENDINGS", "FEATURES", "KIT", "OPEN", "PHASES", "STATE",
    "glimpse", "imagine", "legal", "news", "observe", "redact", "setup", "step",
]  # fmt: skip


# Set-up (section 3)


@rule
def setup(kit, s):
    """Shuffle, deal five to each seat, put the Fighters on their start hexes (R2 to R4)."""
    for card in range(kit.cards):
        put(s.deck, card)
    for card in range(JOKER, JOKER + kit.jokers):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    s.reshuffled = ANY_CARD
    for seat in range(s.seats):
        for _ in range(HAND):
            insert(s.hand[seat], take_top(s.deck))
        s.at[seat] = kit.start[s.seats - 2, seat]
        s.momentum[seat] = NO_CARD
    s.target = NO_SEAT
    s.knocked = NO_SEAT
    s.phase = MOMENTUM


@rule
def commit(s, card):
    """A card is laid face down as Momentum and replaced; the last one turns all of them up (R5, R6)."""
    seat = s.player
    remove(s.hand[seat], card)
    renewed = draw_card(s, seat)
    s.momentum[seat] = card
    end_moment(s)
    if renewed:
        beat(s, RESHUFFLED)
    if seat + 1 < s.seats:
        s.player = seat + 1
    else:
        s.phase = BETWEEN
        begin_round(s)


# Rounds and Turns (section 5)


@rule
def begin_round(s):
    """The order of the Round: by Momentum, highest first, equal ones by suit (R13); out are out (R40)."""
    s.rounds += 1
    s.hurt = 0
    s.place = 0
    for i in range(s.order[0] + 1):
        s.order[i] = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            place = s.order[0] + 1
            s.order[0] = place
            while place > 1 and s.momentum[s.order[place - 1]] < s.momentum[seat]:
                s.order[place] = s.order[place - 1]
                place -= 1
            s.order[place] = seat
    beat(s, NEW_ROUND)


@rule
def go_on(kit, s):
    """On to the next Turn; at the end of the Round to the forfeits, and then to the next Round."""
    while not s.over:
        if next_turn(s):
            return
        if s.place == s.order[0]:
            beat(s, ROUND_OVER)
        if kit.forfeits != OFF and ask_forfeit(s):
            return
        end_round(kit, s)
    s.phase = TURN


@rule
def next_turn(s):
    """Begin the next Turn of the order, if there is one; a Fighter that is Down misses it and rises (R37, R39, R40)."""
    while s.place < s.order[0]:
        s.place += 1
        seat = s.order[s.place]
        if s.down[seat]:
            s.down[seat] = 0
            beat(s, UP_AGAIN)
        elif not s.out[seat]:
            begin_turn(s, seat)
            return True
    return False


@rule
def begin_turn(s, seat):
    """One Action and one Boost are open to the active seat (R14)."""
    s.turn += 1
    s.active = seat
    s.player = seat
    s.acted = 0
    s.boosted = 0
    s.phase = TURN
    end_moment(s)


@rule
def turn_goes_on(s):
    """Back to the active seat, unless Action and Boost are both used: then its Turn is over (section 5)."""
    s.player = s.active
    s.phase = BETWEEN if s.acted and s.boosted else TURN


@rule
def ask_forfeit(s):
    """Ask the next Fighter still in, in the order of the Round, whether it is given up (R41). Whether there is one."""
    while s.place < 2 * s.order[0]:
        s.place += 1
        seat = s.order[s.place - s.order[0]]
        if not s.out[seat]:
            s.player = seat
            s.phase = FORFEIT
            end_moment(s)
            return True
    return False


@rule
def answer_forfeit(s, action):
    """A Fighter stays or is given up; then the next one is asked (R41)."""
    if action == GIVE_UP:
        eliminate(s, s.player)
    if not s.over:
        s.phase = BETWEEN


@rule
def end_round(kit, s):
    """Count quiet Rounds; too many end the Combat (R42, R43); else the next Round begins."""
    s.quiet = 0 if s.hurt else s.quiet + 1
    if s.quiet < kit.stall_rounds:
        begin_round(s)
        return
    winners = leaders(s, kit.stall_result == DRAW)
    alone = winners & (winners - 1) == 0
    finish(s, MOST_CARDS if alone else STALLED, winners)


@rule
def leaders(s, everybody):
    """Those still in with the most cards in hand, or all still in, as bits (R43)."""
    most = 0
    ahead = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            held = 1 if everybody else s.hand[seat, 0]
            if held > most:
                most = held
                ahead = 0
            if held == most:
                ahead |= 1 << seat
    return ahead


# The Turn


@rule
def take_turn(kit, s, action):
    """Strike, Charge, Blast, Boost, or the end of the Turn (R14)."""
    if action == END:
        s.phase = BETWEEN
    elif action >= BOOST:
        boost(kit, s, action - BOOST)
    else:
        s.acted = 1
        if action >= BLAST:
            blast(kit, s, action - BLAST)
        elif action >= CHARGE:
            charge(s, action - CHARGE)
        else:
            s.range = 1
            attack_with(kit, s, action, action - STRIKE)


@rule
def charge(s, card):
    """Lay a Club face down; its CV is read only when it is turned up (R12, R22)."""
    seat = s.active
    remove(s.hand[seat], card)
    put(s.charges[seat], card)
    put(s.laid[seat], s.rounds)
    if draw_card(s, seat):
        beat(s, RESHUFFLED)
    end_moment(s)
    turn_goes_on(s)


@rule
def blast(kit, s, card):
    """Turn up a Charge: its CV is the range. A Club must be played too, unless the Charge is the whole cost (R20)."""
    s.blasting = 1
    s.range = reveal(kit, s, s.active, card)
    if kit.blast_cost == REVEAL_ONLY:
        s.attack = s.range
        s.phase = TARGET
    else:
        s.phase = BLAST_CARD


@rule
def boost(kit, s, card):
    """A card becomes the Momentum, the old one is discarded; the difference of their CVs can be moved (R13 to R16)."""
    seat = s.active
    old = s.momentum[seat]
    s.boosted = 1
    leave(s, seat, card)
    renewed = draw_card(s, seat)
    s.momentum[seat] = card
    put(s.discard, old)
    if renewed:
        beat(s, RESHUFFLED)
    s.steps = abs(kit.value[card] - kit.value[old])
    if s.steps == 0:
        turn_goes_on(s)
    else:
        s.phase = MOVE


@rule
def move(s, action):
    """The Fighter of `s.player` goes to a hex, or stays (R15)."""
    if action != STAY:
        s.at[s.player] = action - TO
    s.steps = 0


# The attack (section 6)


@rule
def attack_with(kit, s, action, card):
    """Play the card that gives a Strike or Blast its CV (section 6, step 1)."""
    s.attack_by = action
    s.attack = play(kit, s, s.active, card)
    s.phase = TARGET


@rule
def aim(s, seat):
    """Name the target; nothing to fear ends the attack, a Fighter that is Down cannot defend (R11, R24, R38)."""
    s.target = seat
    s.damage = s.attack
    if s.damage == 0:
        end_attack(s)
    elif s.down[seat]:
        beat(s, COMPARED)
        suffer(s)
    else:
        s.phase = DEFENCE
        s.player = seat


@rule
def defend(kit, s, action):
    """One Block or Dodge, or none (R24, R25)."""
    s.defence_by = action
    if action != TAKE:
        blocks = action < DODGE
        s.defence = play(kit, s, s.target, action - (BLOCK if blocks else DODGE))
        if blocks:
            s.damage = max(0, s.damage - s.defence)
        elif s.defence >= s.attack:
            s.damage = 0
            s.steps = s.defence - s.attack
    end_moment(s)
    beat(s, COMPARED)
    if s.steps > 0:
        s.phase = DODGE_MOVE
    else:
        suffer(s)


@rule
def suffer(s):
    """What is left of the attack is Damage, and must be paid; 0 is no Damage (R31)."""
    if s.damage == 0:
        end_attack(s)
        return
    s.hurt = 1
    s.phase = PAY
    s.player = s.target


@rule
def pay(kit, s, card):
    """Pay with one card; nothing is drawn. An empty hand is out, whatever was owed (R27, R29)."""
    s.paid += value_of(kit, s, card)
    leave(s, s.target, card)
    put(s.discard, card)
    if s.hand[s.target, 0] == 0:
        eliminate(s, s.target)
        end_attack(s)
    elif s.paid >= s.damage:
        if s.charges[s.target, 0] > 0:
            s.phase = DROP_CHARGE
        else:
            beat(s, PAID)
            knock_back(kit, s)


@rule
def drop(kit, s, card):
    """One Charge is lost (R28)."""
    open_charge(s, s.target, DROP, card)
    put(s.discard, card)
    beat(s, CHARGE_LOST)
    knock_back(kit, s)


@rule
def knock_back(kit, s):
    """Push the target away by half of the Damage; more hexes than it has cards left put it Down (R32, R36)."""
    far = (s.damage + kit.knockback_rounding) >> 1
    s.knocked = s.target
    s.knock_source = s.at[s.active]
    s.knock_start = s.at[s.target]
    s.knock_length = far
    s.knock_turn = s.turn
    knock(kit, s, s.at[s.active], s.target, far)
    if far > 0:
        beat(s, KNOCKED_BACK)
    if far > s.hand[s.target, 0] and not s.down[s.target]:
        s.down[s.target] = 1
        beat(s, WENT_DOWN)
    end_attack(s)


@rule
def end_attack(s):
    """Nothing of the attack is left; the attacker's Turn goes on (section 6, step 10)."""
    pour(s.table, s.discard)
    s.blasting = 0
    s.range = 0
    s.attack = 0
    s.target = NO_SEAT
    s.damage = 0
    s.paid = 0
    s.attack_by = 0
    s.defence_by = 0
    s.defence = 0
    for seat in range(s.seats):
        s.opened[seat] = 0
        s.opened_laid[seat] = 0
    if not s.over:
        turn_goes_on(s)


@rule
def eliminate(s, seat):
    """A Fighter is out with all its cards; the last one in wins at once (4.7, R1, R30)."""
    s.out[seat] = s.seats - still_in(s) + 1
    s.down[seat] = 0
    give_up_cards(s, seat)
    beat(s, KNOCKED_OUT)
    if still_in(s) == 1:
        last = 0
        while s.out[last]:
            last += 1
        finish(s, LAST_ONE_IN, 1 << last)


@rule
def step(kit, s, action):
    """Carry out a choice."""
    player, phase = s.player, s.phase
    if phase == TURN:
        take_turn(kit, s, action)
    elif phase == PAY:
        pay(kit, s, action - PAYING)
    elif phase == TARGET:
        aim(s, action - AIM)
    elif phase == DEFENCE:
        defend(kit, s, action)
    elif phase == MOVE:
        move(s, action)
        turn_goes_on(s)
    elif phase == FORFEIT:
        answer_forfeit(s, action)
    elif phase == BLAST_CARD:
        attack_with(kit, s, action, action - CLUB)
    elif phase == DROP_CHARGE:
        drop(kit, s, action - DROP)
    elif phase == DODGE_MOVE:
        move(s, action)
        end_attack(s)
    else:
        commit(s, action - COMMIT)
    if s.phase == BETWEEN:
        go_on(kit, s)
    if s.player != player:
        end_moment(s)
