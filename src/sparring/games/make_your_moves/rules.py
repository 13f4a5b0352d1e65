"""Make Your Moves Lite: the rules, ruling by ruling (R1 to R32 of rules.md)."""

import numpy as np

from sparring.engine.cards import (
    UNKNOWN, draw, empty, hide, holds, insert, pour, put, remove, shuffle, take_top,
)  # fmt: skip
from sparring.engine.chance import below, bits
from sparring.engine.options import option_fields
from sparring.engine.rule import (
    Actions, clockwise, end_moment, finish, places_on, record_dtype, rule, state_dtype,
)  # fmt: skip

from .kit import CARDS, OPTIONS, WILD

SEATS = 6
HAND = 5
NEEDED = 3  # points that win, or put out

PHASES: tuple[str, ...] = ("target", "attack", "respond", "four", "dodge_to", "assist_card", "assist_side", "discard")
TARGET, ATTACK, RESPOND, FOUR, DODGE_TO, ASSIST_CARD, ASSIST_SIDE, DISCARD = range(8)

ENDINGS: tuple[str, ...] = ("points", "last one in", "turn limit")
BY_POINTS, LAST_ONE_IN, TURN_LIMIT = range(3)

ACTIONS = Actions(card=CARDS, seat=SEATS, skip=1, done=1, counter=1, dodge=1, attacker=1, defender=1)
CARD, SEAT, SKIP, DONE, COUNTER, DODGE, ATTACKER, DEFENDER = ACTIONS.starts

ELIMINATION = 1  # of the option `match`
ONE = 1  # of the option `defence_wilds`
SEAT1 = 1  # of the option `first_control`
MATCH = 1  # of the option `assist_fit`
MARKER = 1  # of the option `point_cards`

KIT = record_dtype([*option_fields(OPTIONS), ("cards", "i2"), ("colour", "i2", CARDS), ("power", "i2", CARDS)])

STATE = state_dtype(
    SEATS,
    [
        ("deck", "i2", CARDS + 1),
        ("discard", "i2", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),
        ("points", "i2", SEATS),
        ("point_cards", "i2", (SEATS, NEEDED + 1)),
        ("out", "i2", SEATS),
        ("control", "i2"),
        ("attacker", "i2"),
        ("defender", "i2"),
        ("asked", "i2"),  # how many places clockwise of the Attacker ASSIST or DISCARD has come
        ("attack", "i2", HAND + 1),
        ("defence", "i2", HAND + 1),
        ("fours", "i2", 4 * (SEATS - 1) + 1),
        ("help_attack", "i2", SEATS),
        ("help_defence", "i2", SEATS),
        ("helping", "i2", 2),  # the card a bystander has laid and not yet given to a side
        ("picked", "i2", HAND),  # FOUR: the cards picked so far, still in the hand
        ("dodging", "i2"),
        # Of the attack: its colours and those with a card of power 2 or 3, as bits; how many colours.
        ("attack_colours", "i2"),
        ("strong_colours", "i2"),
        ("ceiling", "i2"),
        # Of the defence: units laid, colours with a single as bits, how many Wilds.
        ("units", "i2"),
        ("single_colours", "i2"),
        ("wilds", "i2"),
        # What the table knows of each hand (section 8): at least so many Wilds; at least one coloured card; one card
        # of these kinds (bits, 0: nothing known).
        ("sure_wilds", "i2", SEATS),
        ("sure_coloured", "i2", SEATS),
        ("sure_kinds", "i2", SEATS),
    ],
)


# The turn


@rule
def setup(kit, s):
    """Deal five to each seat and draw lots for control (section 3, R4)."""
    for card in range(kit.cards):
        put(s.deck, card)
    shuffle(s.rng, s.deck)
    for seat in range(s.seats):
        for _ in range(HAND):
            insert(s.hand[seat], take_top(s.deck))
    if kit.first_control != SEAT1:
        s.control = below(s.rng, s.seats)
    begin_turn(kit, s)


