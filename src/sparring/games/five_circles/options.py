"""Five Circles: the options (section 13), and the numbers their values have in the kit."""

from sparring.engine.options import Choice, Number, Option

OPTIONS: tuple[Option, ...] = (
    # The serious forks
    Choice("decks", ("shared", "own"), "One deck mixed of both players' cards, or one each", "R2",
           words=("one for both", "one each"), group="Cards"),
    Number("life", 2, 1, 50, "Life points at the start", "R6", group="The match"),
    Choice("opening", ("strike", "hold", "both"), "From which turn on there is combat", "R23",
           title="First combat", words=("in turn 1", "in turn 2", "in turn 3"), group="The match"),
    Choice("lethal", ("exceed", "meet"), "Must damage exceed health to destroy, or only meet it", "R26",
           title="A character is destroyed by", words=("more damage than health", "as much damage as health"),
           group="Combat"),
    Choice("recover", ("own-turn", "every-turn"), "Damage goes in its owner's turn, or in every turn", "R24",
           title="Damage goes", words=("in its owner's turn", "in every turn"), group="Combat"),
    Choice("refill", ("start", "extra", "at-once"), "What an empty hand draws", "R16",
           title="An empty hand", words=("draws 3 instead of 1", "draws 3 more", "draws 3 at once"), group="Cards"),
    Choice("breach", ("points", "one"), "What an unopposed attacker takes", "R29",
           title="Unopposed attackers", words=("take their attack in life", "take 1 life"), group="Combat"),
    Choice("attack", ("must", "may"), "Must awake attackers attack", "R21",
           title="Attacking", words=("all who are awake must", "each may"), group="Combat"),
    Choice("summons", ("at-once", "wait"), "May characters attack in the turn they come", "R22",
           title="New characters attack", words=("at once", "from the next turn on"), group="Combat"),
    Choice("brace", ("any", "blue"), "May the defender use all before combat, or only Blue", "R34, R36, R55",
           title="Before combat the defender may use", words=("every ability", "only Blue ones"), group="Combat"),
    Choice("sleep", ("open", "still"), "Does a sleeper leave its lane open, or stay in the way", "R57",
           title="A sleeper", words=("leaves its lane open", "stays in the way"), group="Abilities"),
    Choice("heal", ("calm", "rescue"), "Heal outside combat only, or also damage about to land", "R46",
           title="Heal", words=("outside combat only", "also damage about to land"), group="Abilities"),
    # The small ones
    Choice("reflect", ("defending", "both"), "Does Reflect work when attacked only, or also when attacking", "R54",
           title="Reflect", words=("when attacked", "also when attacking"), group="Abilities"),
    Choice("target", ("own-lane", "duel"), "Who strikes a Target user: the card in front, or the chosen one", "R42",
           title="A Target user is struck by", words=("the card in front", "the chosen one"), group="Abilities"),
    Choice("longrange", ("safe", "struck"), "Does the card in front strike a Long Range user", "R45",
           title="A Long Range user", words=("is not struck", "is struck by the card in front"), group="Abilities"),
    Choice("fireball", ("cards", "players"), "May Fireball be thrown at the opponent", "R44",
           title="Fireball hits", words=("characters", "characters and the opponent"), group="Abilities"),
    Choice("sleeper", ("keeps", "silent"), "Does a sleeper keep its abilities", "R57",
           title="A sleeper's abilities", words=("go on", "are silent"), group="Abilities"),
    Choice("avoid", ("turn", "packet"), "Avoid Damage lasts the turn, or for one hit", "R49",
           title="Avoid Damage", words=("lasts the turn", "for one hit"), group="Abilities"),
    Choice("serenity", ("all", "own"), "Serenity protects everybody, or only the player who used it", "R50",
           title="Serenity protects", words=("everybody", "only who used it"), group="Abilities"),
    Choice("extra", ("entry", "each-turn"), "Extra Card works on arrival, or once in each own turn", "R56",
           title="Extra Card", words=("on arrival", "once in each own turn"), group="Abilities"),
    Choice("uses", ("once", "repeat"), "Activated abilities once a turn, or some as often as paid for", "R33",
           title="Abilities are used", words=("once a turn", "some as often as paid for"), group="Abilities"),
    Choice("points", ("up-to", "exact"), "May points of a pack be left over", "R10",
           title="Points of a design", words=("some may be left over", "all must be spent"), group="Designs"),
    Choice("repeats", ("no", "yes"), "May an ability be bought several times for one card", "R12",
           title="The same ability twice", words=("no", "yes"), group="Designs"),
    Choice("empty", ("stop", "reshuffle"), "Is an empty deck made anew from the discard pile", "R17",
           title="An empty deck", words=("stays empty", "is made anew"), group="Cards"),
    Number("sunset", 6, 2, 20, "So many dry turns in a row end the game", "R17",
           title="Dry turns", group="The match"),
    Number("limit", 100, 20, 400, "The game ends after so many turns", "R17", title="Turns", group="The match"),
)  # fmt: skip  # fmt: skip

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
