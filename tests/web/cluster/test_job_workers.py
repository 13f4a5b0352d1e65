"""Remote workers: each job is done once, by another worker if one is lost, or by the server without workers."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sparring import job_worker
from sparring.cli import main
from sparring.job_worker import JobWorker
from sparring.people.fair_queue import FairQueue
from sparring.site.replay.review_process import MODULE as REVIEWS
from sparring.site.replay.review_process import ReviewRequest
from sparring.tables.workers import job_queue
from sparring.tables.workers.bot_players import MODULE, BotAnswer, BotQuestion, ProcessBotPlayers
from web.bots.questions import question
from web.cluster.in_process_workers import WorkerSetup, answer_with, never_answer, run_with_workers, with_workers

__all__ = ["run_with_workers"]  # a fixture

pytestmark = pytest.mark.postgres


@with_workers
async def test_a_worker_runs_bots_and_reviews(setup: WorkerSetup) -> None:
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
    await setup.wait_for_stored(0)


@with_workers
async def test_long_answers_arrive_whole(setup: WorkerSetup) -> None:
    async def answer(*_: Any) -> bytes:
        return msgspec.msgpack.encode({"problem": "x" * length})

    setup.worker(answer, places=8)
    await setup.wait_for_places(8)
    for length in (0, 30, 5000, 300_000):
        asking = [setup.jobs.ask(REVIEWS, ReviewRequest("{}", [1]), Long, 20) for _ in range(8)]
        assert await asyncio.gather(*asking) == 8 * [Long("x" * length)]
    length = job_queue.LONGEST
    assert await setup.jobs.ask(REVIEWS, ReviewRequest("{}", [1]), Long, 20) is None


class Long(msgspec.Struct):
    problem: str


@with_workers
async def test_another_worker_takes_over_a_killed_workers_job(setup: WorkerSetup) -> None:
    asked, seen = question(), list[bytes]()
    lost = setup.silent_worker()
    await setup.wait_for_places(1)
    choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, ""))
    await setup.wait_until_begun()
    setup.worker(answer_with(asked.legal[0], seen))
    await setup.wait_for_places(2)
    lost.kill()
    assert await choosing == asked.legal[0]
    assert len(seen) == 1


@with_workers
async def test_a_stopped_workers_job_goes_back(setup: WorkerSetup) -> None:
    asked, begun, seen, stop = question(), list[bytes](), list[bytes](), asyncio.Event()
    worker = JobWorker(setup.postgres.jobs, 1)
    worker._answer = never_answer(begun)  # type: ignore[method-assign, assignment]
    working = asyncio.create_task(worker.run(stop, setup.messages.append))
    await setup.wait_for_places(1)
    choosing = asyncio.create_task(setup.jobs.ask(MODULE, asked, BotAnswer, 60))
    await setup.wait_until(lambda: bool(begun))
    setup.worker(answer_with(asked.legal[0], seen))
    await setup.wait_for_places(2)
    stop.set()
    assert await choosing == BotAnswer(action=asked.legal[0])
    await working


def test_a_server_survives_what_workers_store(run_with_workers: Any, caplog: pytest.LogCaptureFixture) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, queue = question(), job_queue.compatibility_id()
        async with job_queue.open_queue(setup.postgres.jobs) as app:
            for args in ("{}", "[]"):
                columns = "queue_name, task_name, status, args"
                query = f"INSERT INTO procrastinate_jobs ({columns}) VALUES (%(queue)s, 'x', 'doing', %(args)s::jsonb)"
                await app.connector.execute_query_async(query, queue=queue, args=args)
            await setup.wait_until(lambda: "JobQueue.follow failed" in caplog.text)
            await app.connector.execute_query_async("DELETE FROM procrastinate_jobs")
        setup.worker(answer_with(asked.legal[0], list[bytes]()))
        await setup.wait_for_places(1)
        assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])

    run_with_workers(what)


@with_workers
async def test_a_working_worker_keeps_its_job(setup: WorkerSetup) -> None:
    asked, seen, others = question(), list[bytes](), list[bytes]()

    async def slowly(_: str, job: bytes) -> bytes:
        seen.append(job)
        await asyncio.sleep(3 * job_queue.LEASE)
        return msgspec.msgpack.encode(BotAnswer(action=asked.legal[0]))

    setup.worker(slowly)
    await setup.wait_for_places(1)
    choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, ""))
    await setup.wait_until(lambda: bool(seen))
    setup.worker(answer_with(asked.legal[-1], others))
    assert await choosing == asked.legal[0]
    assert (len(seen), others) == (1, [])


@with_workers
async def test_the_server_takes_over_when_all_workers_are_gone(setup: WorkerSetup) -> None:
    asked = question()
    lost = setup.silent_worker()
    await setup.wait_for_places(1)
    choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, ""))
    await setup.wait_until_begun()
    lost.kill()
    assert await choosing == asked.legal[-1]
    await setup.wait_for_stored(0)  # so that no one does the job for nothing later


def test_losing_the_database_delays_no_one_and_workers_reconnect(
    run_with_workers: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, begun, seen = question(), list[bytes](), list[bytes]()
        worker = setup.worker(never_answer(begun), places=2)  # the first job keeps one of them busy
        await setup.wait_for_places(2)
        processes = ProcessBotPlayers(1, elsewhere=setup.jobs)
        choosing = asyncio.create_task(processes.choose(asked, ""))
        await setup.wait_until(lambda: bool(begun))
        leaver, stop = JobWorker(setup.postgres.jobs, 1), asyncio.Event()
        ending = asyncio.create_task(leaver.run(stop, setup.messages.append))
        await setup.wait_for_places(3)
        await asyncio.to_thread(setup.postgres.kill)
        asyncio.get_running_loop().call_later(0.3, stop.set)
        assert await choosing == asked.legal[-1]  # the server did it
        await setup.wait_until(lambda: setup.messages[-1] == job_worker.AWAY)
        assert not setup.jobs.connected
        async with asyncio.timeout(20):  # stopping doesn't wait for the database
            await ending
        assert await processes.choose(asked, "") == asked.legal[-1]
        worker._answer = answer_with(asked.legal[0], seen)  # type: ignore[method-assign, assignment]
        await asyncio.to_thread(setup.postgres.start)
        await setup.wait_for_places(2)
        assert await processes.choose(asked, "") == asked.legal[0]
        await setup.wait_until(lambda: setup.messages[-1] == "Working for 1 server process.")

    run_with_workers(what)
    assert [record.getMessage() for record in caplog.records if record.name == job_queue.__name__] == [
        job_queue.AWAY,
        job_queue.BACK,
    ]


@with_workers
async def test_a_job_that_kills_workers_is_abandoned(setup: WorkerSetup) -> None:
    asked = question()
    lost = setup.silent_worker()
    await setup.wait_for_places(1)
    choosing = asyncio.create_task(setup.jobs.ask(MODULE, asked, BotAnswer, 60))
    for attempts in range(job_queue.TRIES):
        await setup.wait_until_begun(attempts)
        other = setup.silent_worker()
        await setup.wait_for_places(2)
        lost.kill()
        lost = other
        await setup.wait_for_places(1)
    assert await choosing is None
    assert await setup.stored_jobs() == []


@with_workers
async def test_an_unwanted_job_is_skipped(setup: WorkerSetup) -> None:
    asked, begun, seen = question(), list[bytes](), list[bytes]()
    setup.worker(never_answer(begun))
    await setup.wait_for_places(1)
    first = asyncio.create_task(setup.jobs.ask(MODULE, asked, BotAnswer, 60))
    await setup.wait_until(lambda: bool(begun))
    second = asyncio.create_task(setup.jobs.ask(MODULE, asked, BotAnswer, 60))
    await setup.wait_for_stored(2)
    for task in (first, second):
        task.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    setup.worker(answer_with(asked.legal[0], seen), places=2)
    await setup.wait_for_places(3)
    assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])
    assert len(seen) == 1


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
        (["work"], "No database of jobs is set; give one with --jobs postgresql://USER:PASSWORD@HOST/DATABASE."),
        (["work", "--jobs", "http://x"], "`jobs` must be written postgresql://USER:PASSWORD@HOST/DATABASE."),
        (["play", "--jobs", "postgresql://:secret@x?y=z"], "`jobs` must be written postgresql://USER"),
        (["play", "mace", "--terminal", "--jobs", "postgresql://x"], "--jobs are server options"),
    ],
)
def test_a_malformed_address_gets_a_sentence(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.delenv("SPARRING_JOBS", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert told in said.replace("\n", " ")
    assert "secret" not in said


def test_a_worker_accepts_the_broker_and_key_of_earlier_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    monkeypatch.setenv("SPARRING_WORKER_KEY", "worker-secret")
    started = list[str]()
    monkeypatch.setattr(job_worker, "work", lambda url, *_: started.append(url))
    with pytest.raises(SystemExit):
        main(["work", "--broker", "redis://x", "--jobs", "postgresql://x/y"])
    assert started == ["postgresql://x/y"]
    assert "SPARRING_WORKER_KEY is deprecated and has no effect" in capsys.readouterr().err
