"""Play matches at several processes behind a plain round robin, and check that they answer like one.

`PYTHONPATH=tests python -m benchmarks.round_robin` starts PostgreSQL and three processes. Simulated people, who know
HTTP only, send every request and open every stream at the next process. Their streams reconnect at random times. They
play, chat, take back, propose, ask for hints and hide their hands. It prints counts, and a line for each violation:

* A stream gets each version and each chat line once and in order. After a reconnect it begins with `latest`.
* A page is never older than what its viewer has seen or done before, wherever that was.
* A click that was valid for what its viewer saw is accepted, and no process answers 404 or fails.
* Once "Hide all hands" is acknowledged, no process shows a hand.
* After a match, pages, records and chat are equal at all processes, and hold what was acknowledged, once.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx

from benchmarks.databases import new_database, postgres
from benchmarks.load.server import ROOT, Server
from sparring.engine.match import Match

#: The games of ten tables, with options that keep matches short.
GAMES: Sequence[tuple[str, dict[str, Any]]] = [
    ("make-your-moves", {}), ("five-circles", {}), ("world-of-fighters", {}),
    ("untitled-movement", {"home": 1, "stall_rounds": 3}), ("make-your-moves", {}), ("mace", {}), ("five-circles", {}),
    ("world-of-fighters", {}), ("make-your-moves", {}), ("make-your-moves", {}),
]  # fmt: skip
#: The seats of ten tables.
SEATS = [("me", "open")] * 6 + [("me", "random")] * 2 + [("me", "open", "open"), ("me", "local_player:Pat", "open")]
CLOCK = {"minutes": 20, "more": 10}

#: How long a stream stays connected, how late it may be, and how long a match may last (seconds).
CONNECTED, LATE, LONGEST = (0.3, 4.0), 15.0, 400.0
#: How long after "Hide all hands" an event that was under way may arrive (seconds).
UNDER_WAY = 0.5
#: How a scene marks the seat whose hand it shows, and the seat whose turn it is.
HAND, TURN = " (you)", re.compile(r"^> *(\d+)", re.MULTILINE)
#: How likely people are to do something else before a choice.
CHAT, HINT, PROPOSE, TAKE_BACK, ASK_BACK, PEEK = 0.05, 0.2, 0.02, 0.15, 0.05, 0.3

Json = dict[str, Any]


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
        #: The acknowledged chat lines of each person.
        self.said: dict[str, list[str]] = {}
        #: The seats whose only choices the table makes, and those of people.
        self.automatic: set[int] = set()
        self.seats: set[int] = set()

    def count(self, what: str) -> None:
        self.report.counts[what] += 1

    def violated(self, what: str) -> None:
        self.report.violations.append(f"{self.game} {self.id}: {what}")


class Person:
    """A browser that sends each request to the next process."""

    def __init__(self, name: str, ports: "cycle[int]", *, every_choice: bool) -> None:
        self.name, self.every_choice, self._ports = name, every_choice, ports
        cookies = {"choices": "every"} if every_choice else {}
        self.http = httpx.AsyncClient(
            cookies=cookies, timeout=60, verify=False, limits=httpx.Limits(keepalive_expiry=2), trust_env=False
        )

    def url(self, path: str, port: int = 0) -> str:
        """Return the address of a path at a process, or at the next one."""
        return f"http://127.0.0.1:{port or next(self._ports)}{path}"

    async def enter(self) -> None:
        """Get an identity."""
        url = self.url("/me/name")
        answer = await self.http.post(url, data={"name": self.name}, headers=_origin(url))
        assert answer.status_code == 303, answer.text

    async def ask(self, table: Table, path: str, body: Json | None = None, *, port: int = 0, refusals: str = "") -> Any:
        """Return the answer to a POST, or to a GET without a body; None for a refusal, which must match `refusals`."""
        while True:
            url = self.url(f"/api{path}", port)
            try:
                headers = _origin(url)
                answer = await (self.http.get(url) if body is None else self.http.post(url, json=body, headers=headers))
            except httpx.TransportError as problem:
                table.violated(f"{self.name} got no answer: {path} {problem!r}")
                return None
            if answer.status_code == 503 and "newcomers have to wait" in answer.text:  # the whole machine is too busy
                table.count("newcomers turned away")
                await asyncio.sleep(1)
                continue
            if answer.status_code < 300:
                return answer.text if path.endswith("/record") else answer.json()
            if not refusals or not re.search(refusals, answer.text):
                table.violated(f"{self.name} got {answer.status_code} for {path} {body or ''}: {answer.text[:200]}")
            else:
                table.count("expected refusals")
            return None


def _origin(url: str) -> dict[str, str]:
    return {"Origin": url[: url.index("/", 8)]}


class EventStream:
    """A person's event stream of a table, which reconnects to the next process at random times."""

    def __init__(self, person: Person, table: Table, rng: random.Random, *, shared: bool = False) -> None:
        self.person, self.table = person, table
        self._rng, self._shared = rng, shared
        self.latest: Json = {}
        self.version = self.chat_version = self.lines = 0
        self.log: list[str] = []
        #: For a shared screen: whether the last event showed a hand, when hands were hidden, and whether an event or a
        #: new connection has come since, after which there must be none.
        self.shows_hand, self.hidden_at, self.hidden = False, 0.0, False
        self._changed, self._reconnect = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self._run())

    async def wait(self, seconds: float) -> None:
        """Wait for an event."""
        changed = self._changed
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), seconds)

    async def until(self, condition: Any, what: str) -> bool:
        """Wait until a condition is true; without it in time, report a violation and return False."""
        deadline = time.monotonic() + LATE
        while not condition():
            if time.monotonic() > deadline:
                self.table.violated(f"{self.person.name}'s stream {what} (it has version {self.version})")
                self.reconnect()
                return False
            await self.wait(1)
        return True

    async def reach(self, version: int) -> bool:
        """Wait until the stream has a version that a page has shown."""
        return self._shared or await self.until(lambda: self.version >= version, f"doesn't get version {version}")

    def reconnect(self) -> None:
        """Reconnect now."""
        self._reconnect.set()

    async def _run(self) -> None:
        while True:
            self._reconnect.clear()
            wait = asyncio.create_task(self._reconnect.wait())
            connection = asyncio.create_task(self._connect())
            tasks = {wait, connection}
            try:
                await asyncio.wait(tasks, timeout=self._rng.uniform(*CONNECTED), return_when=asyncio.FIRST_COMPLETED)
            finally:
                ended = connection.done()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            self.table.count("streams ended by a process" if ended else "reconnects")

    async def _connect(self) -> None:
        headers = {"Last-Event-ID": str(self.version)} if self.version and not self._shared else {}
        url = self.person.url(f"/api/table/{self.table.id}/events?chat={self.chat_version}")
        hidden, fresh, received = bool(self.hidden_at), True, b""
        try:
            async with self.person.http.stream("GET", url, headers=headers) as response:
                if response.status_code != 200:
                    self.table.violated(f"{self.person.name}'s stream got {response.status_code}")
                    await asyncio.sleep(0.2)
                    return
                self.hidden = self.hidden or hidden
                async for chunk in response.aiter_raw():
                    *blocks, received = (received + chunk).split(b"\r\n\r\n")
                    for block in blocks:
                        fresh = not self._receive(block.decode(), fresh) and fresh
        except httpx.TransportError as problem:
            self.table.violated(f"{self.person.name}'s stream broke: {problem!r}")

    def _receive(self, block: str, fresh: bool) -> bool:
        """Check an event; return whether it has a version. `fresh`: none has come since the stream connected."""
        lines = [line.partition(": ") for line in block.split("\r\n")]
        fields = {name: value for name, _, value in lines if name}
        kind = fields.get("event", "")
        if "data" not in fields or kind == "people":
            return False
        data = json.loads(fields["data"])
        if kind == "chat":
            self._check_chat(data)
        elif kind == "failed":
            self.table.violated(f"{self.person.name}'s stream failed: {data}")
        else:
            self._check_version(data["version"], kind, fresh)
            self._check_hand(data)
            if data["keep"] > len(self.log):
                self.table.violated(f"{self.person.name}'s log has a gap at version {data['version']}")
            self.log[data["keep"] :] = data["log"]
            self.version, self.latest = data["version"], data
            self.table.count("versions received")
        self._changed.set()
        self._changed = asyncio.Event()
        return "id" in fields

    def _check_version(self, version: int, kind: str, fresh: bool) -> None:
        if self._shared:  # each of its seats has its own numbers
            return
        resumed = fresh and kind == "latest"
        if version <= self.version or (version > self.version + 1 and not resumed):
            self.table.violated(f"{self.person.name}'s stream got version {version} after {self.version} {kind}")
        elif kind == "latest" and not fresh:
            self.table.violated(f"{self.person.name}'s stream got version {version} as `latest` without a reconnect")

    def _check_chat(self, data: Json) -> None:
        numbers = [line["line"] for line in data["lines"]]
        first = 1 if data["full"] else self.lines + 1
        if numbers != [*range(first, first + len(numbers))]:
            self.table.violated(f"{self.person.name}'s stream got chat lines {numbers}, not from {first} on")
        self.lines, self.chat_version = max([self.lines, *numbers]), data["chat_version"]
        self.table.report.counts["chat lines received"] += len(numbers)

    def _check_hand(self, data: Json) -> None:
        self.shows_hand = any(HAND in each["scene"] for each in (data, *data["beats"]))
        if not self._shared or not self.hidden_at:
            return
        late = time.monotonic() - self.hidden_at
        if not self.shows_hand:
            self.hidden = True
        elif self.hidden or late > UNDER_WAY:
            self.table.violated(f"{self.person.name}'s stream showed a hand {1000 * late:.0f} ms after it was hidden")
        else:
            self.table.count("hands under way when they were hidden")


