"""Text and edits that attackers send to the studio."""

import random
import re

GAMES = ["five-circles", "high-card", "mace", "make-your-moves", "untitled-movement", "world-of-fighters"]

EVIL = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'

WORDS = [
    "", "-1", "1e9", "9" * 17, EVIL, "\x00", "[[x]]", "True", "' or 1=1", "🂡" * 9, "o" * 200, '"""', "\\u0000", "nan",
]  # fmt: skip

DOES = ["set", "add", "copy", "remove", "up", "down", "reset", "rename", "option"]

#: Paths of open entries.
LOOKED: list[list[str | int]] = [
    [], ["cards", 0], ["decks", 0], ["decks", "pnp"], ["boards", 0], ["fighters", 1], ["starts", "3"],
]  # fmt: skip


def mutated(text: str, dice: random.Random) -> str:
    """Return a file with something replaced, doubled or removed."""
    parts = re.split(r"(\W+)", text)
    for _ in range(dice.randint(1, 6)):
        place = dice.randrange(len(parts))
        parts[place] = dice.choice([*WORDS, parts[dice.randrange(len(parts))], parts[place] * 2])
    return "".join(parts)[: 64 * 1024]


def ways(value: object, way: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Yield all paths into some data."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(found for step, one in inside for found in ways(one, (*way, step)))]
