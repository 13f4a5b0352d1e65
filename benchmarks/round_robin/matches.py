"""Matches at processes behind a round robin, and the checks after each."""

import asyncio
import contextlib
import itertools
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.databases import new_database
from benchmarks.load.server import ROOT, Server
from sparring.engine.match import Match

from .people import MatchStopped, Person, Report, Step, Table
from .players import Player, SharedScreen
from .streams import LATE, EventStream

#: The games of ten tables, with options that keep matches short, and the seats there.
SHORT = {"home": 1, "stall_rounds": 3}
GAMES: Sequence[tuple[str, dict[str, Any], Sequence[str]]] = [
    ("make-your-moves", {}, ("me", "open")),
    ("five-circles", {}, ("me", "open")),
    ("world-of-fighters", {}, ("me", "open")),
    ("make-your-moves", {}, ("me", "local_player:Pat", "open")),
    ("untitled-movement", SHORT, ("me", "open")),
    ("make-your-moves", {}, ("me", "random")),
    ("mace", {}, ("me", "open")),
    ("five-circles", {}, ("me", "open")),
    ("make-your-moves", {}, ("me", "open", "open")),
    ("world-of-fighters", {}, ("me", "random")),
]
#: Every third table has a clock, every fourth a spectator, and every tenth hints.
CLOCK = {"minutes": 20, "more": 10}
#: How many steps may be acknowledged in another order than that in which they were stored.
NEARLY_AT_ONCE = 3
#: How long a match may last (seconds).
LONGEST = 400.0


async def play_matches(
    server: str, matches: int, processes: int = 3, at_once: int = 8, *, seed: int = 1, tree: Path = ROOT
) -> Report:  # fmt: skip
    """Play matches at processes of a checkout, with a new database of a PostgreSQL server."""
    report, places = Report(), asyncio.Semaphore(at_once)
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        database = await stack.enter_async_context(new_database(server))
        started = Server(folder, processes, database, apart=True, tree=tree)
        stack.push_async_callback(started.stop)
        await started.start()
        before, ports = started.used(), itertools.cycle(started.ports)

        async def play(number: int) -> None:
            async with places:
                try:
                    await _Run(number, started.ports, ports, report, random.Random(f"{seed} {number}")).play()
                except MatchStopped:
                    report.counts["matches stopped"] += 1

        await asyncio.gather(*(play(number) for number in range(matches)))
        report.counts["CPU seconds of the processes"] = round(started.used() - before)
    return report