class Player:
    """A person who plays at a table, by what a stream or a page of some process shows."""

    def __init__(self, person: Person, table: Table, ports: Sequence[int], rng: random.Random) -> None:
        self.person, self.table, self._ports, self._rng = person, table, ports, rng
        self.stream = EventStream(person, table, rng, shared=isinstance(self, SharedScreen))
        #: The version of the last acknowledged action, and whether this player waits for an answer to a proposal.
        self._acknowledged, self._asking = 0, False

    async def post(self, action: str, body: Json, refusals: str = "") -> Json | None:
        """Carry out an action; return the answer, or None if it was refused."""
        answer: Json | None = await self.person.ask(
            self.table, f"/table/{self.table.id}/{action}", body, refusals=refusals
        )
        if answer:
            self._acknowledged = max(self._acknowledged, answer.get("version", 0))
            self.table.count(f"{action}: accepted")
        return answer

    async def post_step(self, step: Step, action: str, body: Json, refusals: str = "") -> Json | None:
        """Carry out an action that changes the match.

        Steps are in the order in which they were sent: what follows a step is sent after it was carried out.
        """
        self.table.steps.append(step)
        answer = await self.post(action, body, refusals)
        if not answer:
            self.table.steps.remove(step)
        return answer

    async def look(self, port: int = 0) -> Json:
        """Return the page of the table, which must not be older than what this person has seen and done."""
        seen = self._acknowledged if isinstance(self, SharedScreen) else max(self._acknowledged, self.stream.version)
        page = await self.person.ask(self.table, f"/table/{self.table.id}", port=port)
        if page is None:
            raise MatchStopped
        if page["version"] < seen and not isinstance(self, SharedScreen):
            self.table.violated(f"{self.person.name} got a page of version {page['version']} after {seen}")
        return page  # type: ignore[no-any-return]

    async def play(self) -> None:
        """Play until the match is over."""
        while True:
            latest, by_stream = self.stream.latest, not self._asking and self._rng.random() < 0.5
            page = {} if by_stream and latest and self.stream.version >= self._acknowledged else await self.look()
            seen = page or latest
            if seen["over"]:
                return
            if await self._something_else(page):
                continue
            if seen["is_turn"] and not self._asking:
                await self._choose(seen, self._rng)
                continue
            await self.stream.reach(seen["version"])
            await self.stream.wait(0.3 if self._asking else 2)

    async def _choose(self, seen: Json, rng: random.Random) -> None:
        choices = [each["choice"] for each in seen["choices"] if not each["concedes"]]
        action = rng.choice(choices or [each["choice"] for each in seen["choices"]])
        seat = seen.get("seat") or min(self.seats)
        await self.post_step(Step(seat, action), "choose", {"version": seen["version"], "choice": action})

    @property
    def seats(self) -> Sequence[int]:
        return self._seats

    async def sit(self, seats: Sequence[int]) -> None:
        """Remember the seats of this player."""
        self._seats = seats
        self.table.seats |= {*seats}
        if not self.person.every_choice:
            self.table.automatic |= {*seats}

    async def _something_else(self, page: Json) -> bool:
        """Do something other than choosing, sometimes; return whether this was done."""
        if self._rng.random() < CHAT:
            await self._say()
        if not page:
            return False
        version, time_left, turn = page["version"], page["time"], page["is_turn"]
        if proposal := time_left["proposal"]:
            self._asking = time_left["by"] in self.seats
            return not self._asking and await self._answer(time_left["proposed"], proposal, time_left["by"])
        if time_left["paused"]:
            return self._asking and bool(await self.post("go-on", {}))
        self._asking = False
        if turn and page["may_take_back"] and self._rng.random() < TAKE_BACK:
            return bool(await self.post_step(Step(self.seats[0], None), "take-back", {"version": version}))
        if turn and page["settings"].get("hints") and not page["hint"] and self._rng.random() < HINT:
            return bool(await self.post("hint", {"version": version}))
        if len(page["seats"]) == 2 and len(self.table.seats) == 2:
            return await self._propose(turn)
        return False

    async def _propose(self, turn: bool) -> bool:
        """Propose something, sometimes: on one's turn a draw or a pause, which one waits for, else a take-back."""
        if self._rng.random() >= (PROPOSE if turn else ASK_BACK):
            return False
        what = self._rng.choice(["draw", "pause"]) if turn else "take-back"
        refusals = "is over|proposal|times, the limit|can ask to take back|before a draw|choices|paused"
        self._asking = bool(await self.post("propose", {"what": what}, refusals))
        return self._asking

    async def _answer(self, what: str, proposal: str, by: int) -> bool:
        agree = self._rng.random() < {"draw": 0.2, "pause": 0.9, "take-back": 0.7}[what]
        body, gone = {"agree": agree, "proposal": proposal}, "no longer open|can't be taken back|is over"
        if agree and what == "take-back":
            return bool(await self.post_step(Step(by, None, agreed=True), "answer", body, gone))
        return bool(await self.post("answer", body, gone))

    async def _say(self) -> None:
        said = self.table.said.setdefault(self.person.name, [])
        text = f"{self.person.name} {len(said) + 1}"
        if await self.post("chat", {"text": text}):
            said.append(text)


