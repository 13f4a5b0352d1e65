"""Matches to which two players each bring their own half, and the invitations that wait for the other half."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from sparring.engine.errors import BadOption
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.messages import say
from sparring.people.rate_limits import Requester
from sparring.settings.secrets import new_id
from sparring.store.database import AlreadyCreated
from sparring.store.invitations import HalfStore, InvitationGone, end_invitation
from sparring.store.person import Person
from sparring.store.schema import HalfInvitationRow
from sparring.store.studio import NoSet, SetStore
from sparring.tables.play.match_results import stored_options
from sparring.tables.state.players import Player
from sparring.tables.state.table import NotAllowed, Table
from sparring.tables.state.table_settings import TableSettings

from .creation import TableCreation
from .seating import check_hidden_content

#: A half besides the ids of a person's own sets: that of the game's own set, or the one that the guest brings.
STANDARD, GUEST = "standard", "guest"
#: What halves are called in error messages.
ONE, BOTH = "This half", "The deck of both halves"


class TableHalves:
    """Create tables with two halves."""

    def __init__(self, creation: TableCreation, sets: SetStore, store: HalfStore) -> None:
        self.creation, self.sets, self.store = creation, sets, store
        self.registry, self.rate_limits = creation.registry, creation.rate_limits

    async def offered(self, game: Game, person: Person) -> dict[str, str]:
        """Return the names of the halves that a person can bring: their own sets by id, and the standard one."""
        if not game.has_halves:
            return {}
        own = await self.sets.of(person.id) if person.id else ()
        return {**{row.id: row.name for row in own if row.game == game.name}, STANDARD: "The standard set"}

    async def create(
        self, game: Game, players: Sequence[Player], person: Person, halves: tuple[str, str], *,
        options: dict[str, Any], requester: Requester, settings: TableSettings,
    ) -> str:  # fmt: skip
        """Create a table with two halves, or an invitation if the guest brings the second; return its page.

        A half is the id of one of the person's sets, or STANDARD.
        """
        self.rate_limits.take("content_files", requester)
        first = await self._file(game, person, halves[0])
        if halves[1] == GUEST:
            return await self._invite(game, players, person, first, options, requester, settings)
        toml = await self._merged(game, first, await self._file(game, person, halves[1]))
        table = await self.creation.create(
            game, players, options=options, toml=toml, uploaded=False, where=BOTH, requester=requester,
            settings=settings,
        )  # fmt: skip
        return f"/table/{table.id}"

    async def _invite(
        self, game: Game, players: Sequence[Player], person: Person, toml: str, options: dict[str, Any],
        requester: Requester, settings: TableSettings,
    ) -> str:  # fmt: skip
        if [player.person for player in players] != [person.id, ""] or not players[-1].open:
            raise BadOption(say("For a guest to bring the other half, take seat 1 and leave seat 2 open."))
        number = new_id(9, requester.once, "half", toml)
        if requester.once and await self.registry.store.load(number):
            return f"/table/{number}"
        content = await self._checked(game, await self._merged(game, toml, game.content_text), options)
        setup = game.setup(options, content)
        check_hidden_content(setup, settings, players)
        creator = requester.creator(self.registry.settings.secret)
        await self.creation.check_rate_limits(requester, creator, uploaded=False)
        row = HalfInvitationRow(
            id=number, game=game.name, person=person.id, name=person.name, options=stored_options(setup),
            settings=settings.stored, toml=toml, creator=creator,
        )  # fmt: skip
        try:
            await self.store.add(row)
        except AlreadyCreated:  # by the first click
            return f"/halves/{number}"
        self.rate_limits.add_stored(len(toml), creator, requester.person, always=True)
        return f"/halves/{number}"

    async def invitation(self, number: str, person: Person) -> HalfInvitationRow:
        """Return an invitation. Raise InvitationGone if it has ended, or its host has blocked the person."""
        row = await self.store.load(number)
        if row is None or row.person in person.blocked_by:
            raise InvitationGone
        return row

    async def accept(self, number: str, person: Person, half: str, requester: Requester) -> Table:
        """Create the table of an invitation with the person's half, and seat both players.

        Of two guests one is seated; the other gets InvitationGone. A second click gets the table of the first.
        """
        try:
            row = await self.invitation(number, person)
            return await self._accept(row, person, half, requester)
        except InvitationGone:
            if not await self.registry.store.load(number):
                raise
            table = await self.registry.get(number)
            if not table.seats_of(person):
                raise
            return table

    async def _accept(self, row: HalfInvitationRow, person: Person, half: str, requester: Requester) -> Table:
        if row.person == person.id:
            raise NotAllowed(say("You can't accept your own invitation. Send its link to a friend."))
        self.rate_limits.take("content_files", requester)  # before the half is read, like any upload
        game, options = find_game(row.game), msgspec.json.decode(row.options)
        toml = await self._file(game, person, half)
        await self._checked(game, await self._merged(game, game.content_text, toml), options)
        table = await self.creation.create(
            game, [Player(row.person, row.name), Player.of(person)], options=options,
            toml=await self._merged(game, row.toml, toml), table=row.id, where=BOTH, host=row.person,
            requester=requester, settings=TableSettings.read(row.settings), uploaded=False,
            also=partial(end_invitation, number=row.id),
        )  # fmt: skip
        if not table.seats_of(person):
            raise InvitationGone
        await self.registry.outgoing.invite([row.person], person.name, table.id)
        return table

    async def cancel(self, number: str, person: Person) -> None:
        """Cancel one's own invitation."""
        row = await self.invitation(number, person)
        if row.person != person.id:
            raise NotAllowed(say("Only its host can cancel an invitation."))
        await self.store.cancel(row)

    async def _file(self, game: Game, person: Person, half: str) -> str:
        """Return the file from which a person brings a half."""
        if not game.has_halves:
            raise BadOption(say("In {game}, players don't bring their own halves.", game=game.title))
        if half == STANDARD:
            return game.content_text
        row = await self.sets.load(id=half)
        version = await self.sets.version(row, row.version) if row else None
        if row is None or version is None or (row.person, row.game) != (person.id, game.name):
            raise NoSet(say("You have no such set for {game}.", game=game.title))
        return version.toml

    @staticmethod
    async def _merged(game: Game, first: str, second: str) -> str:
        return await asyncio.to_thread(game.merged, first, second)

    async def _checked(self, game: Game, toml: str, options: Mapping[str, Any]) -> Any:
        """Return the content of a person's half and the standard one; its faults name no card of anyone else."""
        return await self.registry.loader.contents.read(game, toml, 2, options, ONE)
