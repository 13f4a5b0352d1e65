"""Five Circles: options and other parameters (section 13); the state; cards in decks, hands and rows (sections 4, 5).

A card is a number: characters from 0, then three numbers that stand for any Red, Blue or Green resource (resources of
one colour are identical). A place in play is 64 x the seat + the lane, so the place in front is `at ^ SIDE`, the
neighbours are one less and one more, and the seat is `at >> 6`. Rows hold card + 1, or 0 for a gap.
"""

from collections.abc import Iterator
from typing import Protocol, cast

from sparring.engine.cards import insert, put, remove, reshuffle, take_top
from sparring.engine.rule import ActionSpace, beat, end_moment, rule
from sparring.engine.state import (
    CHOOSER, OWNER, UNKNOWN_SEAT, UNNAMED, Header, Parameters, array, choice_option, integer, number_option,
    option_value, per_seat, pile, scalar, seat_number, table,
)  # fmt: skip
from sparring.engine.types import CardPile

SEATS = 2
CHARACTERS = 32  # 16 from each player
SLOTS = 4  # of five circles at least one buys points, and an ability takes at least one
KNOWN_ABILITIES = 32  # space in the parameters; 24 are in use
#: The highest values of the options, and so in positions.
MOST_LIFE, MOST_DRY, MOST_TURNS = 50, 20, 400