class SharedScreen(Player):
    """Two players at one screen, who hide their hands from each other."""

    async def play(self) -> None:
        """Play until the match is over."""
        while not (page := await self.look())["over"]:
            found = TURN.search(page["scene"])
            turn = int(found[1]) if found else 0
            if page["is_turn"]:
                await self._choose(page, self._rng)
            elif not page["seat"] and (turn in self.seats or self._rng.random() < PEEK):
                await self._show(turn if turn in self.seats else self._rng.choice(self.seats), turn)
            if self._rng.random() < PEEK:
                await self._hide()
            elif turn not in self.seats:
                await self.stream.wait(1)

    async def _show(self, seat: int, turn: int) -> None:
        self.stream.hidden_at = 0.0
        # Another player's turn may end at this moment.
        await self.post("screen", {"seat": seat}, "" if turn == seat else "only give the screen")

    async def _hide(self) -> None:
        """Hide all hands while the stream shows one; then no process may show any."""
        for _ in range(20):
            if not (await self.look())["seat"]:
                return
            if self.stream.shows_hand:
                break
            await self.stream.wait(1)
        if not await self.post("screen", {"seat": 0}):
            return
        self.stream.hidden, self.stream.hidden_at = not self.stream.shows_hand, time.monotonic()
        for port in self._ports:
            page = await self.look(port)
            if page["seat"] or HAND in page["scene"]:
                self.table.violated(f"a page of process {self._ports.index(port) + 1} shows a hand after it was hidden")
        if self._rng.random() < 0.5:
            self.stream.reconnect()
        await self.stream.until(lambda: self.stream.hidden, "doesn't hide a hand")
        await self.stream.wait(0.5)


