"""Five Circles, a game of characters that players design themselves."""

from sparring.engine.game import DOCUMENT, Credit, Game, GameSetup, Level, Preset, modules

from . import components, knowledge, params, phases, position, rules, scene, state


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the most choices a match can have.

    1000 per turn is more than enough for 36 resources and 32 characters, every use and pick of an ability, and every
    point of damage moved by Disperse.

    """
    return int(setup.options["limit"]) * 1000


GAME = Game(
    name="five-circles",
    title="Five Circles",
    version=1,
    seats=(2,),
    summary="Play hand-drawn characters into lanes that face your opponent's, and fight lane by lane.",
    credit=Credit(
        title="An untitled card game (here: Five Circles)",
        author="the author of its rules document, which doesn’t name them",
        source="the document on Resource Cards and self-designed Character Cards",
        licence="the document names none",
        changes="The rules are in our own words; cards and drawings are ours.",
    ),
    rules=modules(rules, state, knowledge),
    params=modules(params, state),
    scene=modules(scene, phases, components),
    position=position,
    items=knowledge,
    inventory=components,
    preview=params,
    reasons=knowledge,
    max_choices=max_choices,
    hidden=True,
    presets={
        DOCUMENT: Preset(
            {"life": 2, "opening": "strike", "refill": "at-once"},
            "2 life, combat in the first turn, and a hand that runs out draws three cards at once. In one deal of "
            "three, the first player can win before the second has chosen.",
            {"life": "2 Life Points", "opening": "Characters begin their attack", "refill": "ever run completely out"},
        ),
        "longer": Preset(
            {"opening": "hold", "life": 14},
            "No combat in the first turn, and 14 life instead of 2: time to build a row and to fight back.",
        ),
        "for play": Preset(
            {"opening": "hold"}, "No combat in the first turn, and 2 life: a match takes about nine choices."
        ),
    },
    recommended="longer",
    default_summary="The first player may attack an empty table, and an attack can take all 2 life.",
    document_word="in the document",
    levels={
        "first-match": Level(3, 3, max_depth=1),
        "gentle": Level(10, 10),
        "steady": Level(40, 40),
        "strong": Level(5000, 5000, prior=True),
        "master": Level(20_000, 14_000, prior=True),
    },
)
