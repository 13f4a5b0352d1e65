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
from sparring.lab.executors.batching import run_blocks
from sparring.lab.executors.executor import Executor, WorkersLost
from sparring.lab.executors.factory import make_executor
from sparring.lab.experiments.accumulators import Accumulator, holm
from sparring.lab.experiments.fixed_sample import fixed_intervals
from sparring.lab.experiments.variant_models import train_missing as learn_first
from sparring.lab.measures import skill_plan
from sparring.lab.measures.match_plan import line_up, read_phases
from sparring.lab.self_play.generation import ProgressCallback

from .comparison import Comparison
from .config import ExperimentConfig, parse_duration
from .stopping import StoppingRule
from .study import Study, first_block, later_blocks, play_block
from .variants import variants

Array = np.ndarray[Any, Any]

#: Called with the matches played in each variant and an estimate of those needed (0: not known yet).
Progress = Callable[[int, int], None]


def compare(
    game: Game | str, *, vary: Mapping[str, Sequence[Any]] | None = None, each: bool = False,
    content: Sequence[str | Path] = (), variant: Mapping[str, Mapping[str, Any]] | None = None,
    options: Mapping[str, Any] | None = None, bots: Sequence[str] = ("random",), seats: int | None = None,
    seed: int = 0, measures: Sequence[str] = (), precision: float | None = None, matches: int | None = None,
    at_most: str | None = None, skill: bool = False, by_lot: Sequence[str] = (), learn: bool = False, workers: int = 1,
    cluster: str | None = None, progress: Progress = lambda matches, needed: None,
) -> Comparison:  # fmt: skip
    """Play variants of a game and compare them match by match.

    Every variant plays the same numbered matches: match number i uses seed `seed` + i, and bots change seats from match
    to match. The run stops when the first of `precision`, `matches` and `at_most` is reached.

    :param game: The game, or its name such as "world-of-fighters".
    :param vary: Options and the values to try, such as `{"board": ["5x5", "7x7"]}`. Default: none.
    :param each: Change one varied option at a time, next to the unchanged game, instead of trying all combinations.
        Default: False.
    :param content: Content files (TOML) to compare, each with every combination of options. Default: the game's own.
    :param variant: Named variants: for each name a table with `options`, `preset`, `remove` and content changes, as
        under `[variant.NAME]` in a `lab.toml`. They change `options` and the first content file. Default: none.
    :param options: Options of all variants. Default: the game's defaults.
    :param bots: Bot specifications: one bot for all seats, or one per seat. Default: `("random",)`.
    :param seats: The number of seats. Default: one per bot if there are several bots, else the game's usual number.
    :param seed: The seed of match number 0, a whole number from 0. Default: 0.
    :param measures: The measures that must reach `precision`: names such as "draws" or groups such as "length".
        Default: the wins of every seat, and of every bot if the bots differ.
    :param precision: The target half-width of the 95% confidence sequences, more than 0 and less than 0.5. It is
        absolute for shares (0.01 is one percentage point) and relative to the mean for all other measures. Default:
        none; if `matches` is not given either, 0.01 for at most 60 seconds.
    :param matches: The number of matches of each variant, at least 1. Without `precision` exactly this many are played,
        and ordinary intervals hold. Default: no limit.
    :param at_most: A time limit such as "90s", "10m" or "2h". Default: no limit.
    :param skill: Play every variant a second time with one bot that searches ten times as long as the others, to
        measure skill against luck. Needs a bot with a number of iterations. Default: False.
    :param by_lot: Names of phases in which every bot chooses at random. Default: none.
    :param learn: Train a value model for every variant that lacks one, before the first match (minutes each; only with
        bots that use value models, and not on a cluster). Default: False.
    :param workers: The number of processes on this machine, at least 1. Results don't depend on it. Default: 1.
    :param cluster: The address of a Dask scheduler such as "tcp://HOST:8786", used instead of `workers`. Default: none.
    :param progress: Called as `progress(matches, needed)` after every batch with the matches played in each variant and
        an estimate of the matches needed (0 if unknown). Default: does nothing.
    :returns: A `Comparison` with means, intervals, differences and tables. If the time, the workers or the user stopped
        it early, `Comparison.unfinished` says why, and the results so far are kept.
    :raises BadOption: An option, value, phase, measure, precision or time is not valid.
    :raises BadContent: A content file or a content change is not valid.
    :raises BadBot: A bot is unknown, or bots and seats don't match.
    :raises SparringError: The base class of these; also raised for an unknown game, too few matches or workers, or a
        cluster that does not answer.

    >>> found = compare("world-of-fighters", vary={"board": ["5x5", "7x7"]}, matches=100)
    >>> [variant.name for variant in found.variants], found.means.shape == (2, len(found.columns))
    (['board 5x5', 'board 7x7'], True)
    """
    chosen = find_game(game) if isinstance(game, str) else game
    wishes = ExperimentConfig(
        game=chosen.name, bots=list(bots), seats=seats, seed=seed,
        measures=list(measures) or None, precision=precision, matches=matches, at_most=at_most, options=options or {},
        vary=vary or {}, each=each or None, content=[str(file) for file in content] or None, variant=variant or {},
        skill=skill or None, by_lot=list(by_lot) or None, learn=learn or None,
    )  # fmt: skip
    with make_executor(workers, cluster) as them:
        return run_experiment(wishes, chosen, them, progress)


