"""World of Fighters, a duel of secret moves in a ring."""

from sparring.engine.game import DOCUMENT, Credit, Game, GameSetup, Level, Preset, modules

from . import analysis, components, log_sentences, moves, params, phases, position, rules, scene, state


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the most choices a match can have.

    Two picks, then at most seven choices per round; two more where supers are claimed.
    """
    return 2 + int(setup.options["round_limit"]) * (9 if setup.options["super_call"] == "reveal" else 7)


GAME = Game(
    name="world-of-fighters",
    title="World of Fighters",
    version=1,
    seats=(2,),
    summary="Secretly choose a move and an attack, reveal them together, and stay in the ring.",
    credit=Credit(
        title="World of Fighters",
        author="the author of its rules document, which doesn’t name them",
        source="the document World Of Fighters Rules; the base table, 20 and 7 HP, a super’s +6, Climbing Monkey "
        "(G.R3) of Hai Wu, the Block of Milton Brown, Cartwheel Kick and Haymaker are from there",
        licence="the document names none",
        changes="The rules are in our own words; the other fighters, moves and numbers, and the drawings are ours.",
    ),
    rules=modules(rules, moves, state, analysis),
    params=params,
    scene=modules(scene, phases, log_sentences),
    position=position,
    items=analysis,
    inventory=components,
    preview=components,
    reasons=analysis,
    max_choices=max_choices,
    hidden=True,
    needs_mixed_strategies=True,
    presets={
        DOCUMENT: Preset(
            {"super_call": "heard"},
            "Your opponent hears the call of a super as its card is placed, so only the one who places second can "
            "answer it.",
            {"super_call": "they must call it out"},
        ),
    },
    document_word="in the document",
    levels={
        "first-match": Level(4, 4, max_depth=1),
        "gentle": Level(30, 30, max_depth=1),
        "steady": Level(30, 60),
        "strong": Level(280, 1000, prior=True),
        "master": Level(20_000, 20_000, prior=True),
    },
)
