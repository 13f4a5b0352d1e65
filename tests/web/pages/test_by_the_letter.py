"""The presets by the letter have the same name, summary and options in the browser, the API and the terminal."""

from html import unescape
from typing import Any

import pytest

from cli.command_line import run
from sparring.engine.game import DOCUMENT, Game, games
from web.app_server import AppServer

SEATS = {"name": "Anna", "seat1": "me", "seat2": "random"}


@pytest.mark.parametrize("game", [game for game in games().values() if game.document_word], ids=lambda game: game.name)
def test_a_preset_by_the_letter_is_reachable_everywhere(
    server: AppServer, monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    preset, wanted = game.presets[DOCUMENT], game.setup(game.preset(DOCUMENT)).options
    anna = server.program("Anna")

    def options_of(table: str) -> Any:
        return server.run(server.tables.registry.get(table)).match.setup.options

    page = unescape(anna.get(f"/games/{game.name}").text)
    assert f'name="preset" value="{DOCUMENT}"' in page
    assert preset.summary in page
    table = anna.post(f"/games/{game.name}", data={**SEATS, "preset": DOCUMENT}).headers["location"]
    assert options_of(table.removeprefix("/table/")) == wanted
    assert "This match: " not in anna.get(table).text, "it doesn't depart from the document"

    variants = {each["name"]: each for each in anna.get(f"/api/games/{game.name}").json()["variants"]}
    assert (variants[DOCUMENT]["summary"], variants[DOCUMENT]["options"]) == (preset.summary, wanted)
    asked = {"game": game.name, "seats": ["me", "random"]}
    assert options_of(anna.post("/api/tables", json={**asked, "preset": DOCUMENT}).json()["table"]) == wanted
    for standard in ({}, {"preset": "standard"}):
        assert options_of(anna.post("/api/tables", json={**asked, **standard}).json()["table"]) == game.setup().options

    assert f'--preset "{DOCUMENT}"  {preset.summary}' in run("games")
    played: list[Any] = []
    monkeypatch.setattr("sparring.cli.play.play_in_terminal", lambda *chosen, **_: played.append(chosen[2]))
    run("play", game.name, "--terminal", "--preset", DOCUMENT)
    assert played == [dict(preset.options)]