@rule
def begin_turn(kit, s):
    """Start the next turn, and more of them as long as nobody has a choice to make (R3, R8)."""
    while not s.over:
        s.turn += 1
        end_moment(s)
        seat = s.control
        for _ in range(s.seats):
            fill_hand(s, seat)
            seat = clockwise(s, seat)
        s.attacker = s.control
        if has_coloured(kit, s.hand[s.attacker]):
            s.sure_coloured[s.attacker] = 1
            s.phase = TARGET
            s.player = s.attacker
            return
        s.sure_wilds[s.attacker] = s.hand[s.attacker, 0]
        if give_up_attack(kit, s):
            return


@rule
def fill_hand(s, seat):
    """Draw until the hand holds five, as long as there are cards (R8)."""
    if s.out[seat]:
        return
    hand = s.hand[seat]
    while hand[0] < HAND:
        card = draw(s.rng, s.deck, s.discard)
        if card == UNKNOWN:
            return
        insert(hand, card)


@rule
def give_up_attack(kit, s):
    """A turn without attack: control goes to the next player (R2, R3). Whether somebody has a choice now."""
    s.control = next_in(s, s.attacker)
    return end_turn(kit, s)


@rule
def end_turn(kit, s):
    """Stop at the turn limit (R30), or else let everybody discard (R28). Whether that is done: if not, the next turn is due."""
    if s.turn == kit.turn_limit:
        finish(s, TURN_LIMIT, leaders(kit, s))
        return True
    return ask_discard(s, 0)


@rule
def ask_discard(s, place):
    """Ask the next player still in who holds a card, clockwise from the Attacker (R28). Whether there is one."""
    for asked in range(place, s.seats):
        seat = places_on(s, s.attacker, asked)
        if not s.out[seat] and s.hand[seat, 0] > 0:
            s.asked = asked
            s.phase = DISCARD
            s.player = seat
            return True
    return False


@rule
def ask_assist(kit, s, place):
    """Ask the next bystander who holds a card, clockwise from the Attacker; after the last one comes SCORE (R21)."""
    for asked in range(place, s.seats):
        seat = places_on(s, s.attacker, asked)
        if seat != s.defender and not s.out[seat] and s.hand[seat, 0] > 0:
            s.asked = asked
            s.phase = ASSIST_CARD
            s.player = seat
            return
    score(kit, s)


# Who and what


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
def has_coloured(kit, hand):
    """Whether a hand holds a card that is not Wild."""
    for i in range(1, hand[0] + 1):
        if kit.colour[hand[i]] != WILD:
            return True
    return False


@rule
def power_of(kit, pile):
    """The powers of a pile added up."""
    total = 0
    for i in range(1, pile[0] + 1):
        total += kit.power[pile[i]]
    return total


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
    """Whether a pile without one card (UNKNOWN: none) and with one more colour (UNKNOWN: none) is four of a colour (R17)."""
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
    """A card to leave out so that four of a colour remain; UNKNOWN if the hand is just those four, NO_FOUR without any."""
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


# Choosing


@rule
def legal(kit, s, out):
    """What `s.player` may choose, by the phase table of section 5."""
    hand = s.hand[s.player]
    n = 0
    if s.phase == TARGET:
        n = other_seats(s, out, s.attacker, s.attacker)
        if kit.pass_attack:
            out[n] = SKIP
            n += 1
    elif s.phase == ATTACK:
        for i in range(1, hand[0] + 1):
            if fits_attack(kit, s, hand[i]):
                out[n] = CARD + hand[i]
                n += 1
        if s.ceiling > 0:
            out[n] = DONE
            n += 1
    elif s.phase == RESPOND:
        n = responses(kit, s, out)
    elif s.phase == FOUR:
        for i in range(1, hand[0] + 1):
            if fits_four(kit, s, hand[i]):
                out[n] = CARD + hand[i]
                n += 1
    elif s.phase == DODGE_TO:
        n = other_seats(s, out, s.attacker, s.defender)
    elif s.phase == ASSIST_SIDE:
        if fits_attacker(kit, s, s.helping[1]):
            out[n] = ATTACKER
            n += 1
        if fits_defender(kit, s, s.helping[1]):
            out[n] = DEFENDER
            n += 1
    else:
        for i in range(1, hand[0] + 1):
            out[i - 1] = CARD + hand[i]
        n = int(hand[0])
        out[n] = SKIP if s.phase == ASSIST_CARD else DONE
        n += 1
    return n


