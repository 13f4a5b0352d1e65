"""Comparing variants of a game: what was asked for is played until it is answered."""

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
from sparring.lab.executors.batching import in_blocks
from sparring.lab.executors.executor import Executor, WorkersLost
from sparring.lab.executors.factory import hands
from sparring.lab.measures import skill_plan
from sparring.lab.self_play.generation import Told
from sparring.lab.self_play.variant_models import learn as learn_first
from sparring.lab.stats.accumulators import Accumulator, holm
from sparring.lab.stats.fixed_sample import fixed

from .comparison import Comparison
from .config import ExperimentConfig, read_time
from .match_plan import line_up, read_phases
from .stopping import StoppingRule
from .study import Study, first_block, other_blocks, play_block
from .variants import variants

Array = np.ndarray[Any, Any]

#: What `progress` hears: matches played, about how many are needed (0: not known yet).
Progress = Callable[[int, int], None]


def compare(
    game: Game | str, *, vary: Mapping[str, Sequence[Any]] | None = None, each: bool = False,
    content: Sequence[str | Path] = (), variant: Mapping[str, Mapping[str, Any]] | None = None,
    options: Mapping[str, Any] | None = None, bots: Sequence[str] = ("random",), seats: int | None = None,
    seed: int = 0, measures: Sequence[str] = (), precision: float | None = None, matches: int | None = None,
    at_most: str | None = None, skill: bool = False, by_lot: Sequence[str] = (), learn: bool = False, workers: int = 1,
    cluster: str | None = None, progress: Progress = lambda matches, needed: None,
) -> Comparison:  # fmt: skip
    """Compare variants of a game.

    `vary` names options with the values to try, in all combinations or with `each` one at a time; `content` files are
    tried each; `variant` has changes by name, as a `lab.toml` has them. It plays until the intervals of `measures` are
    as narrow as `precision`, or `matches` in each variant, or for so long `at_most` ("10m"). With `skill` every variant
    is played once more, by one bot that thinks ten times as long as the others. In the phases `by_lot` bots choose at
    random. With `learn` bots that judge learn each variant first. Raises SparringError.

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
    with hands(workers, cluster) as them:
        return carry_out(wishes, chosen, them, progress)


def study_of(wishes: ExperimentConfig, game: Game) -> Study:
    """What is to be played."""
    preset = game.preset(wishes.preset) if wishes.preset else {}
    found = variants(
        game, {**preset, **wishes.options}, wishes.vary, [Path(file) for file in wishes.content or ()], wishes.variant,
        each=bool(wishes.each),
    )  # fmt: skip
    bots = tuple(wishes.bots or ("random",))
    seats = len(line_up(game, bots, wishes.seats))
    return Study(game, tuple(found), bots, seats, read_seed(wishes.seed or 0), read_phases(wishes.by_lot, game))


def question_of(wishes: ExperimentConfig) -> StoppingRule:
    """How long it is to be played."""
    seconds = None if wishes.at_most is None else read_time(wishes.at_most)
    return StoppingRule(tuple(wishes.measures or ()), wishes.precision, wishes.matches, seconds).checked()


def carry_out(
    wishes: ExperimentConfig, game: Game, them: Executor, progress: Progress = lambda matches, needed: None,
    learning: Told = lambda what, done: None,
) -> Comparison:  # fmt: skip
    """Play what somebody asks for until it is answered; `learning` hears what is learned before that, from 0 to 1."""
    study, question = study_of(wishes, game), question_of(wishes)
    if wishes.learn:
        learn_first(study, them, learning)
    if not wishes.skill:
        return _answer(wishes, study, question, them, progress)
    stronger = replace(study, bots=tuple(bot.text for bot in skill_plan(study.plans[0]).bots))
    found = _answer(wishes, study, question, them, progress)
    if found.unfinished:
        return found
    more = replace(question, measures=(f"wins/bot {stronger.bots[0]}",))
    ladder = _answer(wishes, stronger, more, them, progress)
    return replace(found, ladder=ladder, unfinished=ladder.unfinished)


def _answer(
    wishes: ExperimentConfig, study: Study, question: StoppingRule, them: Executor, progress: Progress
) -> Comparison:
    """Play a study until its question is answered, or something ends it before."""
    columns = study.columns
    ledger = Accumulator(columns, question.asks(study, columns), len(study.variants), question.precision)
    them.prepare(play_block, study, (0, 0))
    progress(0, 0)
    start = time.monotonic()
    try:
        unfinished = _play(study, question, ledger, them, progress, start)
    except WorkersLost as lost:
        unfinished = str(lost)
    except KeyboardInterrupt:
        unfinished = "Somebody stopped it."
    if not ledger.matches:
        raise SparringError(unfinished)
    return what_was_found(wishes, study, question, ledger, time.monotonic() - start, unfinished)


def _play(
    study: Study, question: StoppingRule, ledger: Accumulator, them: Executor, progress: Progress, start: float
) -> str:
    """Add up block by block until it is enough; why it ended before that."""
    first = first_block(study, question.matches)
    ledger.add(next(them.each(play_block, study, [first])))
    more = other_blocks(study, first[1], mean_length(ledger), question.matches)
    results = in_blocks(them, play_block, study, more)
    try:
        while not ledger.is_enough:
            if question.seconds is not None and time.monotonic() - start > question.seconds:
                return "" if question.usual else _out_of_time(ledger, question)
            block = next(results, None)
            if block is None:
                break
            ledger.add(block)
            progress(ledger.matches, question.matches or int(ledger.needed))
    finally:
        results.close()
    return ""


def mean_length(ledger: Accumulator) -> float:
    """How many choices matches have, in the mean of all variants."""
    place = [column.name for column in ledger.columns].index("length/choices")
    return max(1.0, float(ledger.means.mean[:, place].mean()))


def _out_of_time(ledger: Accumulator, question: StoppingRule) -> str:
    if question.precision is None:
        return f"Of {question.matches:,} matches {ledger.matches:,} were played in the time there was."
    return (
        f"A precision of {question.precision:g} was not reached in the time there was: {ledger.matches:,} matches were "
        f"played, about {max(int(ledger.needed), ledger.matches + 1):,} are needed."
    )


def what_was_found(
    wishes: ExperimentConfig, study: Study, question: StoppingRule, ledger: Accumulator, seconds: float, unfinished: str
) -> Comparison:
    """The sums as what they tell."""
    low, high = ledger.means.interval
    apart_low, apart_high = ledger.differences.interval
    p = ledger.differences.p
    corrected = np.ones(p.shape)
    corrected[:, ledger.bounded] = holm(p[:, ledger.bounded].ravel()).reshape(len(p), int(ledger.bounded.sum()))
    return Comparison(
        wishes, study, question, ledger.columns, ledger.asked, ledger.matches, seconds,
        ledger.means.mean, low, high, tuple(ledger.pairs), ledger.differences.mean, apart_low, apart_high, p, corrected,
        fixed(ledger), ledger.counts, unfinished=unfinished,
    )  # fmt: skip
