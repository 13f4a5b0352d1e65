"""Replays of an unfinished match leak nothing: in two states that a seat can't tell apart it gets the same bytes."""

import random

import pytest

from sparring import games
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.tables.state.player_feed import PlayerFeed
from sparring.tables.state.players import Player
from web.app_server import AppServer
from web.look_alikes import BEN, Houses, choose, look_alike, redetermined, set_match

pytestmark = pytest.mark.server


#: The number of choices compared, and the number of them between determinizations.
COMPARED, IN_A_ROW = 3, 3


def responses(server: AppServer, table: str) -> list[bytes]:
    """Return all that Ben is sent: the last and an earlier moment as page, text and answers, with their beats."""
    ben, asked = server.person("Ben"), ("/text?at=1&to=hand", "/text?to=seats", "/text?to=table")
    answers = [
        ben.get(f"/table/{table}/replay{more}")
        for more in ("", "?at=1", "/moments?at=0", "/text", "/text?at=1", *asked)
    ]
    answers.append(ben.get(f"/api/table/{table}/replay?at=0&many=4"))
    return [f"{response.status_code} {response.headers.raw}".encode() + response.content for response in answers]


def create_table(server: AppServer, table: str, match: Match) -> None:
    """Create a table with a match from a position."""
    set_match(server, table, Match.from_position(match.position()))


@pytest.mark.parametrize("name", list(games()))
def test_hidden_information_does_not_change_a_replay(servers: Houses, name: str) -> None:
    players = [Player(who, who) for who in ("Anna", "Ben")]
    for server in servers:
        server.run(server.tables.creation.create(game(name), players, seed=5, table=name))
    compared = 0
    for seed in range(30):
        if compared >= COMPARED:
            break
        compared += compare(servers, name, seed)
    assert compared >= COMPARED


def compare(servers: Houses, name: str, seed: int) -> int:
    """Continue a match in two states for as long as Ben sees the same; return the number of compared choices."""
    match, dice = Match.new(name, seats=2, seed=seed), random.Random(seed)

    def chance() -> int:
        return dice.choice([each for each in match.legal() if each not in match.game.conceding])

    for _ in range(dice.randrange(12)):
        if not match.over:
            match.choose(chance())
    if match.over or (found := redetermined(match, action := chance())) is None:
        return 0
    other = found[0]
    same: int | None = found[1]
    match, other = (Match.from_position(each.position()) for each in (match, other))
    for server, truth in zip(servers, (match, other), strict=True):
        create_table(server, name, truth)
    compared = 0
    while same is not None and match.preview(action).after.over == 0 and compared < IN_A_ROW:
        for server, truth, each in zip(servers, (match, other), (action, same), strict=True):
            choose(server, name, each)
            truth.choose(each)
        assert responses(servers[0], name) == responses(servers[1], name), (seed, compared)
        compared += 1
        action = chance()
        same = look_alike(match, other, action)
    assert PlayerFeed(BEN, match).seen == 0
    return compared
