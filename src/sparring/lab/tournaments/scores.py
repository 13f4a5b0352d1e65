"""Play tournaments, and save the winners of each match in a file, so that an interrupted run can resume."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sparring.engine.errors import SparringError
from sparring.lab.executors import Executor
from sparring.lab.measures import columns, measure

from .tournament import Tournament, TournamentEvent

#: The file with the winners, in the folder of a tournament.
FILE = "matches.json"

#: Called with the matches that were just played, and with all that were missing.
Progress = Callable[[int, int], None]

#: The size of a task: matches of random play, and matches x iterations of search.
RANDOM_TASK, SEARCH_TASK = 20_000, 5_000


class TournamentTask(NamedTuple):
    """A task for a worker: match numbers of one line-up in one event."""

    event: int
    line_up: tuple[int, ...]
    first: int
    matches: int


def play_task(
    tournament: Tournament, task: TournamentTask
) -> tuple[TournamentTask, list[int], dict[int, tuple[int, str]]]:
    """Play a task and return it with its results.

    These are the winners of each match (a bit mask over the line-up), and the bots that failed, by place in the
    line-up: the number of matches and the first reason.
    """
    plan = tournament.plan(tournament.events[task.event], task.line_up)
    measured = measure(plan, task.first, task.matches)
    names = [column.name for column in columns(plan)]
    seats = [names.index(f"wins/seat {seat}") for seat in range(1, plan.seats + 1)]
    won = measured.rows[:, seats] > 0
    numbers = task.first + np.arange(task.matches)[:, None]
    bits = (won << ((np.arange(plan.seats) + numbers) % plan.seats)).sum(axis=1)
    failures = {bot: (failed.matches, failed.why) for bot, failed in measured.counts.failures.items()}
    return task, bits.tolist(), failures


class TournamentScores:
    """The results so far, by event and line-up, stored in a file that a later run resumes."""

    def __init__(self, tournament: Tournament, folder: Path) -> None:
        self.tournament, self.file = tournament, folder / FILE
        self.won: dict[str, list[int]] = {}
        self.failures: dict[str, tuple[int, str]] = {}
        if self.file.exists():
            self._read()

    def _read(self) -> None:
        try:
            stored = json.loads(self.file.read_text(encoding="utf-8"))
            self.won = {key: list(map(int, won)) for key, won in stored["won"].items()}
            self.failures = {bot: (int(count), str(why)) for bot, (count, why) in stored["lost"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SparringError(f"{self.file} is not a tournament file; move it or choose another folder.") from None

    def save(self) -> None:
        """Write the file atomically."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"won": self.won, "lost": self.failures}), encoding="utf-8")
        new.replace(self.file)

    def key(self, event: int, line_up: Sequence[int]) -> str:
        """Return the key of a line-up in the file: everything that its matches depend on."""
        entry = self.tournament.events[event]
        bots = [self.tournament.bots[bot] for bot in line_up]
        content = repr(entry.content) if entry.content is not None else ""
        return json.dumps(
            [entry.game.name, entry.game.version, entry.seats, dict(entry.options), content, self.tournament.seed, bots]
        )

    def results(self, event: int, line_up: Sequence[int]) -> list[int]:
        """Return the winners of the matches of a line-up so far, as in `play_task`."""
        return self.won.get(self.key(event, line_up), [])[: self.tournament.matches_of(line_up)]

    def missing_tasks(self) -> Iterator[TournamentTask]:
        """Yield the tasks still to play, alternating between line-ups."""
        remaining = []
        for event, entry in enumerate(self.tournament.events):
            for line_up in self.tournament.line_ups(entry):
                size = self._size(entry, line_up)
                done, matches = len(self.results(event, line_up)), self.tournament.matches_of(line_up)
                remaining.append(
                    [TournamentTask(event, line_up, at, min(size, matches - at)) for at in range(done, matches, size)]
                )
        for index_in_round in range(max(map(len, remaining), default=0)):
            yield from (tasks[index_in_round] for tasks in remaining if index_in_round < len(tasks))

    def _size(self, event: TournamentEvent, line_up: Sequence[int]) -> int:
        bots = self.tournament.plan(event, line_up).bots_at_level
        iterations = max(bot.iterations for bot in bots)
        if not all(bot.plays_compiled for bot in bots):
            return 1
        return max(1, SEARCH_TASK // iterations) if iterations else RANDOM_TASK

    def add(self, done: tuple[TournamentTask, list[int], dict[int, tuple[int, str]]]) -> None:
        """Add the result of a task."""
        task, won, failures = done
        self.won.setdefault(self.key(task.event, task.line_up), []).extend(won)
        for place, (count, why) in failures.items():
            bot = self.tournament.bots[task.line_up[place]]
            before = self.failures.get(bot, (0, why))
            self.failures[bot] = before[0] + count, before[1]


def run(tournament: Tournament, folder: Path, executor: Executor, progress: Progress) -> TournamentScores:
    """Play the matches that are missing in a folder, which is created if needed, and save after every task.

    Raises SparringError if the folder can't be used, or if the workers are lost.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scores = TournamentScores(tournament, folder)
        scores.save()
    except OSError as problem:
        raise SparringError(f"Can't save results in {folder}: {problem.strerror or problem}.") from None
    tasks = list(scores.missing_tasks())
    missing = sum(task.matches for task in tasks)
    for first in {task.event: task for task in reversed(tasks)}.values():
        executor.prepare(play_task, tournament, first._replace(matches=0))
    with closing(executor.map(play_task, tournament, tasks)) as results:
        for done in results:
            scores.add(done)
            scores.save()
            progress(done[0].matches, missing)
    return scores
