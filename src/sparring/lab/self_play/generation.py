"""Self-play: play matches between equal bots and record features, search values, choices and outcomes."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import value_features_of
from sparring.bots.search import payoff_bounds_rule, search_rule
from sparring.bots.search_trees import child_of, init_trees, most_visited
from sparring.bots.value_models import ValueModel
from sparring.engine.chance import BOT, CHOICES, DEAL, below, seed
from sparring.engine.compilation.drivers import Driver, without_conceding
from sparring.engine.game import Box, Game
from sparring.engine.rule import rule

Array = np.ndarray[Any, Any]

#: Positions sampled uniformly from each match (reservoir sampling), for value models and for policy priors.
SAMPLES_PER_MATCH, PRIOR_SAMPLES_PER_MATCH = 16, 128

#: The most choices of a position that are recorded for a policy prior.
MOST_CHOICES = 48

#: One choice in this many is random, for exploration.
EXPLORATION_PERIOD = 8

#: One match in this many is held out for validation.
HELD_OUT = 5

#: The number of portions of a round; progress is reported after each.
PORTIONS = 50

#: Called with a description of the current step and the share of all work done, from 0 to 1.
ProgressCallback = Callable[[str, float], None]

T = TypeVar("T")
#: A generator that works in portions, yields progress after each, and returns a result.
ProgressGenerator = Generator[tuple[str, float], None, T]


def finish(course: ProgressGenerator[T], progress: ProgressCallback = lambda what, done: None) -> T:
    """Run a course to its end, report each portion, and return its result."""
    while True:
        try:
            progress(*next(course))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class SelfPlayRound(NamedTuple):
    """A round of self-play: matches, iterations per choice (0: random play), and whether it trains the policy prior."""

    matches: int
    iterations: int
    prior: bool = False

    @property
    def work(self) -> int:
        """Return an estimate of the work, for progress bars."""
        return self.matches * (1 + self.iterations)


class ProgressPart(NamedTuple):
    """A part of the whole work: its title, the share done before it, and its own share."""

    title: str = ""
    before: float = 0.0
    share: float = 1.0

    def progress(self, done: float) -> tuple[str, float]:
        """Return the title and the share of the whole work, given the share done of this part."""
        return self.title, self.before + self.share * done

    def split(self, share: float) -> tuple["ProgressPart", "ProgressPart"]:
        """Split it into a first part of the given share and the rest."""
        first = share * self.share
        return ProgressPart(self.title, self.before, first), ProgressPart(
            self.title, self.before + first, self.share - first
        )


WHOLE = ProgressPart()


class PolicySamples(NamedTuple):
    """Training samples of a policy prior, one row per position.

    `seen` has the features, shape (n, features); `choices` the legal actions, (n, MOST_CHOICES), padded with -1;
    `tries` the search visits of each.
    """

    features: Array
    choices: Array
    visits: Array

    def part(self, mine: Array) -> "PolicySamples":
        """Return the samples selected by a mask."""
        return PolicySamples(*(column[mine] for column in self))


@dataclass(frozen=True)
class TrainingData:
    """Training data from self-play.

    `seen` has the features of each seat, shape (n, seats, features); `worth` the target returns, (n, seats), 0 to 1;
    `match` the match of each position. `asked` has the samples of a policy prior, if the round trains one.
    """

    features: Array
    returns: Array
    match: Array
    policy_samples: PolicySamples | None = None

    @property
    def held_out(self) -> Array:
        """Return the mask of positions from held-out matches."""
        return np.asarray(self.match % HELD_OUT == 0)

    @property
    def can_be_learned_from(self) -> bool:
        """Return whether there are both training and held-out positions."""
        return bool(self.held_out.any() and not self.held_out.all())

    def part(self, held_out: bool) -> "TrainingData":
        """Return the held-out data or the training data."""
        mine = self.held_out == held_out
        return TrainingData(self.features[mine], self.returns[mine], self.match[mine])


@rule
def note_choices(out, n, choices):  # type: ignore[no-untyped-def]
    """Record the legal actions, truncated to the size of `choices`."""
    choices[:] = -1
    for i in range(min(n, len(choices))):
        choices[i] = out[i]


@rule
def note_tries(nodes, node, choices, tries):  # type: ignore[no-untyped-def]
    """Record the search visits of these choices at a node."""
    for i in range(len(choices)):
        child = child_of(nodes, node, choices[i]) if choices[i] >= 0 else 0
        tries[i] = nodes[child].visits if child != 0 else 0


def self_play_driver(game: Game) -> Driver:
    """Make a driver that plays matches between equal bots and samples `len(seen) // len(ends)` positions of each.

    It fills, per match, `count` (choices with alternatives) and `ends` (final returns, 0 to 1); and per position `seen`
    (features of each seat), `hoped` (search values of each seat, -1 without search), `mover` (the seat to choose),
    `choices` (legal actions) and `tries` (search visits).
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    redact = game.rules.redact
    _, value_features = value_features_of(game)
    keep, think, span = without_conceding(game), search_rule(game), payoff_bounds_rule(game)

    def lessons(  # type: ignore[no-untyped-def]
        kit, work, octets, out, nodes, desk, mind, first_seed, seats, iterations, wild, seen, hoped, ends, count,
        mover, choices, tries,
    ):  # fmt: skip
        s = work[2]
        kept = len(seen) // len(ends)
        g = np.zeros(4, np.int64)
        for match in range(len(ends)):
            work[2] = work[3]
            seed(s.rng, first_seed + match, DEAL)
            seed(g, first_seed + match, CHOICES)
            seed(desk.g, first_seed + match, BOT)
            s.seats = seats
            setup(kit, s)
            count[match] = 0
            while not s.over:
                n = keep(out, legal(kit, s, out))
                action = out[0]
                if n > 1:
                    place = count[match] if count[match] < kept else below(g, count[match] + 1)
                    place = match * kept + place if place < kept else -1
                    count[match] += 1
                    if place >= 0:
                        for seat in range(seats):
                            work[0] = work[2]
                            redact(kit, work[0], seat)
                            value_features(kit, work[0], seat, seen[place, seat])
                            hoped[place, seat] = -1.0
                        mover[place] = s.player
                        note_choices(out, n, choices[place])  # type: ignore[no-untyped-call]
                    action = out[below(g, n)]
                    if iterations:
                        player = s.player
                        work[0] = work[2]
                        redact(kit, work[0], player)
                        init_trees(nodes, desk, seats)
                        think(kit, work, octets, out, nodes, desk, mind, player, iterations)
                        if place >= 0:
                            for seat in range(seats):
                                root = nodes[1 + seat]
                                hoped[place, seat] = root.value / max(1, root.visits)
                            note_tries(nodes, 1 + player, choices[place], tries[place])  # type: ignore[no-untyped-call]
                        if below(g, wild):
                            action = most_visited(nodes, 1 + player)
                step(kit, s, action)
            low, width = span(seats)
            for seat in range(seats):
                ends[match, seat] = (s.payoff[seat] - low) / width

    return lessons


