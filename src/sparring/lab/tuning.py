"""Tune options and content until a game meets its designer's objectives.

A tuning file:

    bots = ["search:iterations=100"]
    candidates = 60        # how many to try
    matches = 2000         # per candidate, unless it is stopped early
    aims = ["seats within 0.48..0.52", { aim = "length 12..18 turns", weight = 2 }]
    [ranges]
    options.life = [10, 20]
    fighters."Milton Brown" = { punch = [0, 4], kick = [0, 4], sum = 3 }

The first candidate is the unchanged game, if the ranges include it; Optuna's TPE sampler, which copes with noise,
proposes the others. A candidate is stopped early when even the favourable ends of its intervals cost more than the best
candidate so far. Finally, the best candidates and the unchanged game are compared on fresh seeds, and only these
results are reported: on the seeds that selected it, the best of many candidates looks better than it is. Candidates are
stored, so that an interrupted tuning resumes with the same candidates.
"""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sparring.engine.errors import BadContent, BadOption, SparringError
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import Game

from .candidates import OPTIONS, Candidates, ParameterRange, TriedCandidate, as_change, fits, read_ranges
from .executors import Executor, run_blocks
from .experiments.comparison import Comparison
from .experiments.config import ExperimentConfig, parse_config, read_text
from .experiments.runner import run_experiment
from .experiments.study import Study, first_block, later_blocks, play_block
from .experiments.variants import apply_changes, content_data, value_at, variants
from .measures import MatchCounts, figures
from .measures.match_plan import line_up, read_phases
from .objectives import Objective, ObjectiveValue, read_objectives
from .self_play import finish

#: A candidate may be stopped early after these shares of its matches.
CHECKPOINTS = (0.1, 0.3, 1.0)

#: The number of rejected candidates after which a tuning without any playable one fails.
MAX_REJECTED = 20

#: In the final comparison: the number of best candidates, the factor on matches, and the offset of the fresh seeds.
FINALISTS, FINAL_FACTOR, FINAL_SEED_OFFSET = 3, 2, 1_000_000_000

#: The fields of a tuning file, the fields that it shares with a `lab.toml`, and the defaults.
TUNING_FIELDS = ("ranges", "aims", "candidates", "matches")
SHARED_FIELDS = ("game", "bots", "seats", "by_lot", "seed", "preset", "options", "content")
DEFAULTS = {"candidates": 50, "matches": 2000}


@dataclass(frozen=True)
class Tuning:
    """A tuning: its file text, config, search space and objectives."""

    text: str
    config: ExperimentConfig
    ranges: tuple[ParameterRange, ...]
    objectives: tuple[Objective, ...]
    candidates: int
    matches: int

    def change(self, values: Sequence[Any]) -> dict[str, Any]:
        """Return a candidate as a variant of a `lab.toml`."""
        return as_change(self.ranges, values)

    def settings(self, game: Game) -> dict[str, Any]:
        """Return the options shared by all candidates."""
        preset = game.preset(self.config.preset) if self.config.preset else {}
        return {**preset, **self.config.options}

    @property
    def file(self) -> Path | None:
        """The content file that candidates change; None: the game's own."""
        return next(map(Path, self.config.content or ()), None)

    def unchanged_values(self, game: Game) -> tuple[Any, ...] | None:
        """Return the values of the unchanged game as a candidate, or None if the ranges exclude it."""
        options, content = game.setup(self.settings(game)).options, content_data(game, self.file)
        values: list[Any] = []
        for parameter in self.ranges:
            path, is_option = parameter.path, parameter.path[0] == OPTIONS
            value = options[path[-1]] if is_option else value_at(game.form, content, path)
            if not fits(self.ranges, values, value):
                return None
            values.append(value)
        return tuple(values)

    def study(self, game: Game, values: Sequence[Any]) -> Study:
        """Return the study of a single candidate."""
        config, named = self.config, {"candidate": self.change(values)}
        files = [self.file] if self.file else []
        (_, candidate) = variants(game, self.settings(game), {}, files, named, each=False)
        bots = tuple(config.bots or ("random",))
        seats = len(line_up(game, bots, config.seats))
        return Study(game, (candidate,), bots, seats, config.seed or 0, read_phases(config.by_lot, game))


@dataclass(frozen=True)
class TuningResult:
    """The results of a tuning: all candidates, best first, and the final comparison with the unchanged game."""

    tuning: Tuning
    tried: Sequence[TriedCandidate]
    rejected: int
    final: Comparison
    #: For each variant of the final comparison: the figures of each objective, the cost, and the values (empty: the
    #: unchanged game).
    readings: Sequence[Sequence[Sequence[ObjectiveValue]]]
    costs: Sequence[float]
    values: Sequence[tuple[Any, ...]]


#: Called with the number of finished candidates and the best cost.
Progress = Callable[[int, float], None]


def tune(
    tuning: Tuning, game: Game, folder: Path, executor: Executor, progress: Progress = lambda done, best: None
) -> TuningResult:
    """Try candidates, then compare the best ones on fresh seeds.

    `folder` stores the candidates, so that the tuning can resume. `progress` is called before each candidate and before
    the final comparison. Raises BadOption or BadContent for unknown paths or values, and SparringError if the game
    rejects every candidate.
    """
    return finish(tuning_steps(tuning, game, folder, executor), progress)


