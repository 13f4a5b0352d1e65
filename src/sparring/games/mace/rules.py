"""MACE: set-up, Turns and the step function (R1 to R46 of rules.md), and what learning agents read of a state."""

from sparring.engine.cards import UNKNOWN, deal_cards, put, put_series, remove, shuffle
from sparring.engine.features import layout, one_hot
from sparring.engine.hexes import LARGEST, Q, R, distance
from sparring.engine.rule import beat, end_moment, rule, seat_after
from sparring.engine.types import CardPile, Floats

from .combat import (
    advance, begin_round, choose_target, defend, drop_charge, end_attack, pay, play_attack_card, resolve_forfeit,
    resume_turn,
)  # fmt: skip
from .moves import draw_card, reveal, take_from_hand, value_of
from .params import CARDS, JOKER, LARGEST_VALUE, SEATS, SUITS, Params
from .state import (
    AIM, ANY_CARD, BETWEEN, BLAST, BLAST_CARD, BOOST, CHARGE, CHARGES, CLUB, COMMIT, DEFENCE, DODGE_MOVE, DROP,
    DROP_CHARGE, END, FORFEIT, HAND, MOMENTUM, MOVE, NO_CARD, NO_SEAT, PAY, PAYING, PHASES, RESHUFFLED, REVEAL_ONLY,
    STAY, STRIKE, TARGET, TO, TURN, State,
)  # fmt: skip


# Set-up


@rule
def setup(params: Params, s: State) -> None:
    """Shuffle, deal five cards to each seat and put the Fighters on their start hexes (R2 to R4)."""
    put_series(s.deck, 0, params.cards)
    put_series(s.deck, JOKER, JOKER + params.jokers)
    shuffle(s.rng, s.deck)
    s.reshuffled = ANY_CARD
    for seat in range(s.seats):
        deal_cards(s.deck, s.hand[seat], HAND)
        s.at[seat] = params.start[s.seats - 2, seat]
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
def take_turn(params: Params, s: State, action: int) -> None:
    """Carry out a Strike, Charge, Blast or Boost, or end the Turn (R14)."""
    if action == END:
        s.phase = BETWEEN
    elif action >= BOOST:
        boost(params, s, action - BOOST)
    else:
        s.acted = True
        if action >= BLAST:
            blast(params, s, action - BLAST)
        elif action >= CHARGE:
            charge(s, action - CHARGE)
        else:
            s.range = 1
            play_attack_card(params, s, action, action - STRIKE)


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
def blast(params: Params, s: State, card: int) -> None:
    """Reveal a Charge: its CV is the range. Then play a Club, unless `blast_cost` is `reveal_only` (R20)."""
    s.blasting = True
    s.range = reveal(params, s, s.active, card)
    if params.blast_cost == REVEAL_ONLY:
        s.attack = s.range
        s.phase = TARGET
    else:
        s.phase = BLAST_CARD


@rule
def boost(params: Params, s: State, card: int) -> None:
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
    s.steps = abs(params.value[card] - params.value[old])
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
def step(params: Params, s: State, action: int) -> None:
    """Carry out a choice of `s.player`."""
    player, phase = s.player, s.phase
    if phase == TURN:
        take_turn(params, s, action)
    elif phase == PAY:
        pay(params, s, action - PAYING)
    elif phase == TARGET:
        choose_target(s, action - AIM)
    elif phase == DEFENCE:
        defend(params, s, action)
    elif phase == MOVE:
        move(s, action)
        resume_turn(s)
    elif phase == FORFEIT:
        resolve_forfeit(s, action)
    elif phase == BLAST_CARD:
        play_attack_card(params, s, action, action - CLUB)
    elif phase == DROP_CHARGE:
        drop_charge(params, s, action - DROP)
    elif phase == DODGE_MOVE:
        move(s, action)
        end_attack(s)
    else:
        commit(s, action - COMMIT)
    if s.phase == BETWEEN:
        advance(params, s)
    if s.player != player:
        end_moment(s)


# Feature vectors for learning agents and value models, from what a seat can see


#: The age in Rounds (at most LONG_AGO) is a feature for this many of a seat's oldest Charges.
OLDEST = 4
LONG_AGO = 20

#: Card-by-card features of a pile: one for each card but Jokers, and one for the number of Jokers.
PACK = JOKER + 1
PER_SEAT = 19 + OLDEST
REST = SEATS * PER_SEAT + 11
FEATURES = len(PHASES) + 3 * PACK + REST

LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("hand", PACK, 0, 1, "own hand, by card; last 0.25 per Joker"),
    ("charges", PACK, 0, 1, "own Charges, likewise"),
    ("discard", PACK, 0, 1, "the discard pile, likewise"),
    ("seats", (SEATS, PER_SEAT), -1, 1,
     ("each seat, own seat first: in play, not out, down, hex (q and r) / 8, distance / 16, cards in hand, "
      "Charges, value and suit of the Momentum card, must act, has the Turn, is the target, place in the "
      "turn order and whether it has come, old cards, age of the oldest Charges")),
    ("acted", 1, 0, 1, "whether the Fighter has acted"),
    ("boosted", 1, 0, 1, "whether the attack is boosted"),
    ("blasting", 1, 0, 1, "whether the attack is a Blast"),
    ("range", 1, 0, 1, "the range of the attack / highest value"),
    ("attack", 1, 0, 1, "its value / highest value"),
    ("damage", 1, -1, 1, "its damage / highest value"),
    ("unpaid", 1, 0, 1, "the damage that is not paid yet / highest value"),
    ("joker", 1, 0, 1, "the value of a Joker / highest value"),
    ("deck", 1, 0, 1, "cards in the draw pile / size of the deck"),
    ("quiet", 1, 0, 1, "Rounds without damage / limit"),
    ("radius", 1, 0, 1, "the radius of the board / 8"),
)  # fmt: skip