@rule
def other_seats(s, out, one, other):
    """Everybody still in but these two (R9, R19)."""
    n = 0
    for seat in range(s.seats):
        if seat != one and seat != other and not s.out[seat]:
            out[n] = SEAT + seat
            n += 1
    return n


@rule
def responses(kit, s, out):
    """RESPOND: cards, `done`, and before any card is laid `counter` and `dodge` (R16 to R19)."""
    hand = s.hand[s.player]
    n = 0
    for i in range(1, hand[0] + 1):
        if fits_defence(kit, s, hand[i]):
            out[n] = CARD + hand[i]
            n += 1
    out[n] = DONE
    n += 1
    if s.defence[0] == 0 and hand[0] >= 4 and spare_card(kit, hand) != NO_FOUR:
        out[n] = COUNTER
        n += 1
        if still_in(s) > 2:
            out[n] = DODGE
            n += 1
    return n


@rule
def step(kit, s, action):
    """Carry out a choice."""
    player = s.player
    if s.phase == TARGET:
        choose_target(kit, s, action)
    elif s.phase == ATTACK:
        lay_attack(kit, s, action)
    elif s.phase == RESPOND:
        respond(kit, s, action)
    elif s.phase == FOUR:
        pick_for_four(kit, s, action - CARD)
    elif s.phase == DODGE_TO:
        s.defender = action - SEAT
        s.phase = RESPOND
        s.player = s.defender
    elif s.phase == ASSIST_CARD:
        assist(kit, s, action)
    elif s.phase == ASSIST_SIDE:
        pour(s.helping, s.help_attack if action == ATTACKER else s.help_defence)
        ask_assist(kit, s, s.asked + 1)
    else:
        discard(kit, s, action)
    if s.player != player:
        end_moment(s)


@rule
def choose_target(kit, s, action):
    """The Attacker names the Defender, or passes (R2, R9)."""
    if action == SKIP:
        if not give_up_attack(kit, s):
            begin_turn(kit, s)
    else:
        s.defender = action - SEAT
        s.phase = ATTACK


@rule
def lay(kit, s, pile, card):
    """Lay a card from the hand face up; everybody sees it."""
    remove(s.hand[s.player], card)
    put(pile, card)
    no_longer_sure(kit, s, s.player, card)
    end_moment(s)


@rule
def lay_attack(kit, s, action):
    """A card joins the attack, or the attack stands (R1, R12 to R15)."""
    if action == DONE:
        s.phase = RESPOND
        s.player = s.defender
        return
    lay(kit, s, s.attack, action - CARD)
    count_attack(kit, s, action - CARD)


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
def respond(kit, s, action):
    """A card joins the defence, the defence stands, or four of a colour stop or move the attack (R16 to R19)."""
    if action == DONE:
        ask_assist(kit, s, 1)
    elif action == COUNTER or action == DODGE:
        s.dodging = 1 if action == DODGE else 0
        end_moment(s)
        if choice_of_fours(kit, s.hand[s.player]):
            s.phase = FOUR
        else:
            pick_only_four(kit, s)
            lay_four(kit, s, False)
    else:
        lay(kit, s, s.defence, action - CARD)
        count_defence(kit, s, action - CARD)


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
def pick_only_four(kit, s):
    """The one four of the hand is picked without asking."""
    hand = s.hand[s.player]
    spare = spare_card(kit, hand)
    for i in range(1, hand[0] + 1):
        if hand[i] != spare:
            put(s.picked, hand[i])


@rule
def pick_for_four(kit, s, card):
    """One more card of the four; the fourth one lays them all."""
    put(s.picked, card)
    if s.picked[0] == 4:
        lay_four(kit, s, True)


@rule
def lay_four(kit, s, asked):
    """The four picked are laid: a Counter ends the attack at once, a Dodge asks who is attacked instead (R17 to R19)."""
    for i in range(1, 5):
        remove(s.hand[s.player], s.picked[i])
        no_longer_sure(kit, s, s.player, s.picked[i])
    if s.hand[s.player, 0] == 1:
        sure_of_fifth(kit, s, asked)
    pour(s.picked, s.fours)
    end_moment(s)
    if s.dodging:
        s.phase = DODGE_TO
        return
    s.control = s.defender
    clear_table(s)
    if not end_turn(kit, s):
        begin_turn(kit, s)


