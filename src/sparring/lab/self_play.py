"""Generate training data by self-play: features, search values, choices and outcomes of matches between equal bots."""

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
from sparring.engine.game import Game, GameSetup
from sparring.engine.rule import rule, zeros

Array = np.ndarray[Any, Any]

#: The number of positions sampled uniformly from each match (reservoir sampling), for value models and for priors.
SAMPLES_PER_MATCH, PRIOR_SAMPLES_PER_MATCH = 16, 128

#: The maximum number of choices of a position that are recorded for a policy prior.
MOST_CHOICES = 48

#: One choice in this many is random, for exploration.
EXPLORATION_PERIOD = 8

#: One match in this many is held out for validation.
HELD_OUT = 5

#: The number of portions of a round; progress is reported after each.
PORTIONS = 50

#: Called with a description of the current step and the share of all work done, from 0 to 1.
ProgressCallback = Callable[[str, float], None]

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")
#: A generator that works in portions, yields progress after each, and returns a result.
ProgressGenerator = Generator[tuple[str, float], None, T]


def finish(generator: Generator[tuple[A, B], None, T], progress: Callable[[A, B], None] = lambda what, done: None) -> T:
    """Run a generator to its end, report the progress after each portion, and return its result."""
    while True:
        try:
            progress(*next(generator))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


