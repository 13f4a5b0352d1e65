"""The studio's job processes: one each for measuring, reports, printing, training, tuning and compiling.

Each does one job at a time, with a fair queue. All but the first stop after a job, and all stop with the server.
"""

import asyncio
import contextlib
import logging
import tempfile
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import FairQueue, Who
from sparring.tables.workers.worker_pool import WorkerProcess

from .job_messages import (
    REPORT_BOT,
    Compile,
    JobFile,
    Measure,
    MeasuringStep,
    Print,
    Report,
    SetContent,
    TrainingProgress,
    TrainRequest,
    Tune,
    TuningProgress,
)

log = logging.getLogger(__name__)

MODULE = "sparring.studio.jobs.job_process"
#: Timeouts in seconds for a step of matches, a file and compiling.
LONGEST_STEP, LONGEST_FILE, LONGEST_COMPILING = 60.0, 120.0, 600.0
#: The longest training and the longest tuning of a set, in seconds.
LONGEST_TRAINING, LONGEST_TUNING = 900.0, 900.0
#: The longest step of a tuning, in seconds: the final comparison.
LONGEST_COMPARISON = 400.0
#: The most sets that wait to be printed; `JobStore` bounds the other queues.
MOST_PRINTS = 20

P = TypeVar("P", TrainingProgress, TuningProgress)

TOO_LONG = "This took too much time or memory and was stopped."


class JobProcesses:
    """All job processes of a server."""

    def __init__(self) -> None:
        self._job_processes = [_JobProcess(most) for most in (None, None, MOST_PRINTS, None, None, None)]
        (
            self._measuring, self._reporting, self._printing, self._compiling, self._training, self._tuning,
        ) = self._job_processes  # fmt: skip
        self._compiled: dict[tuple[str, str], asyncio.Task[bool]] = {}

    async def measure(self, request: Measure, who: Who, wanted: Callable[[], bool]) -> MeasuringStep:
        """Play one step of matches, if `wanted()` still holds when its turn comes."""
        async with self._measuring.turns.turn(*who):
            if not wanted():
                return MeasuringStep()
            answer = await self._measuring.worker.ask(request, MeasuringStep, LONGEST_STEP)
        return answer or MeasuringStep(problem=TOO_LONG)

    async def report(self, request: Report, progress: Callable[[SetBalance], None]) -> JobFile:
        """Measure a set to the wanted precision and write its report."""
        async with self._reporting.alone() as worker:
            measured = MeasuringStep()
            while not (measured.enough or measured.problem):
                step = Measure(request.content, REPORT_BOT, request.compiled)
                measured = await worker.ask(step, MeasuringStep, LONGEST_STEP) or MeasuringStep(problem=TOO_LONG)
                if measured.balance:
                    progress(measured.balance)
            if measured.problem:
                return JobFile(problem=measured.problem)
            return await worker.ask(request, JobFile, LONGEST_FILE) or JobFile(problem=TOO_LONG)

    async def print(self, request: Print) -> JobFile:
        """Print a set to PDF."""
        async with self._printing.alone() as worker:
            return await worker.ask(request, JobFile, LONGEST_FILE) or JobFile(problem=TOO_LONG)

    async def train(self, request: TrainRequest, progress: Callable[[TrainingProgress], None]) -> TrainingProgress:
        """Train a value model for a set."""
        async with self._training.alone() as worker:
            return await _finish(worker, request, TrainingProgress, progress, LONGEST_FILE, LONGEST_TRAINING)

    async def tune(self, content: SetContent, plan: str, progress: Callable[[TuningProgress], None]) -> TuningProgress:
        """Tune a set; `plan` is a tuning file without the content."""
        async with self._tuning.alone() as worker:
            with tempfile.TemporaryDirectory() as folder:
                request = Tune(content, plan, folder)
                return await _finish(worker, request, TuningProgress, progress, LONGEST_COMPARISON, LONGEST_TUNING)

    def is_compiled(self, game: str, bot: str) -> bool:
        """Return whether a game has been compiled; start compiling if not."""
        task = self._compile(game, bot)
        return task.done() and task.result()

    async def compiled(self, game: str, bot: str) -> bool:
        """Wait for compiling; return whether it succeeded."""
        return await asyncio.shield(self._compile(game, bot))

    def _compile(self, game: str, bot: str) -> asyncio.Task[bool]:
        if (game, bot) not in self._compiled:
            self._compiled[game, bot] = asyncio.create_task(self._run_compile(Compile(game, bot)))
        return self._compiled[game, bot]

    async def _run_compile(self, request: Compile) -> bool:
        async with self._compiling.alone("") as worker:
            answer = await worker.ask(request, JobFile, LONGEST_COMPILING)
        if answer is None or answer.problem:
            log.warning(
                "%s is not compiled for %s: %s", request.game, request.bot, answer.problem if answer else "died"
            )
            return False
        return True

    async def close(self) -> None:
        """Stop all processes."""
        for task in self._compiled.values():
            task.cancel()
        await asyncio.gather(*self._compiled.values(), return_exceptions=True)
        await asyncio.gather(*(process.worker.stop() for process in self._job_processes))


async def _finish(
    worker: WorkerProcess, request: TrainRequest | Tune, answer: type[P], progress: Callable[[P], None],
    longest_step: float, longest: float,
) -> P:  # fmt: skip
    """Repeat a request for one step until the job is over; report the progress after each."""
    state, too_long = answer(), answer(problem=TOO_LONG)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(longest):
            while not state.is_over:
                state = await worker.ask(request, answer, longest_step) or too_long
                progress(state)
    return state if state.is_over else too_long


class _JobProcess:
    """A process and the queue for it."""

    def __init__(self, most: int | None = None) -> None:
        self.worker = WorkerProcess(MODULE)
        self.turns = FairQueue(1, most=most, busy="The server is busy printing sets. Try again soon.")

    @contextlib.asynccontextmanager
    async def alone(self, *who: str) -> AsyncIterator[WorkerProcess]:
        """Yield the process for one job of `who`, or of the current caller, and stop it afterwards."""
        async with self.turns.turn(*who):
            try:
                yield self.worker
            finally:
                await self.worker.stop()
