"""Make Your Moves: who is still in; which cards may lie together, in an attack, a defence, a helping hand or a four."""

from sparring.engine.cards import UNKNOWN, holds
from sparring.engine.rule import clockwise, rule

from .kit import WILD
from .state import MATCH, ONE


@rule
def next_in(s, seat):
    """The next player clockwise who is still in."""
    seat = clockwise(s, seat)
    while s.out[seat]:
        seat = clockwise(s, seat)
    return seat


@rule
def still_in(s):
    """How many players are still in."""
    count = 0
    for seat in range(s.seats):
        count += 1 - s.out[seat]
    return count


@rule
def fits_attack(kit, s, card):
    """Whether the attack may grow by this card: three colours at most, one unit of each (R1, R12, R14)."""
    if kit.colour[card] == WILD:
        return True
    colour = 1 << kit.colour[card]
    if not s.attack_colours & colour:
        return s.ceiling < 3
    return kit.power[card] == 1 and not s.strong_colours & colour


@rule
def count_attack(kit, s, card):
    """A card of the attack: its colour, and whether more singles fit there (R12)."""
    if kit.colour[card] == WILD:
        return
    colour = 1 << kit.colour[card]
    if not s.attack_colours & colour:
        s.attack_colours |= colour
        s.ceiling += 1
    if kit.power[card] > 1:
        s.strong_colours |= colour


@rule
def fits_defence(kit, s, card):
    """Whether the defence may grow by this card: attacked colours, no more units than the attack has (R10 to R16)."""
    if kit.colour[card] == WILD:
        return kit.defence_wilds != ONE or s.wilds == 0
    colour = 1 << kit.colour[card]
    if not s.attack_colours & colour:
        return False
    if kit.power[card] == 1 and s.single_colours & colour:
        return True
    return s.units < s.ceiling


@rule
def count_defence(kit, s, card):
    """A card of the defence: a unit of its own, but singles of a colour are one together (R10, R12, R13)."""
    if kit.colour[card] == WILD:
        s.wilds += 1
        return
    colour = 1 << kit.colour[card]
    if kit.power[card] == 1:
        if s.single_colours & colour:
            return
        s.single_colours |= colour
    s.units += 1


@rule
def fits_attacker(kit, s, card):
    """Whether a helper's card may go to the attacker's side (R22)."""
    colour = kit.colour[card]
    return kit.assist_fit != MATCH or colour == WILD or not s.attack_colours & (1 << colour)


@rule
def fits_defender(kit, s, card):
    """Whether a helper's card may go to the defender's side (R22)."""
    colour = kit.colour[card]
    return kit.assist_fit != MATCH or colour == WILD or s.attack_colours & (1 << colour) != 0


# Four of a colour

NO_FOUR = -2


@rule
def is_four(kit, pile, without, extra):
    """Whether a pile is four of a colour, without one card and with one more colour (UNKNOWN: none; R17)."""
    colour = extra
    count = 0 if extra == UNKNOWN else 1
    for i in range(1, pile[0] + 1):
        if pile[i] == without:
            continue
        count += 1
        this = kit.colour[pile[i]]
        if colour == UNKNOWN or (kit.wild_fours and colour == WILD):
            colour = this
        elif this != colour and not (kit.wild_fours and this == WILD):
            return False
    return count == 4


@rule
def spare_card(kit, hand):
    """A card to leave out so that a four remains; UNKNOWN if the hand is just a four, NO_FOUR if it has none."""
    if is_four(kit, hand, UNKNOWN, UNKNOWN):
        return UNKNOWN
    for i in range(1, hand[0] + 1):
        if is_four(kit, hand, hand[i], UNKNOWN):
            return hand[i]
    return NO_FOUR


@rule
def same_kind(kit, card, other):
    """Whether two cards are equal for every rule."""
    return kit.colour[card] == kit.colour[other] and kit.power[card] == kit.power[other]


@rule
def choice_of_fours(kit, hand):
    """Whether a hand holds several fours, told apart by colour and power."""
    spare = spare_card(kit, hand)
    if spare < 0:
        return False
    for i in range(1, hand[0] + 1):
        if not same_kind(kit, hand[i], spare) and is_four(kit, hand, hand[i], UNKNOWN):
            return True
    return False


@rule
def fits_four(kit, s, card):
    """Whether the cards picked so far and this one lie inside one four of the hand."""
    hand = s.hand[s.player]
    if holds(s.picked, card):
        return False
    for i in range(1, hand[0] + 1):
        spare = hand[i]
        if spare != card and not holds(s.picked, spare) and is_four(kit, hand, spare, UNKNOWN):
            return True
    return False
