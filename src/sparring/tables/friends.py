"""Friends of people with accounts: requests, blocks, who is online, and challenges to a match.

What must hold:

* A request gives the same answer whether or not an account has that name, and whether or not its owner has blocked the
  sender. So requests can't be used to find names, or to learn about a block.
* Only friends see who is online, and anyone can hide it.
* All state is in the database, so that every process of a server answers alike. Open pages ask for news.
"""

import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from sparring.engine.errors import BadRecord, SparringError
from sparring.engine.game import Game
from sparring.engine.messages import Text, say
from sparring.people.accounts import Accounts, fold_name
from sparring.people.identity import read_name
from sparring.people.rate_limits import Requester
from sparring.settings.secrets import random_id
from sparring.store.friends import FriendLine, FriendStore
from sparring.store.invitations import ChallengeLine, ChallengeStore, ChallengeWaiting, add_challenge
from sparring.store.person import Person
from sparring.store.ratings import RatedVariant
from sparring.store.schema import AccountRow
from sparring.tables.play.loading import TableNotFound
from sparring.tables.play.match_results import variant_name
from sparring.tables.state.players import Player
from sparring.tables.state.table import NotAllowed, Table
from sparring.tables.state.table_settings import TableSettings

from .tables import Tables

#: How long (seconds) a person counts as online after a page of theirs last polled, and how often that is stored.
ONLINE, WRITTEN_EVERY = 180, 60
#: How many people's last writes are cached.
REMEMBERED = 10_000

#: The table settings of a challenge that names none.
USUAL = TableSettings()

#: What a person can do with an entry of their list, besides accepting it.
CHANGES: dict[str, Callable[[FriendStore, str, str], Awaitable[str | None]]] = {
    "decline": FriendStore.decline, "remove": FriendStore.remove, "block": FriendStore.block,
}  # fmt: skip


class NoAccount(SparringError):
    """Only people with an account can do this."""

    status = 403


@dataclass(frozen=True)
class FriendNews:
    """What an open page shows: challenges received, own challenges declined, and friend requests received."""

    challenges: list[ChallengeLine]
    declined: list[ChallengeLine]
    requests: list[FriendLine]


