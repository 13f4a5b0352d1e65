"""Benchmark two bots head to head, at equal CPU time if requested.

`python -m benchmarks.head_to_head GAME --seats 2 --matches 100 search plain:iterations=5000` plays two
bots or baselines (`baselines.py`) against each other, each on every seat equally often, and prints wins, CPU times and
endings as JSON. `--even` sets the iterations of the first one so that both use the same CPU time. Without arguments it
plays the whole table in `docs/strength.md` (`make rivals`; it takes hours).
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
from sparring.engine.game import GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.lab.stats import wilson

from .baselines import Player, player

#: The reference bot: the search without a value model.
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


#: Game, seats, options, iterations of `search` that take about as long as the reference, and matches.
BENCHMARKS: tuple[tuple[str, int, dict[str, str], int, int], ...] = (
    ("make-your-moves", 2, {}, 8000, 400),
    ("make-your-moves", 4, {}, 8000, 400),
    ("world-of-fighters", 2, {}, 10_000, 400),
    ("mace", 2, {}, 50_000, 400),
    ("untitled-movement", 2, {}, 70_000, 100),
    ("five-circles", 2, {"life": "10"}, 8000, 400),
)


def lines() -> list[Duel]:
    """Return the lines of the table: search and cheating search against the reference, search against baselines."""
    table = []
    for game, seats, options, iterations, matches in BENCHMARKS:
        search = f"search:iterations={iterations}"
        table.append(Duel(game, seats, options, search, REFERENCE, matches))
        table.append(Duel(game, seats, options, f"cheat:{iterations}", REFERENCE, matches, even=False))
        table.append(Duel(game, seats, options, search, "uct:5000", matches, even=False))
        table.append(Duel(game, seats, options, search, "greedy:100", matches, even=False))
    return table


@dataclass(frozen=True)
class DuelResult:
    """The result of a duel for the first player.

    `won` is its score (0 to 1; a draw counts one half) with a 95% `interval`; `seconds` is the CPU time of each player,
    `choices` the mean number per match.
    """

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


def duel(setup: GameSetup, seats: int, first: str, second: str, matches: int, seed: int = 0) -> DuelResult:
    """Play `matches` matches between two bots or baselines; raise BadBot.

    With more than two seats, the players take turns at having one seat against all others. An even result for k of n
    seats is a share of k / n, which is rescaled to one half.
    """
    players = [player(text, setup, seats) for text in (first, second)]
    _warm_up(players, setup, seats, seed)
    seconds = [0.0, 0.0]
    won = 0.0
    draws = choices = 0
    endings = dict.fromkeys(setup.game.rules.ENDINGS, 0)
    for number in range(matches):
        match = Match.deal(setup, seats, seed + number)
        streams = [bots.stream(seed + number, seat) for seat in range(1, seats + 1)]
        assigned = assign_seats(seats, number)
        while match.seat:
            mover = assigned[match.seat - 1]
            before = time.process_time()
            action = players[mover](match, streams[match.seat - 1])
            seconds[mover] += time.process_time() - before
            match.choose(action)
        shares = _shares(match)
        won += _rescaled(sum(share for share, each in zip(shares, assigned, strict=True) if each == 0), assigned)
        draws += len(set(shares)) == 1
        choices += len(match.history)
        endings[setup.game.rules.ENDINGS[match.state.ending]] += 1
    low, high = wilson(won, matches)
    return DuelResult(
        setup.game.name, seats, (first, second), matches, won / matches, (low, high), draws,
        (round(seconds[0], 2), round(seconds[1], 2)), choices / matches, endings,
    )  # fmt: skip


def _warm_up(players: Sequence[Player], setup: GameSetup, seats: int, seed: int) -> None:
    """Let each player choose once, so that code is compiled and models are loaded before timing."""
    match, stream = Match.deal(setup, seats, seed), bots.stream(seed, 1)
    while len(match.view(match.seat or 0).legal) == 1:
        match.choose(match.view(match.seat or 0).legal[0])
    for choose in players:
        choose(match, stream)


def assign_seats(seats: int, number: int) -> list[int]:
    """Return the player (0 or 1) on each seat in match number `number`: alternating, or one against all others."""
    if seats == 2:
        return [number % 2, 1 - number % 2]
    lone_player = number // seats % 2
    return [lone_player if seat == number % seats else 1 - lone_player for seat in range(seats)]


def _shares(match: Match) -> list[float]:
    """Return each seat's payoff, rescaled to 0 to 1."""
    low, width = payoff_bounds_rule(match.game)(match.seats)
    return [(float(paid) - low) / width for paid in match.state.payoff[: match.seats]]


def _rescaled(share: float, assigned: Sequence[int]) -> float:
    """Rescale the first player's share so that an even result is one half."""
    even = assigned.count(0) / len(assigned)
    return share / even / 2 if share <= even else 0.5 + (share - even) / (1 - even) / 2


def match_cpu_time(setup: GameSetup, seats: int, text: str, second: str, seed: int = 0) -> str:
    """Return the specification of the first bot with the iterations that use the CPU time of the second bot.

    Two short duels measure it.
    """
    iterations = bots.parse(text).iterations
    for _ in range(2):
        result = duel(setup, seats, f"{text.partition(':')[0]}:iterations={iterations}", second, 2 * seats, seed)
        iterations = max(1, round(iterations * result.seconds[1] / max(result.seconds[0], 1e-3)))
    return f"{text.partition(':')[0]}:iterations={iterations}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play one duel or the whole table, and print one line of JSON for each duel."""
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
    args = parser.parse_args(arguments)
    if args.game is None:
        table = lines()
    elif len(args.rivals) != 2:
        parser.error(f"name 2 bots after the game, not {len(args.rivals)}")
    else:
        seats = find_game(args.game).check_seats(args.seats)
        options = dict(text.split("=", 1) for text in args.option)
        table = [Duel(args.game, seats, options, args.rivals[0], args.rivals[1], args.matches, args.even)]
    for line in table:
        sys.stdout.write(json.dumps(play_line(line, args.seed)) + "\n")
        sys.stdout.flush()


def play_line(line: Duel, seed: int) -> dict[str, Any]:
    """Play a duel and return its result, or the reason why a player can't play there."""
    setup = find_game(line.game).setup(line.options)
    try:
        first = (
            match_cpu_time(setup, line.seats, line.first, line.second, seed + 1_000_000) if line.even else line.first
        )
        return asdict(duel(setup, line.seats, first, line.second, line.matches, seed))
    except BadBot as problem:
        return {"game": line.game, "seats": line.seats, "rivals": (line.first, line.second), "problem": str(problem)}


if __name__ == "__main__":
    main()
