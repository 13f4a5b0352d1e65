"""Sets: created, changed, undone, shared, downloaded; private; in two windows; played with."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.engine.options import split_options
from sparring.settings import Limits
from sparring.studio.sets import StudioSets
from web.app_server import HIGH_LIMITS, AppServer, Client, StartServer
from web.studio.set_checks import OF_SETS
from web.studio.sets import BEGIN, change, create_set, file, put, share_link, state, upload_set


@pytest.mark.parametrize("name", ["five-circles", "high-card", "mace", "untitled-movement", "world-of-fighters"])
def test_a_new_set_equals_the_default_content(name: str, anna: Client) -> None:
    address = create_set(anna, game=name)
    content, options = split_options(read_toml(file(anna, address), "x"), game(name).options(), "x")
    assert content == read_toml(game(name).content_text, "x")
    assert (options or {}) == game(name).preset(game(name).recommended)
    assert state(anna, address)["faults"] == []


def test_who_shares_a_set_reads_what_the_author_asks_for(anna: Client) -> None:
    page = anna.get(create_set(anna, game="make-your-moves")).text
    assert "asks for variants at makeyourmovesgame@gmail.com" in page


def test_a_downloaded_set_is_the_whole_variant(server: AppServer, tmp_path: Path, anna: Client) -> None:
    address = create_set(anna, game="five-circles")
    edits = {"do": "option", "at": ["opening"], "value": "both"}, put("9", "cards", 3, "attack")
    change(anna, address, *edits, put("1", "cards", 3, "attack")).raise_for_status()
    downloaded = tmp_path / "mine.toml"
    downloaded.write_text(file(anna, address), encoding="utf-8")
    other = server.person("Ben")
    copied = upload_set(other, downloaded.read_bytes(), "five-circles").headers["location"]
    assert file(other, copied) == file(anna, address)
    table = other.post(f"{copied}/play").headers["location"].rsplit("/", 1)[1]
    assert server.run(server.tables.registry.get(table)).match.setup.options["opening"] == "both"
    setup = Match.new("five-circles", content=str(downloaded)).setup
    assert (setup.options["opening"], setup.content.cards[3].attack) == ("both", 1)


def test_a_file_without_options_is_in_the_recommended_variant(anna: Client) -> None:
    response = upload_set(anna, game("five-circles").content_text, "five-circles")
    assert split_options(read_toml(file(anna, response.headers["location"]), "x"), game("five-circles").options(),
                         "x")[1] == game("five-circles").preset("longer")  # fmt: skip


def test_wrong_options_in_a_file_get_one_sentence(anna: Client) -> None:
    for options in ("options = 3\n", "[options]\ncolour = 1\n", "[options]\nopening = 'no'\n"):
        text = game("five-circles").content_text
        response = upload_set(anna, options + text if options.startswith("options") else text + options, "five-circles")
        assert response.status_code == 422
        assert "Your file: " in response.text


@pytest.mark.parametrize(
    ("name", "at"), [("five-circles", '["cards", 3, "name"]'), ("make-your-moves", '["cards", 3]')]
)
def test_play_starts_with_the_open_card(name: str, at: str, anna: Client) -> None:
    address = create_set(anna, game=name)
    change(anna, address, put("Own Hero", "cards", 3, "name")).raise_for_status()
    pages = [anna.get(anna.post(f"{address}/play", data={"at": at}).headers["location"]).text for _ in range(3)]
    assert all("Own Hero" in page for page in pages)
    refused = anna.post(f"{address}/play", data={"at": "[[]]"})
    assert (refused.status_code, "no such field" in refused.text) == (422, True)


@pytest.mark.parametrize("text", [b"values = [", b"\xff\xfe", b"#" * 70_000, b""])
def test_an_invalid_file_gets_one_sentence(server: AppServer, text: bytes) -> None:
    response = upload_set(server.person("Anna"), text)
    assert response.status_code == 422
    assert 'role="alert"' in response.text


def test_invalid_input_is_stored_with_a_fault_at_its_field(anna: Client) -> None:
    address = create_set(anna)
    said = change(anna, address, put("100", "values", 2)).json()
    assert said["faults"] == [{"at": ["values", 2], "words": "a value must be a whole number from 1 to 99, not 100."}]
    assert "1, 1, 100, 2" in file(anna, address)
    assert change(anna, address, put("9", "values", 2)).json()["faults"] == []


def way_back(client: Client, table: str) -> list[str]:
    """Return where a table's links to a set lead."""
    return re.findall(r'<a class="button[^"]*" href="(/studio/[^"]*)">Back to set</a>', client.page(table))


