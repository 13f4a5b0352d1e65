"""People who send each request to the next process, and what they did at a table."""

import asyncio
import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

Json = dict[str, Any]

#: The answer to newcomers while the machine is too busy.
BUSY = "newcomers have to wait"


@dataclass
class Report:
    """What was done, and what went wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = [f"{count:6} {what}" for what, count in sorted(self.counts.items())]
        return "\n".join([*counts, *self.violations, f"{len(self.violations)} violations"])


@dataclass(frozen=True, eq=False)
class Step:
    """A choice of a seat; without an action, a take-back of its last choice, `agreed` or of its own."""

    seat: int
    action: int | None
    agreed: bool = False


class Table:
    """One table: what its people have sent, in this order, and what was acknowledged."""

    def __init__(self, game: str, report: Report) -> None:
        self.id, self.game, self.report = "", game, report
        self.steps: list[Step] = []
        #: The acknowledged chat lines of each person, by name.
        self.said: dict[str, list[str]] = {}
        #: The seats of people, and those among them whose only choices the table makes.
        self.seats: set[int] = set()
        self.automatic: set[int] = set()

    def count(self, what: str, times: int = 1) -> None:
        """Count something that happened."""
        self.report.counts[what] += times

    def violated(self, what: str) -> None:
        """Report a violation."""
        self.report.violations.append(f"{self.game} {self.id}: {what}")


class MatchStopped(Exception):
    """An answer is missing, which has been reported."""


class Person:
    """A browser behind the round robin."""

    def __init__(self, name: str, table: Table, ports: "itertools.cycle[int]", *, every_choice: bool = False) -> None:
        self.name, self.table, self.every_choice = name, table, every_choice
        self._ports = ports
        self.http = httpx.AsyncClient(
            cookies={"choices": "every"} if every_choice else {}, timeout=60, verify=False, trust_env=False,
            limits=httpx.Limits(keepalive_expiry=2),  # sooner than the server closes idle connections
        )  # fmt: skip

    def site(self, port: int = 0) -> str:
        """Return the address of a process, of the next one without a port."""
        return f"http://127.0.0.1:{port or next(self._ports)}"

    async def enter(self) -> None:
        """Get an identity."""
        site = self.site()
        answer = await self.http.post(f"{site}/me/name", data={"name": self.name}, headers={"Origin": site})
        if answer.status_code != 303:
            self.violated(f"got {answer.status_code} for a name")
            raise MatchStopped

    def violated(self, what: str) -> None:
        """Report a violation that this person has seen."""
        self.table.violated(f"{self.name} {what}")

    async def get(self, path: str, port: int = 0) -> Any:
        """Return what a page of the API has; raise MatchStopped if it can't be read."""
        answer = await self._ask("GET", path, None, port)
        if answer is None or answer.status_code >= 300:
            raise MatchStopped
        return answer.text if path.endswith("/record") else answer.json()

    async def post(self, path: str, body: Json, refusals: str = "") -> Json | None:
        """Return the answer to a POST to the API; None for a refusal, which must match the pattern `refusals`."""
        answer = await self._ask("POST", path, body, 0, refusals)
        if answer is None or answer.status_code >= 300:
            return None
        return answer.json()  # type: ignore[no-any-return]

    async def _ask(
        self, method: str, path: str, body: Json | None, port: int, refusals: str = ""
    ) -> httpx.Response | None:
        while True:
            site = self.site(port)
            try:
                answer = await self.http.request(method, f"{site}/api{path}", json=body, headers={"Origin": site})
            except httpx.TransportError as problem:
                self.violated(f"got no answer for {path}: {problem!r}")
                return None
            if answer.status_code != 503 or BUSY not in answer.text:
                break
            self.table.count("newcomers turned away")
            await asyncio.sleep(1)
        if answer.status_code >= 300 and not (refusals and re.search(refusals, answer.text)):
            self.violated(f"got {answer.status_code} for {path} {body or ''}: {answer.text[:200]}")
        elif answer.status_code >= 300:
            self.table.count("expected refusals")
        return answer
