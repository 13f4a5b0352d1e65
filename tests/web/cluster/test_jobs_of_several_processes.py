"""Jobs over several processes: one that is started at one is found, and not started again, at another."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select, update

from sparring.bots.match_review import ReviewedChoice, WinEstimate
from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import Who
from sparring.site.replay.review_process import ReviewPart, ReviewRequest
from sparring.store import processes
from sparring.store.database import Database
from sparring.store.processes import KEPT, SharedJobs, SharedStates
from sparring.store.schema import JobStateRow
from sparring.studio.jobs import measuring
from sparring.studio.jobs.job_messages import (
    JobFile,
    Measure,
    MeasuringStep,
    Report,
    SetContent,
    TrainingProgress,
    TrainRequest,
    TuningProgress,
)
from sparring.studio.jobs.job_service import ReportJob
from web.app_server import AppServer, Client, StartServer, settings, stream_blocks
from web.cluster.test_several_processes import share_sqlite
from web.replay.test_review import finished
from web.studio.jobs.proposals import PROPOSALS
from web.studio.jobs.test_set_balance import result
from web.studio.sets import create_set


class FakeProcesses:
    """The job processes of a server: each job makes some progress, then waits until it may end."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        #: How many jobs began, and the problem with which they end.
        self.begun, self.problem = 0, ""
        self.matches = 0

    async def _wait(self) -> None:
        self.begun += 1
        while not self.may_end.is_set():  # noqa: ASYNC110 - a test in another thread sets it
            await asyncio.sleep(0.005)

    async def compiled(self, *_: str) -> bool:
        return True

    def is_compiled(self, *_: str) -> bool:
        return True

    async def report(self, request: Report, progress: Callable[[SetBalance], None]) -> JobFile:
        progress(result(matches=70))
        await self._wait()
        return JobFile(problem=self.problem) if self.problem else JobFile(b"all of it")

    async def train(self, request: TrainRequest, progress: Callable[[TrainingProgress], None]) -> TrainingProgress:
        progress(TrainingProgress(0.5, "playing"))
        await self._wait()
        return TrainingProgress(problem=self.problem) if self.problem else TrainingProgress(1.0, loss=0.25)

    async def tune(self, content: SetContent, plan: str, progress: Callable[[TuningProgress], None]) -> TuningProgress:
        progress(TuningProgress(0.5, "7 of 20 candidates tried"))
        await self._wait()
        return TuningProgress(problem=self.problem) if self.problem else PROPOSALS

    async def review(self, request: ReviewRequest, *_: object) -> ReviewPart:
        """Review; the first impressions come at once."""
        if not request.glance and not self.may_end.is_set():
            await self._wait()
        if self.problem:
            return ReviewPart(problem=self.problem)
        reviewed = ReviewedChoice(1, "Lay 7", [WinEstimate(0.5, 0.4, 0.6)] * 2)
        return ReviewPart([reviewed] * len(request.numbers))

    async def measure(self, order: Measure, who: Who, wanted: Callable[[], bool]) -> MeasuringStep:
        await asyncio.sleep(0.005)
        self.matches += 100
        return MeasuringStep(result(order.bot, self.matches), enough=self.may_end.is_set())

    async def close(self) -> None:
        pass


class Process(NamedTuple):
    server: AppServer
    processes: FakeProcesses


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Process, Process]]:
    """Two processes on one database, which write their jobs often."""
    share_sqlite(monkeypatch)
    monkeypatch.setattr(processes, "EVERY", 0.01)
    monkeypatch.setattr(measuring, "EVERY", 0.01)
    both = tuple(start(AppServer(settings(tmp_path, measuring=True))) for _ in range(2))
    yield both  # type: ignore[misc]
    for one in both:
        one.processes.may_end.set()
        if one.server._thread.is_alive():
            one.server.close()


def start(server: AppServer) -> Process:
    """Give a server fake processes for its jobs."""
    fake, state = FakeProcesses(), server.app.state
    jobs: Any = state.studio_jobs
    server.run(jobs.processes.close())
    for part in (jobs.measurings, jobs.reports, jobs.trainings, jobs.tunings):
        part._processes = fake
    jobs.processes = fake
    state.replays.reviews.pool.ask = fake.review
    return Process(server, fake)


class Kind(NamedTuple):
    """A kind of job: what starts it, where it is seen, and what is seen before, while and after it runs."""

    prepare: Callable[[AppServer], tuple[str, str, dict[str, str]]]
    none: str
    running: str
    done: str


def _set_job(what: str) -> Callable[[AppServer], tuple[str, str, dict[str, str]]]:
    def prepare(server: AppServer) -> tuple[str, str, dict[str, str]]:
        address = create_set(server.person("Anna"), game="five-circles")
        return f"{address}/{what}", f"{address}/{what}", {}

    return prepare


