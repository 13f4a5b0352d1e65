"""Tables where what one player doesn't know is determinized."""

import numpy as np

from sparring.engine.game import game
from sparring.tables.state.players import Player
from web.app_server import AppServer


def create_table(server: AppServer, name: str, seats: int, truth: int | None, **options: str) -> str:
    """Create a table with Ben on seat 2; `truth` is the seed of a determinization of what he doesn't know."""
    players = [Player(who, who) for who in ("Anna", "Ben", "Carla")[:seats]]
    table = server.run(server.tables.creation.create(game(name), players, options=options, seed=5, table="fixed"))
    if truth is not None:
        server.run(_change(table, truth))
    return table.id


async def _change(table: object, truth: int) -> None:
    match = table.match  # type: ignore[attr-defined]
    state = match.view(2).state.copy()
    g = np.array([truth, 2, 3, 4])
    match.game.rules.determinize(match.box.kit, state, 1, g)
    match.state = state
    table.deal(match)  # type: ignore[attr-defined]
