"""Make Your Moves: set-up, turns, attacks and scoring (R1 to R32 of rules.md)."""

from sparring.engine.cards import UNKNOWN, deal_cards, draw, insert, pour, put, put_series, remove, reshuffle, shuffle
from sparring.engine.chance import below
from sparring.engine.rule import beat, clockwise, end_moment, finish, rule, seat_after
from sparring.engine.types import CardPile

from .knowledge import has_coloured, note_card_seen, note_fifth_card, note_reshuffle
from .moves import (
    clear_table, count_attack, count_defence, count_in, has_several_fours, leaders, next_in, power_of, spare_card,
)  # fmt: skip
from .params import KEEP, Params
from .state import (
    ASSIST_CARD, ASSIST_SIDE, ATTACK, ATTACKER, BY_POINTS, CARD, COMPARED, COUNTER, COUNTERED, DISCARD, DODGE, DODGE_TO,
    DONE, ELIMINATION, FOUR, HAND, LAST_ONE_IN, MARKER, NEEDED, NO_ATTACK, RESHUFFLED, RESPOND, SCORED, SEAT, SEAT1,
    SKIP, TARGET, TURN_LIMIT, State,
)  # fmt: skip

# The turn


@rule
def setup(params: Params, s: State) -> None:
    """Shuffle, deal five cards to each seat and choose who starts in control (section 3, R4)."""
    put_series(s.deck, 0, params.cards)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        deal_cards(s.deck, s.hand[seat], HAND)
    if params.first_control != SEAT1:
        s.control = below(s.rng, s.seats)
    begin_turn(params, s)


@rule
def begin_turn(params: Params, s: State) -> None:
    """Start the next turn, and further turns until a player has a choice to make (R3, R8)."""
    while not s.over:
        s.turn += 1
        end_moment(s)
        seat = s.control
        for _ in range(s.seats):
            fill_hand(params, s, seat)
            seat = clockwise(s, seat)
        s.attacker = s.control
        if has_coloured(params, s.hand[s.attacker]):
            s.sure_coloured[s.attacker] = 1
            s.phase = TARGET
            s.player = s.attacker
            return
        s.sure_wilds[s.attacker] = s.hand[s.attacker, 0]
        beat(s, NO_ATTACK)
        if skip_attack(params, s):
            return


@rule
def fill_hand(params: Params, s: State, seat: int) -> None:
    """Draw until the hand has five cards or no cards are left (R8)."""
    if s.out[seat]:
        return
    hand = s.hand[seat]
    while hand[0] < HAND:
        card = draw_card(params, s)
        if card == UNKNOWN:
            return
        insert(hand, card)


@rule
def draw_card(params: Params, s: State) -> int:
    """Take the top card of the draw pile, reshuffling the discards if it is empty; UNKNOWN if none is left (R7, R8)."""
    if s.deck[0] == 0 and s.discard[0] > 0:
        note_reshuffle(params, s)
        reshuffle(s.rng, s.deck, s.discard)
        beat(s, RESHUFFLED)
    return draw(s.rng, s.deck, s.discard)


@rule
def skip_attack(params: Params, s: State) -> bool:
    """End a turn without an attack: control goes clockwise or stays; return whether a player has a choice (R2, R3)."""
    if params.pass_attack != KEEP:
        s.control = next_in(s, s.attacker)
    return end_turn(params, s)


@rule
def end_turn(params: Params, s: State) -> bool:
    """End the match at the turn limit (R30), else start discarding (R28); return False if the next turn is due."""
    if s.turn == params.turn_limit:
        finish(s, TURN_LIMIT, leaders(params, s))
        return True
    return ask_discard(s, 0)


@rule
def ask_discard(s: State, place: int) -> bool:
    """Ask the next player with cards, `place` or more seats from the Attacker; return whether there is one (R28)."""
    for places in range(place, s.seats):
        seat = seat_after(s, s.attacker, places)
        if not s.out[seat] and s.hand[seat, 0] > 0:
            s.asked = places
            s.phase = DISCARD
            s.player = seat
            return True
    return False


@rule
def ask_assist(params: Params, s: State, place: int) -> None:
    """Ask the next bystander with cards, `place` or more seats from the Attacker; score after the last one (R21)."""
    for places in range(place, s.seats):
        seat = seat_after(s, s.attacker, places)
        if seat != s.defender and not s.out[seat] and s.hand[seat, 0] > 0:
            s.asked = places
            s.phase = ASSIST_CARD
            s.player = seat
            return
    score(params, s)


# Choosing


@rule
def step(params: Params, s: State, action: int) -> None:
    """Carry out a choice of `s.player`."""
    player = s.player
    if s.phase == TARGET:
        choose_target(params, s, action)
    elif s.phase == ATTACK:
        add_to_attack(params, s, action)
    elif s.phase == RESPOND:
        respond(params, s, action)
    elif s.phase == FOUR:
        pick_for_four(params, s, action - CARD)
    elif s.phase == DODGE_TO:
        s.defender = action - SEAT
        s.phase = RESPOND
        s.player = s.defender
    elif s.phase == ASSIST_CARD:
        assist(params, s, action)
    elif s.phase == ASSIST_SIDE:
        pour(s.helping, s.help_attack if action == ATTACKER else s.help_defence)
        ask_assist(params, s, s.asked + 1)
    else:
        discard(params, s, action)
    if s.player != player:
        end_moment(s)