class Params(Parameters):
    """What rules know besides the state: the options, the cards and the abilities."""

    # The options that change the game most
    decks = choice_option(
        ("shared", "own"), "Whether both players' cards are mixed into one deck", "R2",
        words=("one for both", "one each"), group="Cards",
    )  # fmt: skip
    life = number_option(2, 1, MOST_LIFE, "Life at the start", "R6", group="The match")
    opening = choice_option(
        ("strike", "hold", "both"), "The first turn with combat", "R23",
        title="First combat", words=("in turn 1", "in turn 2", "in turn 3"), group="The match",
    )  # fmt: skip
    lethal = choice_option(
        ("exceed", "meet"), "Whether damage must exceed health to destroy, or just equal it", "R26",
        title="Characters are destroyed by", words=("more damage than health", "damage equal to health"),
        group="Combat",
    )  # fmt: skip
    recover = choice_option(
        ("own-turn", "every-turn"), "When characters recover from damage", "R24",
        title="Characters recover", words=("on their owner's turn", "every turn"), group="Combat",
    )  # fmt: skip
    refill = choice_option(
        ("start", "extra", "at-once"), "What an empty hand draws", "R16",
        title="An empty hand", words=("draws 3 instead of 1", "draws 3 more", "draws 3 at once"), group="Cards",
    )  # fmt: skip
    breach = choice_option(
        ("points", "one"), "How much life an unopposed attacker takes", "R29",
        title="Unopposed attackers", words=("take life equal to their attack", "take 1 life"), group="Combat",
    )  # fmt: skip
    attack = choice_option(
        ("must", "may"), "Whether awake characters have to attack", "R21",
        title="Attacking", words=("all awake characters must", "each character may"), group="Combat",
    )  # fmt: skip
    summons = choice_option(
        ("at-once", "wait"), "Whether characters may attack on the turn they are played", "R22",
        title="New characters attack", words=("at once", "from the next turn on"), group="Combat",
    )  # fmt: skip
    brace = choice_option(
        ("any", "blue"), "Which abilities the defender may use before combat", "R34, R36, R55",
        title="Before combat, the defender may use", words=("all abilities", "only Blue abilities"), group="Combat",
    )  # fmt: skip
    sleep = choice_option(
        ("open", "still"), "Whether a sleeping character blocks its lane", "R57",
        title="A sleeping character", words=("doesn't block", "still blocks"), group="Abilities",
    )  # fmt: skip
    heal = choice_option(
        ("calm", "rescue"), "Whether Heal also works on damage about to be dealt", "R46",
        title="Heal", words=("outside combat only", "also on damage about to be dealt"), group="Abilities",
    )  # fmt: skip
    # Options for single abilities and rare situations
    reflect = choice_option(
        ("defending", "both"), "Whether Reflect also works when its card attacks", "R54",
        title="Reflect works", words=("when attacked", "also when attacking"), group="Abilities",
    )  # fmt: skip
    target = choice_option(
        ("own-lane", "duel"), "Who strikes a Target user: the enemy in front, or the chosen one", "R42",
        title="A Target user is struck by", words=("the enemy in front", "the chosen enemy"), group="Abilities",
    )  # fmt: skip
    longrange = choice_option(
        ("safe", "struck"), "Whether the enemy in front strikes a Long Range user", "R45",
        title="A Long Range user", words=("isn't struck", "is struck by the enemy in front"), group="Abilities",
    )  # fmt: skip
    fireball = choice_option(
        ("cards", "players"), "Whether Fireball can hit the opponent", "R44",
        title="Fireball hits", words=("characters", "characters or the opponent"), group="Abilities",
    )  # fmt: skip
    sleeper = choice_option(
        ("keeps", "silent"), "Whether a sleeping character keeps its abilities", "R57",
        title="A sleeping character's abilities", words=("still work", "don't work"), group="Abilities",
    )  # fmt: skip
    avoid = choice_option(
        ("turn", "packet"), "Whether Avoid Damage lasts all turn, or for one hit", "R49",
        title="Avoid Damage lasts", words=("until the end of the turn", "for one hit"), group="Abilities",
    )  # fmt: skip
    serenity = choice_option(
        ("all", "own"), "Whether Serenity protects both players, or only its user", "R50",
        title="Serenity protects", words=("both players", "only its user"), group="Abilities",
    )  # fmt: skip
    extra = choice_option(
        ("entry", "each-turn"), "Whether Extra Card works on arrival, or once on each of your turns", "R56",
        title="Extra Card works", words=("on arrival", "once on each of your turns"), group="Abilities",
    )  # fmt: skip
    uses = choice_option(
        ("once", "repeat"), "Whether some abilities can be used more than once a turn", "R33",
        title="Abilities can be used", words=("once a turn", "some as often as you can pay"), group="Abilities",
    )  # fmt: skip
    points = choice_option(
        ("up-to", "exact"), "Whether a design may leave points unspent", "R10",
        title="Points of a design", words=("some may be left over", "all must be spent"), group="Designs",
    )  # fmt: skip
    repeats = choice_option(
        ("no", "yes"), "Whether a card can have the same ability more than once", "R12",
        title="The same ability twice", words=("no", "yes"), group="Designs",
    )  # fmt: skip
    empty = choice_option(
        ("stop", "reshuffle"), "Whether the discard pile is reshuffled into an empty deck", "R17",
        title="An empty deck", words=("stays empty", "is refilled from the discard pile"), group="Cards",
    )  # fmt: skip
    sunset = number_option(
        6, 2, MOST_DRY, "The match ends after this many dry turns in a row", "R17",
        title="Dry turn limit", group="The match", ours=True,
    )  # fmt: skip
    limit = number_option(
        100, 20, MOST_TURNS, "The match ends after this many turns", "R17",
        title="Turn limit", group="The match", ours=True,
    )  # fmt: skip
    characters = scalar()
    resources = table(SEATS, 3)  # resources of each player's half, by colour
    # For each character:
    card_owner = array(CHARACTERS)
    card_design = array(CHARACTERS)
    card_attack = array(CHARACTERS)
    card_health = array(CHARACTERS)
    card_cost = table(CHARACTERS, 3)
    card_ability = table(CHARACTERS, SLOTS)  # ability numbers, ascending; -1 for none
    card_phases = array(CHARACTERS)  # all phases in which its abilities can be used, as bits
    # Sums of what its automatic abilities give:
    card_pierce = array(CHARACTERS)
    card_armour = array(CHARACTERS)
    card_boost = array(CHARACTERS)
    card_guard = array(CHARACTERS)
    card_fast = array(CHARACTERS)
    card_reflect = array(CHARACTERS)
    card_extra = array(CHARACTERS)
    # For each ability:
    ability_phases = array(KNOWN_ABILITIES)  # the phases in which it can be used, as bits
    ability_colour = array(KNOWN_ABILITIES)
    ability_price = array(KNOWN_ABILITIES)
    ability_wants = array(KNOWN_ABILITIES)  # what it needs or picks
    ability_again = array(KNOWN_ABILITIES)  # usable as often as paid for
    ability_attack = array(KNOWN_ABILITIES)  # changes how the card attacks (R58)


