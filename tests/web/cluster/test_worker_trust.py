"""What a server accepts from workers on other machines, and what they learn."""

import asyncio
import base64
import contextlib
from typing import Any

import msgspec
import pytest
from psycopg import AsyncConnection
from psycopg.errors import InsufficientPrivilege

from sparring.bots import BotFailed
from sparring.job_worker import JobWorker
from sparring.tables.workers import job_queue
from sparring.tables.workers.bot_players import (
    LONGEST_WHY,
    MODULE,
    BotAnswer,
    BotQuestion,
    ProcessBotPlayers,
    one_line_reason,
)
from web.bots.questions import question
from web.cluster.in_process_workers import WorkerSetup, answer_with, run_with_workers, with_workers
from web.postgres import Postgres

__all__ = ["run_with_workers"]  # a fixture

pytestmark = pytest.mark.postgres


@with_workers
async def test_malformed_jobs_answers_and_places_are_ignored(setup: WorkerSetup) -> None:
    asked, seen = question(), list[bytes]()
    queue = job_queue.compatibility_id()
    async with contextlib.AsyncExitStack() as connections:
        for places in (10**9, "-1", "many", "2", ""):
            name = f"{job_queue.WORKER} {queue} {places}"
            await connections.enter_async_context(job_queue.presence(setup.postgres.jobs, name))
        await setup.wait_for_places(job_queue.MOST_PLACES + 2)
    setup.worker(answer_with(asked.legal[0], seen))
    await setup.wait_for_places(1)
    app = setup.jobs._app
    assert app is not None
    for payload in ("", "nonsense", "no such job", "a last 0 !", "a more"):
        await app.connector.execute_query_async("SELECT pg_notify(%(c)s, %(p)s)", c=setup.jobs.id, p=payload)
    deferrer = app.configure_task(job_queue.TASK, queue=queue)
    await deferrer.defer_async(server="x", number="n", module=MODULE, question="!")
    await deferrer.defer_async(server="x", something="else")
    await app.configure_task("os.system", queue=queue).defer_async(command="true")
    assert await setup.jobs.ask(MODULE, asked, BotAnswer, 60) == BotAnswer(action=asked.legal[0])
    assert len(seen) == 1
    unknown = await JobWorker(setup.postgres.jobs, 1)._answer("os", b"")
    assert unknown is None


@with_workers
async def test_an_answer_that_can_not_be_read_counts_as_none(setup: WorkerSetup) -> None:
    setup.silent_worker()
    await setup.wait_for_places(1)
    lists_in_lists = b"\x81\xa1x" + b"\x91" * 3000 + b"\xc0"
    for answer in ("!", base64.b64encode(lists_in_lists).decode()):
        asking = asyncio.create_task(setup.jobs.ask(MODULE, question(), BotAnswer, 60))
        await setup.wait_until(lambda: bool(setup.jobs._pending))
        (number,) = setup.jobs._pending
        assert setup.jobs._app is not None
        query = "SELECT pg_notify(%(c)s, %(p)s)"
        await setup.jobs._app.connector.execute_query_async(query, c=setup.jobs.id, p=f"{number} last 0 {answer}")
        assert await asking is None


def test_the_role_of_workers_cannot_read_the_servers_tables(postgres_server: Postgres) -> None:
    """The commands of docs/hosting.md create it."""

    async def read() -> None:
        async with await AsyncConnection.connect(postgres_server.jobs, autocommit=True) as owner:
            await owner.execute("CREATE TABLE hands (cards text)")
            await owner.execute("CREATE ROLE sparring_jobs LOGIN")
            await owner.execute("CREATE DATABASE sparring_jobs OWNER sparring_jobs")
        url = postgres_server.jobs.replace("sparring@/postgres", "sparring_jobs@/sparring_jobs")
        async with job_queue.open_queue(url) as app:
            assert await app.check_connection_async()
        async with await AsyncConnection.connect(url.replace("/sparring_jobs?", "/postgres?")) as intruder:
            with pytest.raises(InsufficientPrivilege):
                await intruder.execute("SELECT cards FROM hands")

    asyncio.run(read())


def test_a_worker_cannot_fill_the_log(run_with_workers: Any, caplog: pytest.LogCaptureFixture) -> None:
    async def what(setup: WorkerSetup) -> None:
        asked, said = question(), ["It\nWARNING all is well", "x" * (LONGEST_WHY + 1)]

        async def answer(*_: Any) -> bytes:
            return msgspec.msgpack.encode({"lost": said[0], "problem": said.pop()})

        setup.worker(answer)
        await setup.wait_for_places(1)
        with pytest.raises(BotFailed):
            await ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, "")
        assert said == []

    run_with_workers(what)
    (line,) = [record.getMessage() for record in caplog.records if record.name == "sparring.monitoring"]
    assert line.endswith("gave no answer: its process died or hung, or took too long")


def test_the_reason_for_no_choice_is_one_line() -> None:
    assert one_line_reason("Two\n\tlines\x1b[2J \u2028 here") == "Two lines [2J here"
    assert len(one_line_reason("x" * 1000)) == LONGEST_WHY


@with_workers
async def test_a_job_contains_only_the_question(setup: WorkerSetup) -> None:
    asked, jobs_seen = question(), list[bytes]()
    setup.worker(answer_with(asked.legal[0], jobs_seen))
    await setup.wait_for_places(1)
    assert await ProcessBotPlayers(1, elsewhere=setup.jobs).choose(asked, "Anna") == asked.legal[0]
    assert [msgspec.msgpack.decode(job, type=BotQuestion) for job in jobs_seen] == [asked]
    await ProcessBotPlayers(1, elsewhere=setup.jobs).advise(asked)  # a hint is one too
    hint = msgspec.msgpack.decode(jobs_seen[-1], type=BotQuestion)
    assert hint == msgspec.structs.replace(asked, advise=True)


@with_workers
async def test_command_bots_run_locally(setup: WorkerSetup) -> None:
    asked, seen = question(), list[bytes]()
    setup.worker(answer_with(asked.legal[0], seen))
    await setup.wait_for_places(1)
    processes = ProcessBotPlayers(1, ["pipe:bot"], setup.jobs)
    marked = msgspec.structs.replace(asked, bot=next(iter(processes._commands)))
    assert await processes.choose(marked, "") == asked.legal[-1]
    assert [each.bot for each in setup.local_questions if isinstance(each, BotQuestion)] == ["pipe:bot"]
    assert seen == []