@rule
def assist(kit, s, action):
    """A bystander lays one card, or passes (R21, R22)."""
    if action == SKIP:
        ask_assist(kit, s, s.asked + 1)
    else:
        lay(kit, s, s.helping, action - CARD)
        s.phase = ASSIST_SIDE


@rule
def discard(kit, s, action):
    """A card goes to the discard pile, or this player is through (R28)."""
    if action != DONE:
        lay(kit, s, s.discard, action - CARD)
        if s.hand[s.player, 0] > 0:
            return
    if not ask_discard(s, s.asked + 1):
        begin_turn(kit, s)


# Resolution


@rule
def score(kit, s):
    """Compare, give the point and control, and see whether the match is over (section 6, R23 to R27)."""
    margin = power_of(kit, s.defence) + power_of(kit, s.help_defence)
    margin -= power_of(kit, s.attack) + power_of(kit, s.help_attack)
    clear_table(s)
    end_moment(s)
    if margin > 0:
        s.control = s.defender
    if margin < 0:
        award(kit, s, s.defender if kit.match == ELIMINATION else s.attacker)
    elif margin >= 2:
        award(kit, s, s.attacker if kit.match == ELIMINATION else s.defender)
    if not s.over and not end_turn(kit, s):
        begin_turn(kit, s)


@rule
def clear_table(s):
    """All laid cards go to the discard pile (R29)."""
    pour(s.attack, s.discard)
    pour(s.defence, s.discard)
    pour(s.fours, s.discard)
    pour(s.help_attack, s.discard)
    pour(s.help_defence, s.discard)
    s.dodging = 0
    s.attack_colours = 0
    s.strong_colours = 0
    s.ceiling = 0
    s.units = 0
    s.single_colours = 0
    s.wilds = 0


@rule
def award(kit, s, seat):
    """One point, with a card from the draw pile to mark it (R7, R24); the third one wins or puts out (R25, R26)."""
    s.points[seat] += 1
    if kit.point_cards != MARKER:
        card = draw(s.rng, s.deck, s.discard)
        if card != UNKNOWN:
            put(s.point_cards[seat], card)
    if s.points[seat] < NEEDED:
        return
    if kit.match == ELIMINATION:
        put_out(s, seat)
    else:
        finish(s, BY_POINTS, 1 << seat)


@rule
def put_out(s, seat):
    """A player with three points of damage is out; the last one in wins (R25, R27)."""
    s.out[seat] = 1
    pour(s.hand[seat], s.discard)
    s.sure_wilds[seat] = 0
    s.sure_coloured[seat] = 0
    s.sure_kinds[seat] = 0
    if still_in(s) == 1:
        finish(s, LAST_ONE_IN, 1 << next_in(s, seat))


@rule
def leaders(kit, s):
    """Who is ahead at the turn limit, as bits: most points, or in an elimination match fewest of those in (R30)."""
    best = -NEEDED - 1
    ahead = 0
    for seat in range(s.seats):
        if s.out[seat]:
            continue
        worth = -s.points[seat] if kit.match == ELIMINATION else s.points[seat]
        if worth > best:
            best = worth
            ahead = 0
        if worth == best:
            ahead |= 1 << seat
    return ahead


# What the table knows of a hand, so that an imagined one agrees with it (section 8)


@rule
def kind_bit(kit, card):
    """The kind of a card (colour and power) as a bit."""
    return 1 << (kit.colour[card] * 3 + kit.power[card] - 1)


@rule
def no_longer_sure(kit, s, seat, card):
    """A card left the hand: it may be the very one that was known to be there."""
    if kit.colour[card] != WILD:
        s.sure_coloured[seat] = 0
    elif s.sure_wilds[seat] > 0:
        s.sure_wilds[seat] -= 1
    if s.sure_kinds[seat] & kind_bit(kit, card):
        s.sure_kinds[seat] = 0


@rule
def sure_of_fifth(kit, s, asked):
    """Whether FOUR was asked tells of which kinds the one card left can be."""
    kinds = 0
    for kind in range(15):
        if other_four(kit, s.picked, kind) == asked:
            kinds |= 1 << kind
    known = s.sure_kinds[s.player]
    s.sure_kinds[s.player] = kinds & known if known else kinds


