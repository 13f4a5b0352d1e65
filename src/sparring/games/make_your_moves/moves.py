"""Make Your Moves: seats still in, which cards fit where and what they add up to, and the legal choices."""

from sparring.engine.cards import UNKNOWN, holds, pour
from sparring.engine.rule import clockwise, offer, rule
from sparring.engine.types import CardPile, Numbers

from .params import WILD, Params
from .state import (
    ASSIST_CARD, ASSIST_SIDE, ATTACK, ATTACKER, CARD, COUNTER, DEFENDER, DODGE, DODGE_TO, DONE, ELIMINATION, FOUR,
    MATCH, NEEDED, ONE, RESPOND, SEAT, SKIP, TARGET, State,
)  # fmt: skip


@rule
def next_in(s: State, seat: int) -> int:
    """Return the next seat clockwise that is still in."""
    seat = clockwise(s, seat)
    while s.out[seat]:
        seat = clockwise(s, seat)
    return seat


@rule
def count_in(s: State) -> int:
    """Return how many players are still in."""
    count = 0
    for seat in range(s.seats):
        count += 1 - s.out[seat]
    return count


@rule
def leaders(params: Params, s: State) -> int:
    """Return who is ahead, as bits: most points, or in an elimination match fewest of those still in (R30)."""
    best = -NEEDED - 1
    ahead = 0
    for seat in range(s.seats):
        if s.out[seat]:
            continue
        lead = -s.points[seat] if params.match == ELIMINATION else s.points[seat]
        if lead > best:
            best = lead
            ahead = 0
        if lead == best:
            ahead |= 1 << seat
    return ahead


# Which cards fit

#: Colours that fit are bits: the first ones for cards of any power, from this one on for cards of power 1.
SINGLES = 8
ALL_COLOURS = (1 << (WILD + 1)) - 1


@rule
def fits(params: Params, card: int, colours: int) -> int:
    """Return whether a card has a colour that fits (see SINGLES); without a branch."""
    return (colours >> (params.colour[card] + SINGLES * int(params.power[card] == 1))) & 1


@rule
def attack_fit(s: State) -> int:
    """Return the colours of cards that can join the attack: at most three colours, one unit of each (R1, R12, R14)."""
    colours = 1 << WILD
    if s.ceiling < 3:
        colours |= ALL_COLOURS & ~s.attack_colours
    return colours | (colours | (s.attack_colours & ~s.strong_colours)) << SINGLES


@rule
def count_attack(params: Params, s: State, card: int) -> None:
    """Count a card of the attack: its colour, and whether more singles fit there (R12)."""
    if params.colour[card] == WILD:
        return
    colour = 1 << params.colour[card]
    s.ceiling += int(s.attack_colours & colour == 0)
    s.attack_colours |= colour
    s.strong_colours |= colour * int(params.power[card] > 1)


@rule
def defence_fit(params: Params, s: State) -> int:
    """Return the colours of cards that can join the defence: attacked ones, at most as many units (R10 to R16)."""
    colours = 0
    if params.defence_wilds != ONE or s.wilds == 0:
        colours = 1 << WILD
    if s.units < s.ceiling:
        colours |= s.attack_colours
    return colours | (colours | s.single_colours) << SINGLES


@rule
def count_defence(params: Params, s: State, card: int) -> None:
    """Count a card of the defence: one unit, except that all singles of a colour are one (R10, R12, R13)."""
    if params.colour[card] == WILD:
        s.wilds += 1
        return
    single_colour = (1 << params.colour[card]) * int(params.power[card] == 1)
    s.units += int(s.single_colours & single_colour == 0)
    s.single_colours |= single_colour


@rule
def fits_attacker(params: Params, s: State, card: int) -> bool:
    """Return whether a helper's card may go to the attacker's side (R22)."""
    colour = params.colour[card]
    return params.assist_fit != MATCH or colour == WILD or not s.attack_colours & (1 << colour)


@rule
def fits_defender(params: Params, s: State, card: int) -> bool:
    """Return whether a helper's card may go to the defender's side (R22)."""
    colour = params.colour[card]
    return params.assist_fit != MATCH or colour == WILD or s.attack_colours & (1 << colour) != 0


@rule
def power_of(params: Params, pile: CardPile) -> int:
    """Return the total power of a pile."""
    total = 0
    for i in range(1, pile[0] + 1):
        total += params.power[pile[i]]
    return total


@rule
def clear_table(s: State) -> None:
    """Discard all cards on the table and reset the counts of attack and defence (R29)."""
    pour(s.attack, s.discard)
    pour(s.defence, s.discard)
    pour(s.fours, s.discard)
    pour(s.help_attack, s.discard)
    pour(s.help_defence, s.discard)
    s.dodging = False
    s.attack_colours = 0
    s.strong_colours = 0
    s.ceiling = 0
    s.units = 0
    s.single_colours = 0
    s.wilds = 0


# Four of a colour

NO_FOUR = -2


