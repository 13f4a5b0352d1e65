"""What a server accepts from workers on other machines, and what they learn."""

import asyncio
from typing import Any

import msgspec
import pytest

from sparring.web.bots.bot_players import (
    LONGEST_WHY,
    MODULE,
    BotAnswer,
    BotQuestion,
    ProcessBotPlayers,
    one_line_reason,
)
from sparring.web.cluster import job_queue
from sparring.web.cluster.broker import KeyChannel
from sparring.web.cluster.job_queue import QueuedJob
from sparring.web.cluster.job_worker import JobWorker
from web.bots.test_bot_players import question
from web.cluster.in_process_workers import WorkerSetup, answer_with, run_with_workers
from web.redis import NEEDS_REDIS, broker

__all__ = ["broker", "run_with_workers"]  # fixtures

pytestmark = NEEDS_REDIS


def test_workers_need_a_key(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, seen = question(), list[QueuedJob]()
        setup.worker(answer_with(asked.legal[0], seen))
        await setup.wait_for_places(1)
        row, redis = job_queue.stream_name(setup.channel), setup.broker.redis
        other = KeyChannel(setup.broker, "another key")
        forged = QueuedJob("n", setup.broker.id, MODULE, msgspec.msgpack.encode(asked))
        await redis.xadd(row, {"job": other.seal.seal(row, forged)})
        await redis.xadd(row, {"job": b"nonsense"})
        await redis.xadd(row, {"something": b"else"})
        await redis.publish(job_queue.answers(setup.channel, setup.broker.id), b"nonsense")
        assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])
        assert len(seen) == 1
        unknown = await JobWorker(KeyChannel(setup.connect(), "known"), 1)._answer(QueuedJob("n", "s", "os", b""))
        assert unknown is None

    run_with_workers(what)


def test_workers_with_an_older_key_work_while_it_is_accepted(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, old, new = question(), list[QueuedJob](), list[QueuedJob]()
        setup.worker(answer_with(asked.legal[0], old), key="older")
        await setup.wait_for_places(1)
        assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])
        setup.worker(answer_with(asked.legal[-1], new), places=3)
        await setup.wait_for_places(4)
        assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(
            action=asked.legal[-1]
        )  # more of them are free
        assert (len(old), len(new)) == (1, 1)
        setup.worker(answer_with(asked.legal[0], old), key="forgotten")
        await setup.wait_until(lambda: "No server answers" in "".join(setup.messages))
        assert setup.jobs.places == 4

    run_with_workers(what)


def test_places_and_workers_are_limited(run_with_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_queue, "MOST_WORKERS", 2)

    async def what(setup: WorkerSetup) -> None:
        for name, places in (("a", 10**9), ("b" * 65, 1), ("c", -1), ("d", 1), ("e", 2), ("f", 4)):
            await setup.channel.publish(job_queue.presence(setup.channel), job_queue.WorkerPresence(name, places))
        await setup.wait_for_places(3)
        await setup.channel.publish(
            job_queue.presence(setup.channel), job_queue.WorkerPresence("d", 0)
        )  # one worker leaves, another connects
        await setup.channel.publish(job_queue.presence(setup.channel), job_queue.WorkerPresence("f", 4))
        await setup.wait_for_places(6)

    run_with_workers(what)


def test_the_job_queue_is_limited(run_with_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_queue, "MOST_WAITING", 100)

    async def what(setup: WorkerSetup) -> None:
        row, redis = job_queue.stream_name(setup.channel), setup.broker.redis
        for _ in range(400):
            await redis.xadd(row, {"job": b"of another server"})
        asked = asyncio.create_task(setup.jobs.ask(MODULE, question(), BotAnswer, 60))
        async with asyncio.timeout(20):
            while await redis.xlen(row) > 200:  # noqa: ASYNC110 - Redis lets go of whole hundreds
                await asyncio.sleep(0.02)
        newest: Any = await redis.xrevrange(row, count=1)
        assert newest[0][1][b"job"] != b"of another server"
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)

    run_with_workers(what)


def test_a_worker_cannot_fill_the_log(run_with_workers: Any, caplog: pytest.LogCaptureFixture) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, said = question(), ["It\nWARNING all is well", "x" * (LONGEST_WHY + 1)]

        async def answer(_: QueuedJob) -> bytes:
            return msgspec.msgpack.encode({"lost": said[0], "problem": said.pop()})

        setup.worker(answer)
        await setup.wait_for_places(1)
        assert await ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, "") in asked.legal
        assert said == []

    run_with_workers(what)
    assert {record.getMessage() for record in caplog.records if record.name.endswith("players")} == {
        f"Bot {question().bot} didn't answer: its process died"
    }


def test_the_reason_for_no_choice_is_one_line() -> None:
    assert one_line_reason("Two\n\tlines\x1b[2J \u2028 here") == "Two lines [2J here"
    assert len(one_line_reason("x" * 1000)) == LONGEST_WHY


def test_a_job_contains_only_the_question(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, jobs_seen = question(), list[QueuedJob]()
        setup.worker(answer_with(asked.legal[0], jobs_seen))
        await setup.wait_for_places(1)
        assert await ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, "Anna") == asked.legal[0]
        (job,) = jobs_seen
        assert msgspec.msgpack.decode(job.question, type=BotQuestion) == asked
        assert (job.module, job.server) == (MODULE, setup.broker.id)
        await ProcessBotPlayers(1, elsewhere=setup.jobs).advise(asked, "Anna")  # a hint is one too
        hint = msgspec.msgpack.decode(jobs_seen[-1].question, type=BotQuestion)
        assert hint == msgspec.structs.replace(asked, advise=True)

    run_with_workers(what)


def test_command_bots_run_locally(run_with_workers: Any) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, seen = question(), list[QueuedJob]()
        setup.worker(answer_with(asked.legal[0], seen))
        await setup.wait_for_places(1)
        processes = ProcessBotPlayers(1, ["pipe:bot"], setup.jobs)
        marked = msgspec.structs.replace(asked, bot=next(iter(processes._commands)))
        assert await processes.choose(marked, "") == asked.legal[-1]
        assert [each.bot for each in setup.local_questions if isinstance(each, BotQuestion)] == ["pipe:bot"]
        assert seen == []

    run_with_workers(what)