class Friends:
    """The friends of everyone on a server."""

    def __init__(self, store: FriendStore, challenges: ChallengeStore, accounts: Accounts, tables: Tables) -> None:
        self.store, self.challenges, self.accounts, self.tables = store, challenges, accounts.store, tables
        self.sessions = accounts.sessions
        self.rate_limits, self.limits = tables.rate_limits, tables.settings.limits
        self._written: dict[str, float] = {}

    async def of(self, person: Person) -> list[FriendLine]:
        """Return a person's friends, requests and blocks; none without an account."""
        return await self.store.of(person.id) if person.id else []

    async def check_account(self, person: Person) -> None:
        """Raise NoAccount unless a person has an account."""
        if not person.has_account and not (person.id and await self.accounts.load(person=person.id)):
            raise NoAccount(say("Guests can't have friends. Create an account first, at /me."))

    async def ask(self, person: Person, name: str, requester: Requester) -> None:
        """Send a friend request to the account with a sign-in name, if there is one."""
        await self.check_account(person)
        name = read_name(name)
        self.rate_limits.take("friend_requests", requester)
        account = await self.accounts.load(folded=fold_name(name))
        if account is not None and account.person == person.id:
            raise NotAllowed(say("That is your own name. Enter a friend's."))
        await self._ask(person, account, name)

    async def ask_player(self, person: Person, table: Table, seat: int, requester: Requester) -> None:
        """Send a friend request to a player at the same table. Guests and bots never answer."""
        await self.check_account(person)
        if not table.seats_of(person) or not 1 <= seat <= len(table.players) or seat in table.seats_of(person):
            raise NotAllowed(say("You can only add other players at your table."))
        self.rate_limits.take("friend_requests", requester)
        player = table.players[seat - 1]
        account = await self.accounts.load(person=player.person) if player.person else None
        await self._ask(person, account, read_name(player.name))

    async def _ask(self, person: Person, account: AccountRow | None, name: str) -> None:
        folded = fold_name(name)
        self.rate_limits.invite(person.id, account.person if account else folded)
        await self.store.ask(
            person.id, account.person if account else None, name, lambda other: fold_name(other) == folded,
            self.limits.friends_each,
        )  # fmt: skip

    async def change(self, person: Person, number: str, what: str) -> None:
        """Accept or decline a request, or remove or block a person in the list. The other person isn't told.

        Blocked people see tables that this person hosts or plays at as full, and are muted for this person.
        Removing also withdraws a request of one's own, and unblocks.
        """
        await self.check_account(person)
        if what == "accept":
            await self.store.accept(person.id, number, self.limits.friends_each)
        elif what in CHANGES:
            if other := await CHANGES[what](self.store, person.id, number):
                self.sessions.forget(other)
                self.tables.chat.drop_cached_mutes(person)
        else:
            raise NotAllowed(f"{what} must be one of accept, {', '.join(CHANGES)}.")

    async def hide(self, person: Person, requester: Requester, *, hidden: bool) -> None:
        """Set whether a person hides from their friends that they are online."""
        await self.check_account(person)
        self.rate_limits.take("preferences", requester)
        await self.store.hide(person.id, hidden=hidden)

    async def challenge(
        self, person: Person, number: str, game: Game, requester: Requester, settings: TableSettings = USUAL
    ) -> str:
        """Challenge a friend to a game with its recommended rules; return the table that waits for them.

        A second challenge with the same game and settings returns the same table; such a challenge of the friend is
        accepted.
        """
        await self.check_account(person)
        other, name = await self.store.friend(person.id, number)
        if table := await self.challenges.table_waiting(person.id, other, game.name, settings.stored):
            return await self._join(person, table)
        self.rate_limits.take("challenges", requester)
        self.rate_limits.invite(person.id, other)
        players = [Player.of(person), *[Player()] * (min(game.seats) - 1)]
        table = random_id(9)
        invitation = self.tables.registry.outgoing.invitation([other], person.name, table)
        try:
            created = await self.tables.creation.create(
                game, players, options=dict(game.preset(game.recommended)), requester=requester, table=table,
                settings=settings,
                also=partial(
                    add_challenge, person=person.id, other=other, game=game.name, settings=settings.stored, table=table,
                    invitation=invitation,
                ),
            )  # fmt: skip
            await self.tables.registry.loader.load_challenge(created)
        except ChallengeWaiting as first:  # a double click, another process, or the friend at the same moment
            return await self._join(person, first.table)
        self.tables.registry.presence(table).announce(sentence=Text("{who} will see your challenge.", who=name))
        return table

    async def _join(self, person: Person, table: str) -> str:
        """Accept the challenge that waits at a table if it is the friend's; return the table."""
        theirs = [each for each in await self.challenges.of(person.id) if each.table == table]
        return await self.accept_challenge(person, theirs[0].id) if theirs else table

    async def accept_challenge(self, person: Person, number: str) -> str:
        """Take a seat at the table of a challenge; return the table."""
        await self.check_account(person)
        challenge = next((each for each in await self.challenges.of(person.id) if each.id == number), None)
        if challenge is None:
            raise NotAllowed(say("This challenge is no longer open."))

        async def sit(table: Table) -> None:
            if not table.seats_of(person):
                seats = [seat for seat, player in enumerate(table.players, 1) if player.open]
                if not seats:
                    raise NotAllowed(say("This challenge is no longer open."))
                await self.tables.seating.sit(table, seats[0], person)

        table = await self.tables.registry.get(challenge.table)
        await self.tables.commits.retrying(table, sit)
        await self.challenges.delete(number)
        return table.id

    async def end_challenge(self, person: Person, number: str) -> None:
        """Decline a challenge, or withdraw one's own. The table stays, with an open seat, and tells its host."""
        await self.check_account(person)
        known = [*await self.challenges.of(person.id), *await self.challenges.of(person.id, sent=True)]
        table = None
        if challenge := next((each for each in known if each.id == number), None):
            with contextlib.suppress(BadRecord, TableNotFound):  # a challenge can end even if its table can't be read
                table = await self.tables.registry.get(challenge.table)
        await self.challenges.end(person.id, number)
        if table:

            async def tell(now: Table) -> None:
                await self.tables.registry.loader.load_challenge(now)
                seats = [seat for seat, player in enumerate(now.players, 1) if player.person == now.host]
                async with self.tables.commits.locked(now):
                    change = now.private(seats[0]) if seats else now.unseen()
                    await self.tables.commits.commit(now, replace(change, challenge=True))

            await self.tables.commits.retrying(table, tell)

    async def news(self, person: Person) -> FriendNews:
        """Return what a person's open pages show, and record that they are online."""
        now = time.monotonic()
        if now - self._written.get(person.id, -WRITTEN_EVERY) >= WRITTEN_EVERY:
            await self.store.saw(person.id)
            if len(self._written) >= REMEMBERED:
                self._written.clear()
            self._written[person.id] = now
        asked, challenged = await self.store.waiting(person.id)
        requests = [line for line in await self.store.of(person.id) if line.state == "incoming"] if asked else []
        if not challenged:
            return FriendNews([], [], requests)
        sent = await self.challenges.of(person.id, sent=True)
        return FriendNews(await self.challenges.of(person.id), [line for line in sent if line.declined], requests)


def terms_of(challenge: ChallengeLine) -> str:
    """Return what a challenged person agrees to, in words: the rules, the clock, and whether the match is rated."""
    settings = TableSettings.read(challenge.settings)
    rules = variant_name(RatedVariant("", challenge.game, challenge.options))
    return f"Rules: {rules}; {settings.clock_text or 'no clock'}; {'rated' if settings.rated else 'not rated'}."


def is_online(line: FriendLine) -> bool:
    """Return whether a friend has a page open now."""
    return abs(time.time() - line.seen) < ONLINE
