"""States and choices that look the same to one player."""

import numpy as np

from sparring.engine.match import Match
from sparring.engine.records import MatchStart
from sparring.tables.state.table import Table
from web.app_server import AppServer, show_choice

ANNA, BEN = 1, 2

#: The number of determinizations tried for a choice.
TRIED = 12

Houses = tuple[AppServer, AppServer]


def determinized(match: Match, seat: int, seed: int) -> Match:
    """Return a match in which what a seat doesn't know is sampled."""
    state = match.view(seat).state.copy()
    match.game.rules.determinize(match.setup.params, state, seat - 1, np.array([seed, len(match.history), 3, 4]))
    return Match(MatchStart(match.setup, state, match.seed))


def determinized_table(server: AppServer, truth: int | None) -> str:
    """Create a table of Hush with Ben on seat 2; with a `truth`, what he doesn't know is sampled with this seed."""
    table = server.table("Anna", "Ben", "Carla", seed=5, table="fixed")
    if truth is not None:
        set_match(server, table, determinized(server.held(table).match, BEN, truth))
    return table


def redetermined(match: Match, action: int) -> tuple[Match, int] | None:
    """Return a determinization from Ben's view and a choice in it that looks the same to him."""
    for seed in range(1, 1 + TRIED):
        other = determinized(match, BEN, seed)
        found = look_alike(match, other, action)
        if found is not None and other.state.tobytes() != match.state.tobytes():
            return other, found
    return None


def seen(match: Match, action: int) -> tuple[object, ...]:
    """Return all that Ben would see of a choice."""
    steps = match.preview(action)
    beats = match.beats(BEN, steps)
    views = [(beat.view.state.tobytes(), beat.view.legal, beat.view.beat, beat.lines) for beat in beats]
    return match.view_of(steps.after, BEN).state.tobytes(), *views


def look_alike(match: Match, other: Match, action: int) -> int | None:
    """Return a choice in the other state that looks the same to Ben, preferably a different one."""
    legal, sight = other.legal(), seen(match, action)
    rest = [each for each in legal if each != action] if match.seat != BEN else []
    return next((each for each in (*rest, action) if each in legal and seen(other, each) == sight), None)


def set_match(server: AppServer, table: str, match: Match) -> None:
    async def lay() -> None:
        (await server.tables.registry.get(table)).deal(match)

    server.run(lay())


def choose(server: AppServer, table: str, action: int) -> None:
    async def go_on() -> None:
        found: Table = await server.tables.registry.get(table)
        show_choice(found, action)

    server.run(go_on())