def _tuning(server: AppServer) -> tuple[str, str, dict[str, str]]:
    address = create_set(server.person("Anna"), game="make-your-moves")
    return f"{address}/tune", "", {"at": '["cards", 0, "power"]', "target": "50"}


def _review(server: AppServer) -> tuple[str, str, dict[str, str]]:
    address = f"/table/{finished(server)}/review"
    return address, address, {}


KINDS = {
    "report": Kind(_set_job("report"), "Create report", "70 matches played", "all of it"),
    "training": Kind(_set_job("learn"), "Train bots on this set", "playing, 50%", "Training finished"),
    "tuning": Kind(_tuning, "no longer stored", "7 of 20 candidates tried", "Take proposal 1"),
    "review": Kind(_review, "Review this match", "data-going", "All 3 choices reviewed"),
}


class Started(NamedTuple):
    """A job that Anna has started: its kind, where it is seen, and what starts it again."""

    kind: Kind
    address: str
    click: Callable[[Process], int]

    def seen(self, at: Process, words: str) -> None:
        """Wait until the job's page says something."""
        anna = at.server.person("Anna")
        for _ in range(1000):
            if words in (page := anna.get(self.address).text):
                return
        raise AssertionError(page)


def begin(kind: Kind, at: Process, until: str = "") -> Started:
    """Start a job as Anna, and wait until it makes progress, or until its page says something else."""
    start, seen, form = kind.prepare(at.server)
    response = at.server.person("Anna").post(start, data=form)
    assert response.status_code == 303
    job = Started(
        kind, seen or response.headers["location"],
        lambda process: process.server.person("Anna").post(start, data=form).status_code,
    )  # fmt: skip
    job.seen(at, until or kind.running)
    return job


async def age(store: Database, seconds: int) -> None:
    """Let the processes that run jobs have been silent for some seconds."""
    await store.execute(update(JobStateRow).values(at=JobStateRow.at - seconds))


async def count_states(store: Database) -> int:
    async with store.reading() as session:
        return (await session.scalars(select(func.count()).select_from(JobStateRow))).one()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_job_is_found_and_not_repeated_at_another_process(two: tuple[Process, Process], kind: Kind) -> None:
    one, other = two
    job = begin(kind, one)
    job.seen(other, kind.running)
    assert job.click(other) == 303, "it is the same one"
    one.processes.may_end.set()
    for process in (other, one):
        job.seen(process, kind.done)
        assert job.click(process) == 303
        job.seen(process, kind.done)
    assert other.processes.begun == 0
    assert not one.server.run(_here(one, kind))


async def _here(process: Process, kind: Kind) -> list[Any]:
    """Return the jobs that a process still has in memory, once it has ended them."""
    state = process.server.app.state
    jobs = state.studio_jobs
    for store in (jobs.reports, jobs.trainings, jobs.tunings, state.replays.reviews):
        await asyncio.gather(*store._tasks.values())
    return [*jobs.reports.here, *jobs.trainings.here, *jobs.tunings.here, *state.replays.reviews._running]


@pytest.mark.parametrize("kind", [KINDS["report"], KINDS["review"]], ids=["report", "review"])
def test_a_job_that_failed_is_started_again_at_another_process(two: tuple[Process, Process], kind: Kind) -> None:
    one, other = two
    job = begin(kind, one)
    one.processes.problem = "Broken."
    one.processes.may_end.set()
    failed = "The review failed" if kind is KINDS["review"] else "Broken."
    job.seen(one, failed)
    job.seen(other, failed)
    assert job.click(other) == 303
    job.seen(one, kind.running)
    other.processes.may_end.set()
    job.seen(one, kind.done)
    assert other.processes.begun >= 1


