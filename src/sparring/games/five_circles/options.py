"""Five Circles: what rules know besides the state, with the options (section 13) and the numbers of their values."""

from sparring.engine.state import Parameters, array, choice_option, number_option, options_of, scalar, table

SEATS = 2
CHARACTERS = 32  # 16 from each player
SLOTS = 4  # of five circles at least one buys points, and an ability takes at least one
KNOWN_ABILITIES = 32  # space in the parameters; 24 are in use
#: The highest values of the options, and so in positions.
MOST_LIFE, MOST_DRY, MOST_TURNS = 50, 20, 400


class Params(Parameters):
    """What rules know besides the state: the options, the cards and the abilities."""

    # The options that change the game most
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


OPTIONS = options_of(Params)

OWN = 1  # of `decks`
HOLD, BOTH_HOLD = 1, 2  # of `opening`
MEET = 1  # of `lethal`
EVERY_TURN = 1  # of `recover`
EXTRA_DRAW, AT_ONCE = 1, 2  # of `refill`
ONE = 1  # of `breach`
MAY = 1  # of `attack`
WAIT = 1  # of `summons`
BLUE_ONLY = 1  # of `brace`
STILL = 1  # of `sleep`
RESCUE = 1  # of `heal`
BOTH = 1  # of `reflect`
DUEL = 1  # of `target`
STRUCK = 1  # of `longrange`
PLAYERS = 1  # of `fireball`
SILENT = 1  # of `sleeper`
PACKET = 1  # of `avoid`
OWN_SIDE = 1  # of `serenity`
EACH_TURN = 1  # of `extra`
REPEAT = 1  # of `uses`
EXACT = 1  # of `points`
YES = 1  # of `repeats`
RESHUFFLE = 1  # of `empty`
