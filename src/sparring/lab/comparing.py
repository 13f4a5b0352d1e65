"""Comparing variants of a game: `compare` plays, a `Comparison` holds what was found, as arrays and tables."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.readable import read_seed

from .asking import Wishes, read_time
from .hands import Hands, LostWork
from .ledger import ALPHA, Ledger, holm
from .measures import Column, Counts
from .plan import line_up
from .study import Study, first_task, other_tasks, play_chunk
from .variants import Variant, variants
from .workers import hands

Array = np.ndarray[Any, Any]

#: How precisely one measures if nothing is said, and for how long at most (seconds).
USUAL_PRECISION, USUAL_SECONDS = 0.01, 60.0

#: How a difference looks: it is there; or it is not to be told yet whether there is one.
REAL, OPEN = "real", "not told apart yet"

#: What `progress` hears: matches played, about how many are needed (0: not known yet).
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Question:
    """How long to play: until the intervals of these measures are so narrow, or so many matches, or so many seconds.

    What the words mean is said with `Wishes`.
    """

    measures: tuple[str, ...] = ()
    precision: float | None = None
    matches: int | None = None
    seconds: float | None = None
    #: Nobody said how long: it is no failure if the usual precision is not reached in the usual time.
    usual: bool = False

    def checked(self) -> "Question":
        """The same, if it can be answered; with the usual where nothing was said."""
        if self.precision is not None and not 0 < self.precision < 0.5:
            raise BadOption(f"The precision cannot be {self.precision:g}; it is more than 0 and less than 0.5.")
        if self.matches is not None and self.matches < 1:
            raise SparringError(f"At least one match is needed, not {self.matches}.")
        if self.precision is None and self.matches is None:
            return Question(self.measures, USUAL_PRECISION, None, self.seconds or USUAL_SECONDS, usual=True)
        return self

    def asks(self, study: Study, columns: Sequence[Column]) -> Array:
        """Which of the columns have to become so narrow; usually wins of seats, and of bots if they are different."""
        for name in self.measures:
            if not any(_is_of(column.name, name) for column in columns):
                known = dict.fromkeys(column.name.partition("/")[0] for column in columns)
                raise BadOption(f"There is no measure called {name}; there is {', '.join(known)}.")
        usual = ("wins/seat", "wins/bot") if len(set(study.bots)) > 1 else ("wins/seat",)
        wanted = self.measures or usual
        return np.array([any(_is_of(column.name, name) for name in wanted) for column in columns])


def _is_of(column: str, name: str) -> bool:
    return column == name or column.startswith((f"{name}/", f"{name} "))


@dataclass(frozen=True)
class Comparison:
    """What was found. Arrays are variants x columns, or pairs of variants x columns."""

    wishes: Wishes
    study: Study
    question: Question
    columns: tuple[Column, ...]
    #: Which columns were asked for.
    asked: Array
    #: How many matches every variant played, and how long that took.
    matches: int
    seconds: float
    means: Array
    low: Array
    high: Array
    #: The two variants of each difference (the first minus the second), by their places.
    pairs: tuple[tuple[int, int], ...]
    differences: Array
    differences_low: Array
    differences_high: Array
    #: How likely so much is if there is no difference: each alone; and corrected for all of them together (Holm).
    p: Array
    corrected: Array
    counts: tuple[Counts, ...]
    #: Why it ended before what was asked for was reached; empty if it was.
    unfinished: str = ""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """What was compared."""
        return self.study.variants

    @property
    def names(self) -> list[str]:
        """What the columns are called."""
        return [column.name for column in self.columns]

    @property
    def verdicts(self) -> Array:
        """Of each difference whether it is real."""
        return np.where(self.corrected <= ALPHA, REAL, OPEN)

    @cached_property
    def tables(self) -> dict[str, dict[str, Array]]:
        """Everything that was found as tables: their names, and their columns as arrays."""
        from .tabulating import tables_of

        return tables_of(self)

    def frame(self, table: str) -> Any:
        """A table as a frame of pandas or polars, whichever is installed."""
        for library in ("pandas", "polars"):
            try:
                return __import__(library).DataFrame(self.tables[table])
            except ImportError:
                continue
        raise SparringError("A frame needs pandas or polars; `tables` has the same as arrays.")


def compare(
    game: Game | str, *, vary: Mapping[str, Sequence[Any]] | None = None, each: bool = False,
    content: Sequence[str | Path] = (), variant: Mapping[str, Mapping[str, Any]] | None = None,
    options: Mapping[str, Any] | None = None, bots: Sequence[str] = ("random",), seats: int | None = None,
    seed: int = 0, measures: Sequence[str] = (), precision: float | None = None, matches: int | None = None,
    at_most: str | None = None, workers: int = 1, cluster: str | None = None,
    progress: Progress = lambda matches, needed: None,
) -> Comparison:  # fmt: skip
    """Compare variants of a game.

    `vary` names options with the values to try, in all combinations or with `each` one at a time; `content` files are
    tried each; `variant` has changes by name, as a `lab.toml` has them. It plays until the intervals of `measures` are
    as narrow as `precision`, or `matches` in each variant, or for so long `at_most` ("10m"). Raises SparringError.

    >>> found = compare("world-of-fighters", vary={"board": ["5x5", "7x7"]}, matches=100)
    >>> [variant.name for variant in found.variants], found.means.shape == (2, len(found.columns))
    (['board 5x5', 'board 7x7'], True)
    """
    chosen = find_game(game) if isinstance(game, str) else game
    wishes = Wishes(
        game=chosen.name, bots=list(bots), seats=seats, seed=seed,
        measures=list(measures) or None, precision=precision, matches=matches, at_most=at_most, options=options or {},
        vary=vary or {}, each=each or None, content=[str(file) for file in content] or None, variant=variant or {},
    )  # fmt: skip
    with hands(workers, cluster) as them:
        return carry_out(wishes, chosen, them, progress)


def study_of(wishes: Wishes, game: Game) -> Study:
    """What is to be played."""
    preset = game.preset(wishes.preset) if wishes.preset else {}
    found = variants(
        game, {**preset, **wishes.options}, wishes.vary, [Path(file) for file in wishes.content or ()], wishes.variant,
        each=bool(wishes.each),
    )  # fmt: skip
    bots = tuple(wishes.bots or ("random",))
    return Study(game, tuple(found), bots, len(line_up(game, bots, wishes.seats)), read_seed(wishes.seed or 0))


def question_of(wishes: Wishes) -> Question:
    """How long it is to be played."""
    seconds = None if wishes.at_most is None else read_time(wishes.at_most)
    return Question(tuple(wishes.measures or ()), wishes.precision, wishes.matches, seconds).checked()


def carry_out(wishes: Wishes, game: Game, them: Hands, progress: Progress = lambda matches, needed: None) -> Comparison:
    """Play what somebody asks for until it is answered."""
    study, question = study_of(wishes, game), question_of(wishes)
    columns = study.columns
    asked = question.asks(study, columns)
    ledger = Ledger(columns, asked, len(study.variants), question.precision)
    them.prepare(play_chunk, study, (0, 0))
    progress(0, 0)
    start = time.monotonic()
    unfinished = ""
    try:
        unfinished = _play(study, question, ledger, them, progress, start)
    except LostWork as lost:
        unfinished = str(lost)
    except KeyboardInterrupt:
        unfinished = "Somebody stopped it."
    if not ledger.matches:
        raise SparringError(unfinished or "Nothing was played.")
    return _found(wishes, study, question, ledger, time.monotonic() - start, unfinished)


def _play(study: Study, question: Question, ledger: Ledger, them: Hands, progress: Progress, start: float) -> str:
    """Add up chunk by chunk until it is enough; why it ended before that."""
    first = first_task(study, question.matches)
    ledger.add(next(them.each(play_chunk, study, [first])))
    length = _length(ledger)
    results = them.each(play_chunk, study, other_tasks(study, first[1], length, question.matches))
    try:
        while not ledger.is_enough:
            if question.seconds is not None and time.monotonic() - start > question.seconds:
                return "" if question.usual else _out_of_time(ledger, question)
            chunk = next(results, None)
            if chunk is None:
                break
            ledger.add(chunk)
            progress(ledger.matches, question.matches or int(ledger.needed))
    finally:
        results.close()
    return ""


def _length(ledger: Ledger) -> float:
    """How many choices matches have, in the mean of all variants."""
    place = [column.name for column in ledger.columns].index("length/choices")
    return max(1.0, float(ledger.means.mean[:, place].mean()))


def _out_of_time(ledger: Ledger, question: Question) -> str:
    if question.precision is None:
        return f"Of {question.matches:,} matches {ledger.matches:,} were played in the time there was."
    return (
        f"A precision of {question.precision:g} was not reached in the time there was: {ledger.matches:,} matches were "
        f"played, about {max(int(ledger.needed), ledger.matches + 1):,} are needed."
    )


def _found(
    wishes: Wishes, study: Study, question: Question, ledger: Ledger, seconds: float, unfinished: str
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
        ledger.counts, unfinished,
    )  # fmt: skip