OWN = option_value(Params.decks, "own")
HOLD, BOTH_HOLD = option_value(Params.opening, "hold"), option_value(Params.opening, "both")
MEET = option_value(Params.lethal, "meet")
EVERY_TURN = option_value(Params.recover, "every-turn")
EXTRA_DRAW, AT_ONCE = option_value(Params.refill, "extra"), option_value(Params.refill, "at-once")
ONE = option_value(Params.breach, "one")
MAY = option_value(Params.attack, "may")
WAIT = option_value(Params.summons, "wait")
BLUE_ONLY = option_value(Params.brace, "blue")
OPEN = option_value(Params.sleep, "open")
BOTH = option_value(Params.reflect, "both")
DUEL = option_value(Params.target, "duel")
STRUCK = option_value(Params.longrange, "struck")
PLAYERS = option_value(Params.fireball, "players")
SILENT = option_value(Params.sleeper, "silent")
PACKET = option_value(Params.avoid, "packet")
OWN_SIDE = option_value(Params.serenity, "own")
EACH_TURN = option_value(Params.extra, "each-turn")
REPEAT = option_value(Params.uses, "repeat")
EXACT = option_value(Params.points, "exact")
YES = option_value(Params.repeats, "yes")
RESHUFFLE = option_value(Params.empty, "reshuffle")


# Phases, choices and the state

COLOURS = COLOUR_TEXTS = ("Red", "Blue", "Green")
RED, BLUE, GREEN = range(3)

RESOURCES = 36  # 18 from each player
RESOURCE = CHARACTERS  # RESOURCE + colour is a resource card
LANES = 62
SIDE = 64
#: A shared pile with its count, or with own decks the piles of both players one after the other.
PILE = CHARACTERS + RESOURCES + 2
HALF = PILE // 2
HAND = 5
TOP = 3  # cards that Future Vision and Change the Future show

#: The first five are parts of a turn, in order (LANE comes up during combat); a choice opens the others.
PHASES: tuple[str, ...] = ("resources", "main", "brace", "lane", "mend", "extra", "pick", "answer", "spread")
RESOURCES_PHASE, MAIN, BRACE, LANE, MEND, EXTRA, PICK, ANSWER, SPREAD = range(9)

ENDINGS: tuple[str, ...] = ("no life left", "the deck ran dry", "turn limit")
NO_LIFE, RAN_DRY, TURN_LIMIT = range(3)

BEATS: tuple[str, ...] = ("combat", "lane", "destroyed", "life lost", "turn", "reshuffled")
COMBAT, LANE_OVER, DESTROYED, LIFE_LOST, TURN, RESHUFFLED = range(6)

ACTIONS = ActionSpace(
    resource=3, bring=CHARACTERS, use=CHARACTERS * SLOTS, target=CHARACTERS, player=1, place=CHARACTERS + RESOURCES,
    take=1, keep=1, attack=1, hold=1, done=1, none=1,
)  # fmt: skip
PLAY_RESOURCE, PLAY_CHARACTER, USE, TARGET, PLAYER, PLACE, TAKE, KEEP, ATTACK, HOLD_BACK, DONE, NONE = ACTIONS.starts


class Halves(Protocol):
    """A shared pile, or the piles of both players one after the other: what starts at 0 or at HALF is a pile."""

    def __getitem__(self, half: slice, /) -> CardPile: ...


