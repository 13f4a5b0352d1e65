"""List the configurations in which a game is checked: all pairs of option values and numbers of seats."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from sparring.engine.game import Game
from sparring.engine.options import ChoiceOption, Option, Value


def configurations(game: Game) -> list[tuple[int, dict[str, Value]]]:
    """Return seats and options that cover every number of seats, every value and every pair of them."""
    columns: list[list[Any]] = [list(game.seats), *(samples(option) for option in game.kit.OPTIONS)]
    rows = [[column[0] for column in columns]]
    rows += list(_pairwise(columns, random.Random(game.name)))
    names = [option.name for option in game.kit.OPTIONS]
    return [(row[0], dict(zip(names, row[1:], strict=True))) for row in rows]


def samples(option: Option) -> list[Value]:
    """Return the values of an option to try: all of a choice; of a number the default, the lowest and a higher one."""
    if isinstance(option, ChoiceOption):
        return list(option.values)
    return list(dict.fromkeys([option.default, option.low, min(option.high, 2 * option.default)]))


def _pairwise(columns: list[list[Any]], rng: random.Random) -> Iterator[list[Any]]:
    """Yield rows that cover every pair of values of any two columns (greedy: each is the best of some random ones)."""
    missing = {
        (i, a, j, b)
        for (i, one), (j, other) in itertools.combinations(enumerate(columns), 2)
        for a in range(len(one))
        for b in range(len(other))
    }
    while missing:
        i, a, j, b = next(iter(sorted(missing)))
        best: tuple[set[tuple[int, int, int, int]], list[int]] = (set(), [])
        for _ in range(30):
            row = [rng.randrange(len(column)) for column in columns]
            row[i], row[j] = a, b
            covered = {pair for pair in missing if row[pair[0]] == pair[1] and row[pair[2]] == pair[3]}
            best = max(best, (covered, row), key=lambda found: len(found[0]))
        missing -= best[0]
        yield [column[value] for column, value in zip(columns, best[1], strict=True)]