class _Run:
    """One match; its number decides what kind of table it is."""

    def __init__(
        self, number: int, ports: Sequence[int], next_port: "itertools.cycle[int]", report: Report, rng: random.Random
    ) -> None:
        game, self._options, self._seats = GAMES[number % len(GAMES)]
        self.table = Table(game, report)
        self._number, self._ports, self._rng = number, ports, rng
        names = [f"{name}{number}" for name in ("Ann", "Ben", "Cleo")[: 1 + self._seats.count("open")]]
        self._people = [Person(name, self.table, next_port, every_choice=rng.random() < 0.5) for name in names]
        self._spectator = Person(f"Spectator{number}", self.table, next_port)
        self._players: Sequence[Player] = []
        self._streams: list[EventStream] = []

    async def play(self) -> None:
        """Create the table, play, and check what is there afterwards."""
        try:
            await self._sit_down()
            await self._play()
            await self._check_pages()
            await self._check_record()
            await self._check_chat()
            if "random" not in self._seats:
                await self._check_rematch()
        finally:
            for stream in self._streams:
                stream.task.cancel()
            await asyncio.gather(*(stream.task for stream in self._streams), return_exceptions=True)
            for person in (*self._people, self._spectator):
                await person.http.aclose()

    async def _sit_down(self) -> None:
        number, (host, *others) = self._number, self._people
        settings = {**(CLOCK if number % 3 == 0 else {}), "hints": number % 10 == 0}
        for person in self._people:
            await person.enter()
        new = {"game": self.table.game, "seats": self._seats, "options": self._options, "settings": settings}
        if not (created := await host.post("/tables", new)):
            raise MatchStopped
        self.table.id = created["table"]
        taken = [[seat] for seat, value in enumerate(self._seats, 1) if value == "open"]
        for person, [seat] in zip(others, taken, strict=True):
            await person.post(f"/table/{self.table.id}/sit", {"seat": seat})
        own = [seat for seat, value in enumerate(self._seats, 1) if value.startswith(("me", "local_player"))]
        kinds = [SharedScreen if len(own) > 1 else Player, *(Player for _ in others)]
        seated = zip(kinds, self._people, [own, *taken], strict=True)
        self._players = [kind(person, seats, self._ports, self._rng) for kind, person, seats in seated]
        self._streams = [player.stream for player in self._players]
        if number % 4 == 0:
            self._streams.append(EventStream(self._spectator, self._rng))

    async def _play(self) -> None:
        for stream in self._streams:
            await stream.until(lambda stream=stream: stream.version > 0, "doesn't begin")  # type: ignore[misc]
        try:
            async with asyncio.timeout(LONGEST):
                await asyncio.gather(self._check_presence(), *(player.play() for player in self._players))
        except TimeoutError:
            self.table.violated("the match doesn't end")
            raise MatchStopped from None
        self.table.count("matches")

    async def _check_presence(self) -> None:
        """Check that each process knows soon that all players are present, wherever their streams are."""
        [person, *_] = self._people
        for number, port in enumerate(self._ports, 1):
            deadline = time.monotonic() + LATE
            while away := (await person.get(f"/table/{self.table.id}/people", port))["away"]:
                if time.monotonic() > deadline:
                    self.table.violated(f"process {number} says that seats {away} are away")
                    break
                await asyncio.sleep(0.5)

    async def _check_pages(self) -> None:
        """Check that all processes show the same page after the match, and that streams have led there."""
        for player in self._players:
            page, *others = [await player.look(port) for port in self._ports]
            if different := {key for other in others for key in page if page[key] != other[key]}:
                player.person.violated(f"got final pages that differ in {different}")
            reached = await player.stream.reach(page["version"])
            if reached and not player.stream.shared and player.stream.log != page["log"]:
                player.person.violated("has a stream with another log than the page")

    async def _check_record(self) -> None:
        """Check that all processes have the same record, with each acknowledged choice once."""
        path = f"/table/{self.table.id}/record"
        record, *others = [await person.get(path, port) for person in self._people for port in self._ports]
        if any(other != record for other in others):
            self.table.violated("its records differ")
        match = Match.from_record(record)
        for seat in self.table.seats:
            if "random" in self._seats:
                found = _choices(match, seat, forced=seat not in self.table.automatic)
                wanted = [step.action for step in self.table.steps if step.action is not None]
            else:
                found, wanted = _choices(match, seat), _choices(_replayed(self.table, record), seat)
            if wanted != found:
                self.table.violated(f"seat {seat} has the choices {found} in the record, not {wanted}")

    async def _check_chat(self) -> None:
        """Check that all processes have the same chat, with each acknowledged line once and in order."""
        path = f"/table/{self.table.id}/chat"
        chats = [(await person.get(path, port))["lines"] for person in self._people for port in self._ports]
        chat, *others = [[(line["line"], line["name"], line["text"]) for line in lines] for lines in chats]
        if any(other != chat for other in others):
            self.table.violated("its chat differs")
        if [number for number, _, _ in chat] != [*range(1, len(chat) + 1)]:
            self.table.violated("its chat lines aren't numbered from 1 on")
        for name, said in self.table.said.items():
            if (found := [text for _, who, text in chat if who == name]) != said:
                self.table.violated(f"{name} said {said}, and the chat has {found}")
        for stream in self._streams:
            has_all = lambda stream=stream: stream.lines == len(chat)  # noqa: E731
            await stream.until(has_all, f"misses some of {len(chat)} chat lines")

    async def _check_rematch(self) -> None:
        """Check that players who ask at once get one rematch, and that all processes show them there."""
        answers = await asyncio.gather(*(player.act("again", {}) for player in self._players))
        rematches = {answer["table"] for answer in answers if answer}
        if len(rematches) != 1:
            self.table.violated(f"its players got the rematches {rematches}")
        for rematch, person, port in itertools.product(rematches, self._people, self._ports):
            page = await person.get(f"/table/{rematch}", port)
            empty = [seat["seat"] for seat in page["seats"] if seat["kind"] != "person"]
            if empty or not page["mine"]:
                person.violated(f"got a page of the rematch with the seats {page['mine']}, and {empty} empty")


def _choices(match: Match, seat: int, *, forced: bool = True) -> list[int]:
    """Return the choices of a seat, with or without those that were forced."""
    own = [each for each in match.transitions() if int(each.before.player) + 1 == seat]
    return [each.action for each in own if forced or not each.forced_reason]


def _replayed(table: Table, record: str) -> Match:
    """Return the match of a record as the steps of its people make it, with the choices that the table makes."""
    match = Match.from_record(record, upto=0)
    automatic = _make_automatic_choices(match, table)
    steps = list(table.steps)
    while steps:
        step = steps.pop(_next(steps, match.seat))
        if step.action is not None:
            if match.seat == step.seat and step.action in match.legal():
                match.choose(step.action)
            elif (step.seat, step.action) in automatic:  # its player was faster than the table
                automatic.remove((step.seat, step.action))
            else:
                return match  # the record differs from here on
        elif step.agreed:
            transitions = enumerate(reversed([*match.transitions()]), 1)
            own = ((count, each) for count, each in transitions if int(each.before.player) + 1 == step.seat)
            match.back(next(count for count, each in own if not each.forced_reason))
        else:
            match.take_back(match.steps_to_take_back)
        automatic += _make_automatic_choices(match, table)
    return match


def _next(steps: Sequence[Step], seat: int | None) -> int:
    """Return the index of the next step: of two processes, the second may have acknowledged the later one first."""
    fits = (number for number, step in enumerate(steps[:NEARLY_AT_ONCE]) if step.action is None or step.seat == seat)
    return next(fits, 0)


def _make_automatic_choices(match: Match, table: Table) -> list[tuple[int, int]]:
    """Make the choices that the table makes; return them with their seats."""
    made = list[tuple[int, int]]()
    while (seat := match.seat) in table.automatic and (only := match.forced_action()) is not None:
        match.choose(only)
        made.append((seat, only))
    return made
