"""What is shown of the last action: marks of the last move, also after a restart and in replays; the last exchange."""

import random
import re

import pytest

from sparring.engine.game import game
from sparring.site.replay.timeline import ReplayTimeline, steps
from sparring.site.table_parts.table_html import exchange
from sparring.tables.state.players import Player
from web.app_server import AppServer, show_choice
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


@pytest.mark.parametrize("name", ["five-circles", "world-of-fighters"])
def test_a_step_with_an_exchange_of_its_own_hides_the_one_before(server: AppServer, name: str) -> None:
    """Such as the second blow of a round and the second lane: the one before would contradict it."""
    shown = [seen for seed in range(1, 7) for seen in server.run(shown_exchanges(server, name, seed))]
    own = [is_shown for is_shown, decides in shown if decides]
    assert len(own) > 5
    assert not any(own)


async def shown_exchanges(server: AppServer, name: str, seed: int) -> list[tuple[bool, bool]]:
    """Play a match; return for each step whether the exchange before is shown, and whether the step has its own."""
    people = [Player("Anna", "Anna"), Player("Ben", "Ben")]
    made = await server.tables.creation.create(game(name), people, options={}, seed=seed)
    dice, found = random.Random(seed), list[tuple[bool, bool]]()
    for _ in range(300):
        if made.match.over:
            break
        version = made.feed(1).version
        kept = [each for each in made.match.legal() if each not in made.match.game.conceding]
        show_choice(made, dice.choice(kept))
        feed = made.feed(1)
        news = feed.after(version)
        for number, beat in enumerate(news.beats if news else ()):
            last = exchange(feed, news, number) if news and beat.view.beat else None
            if last:
                found.append((not last.earlier, beat.view.scene.exchange is not None))
    return found
