"""Five Circles, a game of characters that players design themselves."""

from pathlib import Path

from sparring.engine.game import Box, Credit, Game, Level, Preset

from . import bench, inventory, items, kit, position, rules, scene


def longest(box: Box, seats: int) -> int:
    """In a turn: what 36 resources and 32 characters can be used and picked for, and all points of damage handed on."""
    return int(box.options["limit"]) * 1000


GAME = Game(
    name="five-circles",
    title="Five Circles",
    version=1,
    seats=(2,),
    summary="Bring characters of your own design into lanes that face each other, and fight lane by lane.",
    credit=Credit(
        title="Card game without a name, called Five Circles here",
        author="the author of the rules document",
        source="the rules document on Resource Cards and self-designed Character Cards",
        licence="not stated in the document; the rules are told here in our own words",
    ),
    folder=Path(__file__).parent,
    rules=rules,
    kit=kit,
    scene=scene,
    position=position,
    items=items,
    inventory=inventory,
    bench=bench,
    longest=longest,
    hidden=True,
    presets={
        "longer": Preset(
            {"opening": "hold", "life": 14},
            "Nobody attacks in the first turn, and 14 life instead of 2: lanes are won and lost again.",
        ),
        "for play": Preset(
            {"opening": "hold"}, "Nobody attacks in the first turn, and 2 life: over after about nine choices."
        ),
    },
    recommended="longer",
    letter="Every rule as it is written: who begins may attack an empty table, and 2 life can be gone in one blow.",
    levels={
        "first-match": Level(3, 3, sight=1),
        "gentle": Level(10, 10),
        "steady": Level(40, 40),
        "strong": Level(5000, 5000, prior=True),
        "master": Level(20_000, 14_000, prior=True),
    },
)
