"""Run an experiment: play the variants of a game until the stopping rule is met."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sparring.engine.errors import SparringError
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.lab import decisions, match_ups, traces
from sparring.lab.executors import Executor, WorkersLost, make_executor, run_blocks
from sparring.lab.experiments.stopping import Accumulator, StoppingRule, fixed_intervals, holm
from sparring.lab.experiments.study import Study, first_block, later_blocks, play_block, train_missing
from sparring.lab.measures import skill_plan
from sparring.lab.measures.match_plan import MatchPlan, line_up, read_phases
from sparring.lab.self_play import ProgressCallback
from sparring.lab.traces import Detail

from .comparison import Comparison
from .config import ExperimentConfig, details_of, parse_duration, precision_for, with_questions
from .variants import variants

Array = np.ndarray[Any, Any]

#: Called with the number of matches played in each variant and an estimate of the number needed (0: not known yet).
Progress = Callable[[int, int], None]

#: What needs more than the sums of many matches, by name. Each measures the first variant of a study, from its plan and
#: the number of matches of the experiment, and returns a table with intervals and sentences that say what it means.
DETAILS: dict[str, Callable[[MatchPlan, int], Detail]] = {
    "match-ups": match_ups.match_ups, "pairs": match_ups.pairs, "tension": traces.tension,
    "decisions": decisions.decisions, "skill-ladder": decisions.skill_ladder, "deals": decisions.deals,
}  # fmt: skip


def compare(
    game: Game | str, *, vary: Mapping[str, Sequence[Any]] | None = None, each: bool = False,
    content: Sequence[str | Path] = (), variant: Mapping[str, Mapping[str, Any]] | None = None,
    options: Mapping[str, Any] | None = None, bots: Sequence[str] = ("random",), seats: int | None = None,
    seed: int = 0, measures: Sequence[str] = (), precision: float | None = None, matches: int | None = None,
    at_most: str | None = None, skill: bool = False, by_lot: Sequence[str] = (), learn: bool = False,
    ask: Sequence[str] = (), workers: int = 1, cluster: str | None = None,
    progress: Progress = lambda matches, needed: None,
) -> Comparison:  # fmt: skip
    """Play variants of a game and compare them match by match.

    Every variant plays the same numbered matches: match number i uses seed `seed` + i, and bots change seats from match
    to match. So differences are paired and need far fewer matches than independent runs. The run stops when it reaches
    the first of `precision`, `matches` and `at_most`; the results so far are kept if it is interrupted.

    What to compare:

    :param game: The game, or its name such as "world-of-fighters".
    :param vary: Options and the values to try, such as `{"board": ["5x5", "7x7"]}`. Default: none.
    :param each: Change one varied option at a time, beside the unchanged game, instead of trying all combinations.
        Default: False.
    :param content: Content files (TOML) to compare, each with every combination of options. Default: the game's own.
    :param variant: Named variants: for each name a table with `options`, `preset`, `remove` and content changes, as
        under `[variant.NAME]` in a `lab.toml`. They change `options` and the first content file. Default: none.
    :param options: Options of all variants. Default: the game's defaults.

    How to play:

    :param bots: Bot specifications such as "search:iterations=300": one bot for all seats, or one per seat. Default:
        random play.
    :param seats: The number of seats. Default: one per bot if there are several bots, otherwise the smallest number
        that the game allows.
    :param seed: The seed of match number 0, from 0 to 2**63 - 1. Default: 0.
    :param by_lot: Names of phases in which every bot chooses at random. Default: none.
    :param ask: Questions such as "fair", "length" or "cards" (`questions.QUESTIONS`), which choose bots, measures,
        precision and details where these are not given. Default: none.
    :param learn: Train a value model for every variant that lacks one, before the first match (minutes each; only with
        bots that use value models, and not on a cluster). Default: False.
    :param skill: Play every variant a second time with one bot that searches ten times as long as the others, to
        measure skill against luck. Needs a bot with a number of iterations. Default: False.

    When to stop:

    :param measures: The measures that must reach `precision`: names such as "draws", or groups such as "length".
        Default: the wins of every seat, and of every bot if the bots differ.
    :param precision: The target half-width of the 95% confidence sequences, more than 0 and less than 0.5. It is
        absolute for shares (0.01 is one percentage point) and relative to the mean for all other measures. Default:
        none; if `matches` is not given either, 0.01 for at most 60 seconds.
    :param matches: The number of matches of each variant, at least 1. Without `precision`, exactly this many are
        played, and ordinary confidence intervals hold. Default: no limit.
    :param at_most: A time limit such as "90s", "10m" or "2h". Default: no limit.

    Where to run:

    :param workers: The number of processes on this machine, at least 1. Results don't depend on it. Default: 1.
    :param cluster: The address of a Dask scheduler such as "tcp://HOST:8786", used instead of `workers`. Default: none.
    :param progress: Called as `progress(matches, needed)` after every block with the matches played in each variant and
        an estimate of the matches needed (0 if unknown). Default: does nothing.

    :returns: A `Comparison` with means, intervals, differences and tables. If the time limit, lost workers or the user
        stopped the run early, `Comparison.unfinished` says why.
    :raises BadOption: An option, value, phase, measure, precision or time is invalid.
    :raises BadContent: A content file or a content change is invalid.
    :raises BadBot: A bot is unknown, or the number of bots does not match the number of seats.
    :raises SparringError: The base class of these. Also raised for an unknown game, too few matches or workers, and a
        cluster that does not answer.

    >>> comparison = compare("world-of-fighters", vary={"board": ["5x5", "7x7"]}, matches=100)
    >>> [variant.name for variant in comparison.variants]
    ['board 5x5', 'board 7x7']
    >>> comparison.means.shape == (2, len(comparison.columns))
    True
    """
    chosen = find_game(game) if isinstance(game, str) else game
    config = ExperimentConfig(
        game=chosen.name, bots=list(bots), seats=seats, seed=seed,
        measures=list(measures) or None, precision=precision, matches=matches, at_most=at_most, options=options or {},
        vary=vary or {}, each=each or None, content=[str(file) for file in content] or None, variant=variant or {},
        skill=skill or None, by_lot=list(by_lot) or None, learn=learn or None, ask=list(ask) or None,
    )  # fmt: skip
    with make_executor(workers, cluster) as executor:
        return run_experiment(config, chosen, executor, progress)


def study_of(config: ExperimentConfig, game: Game) -> Study:
    """Return the study that a config describes; raise BadOption, BadContent or BadBot."""
    preset = game.preset(config.preset) if config.preset else {}
    chosen = variants(
        game, {**preset, **config.options}, config.vary, [Path(file) for file in config.content or ()], config.variant,
        each=bool(config.each),
    )  # fmt: skip
    bots = tuple(config.bots or ("random",))
    seats = len(line_up(game, bots, config.seats))
    return Study(game, tuple(chosen), bots, seats, read_seed(config.seed or 0), read_phases(config.by_lot, game))


def stopping_rule_of(config: ExperimentConfig) -> StoppingRule:
    """Return the stopping rule of a config; raise BadOption or SparringError."""
    seconds = None if config.at_most is None else parse_duration(config.at_most)
    rule = StoppingRule(tuple(config.measures or ()), config.precision, config.matches, seconds)
    return rule.validated(precision_for(config.ask)) if config.ask else rule.validated()


def run_experiment(
    config: ExperimentConfig, game: Game, executor: Executor, progress: Progress = lambda matches, needed: None,
    training_progress: ProgressCallback = lambda what, done: None,
) -> Comparison:  # fmt: skip
    """Run the experiment of a config and return the comparison.

    `progress` is called after every block, `training_progress` during training with a description and the share done
    (0 to 1). Raises SparringError if not a single block could be played, and the errors of `compare` for a bad config.
    """
    config = with_questions(config, game)
    study, rule = study_of(config, game), stopping_rule_of(config)
    if config.learn:
        train_missing(study, executor, training_progress)
    stronger = study
    if config.skill:
        stronger = replace(study, bots=tuple(bot.text for bot in skill_plan(study.plans[0]).bots))
    comparison = _run(config, study, rule, executor, progress)
    for name in details_of(config.ask or ()):
        comparison = _with_detail(comparison, name, executor)
    if comparison.unfinished or not config.skill:
        return comparison
    more = replace(rule, measures=(f"wins/bot {stronger.bots[0]}",))
    ladder = _run(config, stronger, more, executor, progress)
    return replace(comparison, skill_run=ladder, unfinished=ladder.unfinished)


def _with_detail(comparison: Comparison, name: str, executor: Executor) -> Comparison:
    """Measure a detail of the first variant, unless the run was stopped before."""
    if comparison.unfinished:
        return comparison
    try:
        detail = next(executor.map(measure_detail, (comparison.study, comparison.matches), [name]))
    except WorkersLost as lost:
        return replace(comparison, unfinished=str(lost))
    except KeyboardInterrupt:
        return replace(comparison, unfinished="You stopped the run.")
    return replace(comparison, details=(*comparison.details, detail))


def measure_detail(study_and_matches: tuple[Study, int], name: str) -> Detail:
    """Measure a detail of the first variant of a study."""
    study, matches = study_and_matches
    return DETAILS[name](study.plans[0], matches)


def _run(
    config: ExperimentConfig, study: Study, rule: StoppingRule, executor: Executor, progress: Progress
) -> Comparison:
    """Play a study until its stopping rule is met, its workers are lost, or the user interrupts it."""
    columns = study.columns
    accumulator = Accumulator(columns, rule.requested_columns(study, columns), len(study.variants), rule.precision)
    start = time.monotonic()
    executor.prepare(play_block, study, (0, 0))
    progress(0, 0)
    preparation, start = time.monotonic() - start, time.monotonic()
    try:
        unfinished = _play(study, rule, accumulator, executor, progress, start)
    except WorkersLost as lost:
        unfinished = str(lost)
    except KeyboardInterrupt:
        unfinished = "You stopped the run."
    if not accumulator.matches:
        raise SparringError(unfinished)
    comparison = build_comparison(config, study, rule, accumulator, time.monotonic() - start, unfinished)
    return replace(comparison, preparation_seconds=preparation)


def _play(
    study: Study, rule: StoppingRule, accumulator: Accumulator, executor: Executor, progress: Progress, start: float
) -> str:
    """Accumulate blocks until the stopping rule is met; return why the run stopped early, or an empty text."""
    first = first_block(study, rule.matches)
    accumulator.add(next(executor.map(play_block, study, [first])))
    more = later_blocks(study, first[1], mean_length(accumulator), rule.matches)
    results = run_blocks(executor, play_block, study, more)
    try:
        while not accumulator.is_precise:
            if rule.seconds is not None and time.monotonic() - start > rule.seconds:
                return "" if rule.is_default else _out_of_time(accumulator, rule)
            block = next(results, None)
            if block is None:
                break
            accumulator.add(block)
            progress(accumulator.matches, rule.matches or int(accumulator.needed))
    finally:
        results.close()
    return ""


def mean_length(accumulator: Accumulator) -> float:
    """Return the mean number of choices per match over all variants, at least 1."""
    place = [column.name for column in accumulator.columns].index("length/choices")
    return max(1.0, float(accumulator.means.mean[:, place].mean()))


def _out_of_time(accumulator: Accumulator, rule: StoppingRule) -> str:
    if rule.precision is None:
        return f"Time ran out after {accumulator.matches:,} of {rule.matches:,} matches."
    return (
        f"Time ran out before the precision of {rule.precision:g} was reached; {accumulator.matches:,} matches were "
        f"played and about {max(int(accumulator.needed), accumulator.matches + 1):,} are needed."
    )


def build_comparison(
    config: ExperimentConfig,
    study: Study,
    rule: StoppingRule,
    accumulator: Accumulator,
    seconds: float,
    unfinished: str,
) -> Comparison:
    """Build the comparison from the accumulated sums."""
    low, high = accumulator.means.interval
    bounds = [-np.inf if column.low is None else column.low for column in accumulator.columns]
    low = np.maximum(low, bounds)
    apart_low, apart_high = accumulator.differences.interval
    p = accumulator.differences.p
    corrected = holm(p.ravel()).reshape(p.shape)
    return Comparison(
        config,
        study,
        rule,
        accumulator.columns,
        accumulator.requested,
        accumulator.matches,
        seconds,
        accumulator.means.mean,
        low,
        high,
        tuple(accumulator.pairs),
        accumulator.differences.mean,
        apart_low,
        apart_high,
        p,
        corrected,
        fixed_intervals(accumulator),
        accumulator.counts,
        unfinished=unfinished,
    )
