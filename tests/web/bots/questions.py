"""Questions to bots, and a process of bots that answers them."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec

from sparring.engine.match import Match
from sparring.tables.workers.bot_players import BotQuestion, ProcessBotPlayers

T = TypeVar("T")


def run(what: Callable[[ProcessBotPlayers], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine with one process, in a new thread: the browser tests' event loop runs in this one."""

    async def inside() -> T:
        processes = ProcessBotPlayers(1)
        try:
            return await what(processes)
        finally:
            await processes.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, inside()).result()


def question(bot: str = "search:iterations=1", name: str = "hush", **more: Any) -> BotQuestion:
    """Return a question to the first seat of a match; a random bot needs no process for it."""
    match = Match.new(name, seats=2, seed=3, **more)
    view = match.view(match.seat or 0)
    content = msgspec.to_builtins(match.setup.content) if match.setup.own_content else None
    return BotQuestion(
        bot=bot, game=name, options=match.setup.options, content=content, seat=view.seat, state=view.state.tobytes(),
        legal=list(view.legal), seed=1,
    )  # fmt: skip