def play(
    box: Box, seats: int, plan: SelfPlayRound, first_seed: int, judgement: ValueModel | None, part: ProgressPart = WHOLE
) -> ProgressGenerator[TrainingData]:
    """Play a round of self-play and return its training data; `part` is its place in the whole work."""
    from sparring.engine.compilation.machine_code import compiled

    game = box.game
    desk = Workspace(game, nodes_for(seats, plan.iterations), states=4)
    if judgement:
        judgement.fill(desk.params)
        desk.params["stops_early"] = 1
    driver = compiled(game, self_play_driver)
    parts, kept = [], PRIOR_SAMPLES_PER_MATCH if plan.prior else SAMPLES_PER_MATCH
    size = -(-plan.matches // PORTIONS)
    for first in range(0, plan.matches, size):
        matches = min(size, plan.matches - first)
        seen = np.zeros((matches * kept, seats, value_features_of(game)[0]), np.float32)
        hoped, ends = np.zeros((matches * kept, seats)), np.zeros((matches, seats))
        count, mover = np.zeros(matches, np.int64), np.zeros(matches * kept, np.int64)
        choices = np.zeros((matches * kept, MOST_CHOICES if plan.prior else 0), np.int16)
        tries = np.zeros(choices.shape, np.int32)
        driver(
            box.kit, desk.work, desk.raw, desk.out, desk.nodes, desk.fields, desk.params, first_seed + first, seats,
            plan.iterations, EXPLORATION_PERIOD, seen, hoped, ends, count, mover, choices, tries,
        )  # fmt: skip
        worth = np.repeat(ends, kept, axis=0)
        worth = np.where(hoped >= 0, (worth + hoped) / 2, worth)
        match = np.repeat(np.arange(first, first + matches), kept)
        mine = (np.arange(kept) < count[:, None]).ravel()
        if plan.prior:  # the seat to choose is the only sample
            places = np.arange(len(seen))
            seen, worth, mine = seen[places, mover][:, None], worth[places, mover][:, None], mine & tries.any(axis=1)
        parts.append((seen[mine].astype(np.float16), worth[mine], match[mine], choices[mine], tries[mine]))
        yield part.progress((first + matches) / plan.matches)
    seen, worth, match, choices, tries = (np.concatenate(column) for column in zip(*parts, strict=True))
    return TrainingData(seen, worth, match, PolicySamples(seen[:, 0], choices, tries) if plan.prior else None)
