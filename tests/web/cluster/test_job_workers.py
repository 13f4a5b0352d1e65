"""Remote workers: each job is done once, by another worker if one is lost, or by the server without workers."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sparring.cli import main
from sparring.web.bots.bot_players import MODULE, BotAnswer, BotQuestion, ProcessBotPlayers
from sparring.web.bots.fair_queue import FairQueue
from sparring.web.cluster import job_queue, job_worker
from sparring.web.cluster.job_queue import JobQueue, QueuedJob
from sparring.web.cluster.job_worker import JobWorker, state_sentence
from sparring.web.replay.review_jobs import review_share
from sparring.web.replay.review_messages import MODULE as REVIEWS
from sparring.web.replay.review_messages import ReviewRequest
from web.bots.test_bot_players import question
from web.cluster.in_process_workers import WorkerSetup, answer_with, never_answer, run_with_workers
from web.redis import NEEDS_REDIS, broker

__all__ = ["broker", "run_with_workers"]  # fixtures

pytestmark = NEEDS_REDIS


def test_a_worker_runs_bots_and_reviews(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked = question()
        processes = ProcessBotPlayers(1, elsewhere=setup.jobs)
        assert await processes.choose(asked, "") == asked.legal[-1]
        assert len(setup.local_questions) == 1  # no worker was connected
        setup.worker()
        await setup.wait_for_places(1)
        setup.local_questions.clear()
        assert await processes.choose(asked, "") == asked.legal[-1]
        (thought_about,) = [each for each in setup.local_questions if isinstance(each, BotQuestion)]
        assert thought_about == msgspec.structs.replace(asked, compiled=True)  # by the worker, which has compiled code
        assert isinstance(await setup.jobs.ask(REVIEWS, ReviewRequest("{}", [1]), BotAnswer, 5), BotAnswer)
        async with asyncio.timeout(20):
            while await setup.broker.redis.xlen(job_queue.stream_name(setup.channel)):  # noqa: ASYNC110 - it is elsewhere
                await asyncio.sleep(0.02)

    run_with_workers(what)


def test_another_worker_takes_over_a_killed_workers_job(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, seen = question(), list[QueuedJob]()
        lost = setup.worker(never_answer)
        await setup.wait_for_places(1)
        choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, ""))
        await setup.wait_until(lambda: bool(lost._running))
        await kill(lost)
        setup.worker(answer_with(asked.legal[0], seen))
        assert await choosing == asked.legal[0]
        assert len(seen) == 1

    run_with_workers(what)


async def kill(worker: JobWorker) -> None:
    """Simulate SIGKILL: the worker falls silent and finishes nothing."""
    parts = [task for task in asyncio.all_tasks() if task.get_coro().cr_frame.f_locals.get("self") is worker]  # type: ignore[union-attr]
    for task in parts:
        task.cancel()
    await asyncio.gather(*parts, return_exceptions=True)


def test_a_cancelled_task_ends_even_if_the_connection_swallows_it(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        async def forgets() -> int:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(1000)
            return 1

        asking = asyncio.create_task(setup.broker.ask(forgets()))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    run_with_workers(what)


def test_a_working_worker_keeps_its_lease(run_with_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_worker, "LEASE", 1.5)

    async def what(setup: WorkerSetup) -> None:
        asked, seen, others = question(), list[QueuedJob](), list[QueuedJob]()

        async def slowly(job: QueuedJob) -> bytes:
            seen.append(job)
            await asyncio.sleep(2 * job_worker.LEASE)
            return msgspec.msgpack.encode(BotAnswer(action=asked.legal[0]))

        setup.worker(slowly)
        await setup.wait_for_places(1)
        choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, ""))
        await setup.wait_until(lambda: bool(seen))
        setup.worker(answer_with(asked.legal[-1], others))
        assert await choosing == asked.legal[0]
        assert (len(seen), others) == (1, [])

    run_with_workers(what)


def test_the_server_takes_over_when_all_workers_are_gone(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked = question()
        setup.worker(never_answer)
        await setup.wait_for_places(1)
        choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, ""))
        await setup.wait_until(lambda: bool(setup.jobs.groups[0]._pending))
        crew = setup.jobs.groups[0]
        crew._receive_presence(job_queue.WorkerPresence(next(iter(crew._workers)), 0))  # as after a long silence
        assert await choosing == asked.legal[-1]

    run_with_workers(what)


def test_losing_the_broker_delays_no_one_and_workers_reconnect(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, seen = question(), list[QueuedJob]()
        worker = setup.worker(never_answer)
        await setup.wait_for_places(1)
        processes = ProcessBotPlayers(1, elsewhere=setup.jobs)
        choosing = asyncio.create_task(processes.choose(asked, ""))
        await setup.wait_until(lambda: bool(worker._running))
        setup.redis.kill()
        assert await choosing == asked.legal[-1]  # the server did it
        await setup.wait_until(lambda: worker.servers == -1)
        setup.redis.start()
        for task in worker._running:
            task.cancel()
        worker._answer = answer_with(asked.legal[0], seen)  # type: ignore[method-assign, assignment]
        await setup.wait_for_places(1)
        assert await processes.choose(asked, "") == asked.legal[0]
        assert setup.messages[-1] == "Working for 1 server process."

    run_with_workers(what)


def test_a_job_that_kills_workers_is_abandoned(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked = question()
        lost = [setup.worker(never_answer)]
        await setup.wait_for_places(1)
        choosing = asyncio.create_task(setup.jobs.ask(MODULE, asked, BotAnswer, 60))
        for _ in range(job_worker.TRIES):
            await setup.wait_until(lambda: bool(lost[-1]._running))
            lost.append(setup.worker(never_answer))
            await kill(lost[-2])
        assert await choosing is None

    run_with_workers(what)


def test_an_unwanted_job_is_skipped(run_with_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_worker, "LEASE", 20.0)  # running jobs stay with their worker, however busy this machine is

    async def what(setup: WorkerSetup) -> None:
        asked, seen = question(), list[QueuedJob]()
        busy = setup.worker(never_answer)
        await setup.wait_for_places(1)
        first, second = (asyncio.create_task(setup.jobs.ask(MODULE, asked, BotAnswer, 60)) for _ in range(2))
        await setup.wait_until(lambda: bool(busy._running) and len(setup.jobs.groups[0]._pending) == 2)
        for task in (first, second):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        gone_server = JobQueue(setup.connect(), ["known"])
        leaving = asyncio.create_task(gone_server.ask(MODULE, asked, BotAnswer, 60))
        await setup.wait_until(lambda: bool(gone_server.groups[0]._pending))
        setup.worker(answer_with(asked.legal[0], seen), places=2)
        await setup.wait_for_places(3)
        assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])
        assert [job.server for job in seen] == [setup.broker.id]
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)

    run_with_workers(what)


def test_a_new_server_learns_of_workers_at_once(run_with_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def what(setup: WorkerSetup) -> None:
        setup.worker(never_answer, places=2)
        await setup.wait_for_places(2)
        monkeypatch.setattr(job_worker, "BEAT", 1000.0)
        await setup.wait_until(lambda: setup.workers[0].servers == 1)
        late = setup.connect()
        servers = JobQueue(late, ["known"])
        following = asyncio.create_task(late.follow())
        await setup.wait_until(lambda: servers.places == 2)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)

    run_with_workers(what)


def test_a_worker_reports_its_state() -> None:
    assert state_sentence(-1) == "The broker doesn't answer. Retrying ..."
    assert state_sentence(0) == "No server answers. Waiting for one with the same key, games and bots."
    assert state_sentence(3) == "Working for 3 server processes."


def test_half_of_the_workers_may_review() -> None:
    assert [review_share(places) for places in (1, 2, 5)] == [1, 1, 2]


def test_jobs_run_on_all_places() -> None:
    async def think(turns: FairQueue, now: list[str], who: str, done: asyncio.Event) -> None:
        async with turns.turn(who):
            now.append(who)
            await done.wait()

    async def at_once() -> list[int]:
        turns, now, done, counts = FairQueue(1), list[str](), asyncio.Event(), list[int]()
        tasks = [asyncio.create_task(think(turns, now, str(who), done)) for who in range(6)]
        for places in (1, 4, 2):  # reviews in progress keep their place
            turns.set_places(places)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            counts.append(len(now))
        done.set()
        await asyncio.gather(*tasks)
        return counts

    assert asyncio.run(at_once()) == [1, 4, 4]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["work"], "No broker is set; give one with --broker redis://HOST:PORT."),
        (
            ["work", "--broker", "http://x"],
            "`broker` must be redis://HOST:PORT, or rediss:// with TLS.",
        ),
        (
            ["play", "--broker", "redis://:secret@"],
            "`broker` must be redis://HOST:PORT, or rediss://",
        ),
        (["play", "mace", "--terminal", "--broker", "redis://x"], "--broker are server options"),
    ],
)
def test_a_malformed_broker_url_gets_a_sentence(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.delenv("SPARRING_BROKER", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert told in said.replace("\n", " ")
    assert "secret" not in said
