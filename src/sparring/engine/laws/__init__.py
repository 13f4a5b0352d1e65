"""The laws: conformance tests for games.

>>> from sparring.engine.laws import check_game  # doctest: +SKIP
>>> check_game(game)  # doctest: +SKIP

`random_match.py` plays a match in plain Python and checks every law at every action; `audit.py` plays many matches in
compiled code, and compares both. The laws about information are in `information.py`, most others in `state_laws.py`.
`violations.py` reports which law is broken, where, and how to reproduce it.

1. Interpreted and compiled play with the same seed and actions give byte-identical states.
2. There is a legal action until the match is over. It ends once, within the declared bound.
3. Every card and token is always in exactly one place, and the printed inventory lists exactly these.
4. A determinization is consistent with the view: `redact(determinize(view)) == view`, with the same pieces and legal
   actions, and it can be played on. A view contains nothing of the generator. `private_observation` reveals nothing
   that the view hides, and `is_quiescent` changes nothing. Views hide something if and only if the game is `hidden`.
5. An illegal action raises `ChoiceError` and changes nothing.
6. Saving, loading and replaying, writing and reading a position, and taking back restore exactly the same state.
7. Payoffs sum to zero: losers get -1, the winners share that, and in a draw every seat gets 0. In a game that declares
   `Payoffs`, they are within its bounds and have the declared sum.
8. Each phase has a record in `phases.py`. Every action has words that read back to it. Every legal action is in the
   scene once, and no other is. Every card that a seat sees face up is also face up in the full state or in some
   determinization.
9. Within one moment no seat learns anything hidden: it could have deduced everything it sees. `observe_action` reveals
   nothing that the view does not show afterwards.
10. In a phase with a `forced_text` every seat can tell whether there is only one action that does not concede.
11. A seat holds what its action plays. Items have unique names. `ahead` is from 0 to 1.
12. The declared layout (`LAYOUT`) covers the features without gaps, and their values are within its bounds.
13. A batch (`sparring.research.BatchEnv`) shows exactly what its matches show, with any number of threads: states,
    legal actions, players, payoffs, and observations to the last bit. `sparring.research.laws` checks it.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from sparring.engine.game import Game
from sparring.engine.options import ChoiceOption, Option, Value
from sparring.engine.records import read_content

from .audit import check_audit
from .information import check_hidden, hides_something
from .random_match import check_match
from .violations import LawContext, LawViolation

__all__ = ["LawViolation", "check_audit", "check_game", "check_match", "configurations", "samples"]

#: Of this many random matches, at least one must have a winner.
DECIDED_WITHIN = 20


def check_game(
    game: Game, *, matches: int = 300, interpreted: int = 1, seed: int = 1, compiled: bool = True, content: Any = None
) -> int:
    """Check a game against all laws; return the number of configurations played.

    The configurations cover every number of seats and every pair of option values (`configurations`).

    :param matches: The number of audited matches for each configuration.
    :param interpreted: The number of matches for each configuration in plain Python, with every law checked at every
        action.
    :param seed: The seed of the first match of the first configuration.
    :param compiled: Audit in compiled code, and compare it with plain Python (law 1).
    :param content: A file's path, its data, or a result of `read_content`. Default: the game's own.
    :raises LawViolation: A law is broken. The message says which one, where, and how to reproduce it.
    """
    played = configurations(game)
    boxes = [(game.box(options, read_content(game, content)), seats) for seats, options in played]
    hides = False
    for number, (box, seats) in enumerate(boxes):
        for extra in range(interpreted):
            match = check_match(box, seats, seed + 1000 * number + extra, compiled=False)
            hides = hides or hides_something(match)
    if interpreted:
        check_hidden(LawContext(*boxes[0], seed, check="check_game(GAME)"), hides)
    decided = 0
    for number, (box, seats) in enumerate(boxes):
        if compiled and interpreted:
            check_match(box, seats, seed + 1000 * number)
        if matches:
            decided += check_audit(box, seats, matches, seed + 1000 * number, compiled)
    if not decided and matches * len(boxes) >= DECIDED_WITHIN:
        box, seats = boxes[0]
        context = LawContext(box, seats, seed, check="check_game(GAME)")
        raise context.violation(7, "no match had a payoff other than 0; `finish` pays the winners")
    return len(played)


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
