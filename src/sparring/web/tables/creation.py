"""Create tables and rematches."""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from sparring.bots import REPLACEMENT_PREFIX
from sparring.engine.game import Game
from sparring.engine.items import find_deal
from sparring.engine.match import Match
from sparring.scene.sentences import listed
from sparring.web.identity import Person
from sparring.web.random_ids import random_id
from sparring.web.security.rate_limits import RateLimits, Requester, check_stored
from sparring.web.settings import DAY
from sparring.web.storage import ListStore
from sparring.web.storage.group_commit import Work
from sparring.web.storage.schema import TableRow

from .changes import packed, packed_choices
from .commits import TableCommits
from .results.match_results import changed_options
from .results.summary import TableSummary
from .seats.players import Player, seat_rows
from .seats.seating import NotRated, TableSeating
from .table import NotAllowed, Table
from .table_settings import TableSettings

#: The server itself, for example when it creates the first table.
SERVER = Requester()


class TableCreation:
    """Create tables, within the limits on them."""

    def __init__(self, commits: TableCommits, seating: TableSeating, lists: ListStore, rate_limits: RateLimits) -> None:
        self.commits = commits
        self.registry = commits.registry
        self.settings = commits.registry.settings
        self.seating = seating
        self.lists = lists
        self.rate_limits = rate_limits

    async def create(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        options: dict[str, Any] | None = None,
        toml: str | None = None,
        seed: int | None = None,
        table: str | None = None,
        where: str = "your file",
        requester: Requester = SERVER,
        host: str = "",
        settings: TableSettings | None = None,
        begin_with: Collection[str] = (),
        choices: Sequence[int] = (),
        wrap: Callable[[Work], Work] | None = None,
    ) -> Table:
        """Create a table, write it to the database and return it.

        `toml` is a custom content file, called `where` in error messages. `host` is the person who opens the table, if
        that isn't the requester. Without a `seed`, deal until the first seat starts with one of the names in
        `begin_with`. The match continues after `choices`, which must be legal. `wrap` adds other writes to the
        transaction. Raise NotRated for a rated match that isn't fair, and TooMany beyond a limit.
        """
        seats, settings = game.check_seats(len(players)), settings or TableSettings()
        if settings.rated:
            if begin_with:
                raise NotRated("A rated match is dealt at random; you can't choose the opening cards.")
            await self.seating.check_rated(settings, players)
        opener = requester.opener(self.settings.secret)
        await self._check_rate_limits(requester, opener, toml)
        if opener and settings.public and any(sitter.open for sitter in players):
            await self._check_waiting(opener)
        content = await self.registry.contents.read(game, toml, seats, options, where) if toml else None
        box = game.box(options, content)
        match = Match.deal(box, seats, find_deal(box, seats, begin_with) if seed is None else seed)
        start = match.clone()
        if choices:
            await asyncio.to_thread(_choose_all, match, choices)
        row = TableRow(
            id=table or random_id(9),
            game=game.name,
            game_version=game.version,
            options=msgspec.json.encode(changed_options(match.box)).decode(),
            seed=match.seed,
            choices=packed_choices(match),
            versions=packed([1] * (match.seats + 1), "<i4"),
            edition=0,
            over=match.over,
            seats=seat_rows(players, rated=settings.rated),
            opener=opener,
            host=host or requester.person or None,
            terms=settings.stored,
            public=settings.public,
            asked=match.seat or 0,
            standing=TableSummary.of(match).stored,
            owner=self.registry.ownership.id,
            since=self.registry.now(),
            clocks="{}",
            ended="{}",
            spent=b"",
            hints="{}",
        )
        added = await self.registry.store.add(row, toml, wrap)
        self.rate_limits.add_stored(added, opener, requester.person, always=True)
        replayed = partial(Table.replayed, row, start, secret=self.settings.secret, clock=self.settings.now)
        created = await asyncio.to_thread(replayed) if choices else replayed()
        self.registry.register(created)
        self.registry.notifications.notify(created)
        return await self.registry.get(row.id)

    async def _check_rate_limits(self, requester: Requester, opener: str | None, toml: str | None) -> None:
        if toml:
            self.rate_limits.take("content_files", requester)
        self.rate_limits.take("tables", requester)
        if not opener:
            return
        since = time.time() - DAY
        await check_stored(
            lambda network: self.registry.store.unfinished_count(network, since),
            opener,
            self.settings.limits.tables_going_on,
            "You have too many unfinished tables. Finish a match before you create another table.",
        )

    async def _check_waiting(self, opener: str) -> None:
        """Keep one network from filling the list of open tables."""
        since = time.time() - self.settings.absent
        await check_stored(
            lambda network: self.lists.waiting_from(network, since),
            opener,
            self.settings.limits.public_waiting,
            "You already have too many public tables waiting for players. Start one of them first.",
        )

    async def rematch(self, table: Table, person: Person, requester: Requester = SERVER) -> str:
        """Return the id of the rematch; the first call creates it, with the same players moved on one seat."""
        async with self.commits.locked(table):
            if not table.seats_of(person):
                raise NotAllowed("Only players at this table can ask for a rematch.")
            if not table.shown.over:
                raise NotAllowed("You can only ask for a rematch once this match is over.")
            if table.next:
                return table.next
            players = [player_for_rematch(player) for player in (table.players[-1], *table.players[:-1])]
            toml = await self.registry.store.content(table.content) if table.content else None
            box = table.match.box
            successor = await self.create(
                box.game, players, options=box.options, toml=toml, requester=requester, host=table.host,
                settings=table.settings,
            )  # fmt: skip
            await self.commits.commit(table, replace(table.public(), next=successor.id))
            names = [table.players[seat - 1].name for seat in table.seats_of(person)]
            sentence = f"{listed(names)} {'wants' if len(names) == 1 else 'want'} a rematch."
            presence = self.registry.presence(table.id)
            presence.announce(sentence=sentence)
            away = successor.people - presence.people() - {person.id}
            await self.registry.outgoing.invite(away, listed(names), successor.id)
            return successor.id


def _choose_all(match: Match, choices: Sequence[int]) -> None:
    for action in choices:
        match.choose(action)


def player_for_rematch(player: Player) -> Player:
    """Return the player for a rematch: the bot that a stand-in replaced, or an open seat for a person who is gone."""
    return Player() if player.open else replace(player, bot=player.bot.removeprefix(REPLACEMENT_PREFIX))
