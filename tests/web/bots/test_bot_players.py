"""Bots in separate processes: what they receive, and what happens when they die or misbehave."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sparring.app import create_app
from sparring.bots import BotFailed
from sparring.engine.game import Game, game, games
from sparring.engine.hints import ActionEstimate, Hint
from sparring.engine.match import Match
from sparring.engine.messages import StoredText
from sparring.tables.state.players import Player
from sparring.tables.workers import bot_worker, worker_pool
from sparring.tables.workers.bot_players import BotAnswer, BotQuestion, PrecompileRequest, ProcessBotPlayers
from sparring.tables.workers.bot_worker import _answer, choose, view_of
from sparring.tables.workers.worker_pool import WorkerProcess
from web.app_server import BOLT, AppServer, StartServer, settings
from web.bots.questions import question, run
from web.look_alikes import determinized_table

pytestmark = pytest.mark.server

#: A bot that thinks for three seconds.
SLOW = """
import time
from sparring.tables.workers.bot_players import BotAnswer, BotQuestion
from sparring.tables.workers.bot_worker import answer_all
def answer(question):
    time.sleep(3)
    return BotAnswer(action=7)
answer_all(BotQuestion, answer, beat=0.1)
"""


@pytest.fixture(autouse=True)
def _toy_for_processes(monkeypatch: pytest.MonkeyPatch, toy_path: str) -> None:
    monkeypatch.setenv("PYTHONPATH", toy_path)


@pytest.mark.parametrize(("bot", "name"), [("random", "hush"), ("search:level=gentle", "make-your-moves")])
def test_a_bot_answers_with_a_legal_choice(bot: str, name: str) -> None:
    asked = question(bot, name)
    assert run(lambda processes: processes.choose(asked, "")) in asked.legal


def test_a_random_bot_needs_no_process() -> None:
    async def asked(processes: ProcessBotPlayers) -> tuple[int, bool]:
        return await processes.choose(question("random"), ""), processes.pool.workers[0].running

    chosen, running = run(asked)
    assert not running
    assert chosen == choose(question("random"))  # as in other tests


def test_a_mixed_strategy_bot_does_not_wait_for_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Search is compiled first, in all games; mixed strategies afterwards, where they are offered."""
    asked: list[Any] = []

    async def ask(worker: WorkerProcess, question: msgspec.Struct, kind: Any, longest: float) -> BotAnswer:
        asked.append(question)
        return BotAnswer(action=question.legal[0]) if isinstance(question, BotQuestion) else BotAnswer()

    monkeypatch.setattr(WorkerProcess, "ask", ask)

    async def before_and_after(processes: ProcessBotPlayers) -> None:
        mixing, searching = question("mix:level=strong", "world-of-fighters"), question("search", "world-of-fighters")
        await processes.choose(mixing, "")
        await processes.warm([game("world-of-fighters"), game("make-your-moves")])
        await processes.choose(mixing, "")
        await processes.choose(searching, "")
        await processes.choose(question("mix", "make-your-moves"), "")

    run(before_and_after)
    assert [(each.game, each.code) for each in asked if isinstance(each, PrecompileRequest)] == [
        ("world-of-fighters", "search"), ("make-your-moves", "search"), ("world-of-fighters", "mix"),
    ]  # fmt: skip
    assert [each.compiled for each in asked if isinstance(each, BotQuestion)] == [False, True, True, False]


def test_a_process_that_starts_is_stopped_even_if_the_first_stop_is_cancelled() -> None:
    async def twice(processes: ProcessBotPlayers) -> None:
        (worker,) = processes.pool.workers
        asking = asyncio.ensure_future(processes.choose(question(), ""))
        while (starting := worker._starting) is None:  # noqa: ASYNC110 (no event tells of it)
            await asyncio.sleep(0)
        for _ in range(2):  # the first one stops the process, the second one cancels that
            asking.cancel()
            await asyncio.sleep(0)
        await processes.pool.stop()
        assert (await starting).returncode is not None

    run(twice)


