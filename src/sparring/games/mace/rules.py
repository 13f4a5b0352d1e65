"""MACE: set-up, Turns and the step function (R1 to R46 of rules.md); Rounds in rounds.py, attacks in attack.py."""

from sparring.engine.beats import beat
from sparring.engine.cards import insert, put, put_series, remove, shuffle, take_top
from sparring.engine.rule import end_moment, rule

from .attack import choose_target, play_attack_card, defend, drop_charge, end_attack, pay
from .kit import JOKER, Params
from .moves import draw_card, take_from_hand, reveal
from .rounds import resolve_forfeit, begin_round, advance, resume_turn
from .state import (
    AIM, ANY_CARD, BETWEEN, BLAST, BLAST_CARD, BOOST, CHARGE, CLUB, COMMIT, DEFENCE, DODGE_MOVE,
    DROP, DROP_CHARGE, END, FORFEIT, HAND, MOMENTUM, MOVE, NO_CARD, NO_SEAT, PAY, PAYING,
    RESHUFFLED, REVEAL_ONLY, STAY, STRIKE, TARGET, TO, TURN, State,
)  # fmt: skip

# Set-up


@rule
def setup(kit: Params, s: State) -> None:
    """Shuffle, deal five cards to each seat and put the Fighters on their start hexes (R2 to R4)."""
    put_series(s.deck, 0, kit.cards)
    put_series(s.deck, JOKER, JOKER + kit.jokers)
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
def commit(s: State, card: int) -> None:
    """Play a face-down Momentum card and draw; once everyone has, reveal them all (R5, R6)."""
    seat = s.player
    remove(s.hand[seat], card)
    reshuffled = draw_card(s, seat)
    s.momentum[seat] = card
    end_moment(s)
    if reshuffled:
        beat(s, RESHUFFLED)
    if seat + 1 < s.seats:
        s.player = seat + 1
    else:
        s.phase = BETWEEN
        begin_round(s)


# The Turn


@rule
def take_turn(kit: Params, s: State, action: int) -> None:
    """Carry out a Strike, Charge, Blast or Boost, or end the Turn (R14)."""
    if action == END:
        s.phase = BETWEEN
    elif action >= BOOST:
        boost(kit, s, action - BOOST)
    else:
        s.acted = True
        if action >= BLAST:
            blast(kit, s, action - BLAST)
        elif action >= CHARGE:
            charge(s, action - CHARGE)
        else:
            s.range = 1
            play_attack_card(kit, s, action, action - STRIKE)


@rule
def charge(s: State, card: int) -> None:
    """Play a Club face down; its CV is read only when it is revealed (R12, R22)."""
    seat = s.active
    remove(s.hand[seat], card)
    put(s.charges[seat], card)
    put(s.laid[seat], s.rounds)
    if draw_card(s, seat):
        beat(s, RESHUFFLED)
    end_moment(s)
    resume_turn(s)


@rule
def blast(kit: Params, s: State, card: int) -> None:
    """Reveal a Charge: its CV is the range. Then play a Club, unless `blast_cost` is `reveal_only` (R20)."""
    s.blasting = True
    s.range = reveal(kit, s, s.active, card)
    if kit.blast_cost == REVEAL_ONLY:
        s.attack = s.range
        s.phase = TARGET
    else:
        s.phase = BLAST_CARD


@rule
def boost(kit: Params, s: State, card: int) -> None:
    """Replace the Momentum card; the Fighter may move as far as the two CVs differ (R13 to R16)."""
    seat = s.active
    old = s.momentum[seat]
    s.boosted = True
    take_from_hand(s, seat, card)
    reshuffled = draw_card(s, seat)
    s.momentum[seat] = card
    put(s.discard, old)
    if reshuffled:
        beat(s, RESHUFFLED)
    s.steps = abs(kit.value[card] - kit.value[old])
    if s.steps == 0:
        resume_turn(s)
    else:
        s.phase = MOVE


@rule
def move(s: State, action: int) -> None:
    """Move the Fighter of `s.player` to a hex, or stay (R15)."""
    if action != STAY:
        s.at[s.player] = action - TO
    s.steps = 0


@rule
def step(kit: Params, s: State, action: int) -> None:
    """Carry out a choice of `s.player`."""
    player, phase = s.player, s.phase
    if phase == TURN:
        take_turn(kit, s, action)
    elif phase == PAY:
        pay(kit, s, action - PAYING)
    elif phase == TARGET:
        choose_target(s, action - AIM)
    elif phase == DEFENCE:
        defend(kit, s, action)
    elif phase == MOVE:
        move(s, action)
        resume_turn(s)
    elif phase == FORFEIT:
        resolve_forfeit(s, action)
    elif phase == BLAST_CARD:
        play_attack_card(kit, s, action, action - CLUB)
    elif phase == DROP_CHARGE:
        drop_charge(kit, s, action - DROP)
    elif phase == DODGE_MOVE:
        move(s, action)
        end_attack(s)
    else:
        commit(s, action - COMMIT)
    if s.phase == BETWEEN:
        advance(kit, s)
    if s.player != player:
        end_moment(s)