@rule
def choose_target(params: Params, s: State, action: int) -> None:
    """Make a seat the Defender, or pass (R2, R9)."""
    if action == SKIP:
        if not skip_attack(params, s):
            begin_turn(params, s)
    else:
        s.defender = action - SEAT
        s.phase = ATTACK


@rule
def play_card(params: Params, s: State, pile: CardPile, card: int) -> None:
    """Move a card from the hand to a pile, face up."""
    remove(s.hand[s.player], card)
    put(pile, card)
    note_card_seen(params, s, s.player, card)
    end_moment(s)


@rule
def add_to_attack(params: Params, s: State, action: int) -> None:
    """Add a card to the attack, or end the attack (R1, R12 to R15)."""
    if action == DONE:
        s.phase = RESPOND
        s.player = s.defender
        return
    play_card(params, s, s.attack, action - CARD)
    count_attack(params, s, action - CARD)


@rule
def respond(params: Params, s: State, action: int) -> None:
    """Add a card to the defence, end it, or Counter or Dodge with four of a colour (R16 to R19)."""
    if action == DONE:
        ask_assist(params, s, 1)
    elif action == COUNTER or action == DODGE:
        s.dodging = action == DODGE
        end_moment(s)
        if has_several_fours(params, s.hand[s.player]):
            s.phase = FOUR
        else:
            pick_only_four(params, s)
            play_four(params, s, False)
    else:
        play_card(params, s, s.defence, action - CARD)
        count_defence(params, s, action - CARD)


@rule
def pick_only_four(params: Params, s: State) -> None:
    """Pick the only four in the hand without asking."""
    hand = s.hand[s.player]
    spare = spare_card(params, hand)
    for i in range(1, hand[0] + 1):
        if hand[i] != spare:
            put(s.picked, hand[i])


@rule
def pick_for_four(params: Params, s: State, card: int) -> None:
    """Pick one more card for the four, and play it once four are picked."""
    put(s.picked, card)
    if s.picked[0] == 4:
        play_four(params, s, True)


@rule
def play_four(params: Params, s: State, had_choice: bool) -> None:
    """Play the picked four: a Counter ends the attack, a Dodge asks for a new target (R17 to R19).

    `had_choice` tells whether the player had several fours to pick from, which is public.
    """
    for i in range(1, 5):
        remove(s.hand[s.player], s.picked[i])
        note_card_seen(params, s, s.player, s.picked[i])
    if s.hand[s.player, 0] == 1:
        note_fifth_card(params, s, had_choice)
    pour(s.picked, s.fours)
    end_moment(s)
    if s.dodging:
        s.phase = DODGE_TO
        return
    s.phase = RESPOND  # picking is over
    s.control = s.defender
    beat(s, COUNTERED)
    clear_table(s)
    if not end_turn(params, s):
        begin_turn(params, s)


@rule
def assist(params: Params, s: State, action: int) -> None:
    """Play one card to help with, or pass (R21, R22)."""
    if action == SKIP:
        ask_assist(params, s, s.asked + 1)
    else:
        play_card(params, s, s.helping, action - CARD)
        s.phase = ASSIST_SIDE


@rule
def discard(params: Params, s: State, action: int) -> None:
    """Discard a card, or stop discarding (R28)."""
    if action != DONE:
        play_card(params, s, s.discard, action - CARD)
        if s.hand[s.player, 0] > 0:
            return
    if not ask_discard(s, s.asked + 1):
        begin_turn(params, s)


# Resolution


@rule
def score(params: Params, s: State) -> None:
    """Compare totals, award the point and control, and end the match or the turn (section 6, R23 to R27)."""
    margin = power_of(params, s.defence) + power_of(params, s.help_defence)
    margin -= power_of(params, s.attack) + power_of(params, s.help_attack)
    beat(s, COMPARED)
    clear_table(s)
    end_moment(s)
    if margin > 0:
        s.control = s.defender
    if margin < 0:
        award(params, s, s.defender if params.match == ELIMINATION else s.attacker)
    elif margin >= 2:
        award(params, s, s.attacker if params.match == ELIMINATION else s.defender)
    if not s.over and not end_turn(params, s):
        begin_turn(params, s)


@rule
def award(params: Params, s: State, seat: int) -> None:
    """Give a seat a point and its point card (R7, R24); the third one wins or eliminates (R25, R26)."""
    s.points[seat] += 1
    if params.point_cards != MARKER:
        card = draw_card(params, s)
        if card != UNKNOWN:
            put(s.point_cards[seat], card)
    beat(s, SCORED)
    if s.points[seat] < NEEDED:
        return
    if params.match == ELIMINATION:
        eliminate(s, seat)
    else:
        finish(s, BY_POINTS, 1 << seat)


@rule
def eliminate(s: State, seat: int) -> None:
    """Eliminate a player with three points of damage; the last one in wins (R25, R27)."""
    s.out[seat] = True
    pour(s.hand[seat], s.discard)
    s.sure_wilds[seat] = 0
    s.sure_coloured[seat] = 0
    s.sure_kinds[seat] = 0
    if count_in(s) == 1:
        finish(s, LAST_ONE_IN, 1 << next_in(s, seat))
