"""Measure how many deals a player who knows everything in advance can win against a random opponent.

    python examples/winnable_deals.py five-circles --option opening=hold [--deals 400] [--lines 10000]

Each deal and the opponent's generator are the same in every attempt. The player, who has each seat in half of the
deals, tries random lines of play; a deal counts as won if any of them wins. If a hundred times as many lines win no
more deals, this is very likely the maximum for any bot.
"""

import argparse

import numpy as np
from rich.progress import track

from sparring import SparringError, games
from sparring.cli import settings
from sparring.engine.chance import BOT, CHOICES, DEAL, seed
from sparring.engine.compilation.drivers import Driver, random_choice
from sparring.engine.compilation.machine_code import compiled
from sparring.engine.game import Game, GameSetup
from sparring.lab.stats import wilson


def lines(game: Game) -> Driver:
    """Return a driver that tries random lines of play on one deal.

    It returns the number of the first line that wins; 0 if none does.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    pick = random_choice(game)

    def lines(params, work, out, deal, player, most):  # type: ignore[no-untyped-def]
        s = work[1]
        mine, theirs = np.zeros(4, np.int64), np.zeros(4, np.int64)
        seed(mine, deal, BOT + player)
        for line in range(most):
            work[1] = work[0]
            seed(s.rng, deal, DEAL)
            seed(theirs, deal, CHOICES)
            s.seats = 2
            setup(params, s)
            while not s.over:
                step(params, s, pick(out, legal(params, s, out), mine if s.player == player else theirs))
            if s.payoff[player] > 0:
                return line + 1
        return 0

    return lines


def winnable(setup: GameSetup, deals: int, most: int) -> list[int]:
    """Return for each deal the number of the first random line of play that wins; 0 if none does."""
    run = compiled(setup.game, lines)
    work = np.zeros(2, setup.game.rules.State.dtype)
    out = np.zeros(len(setup.game.rules.ACTIONS), np.int16)
    return [
        int(run(setup.params, work, out, deal, deal % 2, most))
        for deal in track(range(deals), "Playing", transient=True)
    ]


def count(text: str) -> int:
    """Parse a number of deals or lines."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def main() -> None:
    """Play, and print how many deals can be won within 1, 10, 100 and more lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(games()))
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--deals", type=count, default=400)
    parser.add_argument("--lines", type=count, default=10_000)
    given = parser.parse_args()
    game = games()[given.game]
    try:
        setup = game.setup(settings(game, given.option, None))
    except SparringError as problem:
        parser.error(str(problem))
    took = winnable(setup, given.deals, given.lines)
    most = 1
    while most <= given.lines:
        won = sum(0 < line <= most for line in took)
        low, high = wilson(won, given.deals)
        print(f"within {most:>7,} lines: {won} of {given.deals}, {won / given.deals:.1%} ({low:.1%} to {high:.1%})")
        most *= 10


if __name__ == "__main__":
    main()
