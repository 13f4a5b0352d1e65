"""Head-to-head benchmark of two bots, at equal CPU time if requested.

`python -m sparring.lab.benchmarks.head_to_head GAME --seats 2 --matches 100 search plain:iterations=5000` plays two
bots or baselines (`baselines.py`) against each other, each on every seat equally often, and prints wins, CPU times and
endings as JSON. `--even` sets the iterations of the first one so that both use the same CPU time. Without arguments it
plays the whole table of `docs/strength.md` (hours; `make rivals`).
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sparring import bots
from sparring.bots.search import payoff_bounds_rule
from sparring.engine.errors import BadBot
from sparring.engine.game import Box
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.lab.stats.intervals import wilson

from .baselines import Player, player

#: The reference: the search without a value model.
REFERENCE = "plain:iterations=5000"


class Duel(NamedTuple):
    """A line of the table: two players, the first one at the CPU time of the second if `even`."""

    game: str
    seats: int
    options: Mapping[str, str]
    first: str
    second: str
    matches: int
    even: bool = True


#: Game, seats, options, iterations that take about as long as the reference, and matches.
TABLES: tuple[tuple[str, int, dict[str, str], int, int], ...] = (
    ("make-your-moves", 2, {}, 8000, 400),
    ("make-your-moves", 4, {}, 8000, 400),
    ("world-of-fighters", 2, {}, 10_000, 400),
    ("mace", 2, {}, 50_000, 400),
    ("untitled-movement", 2, {}, 70_000, 100),
    ("five-circles", 2, {"life": "10"}, 8000, 400),
)


def lines() -> list[Duel]:
    """Return the whole table: search and cheating search against the reference, search against the baselines."""
    table = []
    for game, seats, options, iterations, matches in TABLES:
        search = f"search:iterations={iterations}"
        table.append(Duel(game, seats, options, search, REFERENCE, matches))
        table.append(Duel(game, seats, options, f"cheat:{iterations}", REFERENCE, matches, even=False))
        table.append(Duel(game, seats, options, search, "uct:5000", matches, even=False))
        table.append(Duel(game, seats, options, search, "greedy:100", matches, even=False))
    return table


@dataclass(frozen=True)
class DuelResult:
    """The result of a duel for the first player: score (0 to 1, draws shared), 95% interval, CPU seconds of each."""

    game: str
    seats: int
    rivals: tuple[str, str]
    matches: int
    won: float
    interval: tuple[float, float]
    draws: int
    seconds: tuple[float, float]
    choices: float
    endings: dict[str, int]


def duel(box: Box, seats: int, first: str, second: str, matches: int, seed: int = 0) -> DuelResult:
    """Play `matches` matches between two players.

    With more than two seats one player has one seat and the other player the rest, in turn. An even result for k of n
    seats is a share of k / n, which is rescaled to one half.
    """
    rivals = [player(text, box, seats) for text in (first, second)]
    _wake(rivals, box, seats, seed)
    seconds = [0.0, 0.0]
    won = 0.0
    draws = choices = 0
    endings = dict.fromkeys(box.game.rules.ENDINGS, 0)
    for number in range(matches):
        match = Match.deal(box, seats, seed + number)
        streams = [bots.stream(seed + number, seat) for seat in range(1, seats + 1)]
        kinds = line_up(seats, number)
        while match.seat:
            kind = kinds[match.seat - 1]
            before = time.process_time()
            action = rivals[kind](match, streams[match.seat - 1])
            seconds[kind] += time.process_time() - before
            match.choose(action)
        shares = _shares(match)
        won += _brought_to_half(sum(share for share, kind in zip(shares, kinds, strict=True) if kind == 0), kinds)
        draws += len(set(shares)) == 1
        choices += len(match.history)
        endings[box.game.rules.ENDINGS[match.state.ending]] += 1
    low, high = wilson(won, matches)
    return DuelResult(
        box.game.name, seats, (first, second), matches, won / matches, (low, high), draws,
        (round(seconds[0], 2), round(seconds[1], 2)), choices / matches, endings,
    )  # fmt: skip


def _wake(rivals: Sequence[Player], box: Box, seats: int, seed: int) -> None:
    """Let each player choose once before timing, so that code is compiled and models are loaded."""
    match, stream = Match.deal(box, seats, seed), bots.stream(seed, 1)
    while len(match.view(match.seat or 0).legal) == 1:
        match.choose(match.view(match.seat or 0).legal[0])
    for choose in rivals:
        choose(match, stream)


def line_up(seats: int, number: int) -> list[int]:
    """Return the player (0 or 1) of each seat in a match: alternating, or one alone against the rest."""
    if seats == 2:
        return [number % 2, 1 - number % 2]
    alone = number // seats % 2
    return [alone if seat == number % seats else 1 - alone for seat in range(seats)]


def _shares(match: Match) -> list[float]:
    low, width = payoff_bounds_rule(match.game)(match.seats)
    return [(float(paid) - low) / width for paid in match.state.payoff[: match.seats]]


def _brought_to_half(share: float, kinds: Sequence[int]) -> float:
    """Rescale the share of some of the seats so that an even result is one half."""
    even = kinds.count(0) / len(kinds)
    return share / even / 2 if share <= even else 0.5 + (share - even) / (1 - even) / 2


def match_cpu_time(box: Box, seats: int, text: str, second: str, seed: int = 0) -> str:
    """Return the first search with the iterations that use the CPU time of the second, from short duels."""
    iterations = bots.parse(text).iterations
    for _ in range(2):
        tried = duel(box, seats, f"{text.partition(':')[0]}:iterations={iterations}", second, 2 * seats, seed)
        iterations = max(1, round(iterations * tried.seconds[1] / max(tried.seconds[0], 1e-3)))
    return f"{text.partition(':')[0]}:iterations={iterations}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play a duel or the whole table and print one line of JSON for each."""
    parser = argparse.ArgumentParser(
        description="Play two bots against each other and print wins, CPU times and endings as JSON."
    )
    parser.add_argument("game", nargs="?", help="the game's name (default: play the whole table of docs/strength.md)")
    parser.add_argument("rivals", nargs="*", metavar="bot", help="the two bots or baselines")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--even", action="store_true", help="give the first bot as much CPU time as the second")
    asked = parser.parse_args(arguments)
    if asked.game is None:
        table = lines()
    elif len(asked.rivals) != 2:
        parser.error(f"name 2 bots after the game, not {len(asked.rivals)}")
    else:
        seats = find_game(asked.game).check_seats(asked.seats)
        options = dict(text.split("=", 1) for text in asked.option)
        table = [Duel(asked.game, seats, options, asked.rivals[0], asked.rivals[1], asked.matches, asked.even)]
    for line in table:
        sys.stdout.write(json.dumps(play_line(line, asked.seed)) + "\n")
        sys.stdout.flush()


def play_line(line: Duel, seed: int) -> dict[str, Any]:
    """Play a line and return its result, or the problem if a player can't play there."""
    box = find_game(line.game).box(line.options)
    try:
        first = match_cpu_time(box, line.seats, line.first, line.second, seed + 1_000_000) if line.even else line.first
        return asdict(duel(box, line.seats, first, line.second, line.matches, seed))
    except BadBot as problem:
        return {"game": line.game, "seats": line.seats, "rivals": (line.first, line.second), "problem": str(problem)}


if __name__ == "__main__":
    main()