class MatchStopped(Exception):
    """A page is missing, which has been reported."""


class Run:
    """Matches at processes behind a round robin."""

    def __init__(self, ports: Sequence[int], seed: int = 1) -> None:
        self.report = Report()
        self._ports, self._next, self._seed = ports, cycle(ports), seed

    async def play(self, matches: int, at_once: int) -> Report:
        """Play a number of matches, some at a time, and check them."""
        places = asyncio.Semaphore(at_once)

        async def play_one(number: int) -> None:
            async with places:
                await self._play_table(number)

        await asyncio.gather(*(play_one(number) for number in range(matches)))
        return self.report

    async def _play_table(self, number: int) -> None:
        """Create a table, play, and check it; the number decides which kind it is."""
        rng = random.Random(f"{self._seed} {number}")
        (game, options), seats = GAMES[number % 10], SEATS[number % 10]
        settings = {**(CLOCK if number % 3 == 0 else {}), "hints": number % 20 == 0}
        table = Table(game, self.report)
        names = [f"{name}{number}" for name in ("Ann", "Ben", "Cleo")[: 1 + seats.count("open")]]
        people = [Person(name, self._next, every_choice=rng.random() < 0.5) for name in names]
        spectator = Person(f"Spectator{number}", self._next, every_choice=False)
        players, streams = list[Player](), list[EventStream]()
        try:
            for person in people:
                await person.enter()
            body = {"game": game, "seats": seats, "options": options, "settings": settings}
            table.id = (await people[0].ask(table, "/tables", body))["table"]
            open_seats = [seat for seat, value in enumerate(seats, 1) if value == "open"]
            for person, seat in zip(people[1:], open_seats, strict=True):
                await person.ask(table, f"/table/{table.id}/sit", {"seat": seat})
            shared = any(value.startswith("local") for value in seats)
            kinds = [SharedScreen if shared else Player, Player, Player]
            taken = [[seat for seat in (1, 2) if shared or seat == 1], *([seat] for seat in open_seats)]
            for person, kind, own in zip(people, kinds, taken, strict=False):
                players.append(kind(person, table, self._ports, rng))
                await players[-1].sit(own)
            streams = [player.stream for player in players]
            if number % 4 == 0:
                streams.append(EventStream(spectator, table, rng))
            await self._play_match(table, players, streams)
            if all(each != "random" for each in seats):
                await self._check_rematch(table, players)
        except (MatchStopped, TypeError):
            self.report.counts["matches stopped"] += 1
        finally:
            for stream in streams:
                stream.task.cancel()
            await asyncio.gather(*(stream.task for stream in streams), return_exceptions=True)
            for person in (*people, spectator):
                await person.http.aclose()

    async def _play_match(self, table: Table, players: Sequence[Player], streams: Sequence[EventStream]) -> None:
        for stream in streams:
            await stream.until(lambda stream=stream: stream.version, "doesn't begin")
        try:
            async with asyncio.timeout(LONGEST):
                await asyncio.gather(self._check_presence(table, players[0]), *(player.play() for player in players))
        except TimeoutError:
            table.violated("the match doesn't end")
            raise MatchStopped from None
        table.count("matches")
        await self._check_pages(table, players)
        await self._check_record(table, players)
        await self._check_chat(table, players, streams)

    async def _check_presence(self, table: Table, player: Player) -> None:
        """Check that each process knows soon that all players are present, wherever their streams are."""
        for number, port in enumerate(self._ports, 1):
            deadline = time.monotonic() + LATE
            while away := (await player.person.ask(table, f"/table/{table.id}/people", port=port) or {}).get("away"):
                if time.monotonic() > deadline:
                    table.violated(f"process {number} says that seats {away} are away")
                    break
                await asyncio.sleep(0.5)

    async def _check_pages(self, table: Table, players: Sequence[Player]) -> None:
        """Check that all processes show the same page after the match, and that streams have led there."""
        for player in players:
            pages = [await player.look(port) for port in self._ports]
            if any(page != pages[0] for page in pages):
                different = {key for page in pages for key in page if page[key] != pages[0][key]}
                table.violated(f"{player.person.name}'s final pages differ in {different}")
            reached = await player.stream.reach(pages[0]["version"])
            if reached and not isinstance(player, SharedScreen) and player.stream.log != pages[0]["log"]:
                table.violated(f"{player.person.name}'s stream has another log than the page")

    async def _check_record(self, table: Table, players: Sequence[Player]) -> None:
        """Check that all processes have the same record, with each acknowledged choice once."""
        path = f"/table/{table.id}/record"
        records = [await player.person.ask(table, path, port=port) for player in players for port in self._ports]
        if any(record != records[0] for record in records):
            table.violated("its records differ")
        [record, *_] = records
        for seat in table.seats:
            wanted, found = expected_choices(table, record, seat), recorded_choices(table, record, seat)
            if wanted != found:
                place = next((at for at, pair in enumerate(zip(wanted, found, strict=False)) if pair[0] != pair[1]), -1)
                table.violated(
                    f"seat {seat} has {len(found)} choices in the record, not {len(wanted)}; the first difference is "
                    f"{wanted[place:][:3]}, {found[place:][:3]}"
                )

    async def _check_chat(self, table: Table, players: Sequence[Player], streams: Sequence[EventStream]) -> None:
        """Check that all processes have the same chat, with each acknowledged line once and in order."""
        chats = list[list[tuple[int, str, str]]]()
        for player in players:
            for port in self._ports:
                chat = await player.person.ask(table, f"/table/{table.id}/chat", port=port)
                chats.append([(line["line"], line["name"], line["text"]) for line in chat["lines"]])
        if any(chat != chats[0] for chat in chats):
            table.violated("its chat differs")
        if [number for number, _, _ in chats[0]] != [*range(1, len(chats[0]) + 1)]:
            table.violated("its chat lines aren't numbered from 1 on")
        for name, said in table.said.items():
            if (found := [text for _, who, text in chats[0] if who == name]) != said:
                table.violated(f"{name} said {said}, and the chat has {found}")
        for stream in streams:
            await stream.until(lambda stream=stream: stream.lines == len(chats[0]), f"misses some of {len(chats[0])} chat lines")

    async def _check_rematch(self, table: Table, players: Sequence[Player]) -> None:
        """Check that all players get the same rematch, at once, and that all processes show them there."""
        answers = await asyncio.gather(*(player.post("again", {}) for player in players))
        rematches = {answer["table"] for answer in answers if answer}
        if len(rematches) != 1:
            table.violated(f"its players got different rematches: {rematches}")
            return
        [rematch] = rematches
        for player in players:
            for number, port in enumerate(self._ports, 1):
                page = await player.person.ask(table, f"/table/{rematch}", port=port)
                empty = [seat["seat"] for seat in page["seats"] if seat["kind"] != "person"]
                if empty or not page["mine"]:
                    table.violated(f"process {number} shows {player.person.name} seats {empty} empty at the rematch")