def tuning_steps(
    tuning: Tuning, game: Game, folder: Path, executor: Executor
) -> Generator[tuple[int, float], None, TuningResult]:
    """Do what `tune` does in steps; yield the number of finished candidates and the best cost before each."""
    _check(tuning, game)
    identity = json.dumps([game.name, game.version, tuning.text])
    start = tuning.unchanged_values(game)
    candidates = Candidates(folder, identity, tuning.ranges, tuning.config.seed or 0, tuning.candidates, start)
    while (done := len(candidates.tried) + candidates.rejected) < tuning.candidates:
        best = min((candidate.cost for candidate in candidates.tried), default=float("inf"))
        yield done, best
        values = candidates.propose()
        if values is None:
            break
        _try_one(tuning, game, candidates, values, executor, best)
    if not candidates.tried:
        raise SparringError(f"The game rejected every candidate; the last reason: {candidates.fault}")
    yield tuning.candidates, min(candidate.cost for candidate in candidates.tried)
    return _final_comparison(tuning, game, candidates, start, executor)


def _check(tuning: Tuning, game: Game) -> None:
    """Check that all paths, option values and phases exist; raise BadOption or BadContent."""
    read_phases(tuning.config.by_lot, game)
    content = {}
    for parameter in tuning.ranges:
        if parameter.path[0] != OPTIONS:
            content[parameter] = parameter.values[0]
            continue
        for value in parameter.values:
            game.setup({**tuning.config.options, parameter.path[-1]: value})
    if content:
        change = as_change(list(content), list(content.values()))
        apply_changes(game.form, content_data(game, tuning.file), change, [], "ranges")


def _try_one(
    tuning: Tuning, game: Game, candidates: Candidates, values: tuple[Any, ...], executor: Executor, best: float
) -> None:
    """Play a candidate and record its cost, or record that the game rejects it."""
    try:
        study = tuning.study(game, values)
    except (BadContent, BadOption) as fault:
        candidates.reject(values, str(fault))
        if candidates.rejected >= MAX_REJECTED and not candidates.tried:
            raise SparringError(f"The game rejected every candidate; the last reason: {fault}") from None
        return
    candidates.record(TriedCandidate(values, *_played(tuning, study, executor, best)))


def _played(tuning: Tuning, study: Study, executor: Executor, best: float) -> tuple[float, int, bool]:
    """Play a candidate; return its cost, its matches and whether it was stopped early."""
    executor.prepare(play_block, study, (0, 0))
    first = first_block(study, tuning.matches)
    counts, plan = next(executor.map(play_block, study, [first])).counts[0], study.plans[0]
    length = figures(plan, counts)["length/choices"].value
    checkpoints = [max(1, int(share * tuning.matches)) for share in CHECKPOINTS]
    more = later_blocks(study, first[1], max(length, 1.0), tuning.matches)
    results = run_blocks(executor, play_block, study, more)
    try:
        for part in results:
            counts += part.counts[0]
            if checkpoints and counts.matches >= checkpoints[0]:
                checkpoints = [checkpoint for checkpoint in checkpoints if checkpoint > counts.matches]
                if _cost(tuning, plan, counts, leniency=1.0) > best:
                    return _cost(tuning, plan, counts), counts.matches, counts.matches < tuning.matches
    finally:
        results.close()
    return _cost(tuning, plan, counts), counts.matches, False


def _cost(tuning: Tuning, plan: Any, counts: MatchCounts, leniency: float = 0.0) -> float:
    return sum(objective.cost(objective.figures(plan, counts), leniency) for objective in tuning.objectives)


def _final_comparison(
    tuning: Tuning, game: Game, candidates: Candidates, start: tuple[Any, ...] | None, executor: Executor
) -> TuningResult:
    """Compare the best candidates and the unchanged game on fresh seeds."""
    tried = sorted(candidates.tried, key=lambda candidate: (candidate.stopped, candidate.cost))
    best = [candidate for candidate in tried if candidate.values != start][:FINALISTS]
    variant = {f"candidate {place}": tuning.change(candidate.values) for place, candidate in enumerate(best, 1)}
    config = ExperimentConfig(
        game=game.name, bots=tuning.config.bots, seats=tuning.config.seats, preset=tuning.config.preset,
        options=tuning.config.options, content=tuning.config.content, variant=variant, by_lot=tuning.config.by_lot,
        seed=(tuning.config.seed or 0) + FINAL_SEED_OFFSET, matches=FINAL_FACTOR * tuning.matches,
    )  # fmt: skip
    final = run_experiment(config, game, executor)
    readings = [
        [objective.figures(plan, counts) for objective in tuning.objectives]
        for plan, counts in zip(final.study.plans, final.counts, strict=True)
    ]
    costs = [
        sum(objective.cost(values) for objective, values in zip(tuning.objectives, of_variant, strict=True))
        for of_variant in readings
    ]
    values = [(), *(candidate.values for candidate in best)]
    return TuningResult(tuning, tried, candidates.rejected, final, readings, costs, values)


def read_tuning(file: Path, game: str | None) -> Tuning:
    """Read a tuning file; content paths are relative to its folder. Raises BadOption."""
    text = read_text(file)
    data = read_toml(text, file.name)
    own = {name: data.pop(name, None) for name in TUNING_FIELDS}
    config = replace(parse_config(data, file, [*SHARED_FIELDS, *TUNING_FIELDS]), game=game or data.get("game"))
    if len(config.content or ()) > 1:
        raise BadOption(f"{file.name}: content must be a single file, because candidates change it.")
    ranges = read_ranges(own["ranges"], file.name)
    objectives = read_objectives(own["aims"], file.name)
    candidates, matches = (_whole(own[name], default, f"{file.name}: {name}") for name, default in DEFAULTS.items())
    return Tuning(text, config, ranges, objectives, candidates, matches)


def _whole(value: Any, default: int, what: str) -> int:
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadOption(f"{what} must be a whole number, at least 1.")
    return value