#: Summary features of a pile: the number and total CV of each suit, the number of Jokers, the total CV.
TOGETHER = 2 * len(SUITS) + 2
VALUE_FEATURES = len(PHASES) + 2 * TOGETHER + REST


@rule
def encode_cards(pile: CardPile, out: Floats, n: int) -> int:
    """Write which cards are in a pile, with 0.25 per Joker; return the next free place in `out`."""
    for card in range(PACK):
        out[n + card] = 0.0
    for i in range(1, pile[0] + 1):
        if pile[i] >= JOKER:
            out[n + JOKER] += 0.25
        elif pile[i] >= 0:
            out[n + pile[i]] = 1.0
    return n + PACK


@rule
def encode_fighter(params: Params, s: State, seat: int, other: int, out: Floats, n: int) -> None:
    """Write everything public about a seat and its Fighter, distances as seen from `seat`."""
    card = s.momentum[other]
    known = card >= 0
    out[n] = 1.0
    out[n + 1] = 0.0 if s.out[other] else 1.0
    out[n + 2] = s.down[other]
    out[n + 3] = Q[s.at[other]] / LARGEST
    out[n + 4] = R[s.at[other]] / LARGEST
    out[n + 5] = distance(s.at[seat], s.at[other]) / (2 * LARGEST)
    out[n + 6] = s.hand[other, 0] / HAND
    out[n + 7] = s.charges[other, 0] / CHARGES
    out[n + 8] = params.value[card] / LARGEST_VALUE if known else 0.0
    one_hot(out, n + 9, 4, card & 3 if known else UNKNOWN)
    out[n + 13] = 1.0 if s.player == other else 0.0
    out[n + 14] = 1.0 if s.active == other and s.phase != MOMENTUM else 0.0
    out[n + 15] = 1.0 if s.target == other else 0.0
    # Its place in the turn order, and whether that place has come.
    out[n + 16] = 0.0
    out[n + 17] = 0.0
    for place in range(1, s.order[0] + 1):
        if s.order[place] == other:
            out[n + 16] = place / SEATS
            out[n + 17] = 1.0 if place <= s.place else 0.0
    out[n + 18] = (s.old_cards[other] + s.old_charges[other]) / (HAND + CHARGES)
    for i in range(OLDEST):
        age = s.rounds - s.laid[other, i + 1] + 1 if i < s.laid[other, 0] else 0
        out[n + 19 + i] = min(1.0, age / LONG_AGO)


@rule
def features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the phase, own hand, own Charges and discard pile by card, seats, attack."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_cards(s.hand[seat], out, n)
    n = encode_cards(s.charges[seat], out, n)
    encode_public(params, s, seat, out, encode_cards(s.discard, out, n))


@rule
def value_features(params: Params, s: State, seat: int, out: Floats) -> None:
    """Write VALUE_FEATURES floats to `out` for value models: as `features`, but cards summed up by suit and CV.

    Card-by-card features overfit to the few matches in which each card occurred.
    """
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_card_totals(params, s.hand[seat], out, n)
    n = encode_card_totals(params, s.charges[seat], out, n)
    encode_public(params, s, seat, out, n)


@rule
def encode_card_totals(params: Params, pile: CardPile, out: Floats, n: int) -> int:
    """Write the number and total CV of each suit in a pile, the number of Jokers and the total CV."""
    for i in range(TOGETHER):
        out[n + i] = 0.0
    for i in range(1, pile[0] + 1):
        card = pile[i]
        if card >= JOKER:
            out[n + TOGETHER - 2] += 0.25
        elif card >= 0:
            value = params.value[card] / (LARGEST_VALUE * HAND)
            out[n + 2 * (card & 3)] += 1 / HAND
            out[n + 2 * (card & 3) + 1] += value
            out[n + TOGETHER - 1] += value
    return n + TOGETHER


@rule
def encode_public(params: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write each seat, own seat first, and the attack."""
    for place in range(SEATS):
        if place < s.seats:
            encode_fighter(params, s, seat, seat_after(s, seat, place), out, n)
        else:
            for i in range(PER_SEAT):
                out[n + i] = 0.0
        n += PER_SEAT
    out[n] = s.acted
    out[n + 1] = s.boosted
    out[n + 2] = s.blasting
    out[n + 3] = s.range / LARGEST_VALUE
    out[n + 4] = s.attack / LARGEST_VALUE
    out[n + 5] = s.damage / LARGEST_VALUE
    out[n + 6] = max(0, s.damage - s.paid) / LARGEST_VALUE
    out[n + 7] = value_of(params, s, JOKER) / LARGEST_VALUE
    out[n + 8] = s.deck[0] / CARDS
    out[n + 9] = s.quiet / params.stall_rounds
    out[n + 10] = params.radius / LARGEST


@rule
def relative_action(params: Params, s: State, seat: int, action: int) -> int:
    """Return an action in the seat's frame: targets are counted from it, as in its features; hexes stay the same."""
    if AIM <= action < AIM + s.seats:
        return AIM + (action - AIM - seat + s.seats) % s.seats
    return action


@rule
def absolute_action(params: Params, s: State, seat: int, action: int) -> int:
    """Return the action of the table for an action in the seat's frame (`relative_action`)."""
    if AIM <= action < AIM + s.seats:
        return AIM + (action - AIM + seat) % s.seats
    return action
