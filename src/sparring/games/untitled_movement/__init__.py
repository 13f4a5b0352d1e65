"""Untitled Movement Game by Dead Fish Games: race four tokens across a board with arrow cards and a die."""

from sparring.engine.game import DOCUMENT, Credit, Game, GameSetup, Level, Preset, modules

from . import analysis, components, moves, params, phases, position, rules, scene, state

#: Most choices in a turn: roll, place or move, and three times card, token and space.
CHOICES_PER_TURN = 11


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the most choices a match can have (section 6 of the rulings).

    Each seat places three more tokens and brings four home. Each of these events can come after `stall_rounds` rounds
    without one, and so can the end.
    """
    rounds = (7 * seats + 1) * int(setup.options["stall_rounds"])
    return seats + rounds * seats * CHOICES_PER_TURN


GAME = Game(
    name="untitled-movement",
    title="Untitled Movement Game",
    version=1,
    seats=(2, 4),
    summary="Race four tokens across the board with arrow cards read from your side of the board.",
    credit=Credit(
        title="Untitled Movement Game",
        author="Dead Fish Games, © 2021",
        source="https://deadfish.games/umg/",
        licence="CC BY-NC-SA 4.0",
        link="https://creativecommons.org/licenses/by-nc-sa/4.0/",
        changes="Changed: the rules are in our own words, with numbered rulings; options, boards and drawings are "
        "ours.",
    ),
    rules=modules(rules, state, moves, analysis),
    params=params,
    scene=modules(scene, phases),
    position=position,
    items=analysis,
    inventory=components,
    preview=components,
    reasons=analysis,
    max_choices=max_choices,
    hidden=False,
    shared_value_model=True,
    presets={
        DOCUMENT: Preset(
            {"home": 4, "stall_result": "draw", "tokens": "document"},
            "Only four tokens home win, and tokens are blue, red, white and black. A token that never leaves its start "
            "keeps the opposite player from winning.",
            {
                "home": "all four of their tokens",
                "stall_result": "that player is the winner",
                "tokens": "4 white tokens",
            },
        ),
        "short": Preset({"home": 2}, "The first player with two tokens home wins, instead of four."),
    },
    recommended="short",
    document_word="in the document",
    levels={
        "first-match": Level(6, 10, max_depth=2),
        "gentle": Level(12, 20),
        "steady": Level(40, 100),
        "strong": Level(1050, 3000, prior=True),
        "master": Level(10_000, 5000, prior=True),
    },
)