def test_a_server_compiles_all_games_at_its_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other test servers skip that (`server_process.py`)."""
    warmed: list[str] = []

    async def warm(processes: ProcessBotPlayers, games: Sequence[Game]) -> None:
        warmed.extend(each.name for each in games)

    monkeypatch.setattr(ProcessBotPlayers, "warm", warm)

    async def begun() -> None:
        async with create_app(settings(tmp_path)).lifespan():
            await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, begun()).result()
    assert warmed == list(games())


def test_a_process_compiles_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr("sparring.bots.compile_searches", lambda game, code: made.append((game.name, list(code))))
    for ready in (True, False):  # compiled code isn't even loaded
        monkeypatch.setattr("sparring.bots.is_ready", lambda game, code, ready=ready: ready)
        assert _answer(PrecompileRequest("world-of-fighters", "mix")) == BotAnswer()
    assert made == [("world-of-fighters", ["mix"])]


def test_a_late_answer_is_not_used_for_the_next_question(caplog: pytest.LogCaptureFixture) -> None:
    async def left_alone(processes: ProcessBotPlayers) -> int:
        await processes.choose(question(), "")
        asked = asyncio.create_task(processes.choose(question(name="make-your-moves"), ""))
        for _ in range(5):
            await asyncio.sleep(0)  # the question has been sent
        time.sleep(1)  # noqa: ASYNC251 - and its answer comes, while the loop looks elsewhere
        asked.cancel()
        return await processes.choose(question(name="five-circles"), "")

    assert run(left_alone) in question(name="five-circles").legal
    assert "did not answer" not in caplog.text


def test_a_cancelled_question_leaves_no_process() -> None:
    async def stopped(processes: ProcessBotPlayers) -> int | None:
        await processes.choose(question(), "")
        process = processes.pool.workers[0]._process
        assert process
        asked = asyncio.create_task(processes.choose(question("search:level=gentle", "make-your-moves"), ""))
        for _ in range(5):
            await asyncio.sleep(0)  # the question has been sent
        asked.cancel()
        await asyncio.wait([asked])
        return process.returncode

    assert run(stopped) == -signal.SIGKILL


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_dies_or_hangs_is_replaced_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    monkeypatch.setattr(worker_pool, "SILENCE", 3.0)

    async def killed(processes: ProcessBotPlayers) -> list[int]:
        first = await processes.choose(question(), "")
        process = processes.pool.workers[0]._process
        assert process
        os.kill(process.pid, how)
        second = await processes.choose(question(), "")
        assert processes.pool.workers[0]._process is not process
        return [first, second]

    first, second = run(killed)
    assert first == second


def test_a_bot_that_fails_says_so(caplog: pytest.LogCaptureFixture) -> None:
    asked = msgspec.structs.replace(question("search:level=gentle"), state=b"")
    kinds: Any = {}

    async def fail(processes: ProcessBotPlayers) -> None:
        with pytest.raises(BotFailed, match="Gentle bot failed"):
            await processes.choose(asked, "")
        kinds.update(processes.faults.counts)

    run(fail)
    assert kinds == {"Gentle bot of hush gave no answer": 2}
    assert "Gentle bot of hush gave no answer: IndexError" in caplog.text


def test_thinking_is_no_silence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy_path: str) -> None:
    (tmp_path / "slow_bot.py").write_text(SLOW, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), toy_path]))
    monkeypatch.setattr(worker_pool, "SILENCE", 1.5)

    async def ask() -> list[Any]:
        worker = WorkerProcess("slow_bot")
        try:
            return [await worker.ask(question(), BotAnswer, 60) for _ in range(2)]
        finally:
            await worker.stop()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, ask()).result() == [BotAnswer(action=7)] * 2


def test_a_process_without_memory_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: BotQuestion) -> int:
        raise MemoryError

    monkeypatch.setattr(bot_worker, "choose", fail)
    with pytest.raises(MemoryError):
        _answer(question())


def test_a_bot_whose_compiled_code_is_lost_thinks_briefly_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = iter([False, True])
    monkeypatch.setattr("sparring.bots.is_ready", lambda *_: next(ready))
    monkeypatch.setattr(bot_worker, "_intact", set())
    seen: list[bool] = []

    def choose(question: BotQuestion) -> int:
        seen.append(question.compiled)
        return question.legal[0]

    monkeypatch.setattr(bot_worker, "choose", choose)
    asked = msgspec.structs.replace(question(), compiled=True)
    answers = [_answer(asked) for _ in range(3)]  # what was found once isn't looked for again
    assert [answer.code_lost for answer in answers] == [True, False, False]
    assert seen == [False, True, True]


def test_lost_code_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    async def ask(worker: WorkerProcess, question: msgspec.Struct, kind: Any, longest: float) -> BotAnswer:
        if isinstance(question, PrecompileRequest):
            asked.append((question.game, question.code))
            return BotAnswer()
        assert isinstance(question, BotQuestion)
        return BotAnswer(action=question.legal[0], code_lost=question.compiled)

    monkeypatch.setattr(WorkerProcess, "ask", ask)

    async def lose(processes: ProcessBotPlayers) -> tuple[int, int]:
        compiling = asyncio.create_task(processes.keep_compiled())
        await asyncio.sleep(0.1)
        before = len(asked)
        await processes.choose(question(), "")
        await asyncio.sleep(0.1)
        compiling.cancel()
        return before, len(asked)

    before, after = run(lose)
    assert after == before + 1
    assert asked[-1] == ("hush", "search")


def test_an_illegal_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker on another machine might give one."""
    asked = question()
    said = BotAnswer(action=max(asked.legal) + 1)

    async def answer(*_: Any) -> BotAnswer:
        return said

    monkeypatch.setattr(ProcessBotPlayers, "answer", answer)
    with pytest.raises(BotFailed):
        run(lambda processes: processes.choose(asked, ""))
    good = ActionEstimate(asked.legal[0], "win at once", 0.5, 0.4, 0.6, 9)
    deep = StoredText("You win.")
    for _ in range(300):
        deep = StoredText("{why}", values={"why": deep})
    for wrong in (
        Hint(asked.seat, (good, replace(good, action=said.action)), (), 9), Hint(asked.seat + 1, (good,), (), 9),
        Hint(asked.seat, (replace(good, low=float("nan")),), (), 9),
        *(Hint(asked.seat, (good,), (), 9, why=StoredText(*why)) for why in (
            ("So\nwin.",), ("x" * 501,), ("{it}",), ("{it}{it}", "", {"it": "win"}), ("{n} win", "{n} wins", {}),
            ("Then {what:inside}", "", {"what": StoredText("you {win}.")}), ("So.", "{it}", {"n": 2}),
            ("Then {what:inside}", "", {"what": "you win."}), ("{cards:or}", "", {"cards": 2}),
        )),
        Hint(asked.seat, (good,), (), 9, why=deep),
    ):  # fmt: skip
        said = BotAnswer(hint=wrong)
        assert run(lambda processes: processes.advise(asked)) is None
    said = BotAnswer(hint=Hint(asked.seat, (good,), (), 9))
    assert run(lambda processes: processes.advise(asked)) == said.hint


