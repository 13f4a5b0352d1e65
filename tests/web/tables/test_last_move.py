"""The last move is marked at the table, after a restart, and in the replay; taking back restores it."""

import re

from sparring.site.replay.timeline import ReplayTimeline, steps
from web.app_server import AppServer
from web.tables.shortcut_tables import at_a_card, shortcut

NAME = "untitled-movement"


def marks(page: str) -> list[tuple[str, str]]:
    """Return the marked spaces of a page: `from` or `to`, and the place."""
    return [
        (kind, at)
        for group in re.findall(r'<g class="cell.*?</g>', page, re.DOTALL)
        for kind in re.findall(r'class="trail (\w+)"', group)
        for at in re.findall(r'data-at="([^"]+)"', group)
    ]


def started(server: AppServer) -> str:
    """Return a table where both players have placed a token."""
    table = server.table("Anna", "Ben", name=NAME)
    for who in ("Anna", "Ben"):
        server.person(who).choose(table, server.person(who).look(table)["choices"][0]["choice"])
    return table


def test_everyone_sees_the_last_token_placed_after_a_restart_too(server: AppServer) -> None:
    table = started(server)
    shown = marks(server.person("Anna").page(table))
    server.reload(table)
    assert [kind for kind, _ in shown] == ["to"]
    assert [marks(server.person(who).page(table)) for who in ("Anna", "Ben")] == [shown, shown]


def test_a_replay_marks_the_last_move_of_each_moment(server: AppServer) -> None:
    match = server.held(started(server)).match
    replayed = ReplayTimeline(match.start)
    replayed.extend(match.history)
    timeline = replayed.viewer_timeline(1)
    drawn = [marks(str(steps(timeline, at, ("Anna", "Ben"))[-1])) for at in range(3)]
    assert [len(each) for each in drawn] == [0, 1, 1]
    assert drawn[1] != drawn[2]


def test_taking_back_restores_the_mark_before(server: AppServer) -> None:
    table, seat = at_a_card(server)
    person = server.person(("Anna", "Ben")[seat - 1])
    before = marks(person.page(table))
    person.choose(table, shortcut(server, table, seat))
    moved = marks(person.page(table))
    assert [kind for kind, _ in sorted(moved)] == ["from", "to"]
    person.take_back(table)
    assert marks(person.page(table)) == before != moved
