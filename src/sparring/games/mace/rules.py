"""MACE: the rules, ruling by ruling (R1 to R46 of rules.md); Rounds in rounds.py, attacks in attack.py."""

from sparring.engine.beats import beat
from sparring.engine.cards import insert, put, remove, shuffle, take_top
from sparring.engine.rule import end_moment, no_news as news, rule

from .attack import aim, attack_with, defend, drop, end_attack, pay
from .choices import legal
from .features import CLUES, FEATURES, clues, observe
from .kit import JOKER
from .knowledge import glimpse, imagine, redact
from .moves import draw_card, leave, reveal
from .rounds import answer_forfeit, begin_round, go_on, turn_goes_on
from .state import (
    ACTIONS, AIM, ANY_CARD, BEATS, BETWEEN, BLAST, BLAST_CARD, BOOST, CHARGE, CLUB, COMMIT, DEFENCE, DODGE_MOVE,
    DROP, DROP_CHARGE, END, ENDINGS, FORFEIT, HAND, KIT, MOMENTUM, MOVE, NO_CARD, NO_SEAT, OPEN, PAY, PAYING,
    PHASES, RESHUFFLED, REVEAL_ONLY, STATE, STAY, STRIKE, TARGET, TO, TURN,
)  # fmt: skip

__all__ = [
    "ACTIONS", "BEATS", "CLUES", "ENDINGS", "FEATURES", "KIT", "OPEN", "PHASES", "STATE",
    "clues", "glimpse", "imagine", "legal", "news", "observe", "redact", "setup", "step",
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