def test_a_table_leads_back_to_its_set_and_only_in_the_browser_that_started_it(server: AppServer) -> None:
    anna, bert = server.person("Anna"), server.person("Bert")
    address = create_set(anna)
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert set(way_back(anna, table)) == {address}
    assert way_back(bert, f"{table}?watch=true") == []
    other = anna.post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": "open"}).headers["location"]
    assert way_back(anna, other.rsplit("/", 1)[1]) == []
    share = share_link(anna, address)
    shared = bert.post(f"{share}/play").headers["location"].rsplit("/", 1)[1]
    assert set(way_back(bert, shared)) == {share}
    content = server.run(server.tables.registry.get(shared)).content

    def with_cookie(value: str) -> list[str]:
        stranger = server.stranger()
        stranger.http.cookies.set("set", value, path="/table")
        return way_back(stranger, f"{shared}?watch=true")

    assert set(with_cookie(urlencode({"content": content, "page": share}))) == {share}
    for page in ("//evil.example", "https://evil.example/studio/a", "/studio/../me", "/me"):
        assert with_cookie(urlencode({"content": content, "page": page})) == [], page
    assert with_cookie("content=a&content=b&page") == []


def test_a_set_is_played_in_the_recommended_variant(server: AppServer, anna: Client) -> None:
    address = create_set(anna, game="five-circles")
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert server.run(server.tables.registry.get(table)).match.setup.options["opening"] == "hold"
    change(anna, address, {"do": "option", "at": ["opening"], "value": "both"})
    table = anna.post(f"{address}/play").headers["location"].rsplit("/", 1)[1]
    assert server.run(server.tables.registry.get(table)).match.setup.options["opening"] == "both"


def test_limits_get_one_sentence(start_server: StartServer) -> None:
    server = start_server(limits=Limits(sets_at_once=2, sets_each=3, tables_at_once=100))
    anna = server.person("Anna")
    create_set(anna)
    create_set(anna)
    refused = anna.post("/studio", data=BEGIN)
    assert (refused.status_code, "many sets in a short time" in refused.text) == (429, True)
    server.close()
    server = start_server(limits=HIGH_LIMITS)
    sets: StudioSets = server.app.state.sets
    assert len(server.run(sets.store.of("Anna"))) == 2


def test_the_size_of_a_set_is_limited(server: AppServer) -> None:
    anna, data = server.person("Anna"), read_toml(game("five-circles").content_text, "own")
    data["cards"] += data["cards"][:1] * (500 - len(data["cards"]))
    address = upload_set(anna, write_toml(data), "five-circles").headers["location"]
    before = file(anna, address)
    refused = change(anna, address, {"do": "copy", "at": ["cards", 0]})
    assert (refused.status_code, "at most 500 entries" in refused.text) == (422, True)
    assert file(anna, address) == before


def test_faults_of_game_specific_checks_are_at_their_fields(anna: Client) -> None:
    address = create_set(anna, game="five-circles")
    said = change(
        anna, address, put("9", "cards", 0, "attack"), put("Red", "cards", 0, "stat", 0), at=["cards", 0]
    ).json()
    assert {"at": ["cards", 0, "attack"], "words": "1 circle buys 3 points, but Attack + Health is 10."} in said[
        "faults"
    ]


def test_a_renamed_card_stays_in_its_decks(anna: Client) -> None:
    address = create_set(anna, game="five-circles")
    for name in ("Kite", "Kite Archerx", "Bow Cat"):
        assert change(anna, address, put(name, "cards", 3, "name")).json()["faults"] == []
    assert file(anna, address).count("Bow Cat") == 2
    change(anna, address, put("Pebble Crab", "cards", 3, "name"))
    assert file(anna, address).split("[[decks]]")[1].count("Bow Cat") == 1


@pytest.mark.parametrize("check", OF_SETS, ids=lambda check: check.__name__)
def test_sets(server: AppServer, check: Callable[[AppServer], None]) -> None:
    check(server)
