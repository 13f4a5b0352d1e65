"""Minimal games: pages show no empty headings."""

import dataclasses
import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from sparring import Game, games
from web.app_server import AppServer

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Install Leduc poker without a content file."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(EXAMPLES / "leduc_poker")])
    leduc: Game = import_module("leduc_poker").GAME
    params = SimpleNamespace(Params=leduc.params.Params)
    game = dataclasses.replace(leduc, name="bare", title="Bare", folder=tmp_path, params=params)
    monkeypatch.setitem(games(), "bare", game)
    return game


def test_a_game_without_options_asks_only_for_players(server: AppServer, bare: Game) -> None:
    form = server.stranger().get("/games/bare").text
    assert ">Players<" in form
    for heading in ("Rules and variants", "Rule options", "Custom cards"):
        assert heading not in form
        assert heading in server.stranger().get("/games/hush").text


def test_a_table_without_options_lists_none(server: AppServer, bare: Game) -> None:
    anna = server.stranger()
    page = anna.page(anna.create("bare"))
    assert "Bare" in page
    assert "Rule options" not in page
    assert "Rule options" in anna.page(anna.create("hush"))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "crazy_eights", "sparring.games.tic_tac_toe"])
def test_plugin_games_are_playable_in_text_mode(server: AppServer, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(EXAMPLES / name)])
    game: Game = import_module(name).GAME
    monkeypatch.setitem(games(), game.name, game)
    table = server.table("Anna", "Ben", name=game.name, seed=2)
    asked = server.person("Anna" if server.run(server.tables.registry.get(table)).chooser == 1 else "Ben")
    page = asked.get(f"/table/{table}/text").text
    words = re.findall(r'<option value="([^"]*)">', page)
    assert len(words) == page.count('name="choice"') > 0
    posted = {"version": asked.version(table), "words": words[0]}
    assert asked.post(f"/table/{table}/text/say", data=posted).headers["location"] == f"/table/{table}/text"
    after = asked.get(f"/table/{table}/text").text
    assert re.search(r'<div id="told"[^>]*><p', after), "the choice is announced"