class SelfPlayRound(NamedTuple):
    """A round of self-play: matches, iterations per choice (0: random play), and whether it is for the policy prior."""

    matches: int
    iterations: int
    prior: bool = False

    @property
    def work(self) -> int:
        """The estimated amount of work, for progress bars."""
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

    Shapes: `features` (n, features); `choices` (n, MOST_CHOICES), the legal actions, padded with -1; `visits` (n,
    MOST_CHOICES), the search visits of each.
    """

    features: Array
    choices: Array
    visits: Array

    def part(self, mask: Array) -> "PolicySamples":
        """Return the samples selected by a mask."""
        return PolicySamples(*(column[mask] for column in self))


@dataclass(frozen=True)
class TrainingData:
    """Training data from self-play.

    Shapes: `features` (n, seats, features) of each seat in n positions; `returns` (n, seats), the target returns from 0
    to 1; `match` (n,), the match of each position. `policy_samples` are set in a round for the policy prior; `features`
    and `returns` are then those of the seat that must act, alone.
    """

    features: Array
    returns: Array
    match: Array
    policy_samples: PolicySamples | None = None

    @property
    def held_out(self) -> Array:
        """The mask of positions from held-out matches."""
        return np.asarray(self.match % HELD_OUT == 0)

    @property
    def is_sufficient(self) -> bool:
        """Whether there are both training and held-out positions."""
        return bool(self.held_out.any() and not self.held_out.all())

    def part(self, held_out: bool) -> "TrainingData":
        """Return the held-out data or the training data, without policy samples."""
        mask = self.held_out == held_out
        return TrainingData(self.features[mask], self.returns[mask], self.match[mask])


@rule
def note_choices(out, n, choices):  # type: ignore[no-untyped-def]
    """Record the legal actions in `choices`, as many as fit."""
    for i in range(len(choices)):
        choices[i] = out[i] if i < n else -1


@rule
def note_visits(nodes, node, choices, visits):  # type: ignore[no-untyped-def]
    """Record the search visits of these choices at a node."""
    for i in range(len(choices)):
        child = child_of(nodes, node, choices[i]) if choices[i] >= 0 else 0
        visits[i] = nodes[child].visits if child != 0 else 0


def self_play_driver(game: Game) -> Driver:
    """Return a driver that plays matches between equal bots and samples `len(features) // len(returns)` positions each.

    One choice in `exploration_period` is random. The driver fills, for each match, `decisions` (the number of choices
    with alternatives) and `returns` (final, 0 to 1); and for each position `features` and `values` of each seat
    (search values, -1 without search), `movers` (the seat that must act), `choices` (legal actions) and `visits`.
    """
    setup, legal, step = game.rules.setup, game.rules.legal, game.rules.step
    redact = game.rules.redact
    _, value_features = value_features_of(game)
    keep, search, payoff_bounds = without_conceding(game), search_rule(game), payoff_bounds_rule(game)

    def play_matches(  # type: ignore[no-untyped-def]
        params, work, raw, out, nodes, ws, settings, first_seed, seats, iterations, exploration_period, features,
        values, returns, decisions, movers, choices, visits,
    ):  # fmt: skip
        s = work[2]
        samples_per_match = len(features) // len(returns)
        g = zeros(4, np.int64)
        for match in range(len(returns)):
            work[2] = work[3]
            seed(s.rng, first_seed + match, DEAL)
            seed(g, first_seed + match, CHOICES)
            seed(ws.g, first_seed + match, BOT)
            s.seats = seats
            setup(params, s)
            decisions[match] = 0
            while not s.over:
                n = keep(out, legal(params, s, out))
                action = out[0]
                if n > 1:
                    sample = (
                        decisions[match] if decisions[match] < samples_per_match else below(g, decisions[match] + 1)
                    )
                    sample = match * samples_per_match + sample if sample < samples_per_match else -1
                    decisions[match] += 1
                    if sample >= 0:
                        for seat in range(seats):
                            work[0] = work[2]
                            redact(params, work[0], seat)
                            value_features(params, work[0], seat, features[sample, seat])
                            values[sample, seat] = -1.0
                        movers[sample] = s.player
                        note_choices(out, n, choices[sample])  # type: ignore[no-untyped-call]
                    action = out[below(g, n)]
                    if iterations:
                        player = s.player
                        work[0] = work[2]
                        redact(params, work[0], player)
                        init_trees(nodes, ws, seats)
                        search(params, work, raw, out, nodes, ws, settings, player, iterations)
                        if sample >= 0:
                            for seat in range(seats):
                                root = nodes[1 + seat]
                                values[sample, seat] = root.value / max(1, root.visits)
                            note_visits(nodes, 1 + player, choices[sample], visits[sample])  # type: ignore[no-untyped-call]
                        if below(g, exploration_period):
                            action = most_visited(nodes, 1 + player)
                step(params, s, action)
            low, width = payoff_bounds(seats)
            for seat in range(seats):
                returns[match, seat] = (s.payoff[seat] - low) / width

    return play_matches


def play(
    setup: GameSetup,
    seats: int,
    plan: SelfPlayRound,
    first_seed: int,
    model: ValueModel | None,
    part: ProgressPart = WHOLE,
) -> ProgressGenerator[TrainingData]:
    """Play a round of self-play, yield progress, and return its data; `part` is its share of the whole work."""
    from sparring.engine.compilation.machine_code import compiled

    game = setup.game
    ws = Workspace(game, nodes_for(seats, plan.iterations), states=4)
    if model:
        model.fill(ws.settings)
        ws.settings["stops_early"] = 1
    driver = compiled(game, self_play_driver)
    chunks, samples_per_match = [], PRIOR_SAMPLES_PER_MATCH if plan.prior else SAMPLES_PER_MATCH
    size = -(-plan.matches // PORTIONS)
    for first in range(0, plan.matches, size):
        matches = min(size, plan.matches - first)
        features = np.zeros((matches * samples_per_match, seats, value_features_of(game)[0]), np.float32)
        values, returns = np.zeros((matches * samples_per_match, seats)), np.zeros((matches, seats))
        decisions, movers = np.zeros(matches, np.int64), np.zeros(matches * samples_per_match, np.int64)
        choices = np.zeros((matches * samples_per_match, MOST_CHOICES if plan.prior else 0), np.int16)
        visits = np.zeros(choices.shape, np.int32)
        driver(
            setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings, first_seed + first, seats,
            plan.iterations, EXPLORATION_PERIOD, features, values, returns, decisions, movers, choices, visits,
        )  # fmt: skip
        targets = np.repeat(returns, samples_per_match, axis=0)
        targets = np.where(values >= 0, (targets + values) / 2, targets)
        match = np.repeat(np.arange(first, first + matches), samples_per_match)
        mask = (np.arange(samples_per_match) < decisions[:, None]).ravel()
        if plan.prior:  # only the seat that must act is a sample
            rows = np.arange(len(features))
            features, targets = features[rows, movers][:, None], targets[rows, movers][:, None]
            mask &= visits.any(axis=1)
        chunks.append((features[mask].astype(np.float16), targets[mask], match[mask], choices[mask], visits[mask]))
        yield part.progress((first + matches) / plan.matches)
    features, targets, match, choices, visits = (np.concatenate(column) for column in zip(*chunks, strict=True))
    return TrainingData(
        features, targets, match, PolicySamples(features[:, 0], choices, visits) if plan.prior else None
    )