def expected_choices(table: Table, record: str, seat: int) -> list[int]:
    """Return the choices that a seat should have by the steps of all people, with those that the table made."""
    if len(table.seats) < Match.from_record(record, upto=0).seats:  # bots choose too
        return [step.action for step in table.steps if step.seat == seat and step.action is not None]
    match = Match.from_record(record, upto=0)
    for step in table.steps:
        if step.action is not None:
            if match.over or match.seat != step.seat or step.action not in match.legal():
                break  # the record differs from here on
            match.choose(step.action)
        elif step.agreed:
            match.back(_choices_to_undo(match, step.seat))
        elif match.steps_to_take_back:
            match.take_back(match.steps_to_take_back)
        while not match.over and match.seat in table.automatic and (only := match.forced_action()) is not None:
            match.choose(only)
    return [each.action for each in match.transitions() if int(each.before.player) + 1 == seat]


def _choices_to_undo(match: Match, seat: int) -> int:
    for count, each in enumerate(reversed([*match.transitions()]), 1):
        if int(each.before.player) + 1 == seat and not each.forced_reason:
            return count
    return 0


def recorded_choices(table: Table, record: str, seat: int) -> list[int]:
    """Return the choices of a seat in a record; beside bots, without those that the table made."""
    match = Match.from_record(record)
    own = [each for each in match.transitions() if int(each.before.player) + 1 == seat]
    made = len(table.seats) < match.seats and seat in table.automatic
    return [each.action for each in own if not (made and each.forced_reason)]


