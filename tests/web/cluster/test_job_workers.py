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
from web.cluster.in_process_workers import World, forever, play, thought
from web.redis import NEEDS_REDIS, broker

__all__ = ["broker", "play"]  # fixtures

pytestmark = NEEDS_REDIS


def test_a_worker_does_bots_and_reviews(play: Any) -> None:
    async def what(world: World) -> None:
        asked = question()
        processes = ProcessBotPlayers(1, elsewhere=world.jobs)
        assert await processes.choose(asked, "") == asked.legal[-1]
        assert len(world.here) == 1  # nobody was there
        world.worker()
        await world.there(1)
        world.here.clear()
        assert await processes.choose(asked, "") == asked.legal[-1]
        (thought_about,) = [each for each in world.here if isinstance(each, BotQuestion)]
        assert thought_about == msgspec.structs.replace(asked, compiled=True)  # by the worker, whose code lies ready
        assert isinstance(await world.jobs.ask(REVIEWS, ReviewRequest("{}", [1]), BotAnswer, 5), BotAnswer)
        async with asyncio.timeout(20):
            while await world.broker.redis.xlen(job_queue.stream_name(world.circle)):  # noqa: ASYNC110 - it is elsewhere
                await asyncio.sleep(0.02)

    play(what)


def test_a_killed_workers_job_is_done_by_another(play: Any) -> None:
    async def what(world: World) -> None:
        asked, seen = question(), list[QueuedJob]()
        lost = world.worker(forever)
        await world.there(1)
        choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=world.jobs).choose(asked, ""))
        await world.until(lambda: bool(lost._running))
        await kill(lost)
        world.worker(thought(asked.legal[0], seen))
        assert await choosing == asked.legal[0]
        assert len(seen) == 1

    play(what)


async def kill(worker: JobWorker) -> None:
    """Simulate SIGKILL: the worker falls silent and finishes nothing."""
    parts = [task for task in asyncio.all_tasks() if task.get_coro().cr_frame.f_locals.get("self") is worker]  # type: ignore[union-attr]
    for task in parts:
        task.cancel()
    await asyncio.gather(*parts, return_exceptions=True)


def test_a_task_that_is_to_end_ends_though_the_connection_forgets_it(play: Any) -> None:
    async def what(world: World) -> None:
        async def forgets() -> int:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(1000)
            return 1

        asking = asyncio.create_task(world.broker.ask(forgets()))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    play(what)


def test_a_working_worker_keeps_its_lease(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_worker, "LEASE", 1.5)

    async def what(world: World) -> None:
        asked, seen, others = question(), list[QueuedJob](), list[QueuedJob]()

        async def slowly(job: QueuedJob) -> bytes:
            seen.append(job)
            await asyncio.sleep(2 * job_worker.LEASE)
            return msgspec.msgpack.encode(BotAnswer(action=asked.legal[0]))

        world.worker(slowly)
        await world.there(1)
        choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=world.jobs).choose(asked, ""))
        await world.until(lambda: bool(seen))
        world.worker(thought(asked.legal[-1], others))
        assert await choosing == asked.legal[0]
        assert (len(seen), others) == (1, [])

    play(what)


def test_the_server_takes_over_when_all_workers_are_gone(play: Any) -> None:
    async def what(world: World) -> None:
        asked = question()
        world.worker(forever)
        await world.there(1)
        choosing = asyncio.create_task(ProcessBotPlayers(1, elsewhere=world.jobs).choose(asked, ""))
        await world.until(lambda: bool(world.jobs.groups[0]._pending))
        crew = world.jobs.groups[0]
        crew._receive_presence(
            job_queue.WorkerPresence(next(iter(crew._workers)), 0)
        )  # as when it has been silent for too long
        assert await choosing == asked.legal[-1]

    play(what)


def test_when_the_broker_goes_away_nobody_waits_for_it_and_workers_come_back_with_it(play: Any) -> None:
    async def what(world: World) -> None:
        asked, seen = question(), list[QueuedJob]()
        worker = world.worker(forever)
        await world.there(1)
        processes = ProcessBotPlayers(1, elsewhere=world.jobs)
        choosing = asyncio.create_task(processes.choose(asked, ""))
        await world.until(lambda: bool(worker._running))
        world.redis.kill()
        assert await choosing == asked.legal[-1]  # it was done here
        await world.until(lambda: worker.servers == -1)
        world.redis.start()
        for task in worker._running:
            task.cancel()
        worker._answer = thought(asked.legal[0], seen)  # type: ignore[method-assign, assignment]
        await world.there(1)
        assert await processes.choose(asked, "") == asked.legal[0]
        assert world.said[-1] == "Working for 1 server process."

    play(what)


def test_a_job_that_kills_workers_is_abandoned(play: Any) -> None:
    async def what(world: World) -> None:
        asked = question()
        lost = [world.worker(forever)]
        await world.there(1)
        choosing = asyncio.create_task(world.jobs.ask(MODULE, asked, BotAnswer, 60))
        for _ in range(job_worker.TRIES):
            await world.until(lambda: bool(lost[-1]._running))
            lost.append(world.worker(forever))
            await kill(lost[-2])
        assert await choosing is None

    play(what)


def test_an_unwanted_job_is_not_done(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_worker, "LEASE", 20.0)  # what somebody is at stays with them, however busy this machine is

    async def what(world: World) -> None:
        asked, seen = question(), list[QueuedJob]()
        busy = world.worker(forever)
        await world.there(1)
        first, second = (asyncio.create_task(world.jobs.ask(MODULE, asked, BotAnswer, 60)) for _ in range(2))
        await world.until(lambda: bool(busy._running) and len(world.jobs.groups[0]._pending) == 2)
        for task in (first, second):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        gone_server = JobQueue(world.connected(), ["known"])
        leaving = asyncio.create_task(gone_server.ask(MODULE, asked, BotAnswer, 60))
        await world.until(lambda: bool(gone_server.groups[0]._pending))
        world.worker(thought(asked.legal[0], seen), places=2)
        await world.there(3)
        assert await world.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])
        assert [job.server for job in seen] == [world.broker.id]
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)

    play(what)


def test_a_new_server_learns_of_workers_at_once(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def what(world: World) -> None:
        world.worker(forever, places=2)
        await world.there(2)
        monkeypatch.setattr(job_worker, "BEAT", 1000.0)
        await world.until(lambda: world.workers[0].servers == 1)
        late = world.connected()
        servers = JobQueue(late, ["known"])
        following = asyncio.create_task(late.follow())
        await world.until(lambda: servers.places == 2)
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)

    play(what)


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
        for places in (1, 4, 2):  # who has a place keeps it
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
