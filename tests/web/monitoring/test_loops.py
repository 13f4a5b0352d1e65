"""Endless tasks: each fails once in a running server, which says so and goes on."""

import asyncio
import inspect
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sparring.app import create_app
from sparring.monitoring import FaultLog, Loops
from sparring.tables.workers.bot_players import BotAnswer
from web.app_server import settings

WEB = "sparring."
#: What each loop of a server calls again and again; this fails.
STEPS = {
    "Probe.run": "server.database_watch.Probe.probe",
    "Overload.follow": "monitoring.Overload.measure",
    "PresenceExchange.follow": "tables.play.other_processes.PresenceExchange.exchange",
    "SharedRateLimits.follow": "people.rate_limits.SharedRateLimits.count",
    "BanList.follow": "store.moderation.BanList.reload",
    "ChangeListener.listen": "store.change_store.NoticeStore.listen",
    "ChangeListener.follow": "tables.play.other_processes.ChangeListener.compare",
    "Tokens.follow": "people.api_tokens.Tokens.refresh",
    "SessionCache.follow": "store.ttl_cache.TtlCache.refresh",
    "ChatActions.refresh_mutes": "store.ttl_cache.TtlCache.refresh",
    "TableRegistry.evict_idle": "tables.play.registry.TableRegistry._idle",
    "Retention.follow": "store.retention.Retention.expire",
    "MatchLines.follow": "site.replay.stored_matches.MatchLines.add_missing",
    "Departures.follow": "tables.play.moderation.Departures.handle",
    "DatabaseBound.follow": "server.database_watch.DatabaseBound.check",
    "TableTimers.run": "tables.play.timers.TableTimers.load_due_times",
    "Dispatcher.run": "people.notifications.Dispatcher.send_due",
    "Lobby.record_attendance": "store.table_lists.ListStore.attend",
    "ProcessBotPlayers.keep_compiled": "tables.workers.bot_players.ProcessBotPlayers._warm",
}
#: How often loops do something: as often as possible.
PERIODS = (
    "server.database_watch.PROBE_INTERVAL", "monitoring.OFTEN", "tables.play.other_processes.OFTEN",
    "people.rate_limits.OFTEN",
    "store.moderation.OFTEN", "site.replay.stored_matches.PAUSE",
    "tables.play.other_processes.PAUSE", "tables.play.other_processes.POSTGRESQL", "people.api_tokens.OFTEN",
    "store.ttl_cache.OFTEN",
    "people.notifications.OFTEN",
    "tables.play.timers.SWEEP", "tables.play.moderation.OFTEN",
    "server.database_watch.SIZE_INTERVAL",
    "monitoring.PAUSE", "app.LONG_PAUSE",
)  # fmt: skip
SOON = 0.05


def test_every_loop_goes_on_after_an_unexpected_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls = Counter[str]()

    def failing(usual: Any) -> Any:
        """Return a function that fails when a loop calls it for the first time."""

        def fail() -> None:
            name = asyncio.current_task().get_name()  # type: ignore[union-attr]
            calls[name] += 1
            if name in STEPS and calls[name] == 1:
                raise RuntimeError(f"{name} fails")

        async def step(*args: Any, **more: Any) -> Any:
            fail()
            return await usual(*args, **more)

        def plain_step(*args: Any, **more: Any) -> Any:
            fail()
            return usual(*args, **more)

        return step if inspect.iscoroutinefunction(usual) else plain_step

    async def compiled(*_: Any) -> BotAnswer:
        return BotAnswer()

    for name in PERIODS:
        monkeypatch.setattr(WEB + name, SOON)
    for name in set(STEPS.values()):
        place, _, method = (WEB + name).rpartition(".")
        module, _, kind = place.rpartition(".")
        owner = getattr(import_module(module), kind)
        monkeypatch.setattr(owner, method, failing(getattr(owner, method)))
    monkeypatch.setattr(WEB + "store.database.Database.shared", True)  # as with PostgreSQL
    monkeypatch.setattr(WEB + "tables.workers.bot_players.WorkerProcess.ask", compiled)
    monkeypatch.setattr(WEB + "people.notifications.Dispatcher.channels", ["mail"])

    async def live() -> Loops:
        app = create_app(settings(tmp_path, patience=SOON, absent=SOON))
        async with app.lifespan(), asyncio.timeout(30):
            while min(calls[name] for name in STEPS) < 2:  # noqa: ASYNC110 - loops have no event for that
                await asyncio.sleep(SOON)
            running: Loops = app.state.loops
        return running

    failures = asyncio.run(live()).failures
    assert set(failures) == set(STEPS)
    assert min(failures.values()) > 0
    for name in STEPS:
        assert f"{name} failed and starts again: RuntimeError: {name} fails" in caplog.text


def test_a_loop_survives_what_it_waited_for_but_not_its_own_cancellation() -> None:
    rounds = list[int]()

    async def work() -> None:
        rounds.append(len(rounds))
        raise asyncio.CancelledError

    async def live() -> None:
        loops = Loops(FaultLog())
        loops.start(work, 0.01)
        while len(rounds) < 3:  # noqa: ASYNC110 - loops have no event for that
            await asyncio.sleep(0.01)
        await loops.stop()

    asyncio.run(live())
    assert len(rounds) >= 3