async def play_matches(
    server: str, matches: int, *, processes: int = 3, at_once: int = 8, seed: int = 1, tree: Path = ROOT
) -> Report:  # fmt: skip
    """Play matches at processes with a new database of a PostgreSQL server."""
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = await stack.enter_async_context(new_database(server))
        started = Server(folder, processes, database, apart=True, tree=tree)
        stack.push_async_callback(started.stop)
        await started.start()
        before = started.used()
        report = await Run(started.ports, seed).play(matches, at_once)
        report.counts["CPU seconds of the processes"] = round(started.used() - before)
        return report


def main() -> None:
    """Play matches and print what was done and what went wrong; exit with 1 if anything did."""
    parser = argparse.ArgumentParser(prog="round_robin", description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=100, help="default: %(default)s")
    parser.add_argument("--processes", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--at-once", type=int, default=8, help="matches at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides what people do, but not when (default: %(default)s)")
    parser.add_argument("--postgres", default="", metavar="URL", help="a PostgreSQL server (default: start one)")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout whose server runs (default: this one)")
    asked = parser.parse_args()
    began = time.perf_counter()
    with postgres(asked.postgres) as server:
        report = asyncio.run(play_matches(
            server, asked.matches, processes=asked.processes, at_once=asked.at_once, seed=asked.seed,
            tree=asked.tree.resolve(),
        ))  # fmt: skip
    print(report)
    print(f"{time.perf_counter() - began:.0f} s, load average {os.getloadavg()[0]:.1f}")
    raise SystemExit(bool(report.violations))


if __name__ == "__main__":
    main()