def study_of(config: ExperimentConfig, game: Game) -> Study:
    """Return the study that a config describes; raise BadOption, BadContent or BadBot."""
    preset = game.preset(config.preset) if config.preset else {}
    found = variants(
        game, {**preset, **config.options}, config.vary, [Path(file) for file in config.content or ()], config.variant,
        each=bool(config.each),
    )  # fmt: skip
    bots = tuple(config.bots or ("random",))
    seats = len(line_up(game, bots, config.seats))
    return Study(game, tuple(found), bots, seats, read_seed(config.seed or 0), read_phases(config.by_lot, game))


def stopping_rule_of(config: ExperimentConfig) -> StoppingRule:
    """Return the stopping rule of a config; raise BadOption or SparringError."""
    seconds = None if config.at_most is None else parse_duration(config.at_most)
    return StoppingRule(tuple(config.measures or ()), config.precision, config.matches, seconds).validated()


def run_experiment(
    config: ExperimentConfig, game: Game, executor: Executor, progress: Progress = lambda matches, needed: None,
    training_progress: ProgressCallback = lambda what, done: None,
) -> Comparison:  # fmt: skip
    """Run the experiment of a config and return the comparison.

    `progress` is called after every block, `learning` during training with a description and the share done (0 to 1).
    Raises SparringError if not a single block could be played.
    """
    study, question = study_of(config, game), stopping_rule_of(config)
    if config.learn:
        learn_first(study, executor, training_progress)
    if not config.skill:
        return _run(config, study, question, executor, progress)
    stronger = replace(study, bots=tuple(bot.text for bot in skill_plan(study.plans[0]).bots))
    found = _run(config, study, question, executor, progress)
    if found.unfinished:
        return found
    more = replace(question, measures=(f"wins/bot {stronger.bots[0]}",))
    ladder = _run(config, stronger, more, executor, progress)
    return replace(found, skill_run=ladder, unfinished=ladder.unfinished)


def _run(
    wishes: ExperimentConfig, study: Study, question: StoppingRule, them: Executor, progress: Progress
) -> Comparison:
    """Play a study until its stopping rule is met, or until workers or the user stop it."""
    columns = study.columns
    ledger = Accumulator(columns, question.requested_columns(study, columns), len(study.variants), question.precision)
    them.prepare(play_block, study, (0, 0))
    progress(0, 0)
    start = time.monotonic()
    try:
        unfinished = _play(study, question, ledger, them, progress, start)
    except WorkersLost as lost:
        unfinished = str(lost)
    except KeyboardInterrupt:
        unfinished = "You stopped the run."
    if not ledger.matches:
        raise SparringError(unfinished)
    return build_comparison(wishes, study, question, ledger, time.monotonic() - start, unfinished)


def _play(
    study: Study, question: StoppingRule, ledger: Accumulator, them: Executor, progress: Progress, start: float
) -> str:
    """Accumulate blocks until the stopping rule is met; return why it stopped early, or an empty text."""
    first = first_block(study, question.matches)
    ledger.add(next(them.map(play_block, study, [first])))
    more = later_blocks(study, first[1], mean_length(ledger), question.matches)
    results = run_blocks(them, play_block, study, more)
    try:
        while not ledger.is_precise:
            if question.seconds is not None and time.monotonic() - start > question.seconds:
                return "" if question.is_default else _out_of_time(ledger, question)
            block = next(results, None)
            if block is None:
                break
            ledger.add(block)
            progress(ledger.matches, question.matches or int(ledger.needed))
    finally:
        results.close()
    return ""


def mean_length(accumulator: Accumulator) -> float:
    """Return the mean number of choices per match over all variants, at least 1."""
    place = [column.name for column in accumulator.columns].index("length/choices")
    return max(1.0, float(accumulator.means.mean[:, place].mean()))


def _out_of_time(ledger: Accumulator, question: StoppingRule) -> str:
    if question.precision is None:
        return f"Time ran out after {ledger.matches:,} of {question.matches:,} matches."
    return (
        f"Time ran out before the precision of {question.precision:g} was reached; {ledger.matches:,} matches were "
        f"played and about {max(int(ledger.needed), ledger.matches + 1):,} are needed."
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
    apart_low, apart_high = accumulator.differences.interval
    p = accumulator.differences.p
    corrected = np.ones(p.shape)
    corrected[:, accumulator.bounded] = holm(p[:, accumulator.bounded].ravel()).reshape(
        len(p), int(accumulator.bounded.sum())
    )
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
