"""Untitled Movement Game, a game of tokens, arrows and a small die by Dead Fish Games."""

from pathlib import Path

from sparring.engine.game import Box, Credit, Game, Level

from . import bench, inventory, items, kit, position, rules, scene

#: Roll, place or move, and three times card, token and space.
CHOICES_OF_A_TURN = 11


def longest(box: Box, seats: int) -> int:
    """Three tokens placed and four brought home by each seat, with all the idle rounds there may be (section 6)."""
    rounds = (7 * seats + 1) * int(box.options["stall_rounds"])
    return seats + rounds * seats * CHOICES_OF_A_TURN


GAME = Game(
    name="untitled-movement",
    title="Untitled Movement Game",
    version=1,
    seats=(2, 4),
    summary="Bring four tokens across the board with arrow cards that turn with your seat.",
    credit=Credit(
        title="Untitled Movement Game",
        author="Dead Fish Games",
        source="https://deadfish.games/umg/",
        licence="CC BY-NC-SA 4.0 (the rules document; the rules are told here in our own words)",
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
    hidden=False,
    judged_alike=True,
    levels={
        "first-match": Level(12, 10, sight=2),
        "gentle": Level(12, 20),
        "steady": Level(40, 100),
        "strong": Level(800, 3000, prior=True),
        "master": Level(10_000, 5000, prior=True),
    },
)
