"""Five Circles: the options (section 13), and the numbers their values have in the kit."""

from sparring.engine.options import Choice, Number, Option

OPTIONS: tuple[Option, ...] = (
    # The serious forks
    Choice("decks", ("shared", "own"), "One deck mixed of both players' cards, or one each", "R2"),
    Number("life", 2, 1, 50, "Life points at the start", "R6"),
    Choice("opening", ("strike", "hold", "both"), "Is there combat in turn 1; hold: no; both: nor in turn 2", "R23"),
    Choice("lethal", ("exceed", "meet"), "Must damage exceed health to destroy, or only meet it", "R26"),
    Choice("recover", ("own-turn", "every-turn"), "Damage goes in its owner's turn, or in every turn", "R24"),
    Choice("refill", ("start", "extra", "at-once"), "An empty hand draws 3 instead of 1, 3 more, or 3 at once", "R16"),
    Choice("breach", ("points", "one"), "An unopposed attacker takes its attack in life, or 1", "R29"),
    Choice("attack", ("must", "may"), "Must awake attackers attack", "R21"),
    Choice("summons", ("at-once", "wait"), "May characters attack in the turn they come", "R22"),
    Choice("brace", ("any", "blue"), "May the defender use all before combat, or only Blue", "R34, R36, R55"),
    Choice("sleep", ("open", "still"), "Does a sleeper leave its lane open, or stay in the way", "R57"),
    Choice("heal", ("calm", "rescue"), "Heal outside combat only, or also damage about to land", "R46"),
    # The small ones
    Choice("reflect", ("defending", "both"), "Does Reflect work when attacked only, or also when attacking", "R54"),
    Choice("target", ("own-lane", "duel"), "Who strikes a Target user: the card in front, or the chosen one", "R42"),
    Choice("longrange", ("safe", "struck"), "Does the card in front strike a Long Range user", "R45"),
    Choice("fireball", ("cards", "players"), "May Fireball be thrown at the opponent", "R44"),
    Choice("sleeper", ("keeps", "silent"), "Does a sleeper keep its abilities", "R57"),
    Choice("avoid", ("turn", "packet"), "Avoid Damage lasts the turn, or for one hit", "R49"),
    Choice("serenity", ("all", "own"), "Serenity protects everybody, or only the player who used it", "R50"),
    Choice("extra", ("entry", "each-turn"), "Extra Card works on arrival, or once in each own turn", "R56"),
    Choice("uses", ("once", "repeat"), "Activated abilities once a turn, or some as often as paid for", "R33"),
    Choice("points", ("up-to", "exact"), "May points of a pack be left over", "R10"),
    Choice("repeats", ("no", "yes"), "May an ability be bought several times for one card", "R12"),
    Choice("empty", ("stop", "reshuffle"), "Is an empty deck made anew from the discard pile", "R17"),
    Number("sunset", 6, 2, 20, "So many dry turns in a row end the game", "R17"),
    Number("limit", 100, 20, 400, "The game ends after so many turns", "R17"),
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