@pytest.mark.parametrize("kind", [KINDS["report"], KINDS["review"]], ids=["report", "review"])
def test_a_job_whose_process_died_is_started_again_at_another_process(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    one, other = two
    job = begin(kind, one)
    monkeypatch.setattr(processes, "EVERY", 3600.0)
    one.server.run(asyncio.sleep(0.1))  # its last write
    one.server.run(age(one.server.tables.store, processes.DEAD + 5))
    job.seen(other, kind.none)
    assert job.click(other) == 303
    other.processes.may_end.set()
    job.seen(other, kind.done)
    one.processes.problem = "It was only slow."
    one.processes.may_end.set()
    one.server.run(_here(one, kind))
    job.seen(one, kind.done)


@pytest.mark.parametrize("kind", [KINDS["report"], KINDS["review"]], ids=["report", "review"])
def test_a_job_ends_with_its_server(two: tuple[Process, Process], kind: Kind) -> None:
    one, other = two
    job = begin(kind, one)
    one.server.close()
    job.seen(other, kind.none)
    assert job.click(other) == 303
    job.seen(other, kind.running)


def test_a_process_stops_a_job_that_another_has_taken_over(two: tuple[Process, Process]) -> None:
    one, other = two
    job = begin(KINDS["report"], one)

    async def take_over() -> None:
        await one.server.tables.store.execute(update(JobStateRow).values(process="another"))

    one.server.run(take_over())
    task: asyncio.Task[None] = next(iter(one.server.app.state.studio_jobs.reports._tasks.values()))

    async def end() -> bool:
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert one.server.run(end())
    job.seen(other, "70 matches")


def test_only_those_who_may_see_a_set_see_its_jobs_at_any_process(two: tuple[Process, Process]) -> None:
    one, other = two
    one.processes.may_end.set()
    jobs = [begin(kind, one, kind.done) for name, kind in KINDS.items() if name != "review"]
    for job in jobs:
        for process in two:
            assert process.server.person("Anna").get(job.address).status_code == 200
            assert process.server.person("Ben").get(job.address).status_code == 404
            assert process.server.person("Ben").post(job.address).status_code in (404, 405)
    assert other.processes.begun == 0


def test_a_measurement_continues_from_another_process_s_figures(two: tuple[Process, Process]) -> None:
    one, other = two
    address = create_set(one.server.person("Anna"), game="five-circles")
    first = figures(one.server.person("Anna"), address, until=lambda rates: rates.matches >= 1000)
    one.server.run(_measured(one))
    second = figures(other.server.person("Anna"), address, until=lambda rates: rates.matches > 0)
    assert second.matches >= first.matches
    other.processes.may_end.set()
    third = figures(other.server.person("Anna"), address, until=lambda rates: rates.state.startswith("Measured"))
    steps = one.processes.matches
    assert third.matches >= second.matches
    other.server.run(_measured(other))
    fourth = figures(one.server.person("Anna"), address, until=lambda rates: rates.state.startswith("Measured"))
    assert (fourth.matches, one.processes.matches) == (third.matches, steps), "it is measured once"


class Figures(NamedTuple):
    state: str
    matches: int


def figures(client: Client, address: str, until: Callable[[Figures], bool]) -> Figures:
    """Stream the balance of a set until it says something, then close the stream."""
    with client.http.stream("GET", f"/api/sets/{address.rpartition('/')[2]}/card-values/events") as response:
        for block in stream_blocks(response):
            data = json.loads(block.partition(b"data: ")[2])
            read = Figures(data["state"], sum(balance["matches"] for balance in data["balances"]))
            if until(read):
                return read
    raise AssertionError("the stream ended")


async def _measured(process: Process) -> None:
    """Wait until a server measures nothing."""
    measurings = process.server.app.state.studio_jobs.measurings._measurings
    await asyncio.gather(*(one.task for one in measurings.values() if one.task))


def test_one_process_writes_nothing(tmp_path: Path) -> None:
    alone = start(AppServer(settings(tmp_path)))
    begin(KINDS["report"], alone)
    alone.processes.may_end.set()
    begin(KINDS["training"], alone, KINDS["training"].done)
    assert alone.server.run(count_states(alone.server.tables.store)) == 0
    alone.server.close()


# The database


def check_states(server: AppServer) -> None:
    """Check claims and what is kept, in a server's database."""
    store = server.tables.store
    one, two = (SharedJobs[ReportJob](store, "report", ReportJob) for _ in range(2))
    kept = SharedStates[ReportJob](store, "measuring", ReportJob)

    async def work() -> None:
        for number in range(KEPT + 3):
            await kept.keep(number, ReportJob(number))
            await age(store, 1)
        await kept.keep(KEPT, ReportJob(problem="replaced"))
        assert [await kept.find(2), await kept.find(3)] == [None, ReportJob(3)]
        assert await kept.find(KEPT) == ReportJob(problem="replaced")
        claimed = await asyncio.gather(*(jobs.claim("a set", ReportJob()) for jobs in (one, two) * 3))
        assert sum(claimed) == 1
        winner = (one, two)[claimed.index(True) % 2]
        assert await two.find("another set") is None
        assert await count_states(store) == KEPT + 1, "those of other kinds stay"
        await age(store, processes.DEAD + 5)
        assert await one.find("a set") is None
        assert sum(await asyncio.gather(*(jobs.claim("a set", ReportJob()) for jobs in (one, two)))) == 1
        await winner.drop("a set")
        await (two if winner is one else one).drop("a set")
        assert await one.claim("a set", ReportJob())

        async def finish() -> None:
            job.matches, job.page = 5, b"all"

        job = ReportJob()
        await one.run("a set", job, finish)
        assert await two.find("a set") == ReportJob(5, b"all")
        assert not await two.claim("a set", ReportJob())

    server.run(work())


def test_a_job_is_claimed_once_and_the_newest_results_are_kept(two: tuple[Process, Process]) -> None:
    check_states(two[0].server)


def test_a_job_is_claimed_once_on_postgresql(start_on_postgres: StartServer) -> None:
    check_states(start_on_postgres())
