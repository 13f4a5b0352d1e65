"""Measure reviews: `python -m benchmarks.load.review [GAME ...]`, on one core, with precompiled code."""

import random
import sys
import time

from sparring.bots.bot_specs import compile_searches
from sparring.bots.match_review import REFINED_CHOICES, MatchReviewer, costliest
from sparring.engine.game import games
from sparring.engine.match import Match

#: How many choices of a match to review; a shorter match is reviewed as a whole.
CHOICES = 100


def review(name: str) -> tuple[int, float]:
    """Return how many choices of a random match were reviewed, and the processor time in seconds."""
    match, rng = Match.new(name, seed=1), random.Random(1)
    while not match.over and len(match.history) < CHOICES:
        actions = [action for action in match.legal() if action not in match.game.conceding]
        match.choose(rng.choice(actions or match.legal()))
    MatchReviewer(match.record()).choice(0)  # exclude loading
    began = time.process_time()
    reviewer = MatchReviewer(match.record())
    reviewed = [reviewer.choice(number) for number in range(len(match.history))]
    for number in costliest(reviewed, REFINED_CHOICES):
        reviewer.refine(number, reviewed[number])
    return len(reviewed), time.process_time() - began


def main() -> None:
    """Review a match of each game."""
    for name in sys.argv[1:] or games():
        compile_searches(games()[name])
        count, seconds = review(name)
        print(f"{name}: {count} choices in {seconds:.1f} s of CPU time", flush=True)


if __name__ == "__main__":
    main()
