"""Create tables: new ones, rematches, and those that go on from a moment of a finished match."""

import asyncio
import contextlib
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from sparring.bots import REPLACEMENT_PREFIX, STRENGTHS
from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.engine.items import find_deal
from sparring.engine.match import Match
from sparring.engine.messages import say
from sparring.engine.records import NewDeal, deal
from sparring.people.rate_limits import RateLimits, Requester, TooMany, check_stored
from sparring.scene.sentences import listed
from sparring.settings import DAY
from sparring.settings.secrets import new_id, random_id
from sparring.store.database import AlreadyCreated
from sparring.store.friends import FriendStore
from sparring.store.group_commit import Work
from sparring.store.person import Person
from sparring.store.personal_data import DEPARTED
from sparring.store.schema import TableRow
from sparring.store.table_lists import ListStore
from sparring.tables.play.commits import TableCommits
from sparring.tables.play.match_results import TableSummary, stored_options
from sparring.tables.state.changes import packed, packed_choices
from sparring.tables.state.players import Player, seat_rows
from sparring.tables.state.table import NotAllowed, Table
from sparring.tables.state.table_settings import NOT_FOR_STRANGERS, TableDeals, TableSettings

from .seating import ME, NotRated, TableSeating, check_hidden_content, players_for

#: The server itself, for example when it creates the first table.
SERVER = Requester()
#: The bot that takes the seats of people when one of them plays on from a moment of a finished match.
SUBSTITUTE = STRENGTHS[2]


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
        set_id: str | None = None,
        requester: Requester = SERVER,
        host: str = "",
        settings: TableSettings | None = None,
        begin_with: Collection[str] = (),
        choices: Sequence[int] = (),
        deals: Sequence[NewDeal] = (),
        known: bool = False,
        uploaded: bool = True,
        also: Work | None = None,
    ) -> Table:
        """Create a table, write it to the database and return it.

        `toml` is a custom content file, called `where` in error messages, and `set_id` its studio set. `host` is the
        person who opens the table, if that isn't the requester. Without a `seed`, deal until the first seat starts with
        one of the names in `begin_with`. The match continues after `choices`, which must be legal, with the new deals
        among them. `known` marks a deal that the host may know, for example by its seed; `begin_with` and `choices`
        do so, too. Content counts as an upload if it was `uploaded`. `also` is written in the same transaction. A
        repeated request gets the table of the first. Raise NotRated for a rated match that isn't fair, NotAllowed for a
        public one with a known deal, and TooMany beyond a limit.
        """
        host, table = host or requester.person, table or new_id(9, requester.once, "table", toml or "")
        if requester.once and (row := await self.registry.store.load(table)):
            if row.host == host:
                return await self.registry.get(table)
            table = random_id(9)
        seats, settings = game.check_seats(len(players)), settings or TableSettings()
        known = known or bool(begin_with or choices)
        if known and settings.rated:
            raise NotRated(say(NOT_FOR_STRANGERS))
        if known and settings.public:
            raise NotAllowed(say(NOT_FOR_STRANGERS))
        await self.seating.check_rated(settings, players)
        creator = requester.creator(self.settings.secret)
        await self.check_rate_limits(requester, creator, uploaded=uploaded and toml is not None)
        if creator and settings.public and any(sitter.open for sitter in players):
            await self._check_waiting(creator)
        content = await self.registry.loader.contents.read(game, toml, seats, options, where) if toml else None
        setup = game.setup(options, content)
        if not known:  # players of a match that is continued from a finished one have seen all cards
            check_hidden_content(setup, settings, players)
        seed = find_deal(setup, seats, begin_with) if seed is None else seed
        match = Match(deal(setup, seats, seed)._replace(deals=tuple(deals)))
        start = match.clone()
        if choices:
            await asyncio.to_thread(_choose_all, match, choices)
        row = TableRow(
            id=table,
            game=game.name,
            game_version=game.version,
            options=stored_options(match.setup),
            set_id=set_id,
            seed=match.seed,
            choices=packed_choices(match),
            versions=packed([1] * (match.seats + 1), "<i4"),
            row_version=0,
            over=match.over,
            seats=seat_rows(players, rated=settings.rated),
            creator=creator,
            host=host or None,
            settings=settings.stored,
            public=settings.public,
            turn_seat=match.seat or 0,
            standing=TableSummary.of(match).stored,
            since=self.registry.now(),
            clocks="{}",
            ended="{}",
            thinking_times=b"",
            hints="{}",
            deals=TableDeals(known=known, new=match.start.deals).stored,
        )
        try:
            added = await self.registry.store.add(row, toml, also)
        except AlreadyCreated:  # by the first click, meanwhile
            return await self.registry.get(table)
        self.rate_limits.add_stored(added, creator, requester.person, always=True)
        replayed = partial(Table.replayed, row, start, secret=self.settings.secret, clock=self.settings.now)
        created = await asyncio.to_thread(replayed) if choices else replayed()
        self.registry.register(created)
        self.registry.notifications.notify(created)
        return await self.registry.get(row.id)

    async def play_on(self, table: Table, choice: int, person: Person, requester: Requester) -> str:
        """Create a table at the position of a finished match before a choice (from 0), and return its id.

        The person takes the seat that made the choice, bots take the others, each its own seat again. Cards and later
        chance are those of the match, so the table is marked. Raise a SparringError if the match has no such choice.
        """
        if not 0 <= choice < len(table.transitions):
            raise SparringError(
                say("This match has only {n} choice.", "This match has only {n} choices.", n=len(table.transitions))
            )
        actions = [transition.action for transition in table.transitions[:choice]]
        chooser = int(table.transitions[choice].before.player)
        seats = [
            ME if seat == chooser else player.bot.removeprefix(REPLACEMENT_PREFIX) or SUBSTITUTE
            for seat, player in enumerate(table.players)
        ]
        toml = await self.registry.store.content(table.content) if table.content else None
        setup, start = table.match.setup, table.match.start
        created = await self.create(
            setup.game, players_for(seats, person), options=setup.options, toml=toml, seed=start.seed,
            requester=requester, settings=TableSettings(hints=True), choices=actions,
            deals=[deal for deal in start.deals if deal.after <= choice], known=True,
        )  # fmt: skip
        return created.id

    async def check_rate_limits(self, requester: Requester, creator: str | None, *, uploaded: bool) -> None:
        """Raise TooMany if a client creates too many tables, or has too many unfinished ones."""
        if uploaded:
            self.rate_limits.take("content_files", requester)
        self.rate_limits.take("tables", requester)
        if not creator:
            return
        since = time.time() - DAY
        await check_stored(
            lambda network: self.registry.store.unfinished_count(network, since),
            creator,
            self.settings.limits.tables_going_on,
            "You have too many unfinished tables. Finish a match before you create another table.",
        )

    async def _check_waiting(self, creator: str) -> None:
        """Keep one network from filling the list of open tables."""
        since = time.time() - self.settings.absent
        await check_stored(
            lambda network: self.lists.waiting_from(network, since),
            creator,
            self.settings.limits.public_waiting,
            "You already have too many public tables waiting for players. Start one of them first.",
        )

    async def rematch(self, table: Table, person: Person, requester: Requester = SERVER) -> str:
        """Return the id of the rematch, where everyone moves along one seat; the first call creates it.

        Players who have brought halves keep their seats, to which these belong. The person sits down there. Seats are
        kept for the others until they do so, too.
        """
        async with self.commits.locked(table):
            own = table.seats_of(person)
            if not own:
                raise NotAllowed(say("Only players at this table can ask for a rematch."))
            if not table.shown.over:
                raise NotAllowed(say("You can only ask for a rematch once this match is over."))
            rematch = table.next or await self._create_rematch(table, person, requester)
        # Also after creating: another player's click may have created it first, with this seat kept.
        with contextlib.suppress(SparringError):  # the page of the rematch says why they can't sit down
            following = await self.registry.get(rematch)
            await self.commits.retrying(following, lambda now: self._sit_again(table, own, now, person))
        return rematch

    async def _sit_again(self, table: Table, own: Sequence[int], following: Table, person: Person) -> None:
        """Take the seats of the rematch that are kept for a person with their `own` seats at a table."""
        kept = following.viewer_of(person).offered
        for seat in own:
            name, moved = table.players[seat - 1].name, (seat - 1 + _step(table)) % len(table.players) + 1
            if moved in kept and following.seats_of(person):
                await self.seating.sit_on_shared_screen(following, moved, person, name)
            elif moved in kept:
                await self.seating.sit(following, moved, replace(person, name=name))

    async def _create_rematch(self, table: Table, person: Person, requester: Requester) -> str:
        apart = await FriendStore(self.registry.store).blocked_among({*table.people, table.host, person.id})
        first = len(table.players) - _step(table)
        moved = (*table.players[first:], *table.players[:first])
        players = [_player_for_rematch(player, person, apart) for player in moved]
        toml = await self.registry.store.content(table.content) if table.content else None
        setup = table.match.setup
        host = person.id if person.id == person.responsible else table.host  # a program can't fill seats left open
        settings = table.settings if _step(table) else structs.replace(table.settings, hints=False)
        successor = await self.create(
            setup.game, players, options=setup.options, toml=toml, uploaded=False, set_id=table.set_id,
            requester=requester, host=host, settings=settings,
            table=new_id(9, self.settings.secret[:64], "rematch", table.id),
        )  # fmt: skip
        seats = table.seats_of(person)
        await self.commits.commit(table, structs.replace(table.public(), next=successor.id, seats=seats))
        names, presence = [table.players[seat - 1].name for seat in seats], self.registry.presence(table.id)
        invited = list[str]()
        kept = {player.offered for player in successor.players if player.offered}
        for other in sorted(kept - presence.people() - {person.id}):
            with contextlib.suppress(TooMany):  # they see the rematch at this table
                self.rate_limits.invite(person.responsible, other)
                invited.append(other)
        await self.registry.outgoing.invite(invited, listed(names), successor.id)
        return successor.id


def _step(table: Table) -> int:
    """Return by how many seats players move in the rematch."""
    return 0 if table.match.setup.hides_content else 1


def _choose_all(match: Match, choices: Sequence[int]) -> None:
    for action in choices:
        match.choose(action)


def _player_for_rematch(player: Player, person: Person, apart: Collection[str]) -> Player:
    """Return the player for a rematch that a person asks for.

    A bot that a stand-in replaced comes back. Seats are kept for other people, unless they are deleted or `apart`.
    """
    if player.bot or player.person == person.id:
        bot = player.bot.removeprefix(REPLACEMENT_PREFIX)
        return Player(player.person, player.name, bot, player.bot_of, player.network)
    return Player(offered="" if player.person in apart or player.person.startswith(DEPARTED) else player.person)
