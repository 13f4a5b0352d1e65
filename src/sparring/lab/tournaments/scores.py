"""Play a tournament; save the winners of each match in a file, so that an interrupted run can resume."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sparring.engine.errors import SparringError
from sparring.lab.executors.executor import Executor
from sparring.lab.measures import columns, measure

from .tournament import Tournament, TournamentEvent

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
    """Play a task.

    Returns the task, the winners of each match (a bit mask over the line-up), and the failures by place in the line-up
    (count and first reason).
    """
    plan = tournament.plan(tournament.events[task.event], task.line_up)
    measured = measure(plan, task.first, task.matches)
    names = [column.name for column in columns(plan)]
    seats = [names.index(f"wins/seat {seat}") for seat in range(1, plan.seats + 1)]
    won = measured.rows[:, seats] > 0
    numbers = task.first + np.arange(task.matches)[:, None]
    bits = (won << ((np.arange(plan.seats) + numbers) % plan.seats)).sum(axis=1)
    lost = {bot: (lost.matches, lost.why) for bot, lost in measured.counts.failures.items()}
    return task, bits.tolist(), lost


class TournamentScores:
    """The results so far, by event and line-up, stored in a file that a later run resumes."""

    def __init__(self, tournament: Tournament, file: Path) -> None:
        self.tournament, self.file = tournament, file
        self.won: dict[str, list[int]] = {}
        self.failures: dict[str, tuple[int, str]] = {}
        if file.exists():
            self._read()

    def _read(self) -> None:
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            self.won = {key: list(map(int, won)) for key, won in kept["won"].items()}
            self.failures = {bot: (int(often), str(why)) for bot, (often, why) in kept["lost"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SparringError(
                f"{self.file} is not a tournament file; move it away or choose another folder."
            ) from None

    def save(self) -> None:
        """Write the file atomically."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"won": self.won, "lost": self.failures}), encoding="utf-8")
        new.replace(self.file)

    def key(self, event: int, sitting: Sequence[int]) -> str:
        """Return the key of a line-up: everything that its matches depend on."""
        one = self.tournament.events[event]
        bots = [self.tournament.bots[bot] for bot in sitting]
        own = repr(one.content) if one.content is not None else ""
        return json.dumps(
            [one.game.name, one.game.version, one.seats, dict(one.options), own, self.tournament.seed, bots]
        )

    def missing_tasks(self) -> Iterator[TournamentTask]:
        """Yield the tasks still to play, alternating between line-ups."""
        left = []
        for event, one in enumerate(self.tournament.events):
            for sitting in self.tournament.line_ups(one):
                size = self._size(one, sitting)
                done = len(self.won.get(self.key(event, sitting), []))
                ends = range(done, self.tournament.matches, size)
                left.append(
                    [TournamentTask(event, sitting, at, min(size, self.tournament.matches - at)) for at in ends]
                )
        for turn in range(max(map(len, left), default=0)):
            yield from (tasks[turn] for tasks in left if turn < len(tasks))

    def _size(self, event: TournamentEvent, sitting: Sequence[int]) -> int:
        bots = self.tournament.plan(event, sitting).bots_at_level
        thought = max(bot.iterations for bot in bots)
        if not all(bot.plays_compiled for bot in bots):
            return 1
        return max(1, SEARCH_TASK // thought) if thought else RANDOM_TASK

    def add(self, done: tuple[TournamentTask, list[int], dict[int, tuple[int, str]]]) -> None:
        """Add the result of a task."""
        task, won, lost = done
        self.won.setdefault(self.key(task.event, task.line_up), []).extend(won)
        for place, (often, why) in lost.items():
            bot = self.tournament.bots[task.line_up[place]]
            before = self.failures.get(bot, (0, why))
            self.failures[bot] = before[0] + often, before[1]


def play(tournament: Tournament, scores: TournamentScores, executor: Executor, progress: Callable[[int], None]) -> None:
    """Play the missing matches and save after every task; call `progress` with its number of matches."""
    for event in tournament.events:
        executor.prepare(
            play_task, tournament, TournamentTask(tournament.events.index(event), tournament.line_ups(event)[0], 0, 0)
        )
    results = executor.map(play_task, tournament, scores.missing_tasks())
    try:
        for done in results:
            scores.add(done)
            scores.save()
            progress(done[0].matches)
    finally:
        results.close()
