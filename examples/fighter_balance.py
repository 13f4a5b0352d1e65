"""Measure how evenly the fighters of World of Fighters are matched: every pair plays, with `search` on both seats.

    python examples/fighter_balance.py --matches 400 --iterations 300 [--content mine.toml] [--option board=7x7]

Each fighter of a pair has seat 1 in half of the matches. A draw counts as half a win for each. The script prints the
table after every round of pairs, so you can stop it at any time; with `--keep FILE` the next run continues from there.
"""

import argparse
import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sparring import SparringError, games
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.search import search_rule
from sparring.bots.search_trees import init_trees, most_visited
from sparring.cli import settings
from sparring.engine.chance import BOT, DEAL, seed
from sparring.engine.compilation.drivers import Driver
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import Game, GameSetup
from sparring.lab.stats import wilson

GAME = games()["world-of-fighters"]
#: Matches of each pair per round.
ROUND = 20


def bouts(game: Game) -> Driver:
    """Return a driver that plays matches between two given fighters and writes the first one's payoffs to `won`."""
    setup, legal, step, redact = game.rules.setup, game.rules.legal, game.rules.step, game.rules.redact
    think = search_rule(game)

    def bouts(params, work, raw, out, nodes, ws, settings, first_seed, iterations, one, other, won):  # type: ignore[no-untyped-def]
        s = work[2]
        for match in range(len(won)):
            work[2] = work[3]
            seed(s.rng, first_seed + match, DEAL)
            seed(ws.g, first_seed + match, BOT)
            s.seats = 2
            setup(params, s)
            swapped = match % 2
            step(params, s, other if swapped else one)
            step(params, s, one if swapped else other)
            while not s.over:
                player = s.player
                n = legal(params, s, out)
                action = out[0]
                if n > 1:
                    work[0] = work[2]
                    redact(params, work[0], player)
                    init_trees(nodes, ws, 2)
                    think(params, work, raw, out, nodes, ws, settings, player, iterations)
                    action = most_visited(nodes, 1 + player)
                step(params, s, action)
            won[match] = s.payoff[swapped]

    return bouts


def measure(setup: GameSetup, iterations: int, first_seed: int, one: int, other: int) -> tuple[int, int, int]:
    """Return the wins of `one`, the draws, and the wins of seat 1 in ROUND matches."""
    workspace = Workspace(GAME, nodes_for(2, iterations), states=4)
    won = np.zeros(ROUND)
    play = compiled(GAME, bouts)
    room = workspace.work, workspace.raw, workspace.out, workspace.nodes, workspace.fields, workspace.settings
    play(setup.params, *room, first_seed, iterations, one, other, won)
    first = won * np.where(np.arange(ROUND) % 2, -1, 1)
    return int((won > 0).sum()), int((won == 0).sum()), int((first > 0).sum())


def interval(wins: float, matches: int) -> str:
    """Return a share of wins with its 95% interval, in percent."""
    low, high = wilson(wins, matches)
    return f"{100 * wins / matches:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def report(names: list[str], tally: Mapping[str, Any]) -> str:
    """Return a Markdown table: every fighter against all and against each other one, and the wins of seat 1."""
    count = len(names)
    wins, played = np.zeros((count, count)), np.zeros((count, count), np.int64)
    for key, (won, drawn, _, matches) in tally.items():
        one, other = map(int, key.split("-"))
        wins[one, other], wins[other, one] = won + drawn / 2, matches - won - drawn / 2
        played[one, other] = played[other, one] = matches
    first_names = " | ".join(name.split()[0] for name in names)
    lines = [f"| Fighter | Against all (%) | {first_names} |", "|---" * (count + 2) + "|"]
    for i, name in enumerate(names):
        cells = [f"{100 * wins[i, j] / played[i, j]:.0f}" if played[i, j] else "" for j in range(count)]
        lines.append(f"| {name} | {interval(wins[i].sum(), int(played[i].sum()))} | {' | '.join(cells)} |")
    matches = sum(entry[3] for entry in tally.values())
    drawn, first = (sum(entry[place] for entry in tally.values()) for place in (1, 2))
    share, span = interval(first + drawn / 2, matches).split(" ", 1)
    lines.append(f"\n{matches:,} matches, {drawn} drawn; seat 1 wins {share}% {span}.")
    return "\n".join(lines)


def main() -> None:
    """Play, and print the table after every round."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=400)
    options.add_argument("--iterations", type=int, default=300)
    options.add_argument("--content")
    options.add_argument("--option", action="append", default=[])
    options.add_argument("--only", help="measure only the pairs of this fighter")
    options.add_argument("--keep", type=Path)
    given = options.parse_args()
    try:
        content = GAME.read_content(given.content) if given.content else None
        setup = GAME.setup(settings(GAME, given.option, None), content)
    except SparringError as wrong:
        options.error(str(wrong))
    names = [fighter.name for fighter in setup.content.fighters]
    tally: dict[str, list[int]] = json.loads(given.keep.read_text()) if given.keep and given.keep.exists() else {}
    wanted = [names.index(given.only)] if given.only else range(len(names))
    both = itertools.combinations(range(len(names)), 2)
    pairs = [f"{one}-{other}" for one, other in both if one in wanted or other in wanted]
    while min(tally.get(pair, [0] * 4)[3] for pair in pairs) < given.matches:
        for pair in pairs:
            one, other = map(int, pair.split("-"))
            before = tally.get(pair, [0] * 4)
            found = measure(setup, given.iterations, 1_000_000 * (16 * one + other) + before[3], one, other)
            tally[pair] = [a + b for a, b in zip(before, (*found, ROUND), strict=True)]
        if given.keep:
            given.keep.write_text(json.dumps(tally))
        print(report(names, tally), flush=True)


if __name__ == "__main__":
    main()
