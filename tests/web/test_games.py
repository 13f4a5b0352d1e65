"""Every installed game plays over the web, which knows none of them."""

import random
import re

import pytest

from sparring.engine.game import game, games
from sparring.site.pages.game_pictures import table_art
from web.app_server import AppServer


@pytest.mark.parametrize("name", sorted(games()))
def test_a_match_over_http(server: AppServer, name: str) -> None:
    chosen = game(name)
    people = {f"Player {seat}": server.person(f"Player {seat}") for seat in range(1, chosen.seats[-1] + 1)}
    table = server.table(*people, name=name)
    dice = random.Random(1)
    for _ in range(20):
        seen = {who: person.look(table) for who, person in people.items()}
        if seen["Player 1"]["over"]:
            break
        [asked] = [who for who, look in seen.items() if look["is_turn"]]
        kept = [choice["choice"] for choice in seen[asked]["choices"] if choice["choice"] not in chosen.conceding]
        page = people[asked].page(table)
        for choice in seen[asked]["choices"]:
            assert page.count(f'name="choice" value="{choice["choice"]}"') == 1
        assert people[asked].choose(table, dice.choice(kept), seen[asked]["version"]).status_code == 200
    assert server.stranger().page(table)


@pytest.mark.parametrize("name", sorted(games()))
def test_each_game_has_a_table_of_its_own_in_light_files(server: AppServer, name: str) -> None:
    """Its pictures are SVG, and a page can load them: none is in the text of a style sheet."""
    files, neutral = table_art(game(name)), table_art(game("hush"))
    assert files["surface.css"] != neutral["surface.css"]
    assert f".game-{name}" in files["surface.css"]
    assert "data:" not in "".join(files.values())
    assert set(re.findall(r'url\("(.+?)"\)', files["surface.css"])) == set(files) - {"surface.css"}
    for file, text in files.items():
        assert len(text) < 30_000
        answer = server.stranger().get(f"/games/{name}/table_art/{file}")
        assert answer.text == text
        assert answer.headers["content-type"].startswith("text/css" if file == "surface.css" else "image/svg+xml")


def test_a_game_without_a_surface_has_the_neutral_table(server: AppServer) -> None:
    stranger, table = server.stranger(), server.table("Anna", "Ben")
    assert "/games/hush/table_art/surface.css" in stranger.get(f"/table/{table}?watch=true").text
    assert ".scene" in stranger.get("/games/hush/table_art/surface.css").text
    for missing in ("crowd.svg", "..%2Ftheme.css", "surface.py"):
        assert stranger.get(f"/games/hush/table_art/{missing}").status_code == 404


@pytest.mark.parametrize("name", sorted(games()))
def test_each_game_has_its_pages(server: AppServer, name: str) -> None:
    stranger = server.stranger()
    for path in ("", "/rules", "/positions", "/theme.css", "/table_art/surface.css"):
        assert stranger.get(f"/games/{name}{path}").status_code == 200
    picture = stranger.get(f"/games/{name}/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
