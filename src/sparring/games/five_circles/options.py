"""Five Circles: the options (section 13), and the numbers of their values in the kit."""

from sparring.engine.options import ChoiceOption, NumberOption, Option

OPTIONS: tuple[Option, ...] = (
    # The options that change the game most
    ChoiceOption("decks", ("shared", "own"), "Whether both players' cards are mixed into one deck", "R2",
           words=("one for both", "one each"), group="Cards"),
    NumberOption("life", 2, 1, 50, "Life at the start", "R6", group="The match"),
    ChoiceOption("opening", ("strike", "hold", "both"), "The first turn with combat", "R23",
           title="First combat", words=("in turn 1", "in turn 2", "in turn 3"), group="The match"),
    ChoiceOption("lethal", ("exceed", "meet"), "Whether damage must exceed health to destroy, or just equal it", "R26",
           title="Characters are destroyed by", words=("more damage than health", "damage equal to health"),
           group="Combat"),
    ChoiceOption("recover", ("own-turn", "every-turn"), "When characters recover from damage", "R24",
           title="Characters recover", words=("on their owner's turn", "every turn"), group="Combat"),
    ChoiceOption("refill", ("start", "extra", "at-once"), "What an empty hand draws", "R16",
           title="An empty hand", words=("draws 3 instead of 1", "draws 3 more", "draws 3 at once"), group="Cards"),
    ChoiceOption("breach", ("points", "one"), "How much life an unopposed attacker takes", "R29",
           title="Unopposed attackers", words=("take life equal to their attack", "take 1 life"), group="Combat"),
    ChoiceOption("attack", ("must", "may"), "Whether awake characters have to attack", "R21",
           title="Attacking", words=("all awake characters must", "each character may"), group="Combat"),
    ChoiceOption("summons", ("at-once", "wait"), "Whether characters may attack on the turn they are played", "R22",
           title="New characters attack", words=("at once", "from the next turn on"), group="Combat"),
    ChoiceOption("brace", ("any", "blue"), "Which abilities the defender may use before combat", "R34, R36, R55",
           title="Before combat, the defender may use", words=("all abilities", "only Blue abilities"),
           group="Combat"),
    ChoiceOption("sleep", ("open", "still"), "Whether a sleeping character blocks its lane", "R57",
           title="A sleeping character", words=("doesn't block", "still blocks"), group="Abilities"),
    ChoiceOption("heal", ("calm", "rescue"), "Whether Heal also works on damage about to be dealt", "R46",
           title="Heal", words=("outside combat only", "also on damage about to be dealt"), group="Abilities"),
    # Options for single abilities and rare situations
    ChoiceOption("reflect", ("defending", "both"), "Whether Reflect also works when its card attacks", "R54",
           title="Reflect works", words=("when attacked", "also when attacking"), group="Abilities"),
    ChoiceOption("target", ("own-lane", "duel"), "Who strikes a Target user: the enemy in front, or the chosen one",
                 "R42",
           title="A Target user is struck by", words=("the enemy in front", "the chosen enemy"), group="Abilities"),
    ChoiceOption("longrange", ("safe", "struck"), "Whether the enemy in front strikes a Long Range user", "R45",
           title="A Long Range user", words=("isn't struck", "is struck by the enemy in front"), group="Abilities"),
    ChoiceOption("fireball", ("cards", "players"), "Whether Fireball can hit the opponent", "R44",
           title="Fireball hits", words=("characters", "characters or the opponent"), group="Abilities"),
    ChoiceOption("sleeper", ("keeps", "silent"), "Whether a sleeping character keeps its abilities", "R57",
           title="A sleeping character's abilities", words=("still work", "don't work"), group="Abilities"),
    ChoiceOption("avoid", ("turn", "packet"), "Whether Avoid Damage lasts all turn, or for one hit", "R49",
           title="Avoid Damage lasts", words=("until the end of the turn", "for one hit"), group="Abilities"),
    ChoiceOption("serenity", ("all", "own"), "Whether Serenity protects both players, or only its user", "R50",
           title="Serenity protects", words=("both players", "only its user"), group="Abilities"),
    ChoiceOption("extra", ("entry", "each-turn"), "Whether Extra Card works on arrival, or once on each of your turns",
                 "R56",
           title="Extra Card works", words=("on arrival", "once on each of your turns"), group="Abilities"),
    ChoiceOption("uses", ("once", "repeat"), "Whether some abilities can be used more than once a turn", "R33",
           title="Abilities can be used", words=("once a turn", "some as often as you can pay"), group="Abilities"),
    ChoiceOption("points", ("up-to", "exact"), "Whether a design may leave points unspent", "R10",
           title="Points of a design", words=("some may be left over", "all must be spent"), group="Designs"),
    ChoiceOption("repeats", ("no", "yes"), "Whether a card can have the same ability more than once", "R12",
           title="The same ability twice", words=("no", "yes"), group="Designs"),
    ChoiceOption("empty", ("stop", "reshuffle"), "Whether the discard pile is reshuffled into an empty deck", "R17",
           title="An empty deck", words=("stays empty", "is refilled from the discard pile"), group="Cards"),
    NumberOption("sunset", 6, 2, 20, "The match ends after this many dry turns in a row", "R17",
           title="Dry turn limit", group="The match", ours=True),
    NumberOption("limit", 100, 20, 400, "The match ends after this many turns", "R17", title="Turn limit",
        group="The match", ours=True),
)  # fmt: skip

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
