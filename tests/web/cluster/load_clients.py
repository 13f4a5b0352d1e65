"""Clients that keep playing while processes are killed, and check afterwards that acknowledged choices were stored."""

import asyncio
import contextlib
import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.store.database import Database
from sparring.tables.state.changes import SavedChoices

#: The opponent: a bot that searches, because its processes are killed too, and a random bot needs none.
OPPONENT = "search:level=first-match"

#: How long a client retries before a server counts as gone (seconds).
PATIENCE = 60.0


@dataclass
class PlayedTable:
    """What one client did at one table, and whether it was acknowledged."""

    table: str
    choices: list[tuple[int, bool]] = field(default_factory=list)


class LoadClient:
    """A client that plays one table after the other against a simple bot."""

    def __init__(self, url: str, number: int) -> None:
        self.http = httpx.AsyncClient(
            base_url=url, headers={"Origin": url}, cookies={"choices": "every"}, timeout=5, verify=False
        )
        self.chance = random.Random(number)
        self.name = f"Person {number}"
        self.played: list[PlayedTable] = []
        #: When choices were acknowledged.
        self.times = [time.monotonic()]

    async def play(self, until: asyncio.Event) -> None:
        """Play until the event is set."""
        while not until.is_set():
            await self._open()
            while not until.is_set() and await self._choose(self.played[-1]):  # noqa: ASYNC110 - people think
                await asyncio.sleep(self.chance.uniform(0.02, 0.08))
        await self.http.aclose()

    def recovery_time(self, since: float) -> float:
        """Return how long it took after a moment until a choice was acknowledged again."""
        return next((then for then in self.times if then >= since), math.inf) - since

    async def _ask(self, method: str, path: str, **more: object) -> httpx.Response | None:
        """Return a response; None if there was none, so that the outcome is unknown."""
        with contextlib.suppress(httpx.TransportError):
            response = await self.http.request(method, path, **more)  # type: ignore[arg-type]
            if response.status_code < 500:
                return response
        assert time.monotonic() - self.times[-1] < PATIENCE, "the server doesn't respond any more"
        await asyncio.sleep(0.05)
        return None

    async def _open(self) -> None:
        form = {"name": self.name, "seat1": "me", "seat2": OPPONENT}
        while (response := await self._ask("POST", "/games/make-your-moves", data=form)) is None:
            pass
        self.played.append(PlayedTable(response.headers["location"].rpartition("/")[2]))

    async def _choose(self, played: PlayedTable) -> bool:
        """Make a choice if one is asked; return False when the match is over."""
        while (look := await self._ask("GET", f"/api/table/{played.table}")) is None:
            pass
        seen = look.raise_for_status().json()
        if seen["is_turn"]:
            choice = self.chance.choice(seen["choices"])["choice"]
            body = {"version": seen["version"], "choice": choice}
            response = await self._ask("POST", f"/api/table/{played.table}/choose", json=body)
            if response is None or response.status_code == 200:
                played.choices.append((choice, response is not None))
            if response is not None:
                self.times.append(time.monotonic())
        return not seen["over"]


async def verify_stored(database: str, people: Sequence[LoadClient]) -> Counter[str]:
    """Compare what clients remember with what is stored; return the number of choices of each kind."""
    store, found = Database(database), Counter[str]()
    try:
        for played in (played for client in people for played in client.played):
            row = await store.load(played.table)
            assert row is not None, f"table {played.table} is gone"
            match = Match.deal(game(row.game).setup({}), len(row.seats), row.seed)
            mine = list[int]()
            for action in SavedChoices.read(row.choices).actions:
                if match.seat == 1:
                    mine.append(action)
                match.choose(action)
            # A choice with unknown outcome may or may not be among the stored ones.
            places = {0}
            for choice, acknowledged in played.choices:
                found["acknowledged" if acknowledged else "unknown"] += 1
                told = {place + 1 for place in places if place < len(mine) and mine[place] == choice}
                places = told if acknowledged else told | places
                assert places, f"choice {choice} at table {played.table} was acknowledged and is lost"
            assert len(mine) in places, f"table {played.table} has a choice that no client made, or one twice"
            found["stored"] += len(mine)
    finally:
        await store.close()
    return found
