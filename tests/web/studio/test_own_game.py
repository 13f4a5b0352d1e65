"""A designer's own game has its name and its rules at the table, in replays, in text mode and in files."""

import io
import json
import re
import zipfile
from importlib.util import find_spec

import pytest

from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.studio.jobs.job_messages import SetContent
from sparring.studio.jobs.job_process import print_set
from web.app_server import AppServer, Client
from web.studio.sets import change, create_set, file, put, upload_set

DUEL = game("card-duel")
TEMPLATE = re.compile("Card Duel|" + "|".join(card.name for card in DUEL.content.cards))


@pytest.fixture
def anna(server: AppServer) -> Client:
    return server.person("Anna")


def own_game(client: Client) -> str:
    """Create a set with 12 life and cards of other names, called Bug Brawl; return its address."""
    address = create_set(client, game="card-duel", title="Bug Brawl")
    renamed = [put(f"Bug {chr(65 + number)}", "cards", number, "name") for number in range(len(DUEL.content.cards))]
    life = {"do": "option", "at": ["life"], "value": "12"}
    change(client, address, *renamed, life).raise_for_status()
    return address


def table_of(client: Client, address: str) -> str:
    return client.post(f"{address}/play").headers["location"]


def test_the_table_has_the_name_and_the_rules_of_the_set(anna: Client) -> None:
    table = table_of(anna, own_game(anna))
    page = anna.get(table).text
    rules = page.partition('id="rules-panel"')[2].partition("</aside>")[0]
    assert "<h1>Bug Brawl</h1>" in page
    assert "4 cards and 12 life" in rules
    assert not TEMPLATE.findall(rules)
    assert "Bug Brawl by its designer" in page
    pictures = re.findall(r'src="(/table/[^"]*/examples/\d+)"', rules)
    assert len(pictures) == 4 - 1, "attackers choose their targets"
    for picture in pictures:
        drawing = anna.get(picture)
        assert drawing.headers["content-type"].startswith("image/svg+xml")
        assert "BUG" in drawing.text.upper()
        assert not TEMPLATE.findall(re.sub(r"<style>.*?</style>", "", drawing.text, flags=re.DOTALL))
    assert anna.get(f"{table}/examples/99").status_code == 404


@pytest.mark.parametrize("door", ["/rules", "/text", "/replay", "/replay/text", "/chat"])
def test_every_page_of_the_table_has_the_name(anna: Client, door: str) -> None:
    page = anna.get(table_of(anna, own_game(anna)) + door).text
    assert "Bug Brawl" in re.sub(r"<.*?>", "", page.partition("<title>")[2].partition("</title>")[0])
    assert "Card Duel" not in page


def test_an_invitation_shows_the_game_of_the_set(server: AppServer, anna: Client) -> None:
    content = {"content": ("bugs.toml", file(anna, own_game(anna)).partition("[options]")[0].encode())}
    form = {"name": "Anna", "seat1": "me", "seat2": "open"}
    table = anna.post("/games/card-duel", data=form, files=content).headers["location"]
    page = server.stranger().get(table).text
    assert "invites you to a match of <b>Bug Brawl</b>. A duel with cards." in page
    assert f'src="{table}/picture.svg"' in page
    assert f'href="{table}/rules"' in page
    assert "/learn" not in page.partition("<main")[2], "the tutorial is about the template's cards"


def test_text_mode_and_the_poster_are_about_the_set(server: AppServer, anna: Client) -> None:
    table = table_of(anna, own_game(anna))
    poster = server.stranger().get(f"{table}/picture.svg").text
    assert "BUG" in poster
    assert not TEMPLATE.findall(re.sub(r"<style>.*?</style>", "", poster, flags=re.DOTALL).title())
    page = anna.get(f"{table}/text").text
    assert f'href="{table}/rules"' in page
    assert "/games/card-duel/learn" not in page, "the tutorial is about the template's cards"
    assert "12 life" in server.stranger().get(f"{table}/rules").text
    told = anna.get(f"/api{table}/rules").json()
    assert told["title"] == "Bug Brawl"
    assert "4 cards and 12 life" in told["text"]


def test_the_downloaded_file_has_the_name_and_a_rename_replaces_it(anna: Client) -> None:
    address = own_game(anna)
    assert read_toml(file(anna, address), "x")["name"] == "Bug Brawl"
    response = upload_set(anna, file(anna, address), "card-duel", title='Bug "Wars"')
    text = file(anna, response.headers["location"])
    assert read_toml(text, "x")["name"] == 'Bug "Wars"'
    assert "Bug Brawl" not in text
    assert "<h1>Bug &#34;Wars&#34;</h1>" in anna.get(table_of(anna, response.headers["location"])).text


def test_the_editor_asks_for_one_name(anna: Client) -> None:
    page = anna.get(own_game(anna)).text
    assert page.count('value="Bug Brawl"') == 1


def test_sets_of_other_games_keep_the_name_of_their_game(anna: Client) -> None:
    address = create_set(anna, game="five-circles", title="My Half")
    assert "name" not in read_toml(file(anna, address), "x")
    assert "<h1>Five Circles</h1>" in anna.get(table_of(anna, address)).text


@pytest.mark.skipif(not find_spec("typst"), reason="the extra `print` is not installed")
def test_a_room_for_virtual_tables_has_the_name(anna: Client) -> None:
    content = SetContent("card-duel", file(anna, own_game(anna)).partition("[options]")[0], {"life": 12})
    room = print_set(content, "pcio")
    assert not room.problem
    assert b"Bug Brawl by its designer" in room.file
    saved = print_set(content, "tts").file
    archive = zipfile.ZipFile(io.BytesIO(saved))
    (name,) = [each for each in archive.namelist() if each.endswith(".json")]
    table = json.loads(archive.read(name))
    assert name.endswith("bug-brawl.json")
    assert (table["SaveName"], table["GameMode"]) == ("Bug Brawl", "Bug Brawl")
    assert table["Note"].startswith("A duel with cards.")
