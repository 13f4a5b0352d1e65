"""Measure reviews: `python -m sparring.web.load.review [GAME ...]`, on one core, with precompiled code."""

import random
import sys
import time

from sparring.bots.match_review import LOOKED_AT, MatchReviewer, costliest
from sparring.bots.precompile import warm
from sparring.engine.game import games
from sparring.engine.match import Match

#: How many choices of a match to review; a shorter match is reviewed as a whole.
CHOICES = 100


def review(name: str) -> tuple[int, float]:
    """Return how many choices of a random match were reviewed, and the processor time in seconds."""
    match, rng = Match.new(name, seed=1), random.Random(1)
    while not match.over and len(match.history) < CHOICES:
        kept = [action for action in match.legal() if action not in match.game.conceding]
        match.choose(rng.choice(kept or match.legal()))
    MatchReviewer(match.record()).choice(0)  # exclude loading
    begin = time.process_time()
    reviewer = MatchReviewer(match.record())
    found = [reviewer.choice(number) for number in range(len(match.history))]
    for number in costliest(found, LOOKED_AT):
        reviewer.closer(number, found[number])
    return len(found), time.process_time() - begin


def main() -> None:
    """Review a match of each game."""
    for name in sys.argv[1:] or games():
        warm(games()[name])
        many, took = review(name)
        print(f"{name}: {many} choices in {took:.1f} s of CPU time", flush=True)


if __name__ == "__main__":
    main()