@rule
def has_four(params: Params, hand: CardPile) -> bool:
    """Return whether a hand of at most five cards holds four of a colour (R17)."""
    counts = 0  # of each colour, in four bits; the highest one is set by adding 4 to 4 or 5
    for i in range(1, hand[0] + 1):
        counts += 1 << (4 * int(params.colour[hand[i]]))
    if params.wild_fours:
        counts += (counts >> (4 * WILD)) * 0x1111
    return (counts + 0x44444) & 0x88888 != 0


@rule
def is_four(params: Params, pile: CardPile, without: int, extra: int) -> bool:
    """Return whether a pile, less the card `without`, plus one card of colour `extra`, is four of a colour (R17).

    Pass UNKNOWN to remove or add no card.
    """
    colour = extra
    count = 0 if extra == UNKNOWN else 1
    for i in range(1, pile[0] + 1):
        if pile[i] == without:
            continue
        count += 1
        this = params.colour[pile[i]]
        if colour == UNKNOWN or (params.wild_fours and colour == WILD):
            colour = this
        elif this != colour and not (params.wild_fours and this == WILD):
            return False
    return count == 4


@rule
def spare_card(params: Params, hand: CardPile) -> int:
    """Return a card to leave out of a four; UNKNOWN if the hand is exactly a four, NO_FOUR if it has none."""
    if is_four(params, hand, UNKNOWN, UNKNOWN):
        return UNKNOWN
    for i in range(1, hand[0] + 1):
        if is_four(params, hand, hand[i], UNKNOWN):
            return hand[i]
    return NO_FOUR


@rule
def same_kind(params: Params, card: int, other: int) -> bool:
    """Return whether two cards are equal for every rule."""
    return params.colour[card] == params.colour[other] and params.power[card] == params.power[other]


@rule
def has_several_fours(params: Params, hand: CardPile) -> bool:
    """Return whether a hand holds several fours that differ in colour or power."""
    spare = spare_card(params, hand)
    if spare < 0:
        return False
    for i in range(1, hand[0] + 1):
        if not same_kind(params, hand[i], spare) and is_four(params, hand, hand[i], UNKNOWN):
            return True
    return False


@rule
def fits_four(params: Params, s: State, card: int) -> bool:
    """Return whether the cards picked so far and this one are part of one four in the hand."""
    hand = s.hand[s.player]
    if holds(s.picked, card):
        return False
    for i in range(1, hand[0] + 1):
        spare = hand[i]
        if spare != card and not holds(s.picked, spare) and is_four(params, hand, spare, UNKNOWN):
            return True
    return False


# Legal choices, by phase (the phase table in section 5 of the rulings)


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` and return how many there are (section 5)."""
    hand = s.hand[s.player]
    n = 0
    if s.phase == TARGET:
        n = target_choices(s, out, s.attacker, s.attacker)
        n = offer(out, n, SKIP, params.pass_attack > 0)
    elif s.phase == ATTACK:
        n = offer_fitting(params, hand, attack_fit(s), out)
        n = offer(out, n, DONE, s.ceiling > 0)
    elif s.phase == RESPOND:
        n = response_choices(params, s, out)
    elif s.phase == FOUR:
        for i in range(1, hand[0] + 1):
            n = offer(out, n, CARD + hand[i], fits_four(params, s, hand[i]))
    elif s.phase == DODGE_TO:
        n = target_choices(s, out, s.attacker, s.defender)
    elif s.phase == ASSIST_SIDE:
        n = offer(out, n, ATTACKER, fits_attacker(params, s, s.helping[1]))
        n = offer(out, n, DEFENDER, fits_defender(params, s, s.helping[1]))
    else:
        for i in range(1, hand[0] + 1):
            out[i - 1] = CARD + hand[i]
        n = int(hand[0])
        out[n] = SKIP if s.phase == ASSIST_CARD else DONE
        n += 1
    return n


@rule
def target_choices(s: State, out: Numbers, one: int, other: int) -> int:
    """Write every seat still in, except `one` and `other` (R9, R19)."""
    n = 0
    for seat in range(s.seats):
        n = offer(out, n, SEAT + seat, seat != one and seat != other and not s.out[seat])
    return n


@rule
def offer_fitting(params: Params, hand: CardPile, colours: int, out: Numbers) -> int:
    """Write the cards of a hand whose colours fit to `out` and return how many (R1, R10 to R16)."""
    n = 0
    for i in range(1, hand[0] + 1):
        n = offer(out, n, CARD + hand[i], fits(params, hand[i], colours))
    return n


@rule
def response_choices(params: Params, s: State, out: Numbers) -> int:
    """Write the choices of RESPOND: cards, `done`, and before any card is played `counter` and `dodge` (R16 to R19)."""
    hand = s.hand[s.player]
    n = offer_fitting(params, hand, defence_fit(params, s), out)
    out[n] = DONE
    n += 1
    if s.defence[0] == 0 and has_four(params, hand):
        out[n] = COUNTER
        n += 1
        if count_in(s) > 2:
            out[n] = DODGE
            n += 1
    return n
