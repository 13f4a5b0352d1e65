"""Load tables from their rows: replay the match, with its chat, challenge and ratings."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from sparring.engine.errors import BadContent, BadOption, BadRecord, ChoiceError, SparringError, UnknownGame
from sparring.engine.game import Game, GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.engine.messages import Text, say
from sparring.settings import Settings
from sparring.store.chat_store import ChatStore
from sparring.store.database import Database
from sparring.store.finished_matches import LineStore
from sparring.store.invitations import ChallengeStore
from sparring.store.ratings import RatingStore
from sparring.store.schema import TableRow
from sparring.tables.state.chat_log import ChatFilter, ChatLine
from sparring.tables.state.clock_record import record_from_row, record_of
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import start_of
from sparring.tables.workers.uploads import ContentUploads

from .match_history import CannotReplay, KeptMatch


class TableNotFound(SparringError):
    """The table doesn't exist."""

    status = 404


class TableLoader:
    """Loads the tables of a database."""

    def __init__(self, settings: Settings, store: Database) -> None:
        self.settings = settings
        self.store = store
        self.chat_store = ChatStore(store)
        self.ratings = RatingStore(store)
        self.challenge_store = ChallengeStore(store)
        self.contents = ContentUploads()

    async def close(self) -> None:
        """Stop the reader of content files."""
        await self.contents.close()

    async def load(self, table: str) -> Table:
        """Load a table; raise TableNotFound, or BadRecord if this server can't read it."""
        row = await self.store.load(table)
        if row is None:
            raise TableNotFound(Text("This table doesn't exist. The link may be incomplete, or the table was deleted."))
        checkpoints = await self.store.checkpoints(table)
        try:
            setup = await self._setup(_game_of(row), row)
            found = await asyncio.to_thread(_rebuild, setup, row, checkpoints, self.settings)
        except (BadRecord, UnknownGame) as problem:
            if not row.over:
                raise
            kept = await LineStore(self.store).of(TableRow, table)
            raise CannotReplay(KeptMatch.of_table(row, kept)) from problem
        if row.over:
            await self.load_rating_changes(found)
        await self.catch_up_chat(found)
        if any(player.open for player in found.players):
            await self.load_challenge(found)
        return found

    async def catch_up_chat(self, table: Table) -> None:
        """Fetch the chat lines that any process has changed since the table's chat version, and wake its viewers."""
        version, lines = await self.chat_store.lines(table.id, table.chat.chat_version)
        if table.chat.put([ChatLine.of(*each) for each in lines], version):
            table.wake()

    async def load_challenge(self, table: Table) -> None:
        """Load the challenge that the host of a table has sent to a friend, if it is open or declined."""
        sent = await self.challenge_store.of(table.host, sent=True) if table.host else []
        table.challenge = next((challenge for challenge in sent if challenge.table == table.id), None)

    async def load_rating_changes(self, table: Table) -> None:
        """Load the rating changes of a finished rated match, as far as leaderboards show them now."""
        if table.settings.rated:
            table.set_rating_changes(await self.ratings.changes(table.id))

    async def record(self, row: TableRow, muted: Mapping[str, str]) -> str:
        """Return the record of a finished match from its row; raise BadRecord if it can't be read.

        Leave out move descriptions by people in `muted`.
        """
        _, lines = await self.chat_store.lines(row.id)
        if any(line.kind == "move" for line, _ in lines):
            return record_of(await self.load(row.id), ChatFilter(muted=muted))
        return record_from_row(await self._setup(_game_of(row), row), row)

    async def _setup(self, game: Game, row: TableRow) -> GameSetup:
        """Return the rules a table was created with: its options and custom content."""
        content, options = None, msgspec.json.decode(row.options)
        toml = await self.store.content(row.content) if row.content else None
        try:
            if toml is not None:
                content = await self.contents.read(game, toml, len(row.seats), options)
            return game.stored_setup(options, content)
        except (BadOption, BadContent) as problem:
            raise BadRecord(
                Text(
                    "This server can't read the rules that this table was created with: {problem}", problem=str(problem)
                )
            ) from None


def _game_of(row: TableRow) -> Game:
    """Return the game of a table; raise BadRecord if the table was created with another version."""
    game = find_game(row.game)
    if row.game_version != game.version:
        raise BadRecord(
            say(
                "This table needs version {needed} of {game}, but this server has version {installed}.",
                needed=row.game_version,
                game=game.title,
                installed=game.version,
            )
        )
    return game


def _rebuild(setup: GameSetup, row: TableRow, checkpoints: Sequence[bytes], settings: Settings) -> Table:
    try:
        return Table.replayed(row, Match(start_of(setup, row)), checkpoints, settings.secret, settings.now)
    except ChoiceError as problem:
        raise BadRecord(Text("This table contains an illegal choice: {problem}", problem=str(problem))) from None
