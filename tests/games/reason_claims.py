"""Check that every sentence of a game's `reasons_for` is true, over many positions and pairs of actions.

Each game lists its sentences as patterns with an independent check: it plays the match on, or counts in the position.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sparring import Match
from sparring.engine.game import game as find

#: Whether a claim holds: from the match, the action, the other action and the groups of the pattern.
Claim = Callable[..., bool]


def after(match: Match, *actions: int | str) -> Match:
    """Return the match after these actions."""
    later = match.clone()
    for action in actions:
        later.choose(action)
    return later


def own(match: Match, field: str) -> Any:
    """Return what a field of the position says about the seat to choose."""
    return match.position()[field][(match.seat or 0) - 1]


def reasons_in(name: str, position: Mapping[str, Any], action: str, other: str) -> Sequence[str]:
    """Return the reasons that a game gives in a position for one action instead of another."""
    match = Match.from_position({"game": name, **position})
    view, rules = match.view(match.seat or 0), find(name).reasons
    assert rules
    return [*map(str, rules.reasons_for(view.setup, view.state, match.read(action), match.read(other)))]


def false_claims(
    name: str, claims: Mapping[str, Claim], *, matches: int, seats: int | None = None, options: Any = None,
    longest: int = 150,
) -> tuple[list[str], set[str]]:  # fmt: skip
    """Play random matches; return the sentences that no pattern describes or that are false, and the patterns seen."""
    wrong, seen = [], set[str]()
    for seed in range(1, matches + 1):
        match, rng = Match.new(find(name), seats=seats, seed=seed, options=options), random.Random(seed)
        for _ in range(longest):
            if match.over:
                break
            view, legal = match.view(match.seat or 0), [each for each in match.legal() if _plays(match, each)]
            for _ in range(2 if len(legal) > 1 else 0):
                action, other = rng.sample(legal, 2)
                for sentence in map(str, match.game.reasons.reasons_for(view.setup, view.state, action, other)):  # type: ignore[union-attr]
                    pattern = next((each for each in claims if re.fullmatch(each, sentence)), "")
                    found = re.fullmatch(pattern, sentence)
                    seen.add(pattern)
                    if not found or not claims[pattern](match, action, other, *found.groups()):
                        wrong.append(f"{match.phase}, seed {seed}, choice {len(match.history)}: {sentence}")
            match.choose(rng.choice(legal or match.legal()))
    return wrong, seen


def _plays(match: Match, action: int) -> bool:
    return action not in match.game.conceding