@rule
def other_four(kit, four, kind):
    """Whether a card of this kind could take the place of a different one of the four."""
    for i in range(1, 5):
        if kind_bit(kit, four[i]) != 1 << kind and is_four(kit, four, four[i], kind // 3):
            return True
    return False


# Hidden information (section 8)


@rule
def redact(kit, s, seat):
    """Forget the generator, the draw pile, the point cards, other hands and what another player is picking for a four."""
    for i in range(4):
        s.rng[i] = 0
    hide(s.deck)
    for other in range(s.seats):
        hide(s.point_cards[other])
        if other != seat:
            hide(s.hand[other])
    if s.player != seat:
        empty(s.picked)


@rule
def glimpse(kit, s, action, seat):
    """Every choice is open but the cards being picked for a four."""
    if s.phase == FOUR and s.player != seat:
        return UNKNOWN
    return action


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat does not know at random, in agreement with what the table knows of each hand."""
    for i in range(4):
        s.rng[i] = bits(g)
    for _ in range(ATTEMPTS):
        pool_unseen(kit, s, seat)
        shuffle(g, s.deck)
        if deal_unseen(kit, s, seat, g):
            break
    for other in range(s.seats):
        cards = s.point_cards[other]
        for i in range(1, cards[0] + 1):
            cards[i] = take_top(s.deck)


# A random deal can use up a card that another hand is known to hold; then it is dealt again, so many times at most.
ATTEMPTS = 20

COLOURED_KINDS = 0x0FFF
WILD_KINDS = 0x7000


@rule
def mark(seen, pile):
    """Note the cards of a pile."""
    for i in range(1, pile[0] + 1):
        seen[pile[i]] = True


@rule
def pool_unseen(kit, s, seat):
    """Gather every card that the seat has not seen in the draw pile."""
    seen = np.zeros(CARDS, np.bool_)
    if seat >= 0:
        mark(seen, s.hand[seat])
    mark(seen, s.discard)
    mark(seen, s.attack)
    mark(seen, s.defence)
    mark(seen, s.fours)
    mark(seen, s.help_attack)
    mark(seen, s.help_defence)
    mark(seen, s.helping)
    s.deck[0] = 0
    for card in range(kit.cards):
        if not seen[card]:
            put(s.deck, card)


@rule
def deal_unseen(kit, s, seat, g):
    """Deal the hands of the others, those first of which something is known. Whether all of it agrees."""
    agreed = True
    for other in range(s.seats):
        if other != seat and is_known(s, other):
            if s.phase == FOUR and other == s.player:
                agreed &= deal_fours(kit, s, s.hand[other], g)
            else:
                agreed &= deal_known(kit, s, other)
    for other in range(s.seats):
        if other != seat and not is_known(s, other):
            fill_from_pool(s, s.hand[other], s.hand[other, 0], 0)
    return agreed


@rule
def is_known(s, seat):
    """Whether the table knows something of a hand."""
    if s.phase == FOUR and seat == s.player:
        return True
    return s.sure_wilds[seat] > 0 or s.sure_coloured[seat] > 0 or s.sure_kinds[seat] > 0


@rule
def fill_from_pool(s, hand, size, dealt):
    """Deal any cards to a hand that holds `dealt` until it holds `size`."""
    hand[0] = dealt
    while hand[0] < size:
        insert(hand, take_top(s.deck))


@rule
def deal_kind(kit, s, hand, size, kinds):
    """Deal one card of these kinds, if the pool has one and the hand has room."""
    if hand[0] == size:
        return False
    for i in range(s.deck[0], 0, -1):
        card = s.deck[i]
        if kinds & kind_bit(kit, card):
            remove(s.deck, card)
            insert(hand, card)
            return True
    return False


@rule
def has_kind(kit, hand, kinds):
    """Whether a hand holds a card of these kinds."""
    for i in range(1, hand[0] + 1):
        if kinds & kind_bit(kit, hand[i]):
            return True
    return False


@rule
def deal_known(kit, s, seat):
    """Deal a hand of which something is known. Whether it agrees."""
    hand = s.hand[seat]
    size = int(hand[0])
    hand[0] = 0
    agreed = True
    for _ in range(s.sure_wilds[seat]):
        agreed &= deal_kind(kit, s, hand, size, WILD_KINDS)
    if s.sure_kinds[seat] and not has_kind(kit, hand, s.sure_kinds[seat]):
        agreed &= deal_kind(kit, s, hand, size, int(s.sure_kinds[seat]))
    if s.sure_coloured[seat] and not has_coloured(kit, hand):
        agreed &= deal_kind(kit, s, hand, size, COLOURED_KINDS)
    fill_from_pool(s, hand, size, int(hand[0]))
    return agreed


@rule
def deal_fours(kit, s, hand, g):
    """Deal five cards that leave a choice of fours: five of one colour (or Wild, where they fill in), or three Wilds and two others."""
    for _ in range(ATTEMPTS):
        hand[0] = 0
        kinds = 7 << (3 * below(g, WILD + 1))
        if kit.wild_fours:
            kinds |= WILD_KINDS
            if below(g, 2):
                for _ in range(3):
                    deal_kind(kit, s, hand, HAND, WILD_KINDS)
                kinds |= COLOURED_KINDS
        while deal_kind(kit, s, hand, HAND, kinds):
            pass
        fill_from_pool(s, hand, HAND, int(hand[0]))
        if choice_of_fours(kit, hand) and agrees(kit, s, hand):
            return True
        for _ in range(HAND):
            put(s.deck, take_top(hand))
        shuffle(g, s.deck)
    fill_from_pool(s, hand, HAND, 0)
    return False


@rule
def agrees(kit, s, hand):
    """Whether the hand of the player fits what is known of it."""
    wilds = 0
    for i in range(1, hand[0] + 1):
        if kit.colour[hand[i]] == WILD:
            wilds += 1
    if wilds < s.sure_wilds[s.player] or (s.sure_coloured[s.player] and wilds == hand[0]):
        return False
    return s.sure_kinds[s.player] == 0 or has_kind(kit, hand, int(s.sure_kinds[s.player]))


# For learners

KINDS = 15
PER_SEAT = 7
FEATURES = len(PHASES) + 5 * KINDS + SEATS * PER_SEAT + 6


@rule
def count_kinds(kit, pile, out, n):
    """How many cards of each kind lie in a pile, a fifth for each."""
    for kind in range(KINDS):
        out[n + kind] = 0.0
    for i in range(1, pile[0] + 1):
        if pile[i] >= 0:
            out[n + kit.colour[pile[i]] * 3 + kit.power[pile[i]] - 1] += 0.2
    return n + KINDS


@rule
def observe(kit, s, seat, out):
    """The phase, the kinds in hand, attack, defence, four and discard pile, each seat beginning with one's own, and the counts."""
    n = 0
    for phase in range(len(PHASES)):
        out[n] = 1.0 if s.phase == phase else 0.0
        n += 1
    n = count_kinds(kit, s.hand[seat], out, n)
    n = count_kinds(kit, s.attack, out, n)
    n = count_kinds(kit, s.defence, out, n)
    n = count_kinds(kit, s.picked, out, n)
    n = count_kinds(kit, s.discard, out, n)
    for kind in range(KINDS):
        out[n - KINDS + kind] *= 0.2  # up to 25 of a kind
    for place in range(SEATS):
        other = places_on(s, seat, place) if place < s.seats else 0
        here = place < s.seats
        out[n] = s.points[other] / NEEDED if here else 0.0
        out[n + 1] = s.hand[other, 0] / HAND if here else 0.0
        out[n + 2] = 1.0 if here and not s.out[other] else 0.0
        out[n + 3] = 1.0 if here and s.control == other else 0.0
        out[n + 4] = 1.0 if here and s.attacker == other else 0.0
        out[n + 5] = 1.0 if here and s.defender == other and TARGET < s.phase < DISCARD else 0.0
        out[n + 6] = 1.0 if here and s.player == other else 0.0
        n += PER_SEAT
    out[n] = s.deck[0] / CARDS
    out[n + 1] = s.ceiling / 3
    out[n + 2] = s.units / 3
    out[n + 3] = power_of(kit, s.help_attack) / 12
    out[n + 4] = power_of(kit, s.help_defence) / 12
    out[n + 5] = s.turn / kit.turn_limit
