"""Finished matches that the installed rules can't replay: what is left of them, and where it is shown."""

import json
import zlib
from typing import Any

import pytest
from sqlalchemy import update

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.records import with_checksum
from sparring.scene.sentences import importance_of
from sparring.site.replay.open_information import OPEN
from sparring.site.replay.timeline import ReplayTimeline
from sparring.store.finished_matches import LineStore, MatchPlace, MatchRow
from sparring.store.schema import RecordRow, TableRow
from sparring.tables.state.player_feed import sentences
from web.accounts.account_helpers import finish
from web.app_server import AppServer
from web.replay.replayed_matches import upload

GAME = "make-your-moves"


def finished_table(server: AppServer, name: str = GAME) -> str:
    """Play a match of Anna and Ben to its end; return the table."""
    table = server.table("Anna", "Ben", name=name)
    finish(server, table, server.person("Anna"), server.person("Ben"))
    return table


def keep_lines(server: AppServer, kind: MatchRow = TableRow) -> None:
    """Store the lines of what is over, as the server does once a minute."""
    server.run(server.app.state.replays.lines.add_missing(kind, MatchPlace(), 1e10))


def change(server: AppServer, kind: MatchRow, match: str, **values: Any) -> None:
    """Change what the database has of a match, as if it had been stored by another release."""
    server.run(server.tables.store.execute(update(kind).where(kind.id == match).values(values)))
    server.reload(match)


def test_the_table_and_its_replay_show_the_lines_and_the_result(server: AppServer) -> None:
    table, stranger = finished_table(server), server.stranger()
    result = server.run(server.tables.registry.get(table)).match.view(0).scene.prompt.sentence
    keep_lines(server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(vars(game(GAME)), "version", 2)
        server.reload(table)
        pages = {page: stranger.get(f"/table/{table}{page}") for page in ("", "/text", "/replay", "/replay/text")}
        others = [stranger.get(f"/table/{table}/{page}").status_code for page in ("record", "review", "rules")]
        answers = [stranger.get(f"/api/table/{table}{path}") for path in ("", "/replay")]
    for page, answer in pages.items():
        assert answer.status_code == 200, page
        assert "This match was played by version 1 of Make Your Moves Lite." in answer.text
        assert "Players: Anna, Ben. <b>" in answer.text
        assert '<li class="result">' in answer.text
        assert "Seat 1" not in answer.text
    assert others == [410, 410, 410]
    for answer in answers:
        assert answer.status_code == 410
        left = answer.json()["match"]
        assert (left["game"], left["version"], left["names"]) == (GAME, 1, ["Anna", "Ben"])
        assert left["result"] == result.replace("Seat 1", "Anna").replace("Seat 2", "Ben")
        assert left["lines"][-1] == {"kind": "result", "text": result}


def test_the_lines_are_those_of_the_open_view_without_names(server: AppServer) -> None:
    table = finished_table(server, "hush")
    keep_lines(server)
    stored = zlib.decompress(server.run(LineStore(server.tables.store).of(TableRow, table)) or b"")
    match = Match.from_record(server.stranger().get(f"/table/{table}/record").text)
    timeline = ReplayTimeline(match.start)
    timeline.extend(match.history)
    log = sentences(timeline.viewer_timeline(OPEN).log)
    assert json.loads(stored) == [{"kind": importance_of(line), "text": str(line)} for _, line in log]
    assert b"Anna" not in stored
    assert b"chooses in secret" in stored


@pytest.mark.parametrize(
    "values", [{"game": "a-game-that-is-gone"}, {"choices": b"\0\x7f"}, {"options": '{"turn_limit":-1}'}], ids=str
)
def test_a_match_is_left_too_if_its_game_is_gone_or_its_replay_fails(server: AppServer, values: Any) -> None:
    table = finished_table(server)
    keep_lines(server)
    change(server, TableRow, table, **values)
    answer = server.stranger().get(f"/table/{table}")
    assert answer.status_code == 200
    assert '<li class="result">' in answer.text


def test_a_match_whose_lines_were_not_stored_in_time_keeps_its_result(server: AppServer) -> None:
    table = finished_table(server)
    change(server, TableRow, table, game_version=0, lines=None)
    page = server.stranger().get(f"/table/{table}").text
    assert "Players: Anna, Ben. <b>" in page
    assert "weren't stored before its rules changed" in page


def test_an_unfinished_match_shows_nothing(server: AppServer) -> None:
    table = server.table("Anna", "Ben", name=GAME)
    keep_lines(server)
    change(server, TableRow, table, game_version=0)
    answer = server.person("Anna").get(f"/api/table/{table}")
    assert answer.status_code == 410
    assert answer.json() == {
        "reason": "This table needs version 0 of Make Your Moves Lite, but this server has version 1.",
        "accepted": False,
    }


def test_a_saved_match_keeps_its_lines(server: AppServer) -> None:
    table = finished_table(server)
    record = server.stranger().get(f"/table/{table}/record").text
    address = upload(server.stranger(), record).headers["location"]
    keep_lines(server, RecordRow)
    body = {key: value for key, value in json.loads(record).items() if key != "check"}
    change(server, RecordRow, address.split("/")[2], record=with_checksum({**body, "version": 0}))
    for page in (address, f"{address}/text"):
        answer = server.stranger().get(page)
        assert answer.status_code == 200
        assert "This match was played by version 0 of Make Your Moves Lite." in answer.text
        assert '<li class="result">' in answer.text