class State(Header, seats=SEATS):
    """The state of a match. A view has a hand without the cards that its seat has not seen (see `knowledge`)."""

    turn = integer(1, MOST_TURNS)
    player = seat_number(default=UNKNOWN_SEAT)  # it follows from the phase
    deck = cast(Halves, array(PILE))
    discard = cast(Halves, array(PILE))
    hand = per_seat(pile(CHARACTERS, of=UNNAMED, seen_by=OWNER, custom=True))  # its characters
    held = per_seat(array(3))  # its resources, by colour
    cards = per_seat(scalar())  # number of all its cards
    known = per_seat(array(3))  # its resources that the other seat has seen, by colour
    known_top = per_seat(integer(0, TOP))  # number of cards on top of its draw deck that a seat knows
    ready = per_seat(array(3))
    spent = per_seat(array(3))
    life = per_seat(integer(0, MOST_LIFE, default="life"))
    row = array(SEATS * SIDE)
    last = per_seat(scalar())  # the highest lane a seat occupies
    # For each character:
    at = array(CHARACTERS)  # its place in play, or 0
    damage = array(CHARACTERS)
    status = array(CHARACTERS)  # bits, see below
    target = array(CHARACTERS)  # the card chosen with Target, plus 1
    # The turn:
    active = seat_number()  # whose turn it is
    window = scalar()  # the part of the turn, as its phase
    laid = integer(0, 2)  # resources played this turn
    dry = integer(0, MOST_DRY)  # consecutive dry turns
    serene = scalar()  # seats that take no damage this turn, as bits
    # The ability being used:
    using = scalar()  # its card, plus 1
    ability = scalar()
    first = scalar()  # Reorder: the first picked card, plus 1
    picks = pile(TOP, of=UNNAMED, seen_by=CHOOSER, custom=True)  # Change the Future: the places picked so far
    # Combat and damage (see combat.py):
    lane = scalar()
    stage = scalar()
    order = scalar()
    hitter = scalar()  # these three are cards, plus 1
    struck = scalar()
    striker = scalar()
    strike = scalar()
    reflected = scalar()
    mirror = scalar()
    hit = scalar()  # the card at which a packet is aimed, plus 1
    packet = scalar()
    kept = scalar()  # points of the last packet that landed on its target


# Bits of `status`. The lowest SLOTS bits are the abilities used this turn.
ASLEEP = 16
ARRIVED = 32  # came into play this turn
AVOIDING = 64
LONG = 128  # uses Long Range
BOOST = 256  # number of active Attack Boosts 2: two bits, from bit 8 on
SEEN = 1024  # in a hand, and known to the other seat
FALLING = 2048  # about to be destroyed


# Decks and hands


@rule
def count_decks(params: Params) -> int:
    """Return the number of draw decks, which is also that of discard piles (R2)."""
    return SEATS if params.decks == OWN else 1


@rule
def deck_of(params: Params, s: State, seat: int) -> CardPile:
    """Return the draw deck of a seat (R2)."""
    return s.deck[HALF if params.decks == OWN and seat else 0 :]


@rule
def discard_of(params: Params, s: State, seat: int) -> CardPile:
    """Return the discard pile of a seat (R2)."""
    return s.discard[HALF if params.decks == OWN and seat else 0 :]


@rule
def add_to_hand(s: State, seat: int, card: int, seen: int) -> None:
    """Add a card to a hand; `seen` is 1 if the other seat knows which card it is."""
    s.cards[seat] += 1
    if card >= RESOURCE:
        s.held[seat, card - RESOURCE] += 1
        s.known[seat, card - RESOURCE] += seen
    else:
        insert(s.hand[seat], card)
        s.status[card] = SEEN if seen else 0


