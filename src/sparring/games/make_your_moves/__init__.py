"""Make Your Moves Lite, a game of wrestling moves made from cards."""

from sparring.engine.game import DOCUMENT, Credit, Game, GameSetup, Level, Preset, modules

from . import analysis, components, knowledge, moves, params, phases, position, rules, scene, state


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the most choices a match can have: in a turn, each choice uses up a card or ends a seat's phase."""
    return int(setup.options["turn_limit"]) * (state.HAND * seats + 6 * seats + 6)


GAME = Game(
    name="make-your-moves",
    title="Make Your Moves Lite",
    version=1,
    seats=(2, 3, 4, 5, 6),
    summary="Build a wrestling move from coloured cards; opponents block, counter, dodge or help.",
    credit=Credit(
        title="Make Your Moves Lite",
        author="the author of Make Your Moves (makeyourmovesgame)",
        source="the document Make Your Moves Lite Rules, which asks for variants at makeyourmovesgame@gmail.com",
        licence="the document names none",
        changes="The rules are in our own words; card names and drawings are ours.",
    ),
    rules=modules(rules, state, moves, knowledge, analysis),
    params=params,
    scene=modules(scene, phases, components),
    position=position.POSITIONS,
    items=analysis,
    inventory=components,
    preview=components,
    reasons=analysis,
    max_choices=max_choices,
    hidden=True,
    presets={
        DOCUMENT: Preset(
            {"pass_attack": "keep", "defence_wilds": "one"},
            "You may pass and stay in control, and a defence has at most one Wild. The player who scores first can "
            "then pass until the turn limit, and win.",
            {"pass_attack": "may attack once per turn", "defence_wilds": "Red card plus a Wild"},
        ),
    },
    document_word="in the document",
    levels={
        "first-match": Level(5, 5, max_depth=1),
        "gentle": Level(40, 40),
        "steady": Level(250, 250),
        "strong": Level(10_000, 8000, prior=True),
        "master": Level(40_000, 24_000, prior=True),
    },
)
