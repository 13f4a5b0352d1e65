"""MACE, a fight on a hex board for two to four players, with a pack of playing cards."""

from sparring.engine.game import DOCUMENT, Credit, Game, GameSetup, Level, Preset, modules

from . import analysis, components, events, moves, params, phases, position, rules, scene, state
from .state import GIVE_UP, HAND


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the most choices a match can have.

    Each Round with Damage removes a card for good, and `stall_rounds` quiet Rounds end the Combat. A Round has at most
    12 choices per seat: 11 for its Turn and 1 for its forfeit.
    """
    rounds = HAND * seats * int(setup.options["stall_rounds"])
    return seats + rounds * seats * 12


GAME = Game(
    name="mace",
    title="MACE",
    version=1,
    seats=(2, 3, 4),
    summary="Fighters on a hex board strike, blast, block and dodge with a pack of playing cards.",
    credit=Credit(
        title="MACE, Martial Arts Card Engine",
        author="Aaron “Relentless96” White",
        source="the rules document MACE",
        licence="CC BY-NC-SA 3.0",
        link="https://creativecommons.org/licenses/by-nc-sa/3.0/",
        changes="Changed: the rules are in our own words with numbered rulings; options and drawings are ours.",
    ),
    rules=modules(rules, state, moves),
    params=params,
    scene=modules(scene, phases, events, components),
    position=position,
    items=analysis,
    inventory=components,
    preview=components,
    reasons=analysis,
    max_choices=max_choices,
    hidden=True,
    conceding=(GIVE_UP,),
    discount=0.98,
    presets={
        DOCUMENT: Preset(
            {"knockback_reach": "stops", "stall_result": "draw"},
            "Reach stops a Knockback, and only the last Fighter wins: a player who keeps away long enough forces a "
            "draw.",
            {"knockback_reach": "Move the Fighter directly away", "stall_result": "other Fighters are Knocked Out"},
        ),
    },
    document_word="in the document",
    levels={
        "first-match": Level(9, 9, max_depth=1),
        "gentle": Level(16, 12),
        "steady": Level(60, 100),
        "strong": Level(400, 2000, prior=True),
        "master": Level(2000, 7000, prior=True),
    },
)