def test_a_process_ends_when_its_input_closes() -> None:
    async def left_alone(processes: ProcessBotPlayers) -> int:
        await processes.choose(question(), "")
        process = processes.pool.workers[0]._process
        assert process
        assert process.stdin
        process.stdin.close()
        return await process.wait()

    assert run(left_alone) == 0


def test_custom_content_reaches_the_bot() -> None:
    content = Match.new("hush").game.content_from({"values": list(range(11, 20))}, "the test")
    view = view_of(question(content=content))
    assert all(int(choice.words.split()[1]) > 10 for choice in view.choices[:3])


def test_a_bot_receives_only_what_its_seat_knows(start_server: StartServer, tmp_path_factory: Any) -> None:
    told = []
    for truth in (None, 7):
        server = start_server(database=f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('other')}/tables.sqlite3")
        table = server.held(determinized_table(server, truth))
        table.players = (table.players[0], BOLT, table.players[2])
        anna = server.person("Anna")
        anna.choose_first(table.id)
        anna.choose(table.id, "done")
        anna.look(table.id)
        told.append(server.bots.questions[0])
        server.close()
    assert told[0] == told[1]


def test_only_bots_that_need_it_receive_the_history(server: AppServer) -> None:
    players = [Player(bot="search:level=gentle", name="Bolt"), Player(bot="mix", name="Cog")]
    asked = server.bots.questions
    asked.clear()  # from other tables of this server
    table = server.table(*players, name="world-of-fighters")
    server.person("Anna").look(table)
    server.wait_until(lambda: len(asked) > 12)
    played = server.held(table).match
    again, told = Match(played.start), 0
    for each in asked[:12]:
        while again.seat != each.seat or again.view(each.seat).state.tobytes() != each.state:
            again.choose(played.history[len(again.history)])
        remembered = again.view(each.seat, memory=each.bot == "mix").memory
        memory = [(seen.state.tobytes(), seen.choice) for seen in view_of(each).memory]
        assert memory == [(seen.state.tobytes(), seen.choice) for seen in remembered]
        told += len(memory)
    assert told
