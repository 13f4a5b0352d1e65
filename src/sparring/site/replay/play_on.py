"""Play on from a moment of a finished match, against bots."""

from sparring.bots import REPLACEMENT_PREFIX, STRENGTHS
from sparring.engine.errors import SparringError
from sparring.people.rate_limits import Requester
from sparring.store.person import Person
from sparring.tables.seating import ME, players_for
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.tables import Tables

#: The bot that takes the seats of people.
BOT = STRENGTHS[2]


async def play_on(tables: Tables, table: Table, choice: int, person: Person, requester: Requester) -> str:
    """Create a table at the position before a choice (from 0), and return its id.

    The person takes the seat that made the choice, bots take the others, each its own seat again. Cards and later
    chance are those of the match, so the table is marked. Raise a SparringError if the match has no such choice.
    """
    if not 0 <= choice < len(table.transitions):
        raise SparringError(f"This match has only {len(table.transitions)} choices.")
    actions = [transition.action for transition in table.transitions[:choice]]
    chooser = int(table.transitions[choice].before.player)
    seats = [
        ME if seat == chooser else player.bot.removeprefix(REPLACEMENT_PREFIX) or BOT
        for seat, player in enumerate(table.players)
    ]
    toml = await tables.registry.store.content(table.content) if table.content else None
    setup, start = table.match.setup, table.match.start
    created = await tables.creation.create(
        setup.game, players_for(seats, person), options=setup.options, toml=toml, seed=start.seed, requester=requester,
        settings=TableSettings(hints=True), choices=actions,
        deals=[deal for deal in start.deals if deal.after <= choice], known=True,
    )  # fmt: skip
    return created.id