@rule
def draw_card(params: Params, s: State, seat: int) -> bool:
    """Draw one card, reshuffling with `empty=reshuffle` (R17); return whether there was one."""
    deck = deck_of(params, s, seat)
    if deck[0] == 0:
        discard = discard_of(params, s, seat)
        if params.empty != RESHUFFLE or discard[0] == 0:
            return False
        reshuffle(s.rng, deck, discard)
        forget_top(params, s, seat)
        beat(s, RESHUFFLED)
    seen = 0
    for viewer in range(SEATS):
        if s.known_top[viewer] > 0 and (params.decks != OWN or viewer == seat):
            s.known_top[viewer] -= 1
            if viewer != seat:
                seen = 1
    add_to_hand(s, seat, take_top(deck), seen)
    return True


@rule
def forget_top(params: Params, s: State, seat: int) -> None:
    """Clear what the seats know about the top of this seat's draw deck (section 12)."""
    s.known_top[seat] = 0
    if params.decks != OWN:
        s.known_top[1 - seat] = 0


@rule
def leave_hand(params: Params, s: State, seat: int) -> None:
    """Record that a card left the hand face up; with `refill=at-once` an empty hand draws (R16)."""
    s.cards[seat] -= 1
    end_moment(s)
    if s.cards[seat] == 0 and params.refill == AT_ONCE:
        for _ in range(3):
            draw_card(params, s, seat)


@rule
def play_resource(params: Params, s: State, seat: int, colour: int) -> None:
    """Move a resource from the hand to the table, ready (R18)."""
    s.held[seat, colour] -= 1
    if s.known[seat, colour] > 0:
        s.known[seat, colour] -= 1
    s.ready[seat, colour] += 1
    s.laid += 1
    leave_hand(params, s, seat)


@rule
def count_resources(s: State, seat: int) -> int:
    """Return how many resources a hand holds."""
    return s.held[seat, RED] + s.held[seat, BLUE] + s.held[seat, GREEN]


# Paying


@rule
def spend(s: State, seat: int, colour: int, price: int) -> None:
    """Spend ready resources (R59)."""
    s.ready[seat, colour] -= price
    s.spent[seat, colour] += price


@rule
def payable(params: Params, s: State, seat: int, card: int) -> bool:
    """Return whether a seat has the full cost of a character ready (section 1)."""
    missing = 0
    for colour in range(3):
        missing |= int(s.ready[seat, colour] < params.card_cost[card, colour])
    return missing == 0


# Rows


@rule
def enter_play(params: Params, s: State, seat: int, card: int) -> None:
    """Move a character from the hand to the lane after the seat's highest occupied one (R25)."""
    remove(s.hand[seat], card)
    put_in_lane(s, card, seat * SIDE + s.last[seat] + 1)
    s.last[seat] += 1
    s.status[card] = ARRIVED
    leave_hand(params, s, seat)


@rule
def put_in_lane(s: State, card: int, at: int) -> None:
    """Put a character at a place in play."""
    s.row[at] = card + 1
    s.at[card] = at


@rule
def discard_character(params: Params, s: State, card: int) -> None:
    """Move a character from play to the discard pile; it leaves a gap and loses all it carried (section 0)."""
    seat = s.at[card] >> 6
    s.row[s.at[card]] = 0
    s.at[card] = 0
    s.damage[card] = 0
    s.status[card] = 0
    s.target[card] = 0
    while s.last[seat] > 0 and s.row[seat * SIDE + s.last[seat]] == 0:
        s.last[seat] -= 1
    put(discard_of(params, s, params.card_owner[card]), card)


@rule
def regroup(s: State, seat: int) -> None:
    """Slide a row toward lane 1, closing its gaps (R31)."""
    lanes = 0
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0:
            lanes += 1
            if at != seat * SIDE + lanes:
                s.row[at] = 0
                put_in_lane(s, card, seat * SIDE + lanes)
    s.last[seat] = lanes


def row_of(s: State, seat: int) -> Iterator[tuple[int, int]]:
    """Yield a seat's characters in play as (lane, card), from lane 1 outward."""
    for lane in range(1, int(s.last[seat]) + 1):
        if s.row[seat * SIDE + lane]:
            yield lane, int(s.row[seat * SIDE + lane]) - 1
