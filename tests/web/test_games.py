"""Every installed game plays over the web, which knows none of them."""

import random

import pytest

from sparring.engine.game import game, games
from web.app_server import AppServer


@pytest.mark.parametrize("name", sorted(games()))
def test_a_match_over_http(server: AppServer, name: str) -> None:
    chosen = game(name)
    people = {f"Player {seat}": server.person(f"Player {seat}") for seat in range(1, chosen.seats[-1] + 1)}
    table = server.table(*people, name=name)
    dice = random.Random(1)
    for _ in range(20):
        seen = {who: person.look(table) for who, person in people.items()}
        asked = [who for who, look in seen.items() if look["asked"]]
        if seen["Player 1"]["over"]:
            break
        assert len(asked) == 1
        kept = [choice["choice"] for choice in seen[asked[0]]["choices"] if choice["choice"] not in chosen.conceding]
        page = people[asked[0]].page(table)
        for choice in seen[asked[0]]["choices"]:
            assert page.count(f'name="choice" value="{choice["choice"]}"') == 1
        assert people[asked[0]].choose(table, dice.choice(kept), seen[asked[0]]["version"]).status_code == 200
    assert server.stranger().page(table)


@pytest.mark.parametrize("name", sorted(games()))
def test_each_game_has_its_pages(server: AppServer, name: str) -> None:
    stranger = server.stranger()
    for path in ("", "/rules", "/positions", "/theme.css"):
        assert stranger.get(f"/games/{name}{path}").status_code == 200
    picture = stranger.get(f"/games/{name}/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
