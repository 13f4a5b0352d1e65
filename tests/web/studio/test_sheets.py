"""The table of a set and its spreadsheets: downloaded, previewed, imported; hostile files; other people's sets."""

import io
import json
import re
from html import unescape

import openpyxl
import pytest

from sparring.engine.formats.toml import read_toml
from web.app_server import AppServer, Client
from web.pages.page_text import text_of
from web.studio.sets import create_set, file, share_link, state, step_history, upload_set
from wording import says

CSV = "Name,Stat,Attack,Health\nKite Archer,Red,1,2\nNew Hero,Blue,2,1\n"


@pytest.fixture
def anna(server: AppServer) -> Client:
    return server.person("Anna")


@pytest.fixture
def address(anna: Client) -> str:
    """Create Anna's set of Five Circles."""
    return create_set(anna, game="five-circles")


def bring(client: Client, address: str, text: str = CSV, do: str = "preview", **more: str) -> tuple[int, str]:
    """Post a spreadsheet; return the status and the page as text."""
    row_version = str(state(client, address)["row_version"])
    response = client.post(f"{address}/import", data={"text": text, "do": do, "row_version": row_version, **more})
    return response.status_code, text_of(response.text)


def upload(client: Client, address: str, data: bytes) -> str:
    """Upload a file; return the page as text."""
    response = client.post(f"{address}/import", data={"do": "preview"}, files={"file": ("cards.xlsx", data)})
    return text_of(response.text)


def cards(client: Client, address: str) -> list[dict[str, object]]:
    return read_toml(file(client, address), "x")["cards"]  # type: ignore[no-any-return]


def test_a_preview_changes_nothing_and_an_import_is_one_version(anna: Client, address: str) -> None:
    before = file(anna, address)
    status, page = bring(anna, address)
    assert status == 200
    assert says(page, "1 added", "1 changed", "0 removed", "27 unchanged")
    assert file(anna, address) == before
    assert bring(anna, address, do="import")[0] == 303
    assert cards(anna, address)[-1] == {"name": "New Hero", "stat": ["Blue"], "attack": 2, "health": 1}
    assert says(anna.get(address).text, "2 changes from a spreadsheet")
    step_history(anna, address, "undo").raise_for_status()
    assert file(anna, address) == before


def test_columns_are_mapped_by_choice_and_unnamed_cards_removed_on_request(anna: Client, address: str) -> None:
    text = "a,b,c,d\nKite Archer,Red,2,1\n"
    status, page = bring(anna, address, text)
    assert status == 200
    assert says(page, "No column has the names")
    chosen = {"map.0": "name", "map.1": "stat", "map.2": "health", "map.3": "attack"}
    bring(anna, address, text, "import", remove="on", **chosen)
    assert [(card["name"], card["attack"], card["health"]) for card in cards(anna, address)] == [("Kite Archer", 1, 2)]


def test_faults_are_named_by_cell(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="make-your-moves")
    page = bring(anna, address, "Name,Colour,Power\nJab,Pink,9\n")[1]
    assert re.search(r"B2\s*: Colour: .*not Pink", page)
    assert re.search(r"C2\s*: Power: .*not 9", page)


def test_an_import_into_a_set_that_changed_meanwhile_is_refused(anna: Client, address: str) -> None:
    before = file(anna, address)
    status, page = bring(anna, address, do="import", row_version="7")
    assert status == 409
    assert says(page, "changed in another window")
    assert file(anna, address) == before


def test_xlsx_goes_out_and_comes_back_unchanged(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="world-of-fighters")
    sheet = anna.get(f"{address}/sheet?form=xlsx").raise_for_status().content
    assert openpyxl.load_workbook(io.BytesIO(sheet)).active["A1"].value == "Name"
    assert says(upload(anna, address, sheet), "0 added", "0 changed")
    text = anna.get(f"{address}/sheet?form=csv").raise_for_status().text
    assert says(bring(anna, address, text)[1], "0 added", "0 changed")
    assert anna.get(f"{address}/sheet?form=exe").status_code == 422


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"PK\x03\x04broken", "read"), (b"x" * 1_100_000, "too large"), (b"Name\n" + b"x\n" * 501, "too many rows"),
     (b"\xff\xfe\x00\xd8", "CSV or XLSX"), (b"", "Choose a CSV or XLSX file")],
)  # fmt: skip
def test_a_file_that_cannot_be_read_gets_one_sentence(anna: Client, address: str, data: bytes, words: str) -> None:
    assert words in upload(anna, address, data)
    assert says(bring(anna, address)[1], "1 added"), "the next file is read"


def test_cells_are_text_on_the_page(anna: Client, address: str) -> None:
    response = anna.post(
        f"{address}/import", data={"do": "preview", "text": "Name,<b>x</b>\n<script>alert(1)</script>,1\n"}
    )
    assert "<script>alert" not in response.text
    assert "<b>x</b>" not in response.text


def test_an_import_larger_than_a_spreadsheet_may_be_is_refused_before_it_is_read(anna: Client, address: str) -> None:
    response = anna.post(f"{address}/import", files={"file": ("cards.csv", b"name\n" + b"x" * 4_000_000)})
    assert response.status_code == 413


def test_only_the_owner_sees_the_table_and_imports(anna: Client, address: str, ben: Client) -> None:
    for path in ("table", "sheet"):
        assert ben.get(f"{address}/{path}").status_code == 404
    assert ben.post(f"{address}/import", data={"text": CSV, "do": "import"}).status_code == 404


def test_a_game_without_lists_has_no_table(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="mace")
    assert "/table" not in re.findall(r'href="([^"]*)"', anna.get(address).text)
    assert anna.get(f"{address}/table").status_code == 422


def test_a_cell_is_edited_as_spreadsheets_write_it(anna: Client, address: str) -> None:
    edits = [
        {"do": "cell", "at": ["cards", 3, "stat"], "value": "red; Blue"},
        {"do": "cell", "at": ["cards", 3, "abilities"], "value": ""},
        {"do": "cell", "at": ["cards", 3, "name"], "value": " Own  Archer "},
    ]
    said = anna.post(f"/api{address}/change", json={"row_version": 0, "edits": edits}).raise_for_status().json()
    assert said["faults"] == []
    assert cards(anna, address)[3] == {"name": "Own Archer", "stat": ["Red", "Blue"], "attack": 2, "health": 1}
    decks = read_toml(file(anna, address), "x")["decks"]
    assert any(name.startswith("Own Archer") for deck in decks for name in deck["characters"]), (
        "decks follow a new name"
    )


def test_the_gallery_draws_every_card_and_offers_the_decks(anna: Client, address: str) -> None:
    page = anna.get(f"{address}/table").raise_for_status().text
    assert len(re.findall(r'class="card-preview"', page)) == 28
    decks = json.loads(unescape(re.findall(r'data-decks="([^"]*)"', page)[0]))
    assert [deck["at"] for deck in decks] == [["decks", 0, "characters"], ["decks", 1, "characters"]]
    assert re.search(r'data-number-cost="\d"', page)


@pytest.mark.parametrize(
    ("name", "toml"),
    [("five-circles", 'cards = 5\ndecks = [{name = "A", characters = 5}]\n'), ("five-circles", "decks = 5\n"),
     ("untitled-movement", '[[boards]]\nname = "A"\nmap = 5\n'),
     ("five-circles", '[[cards]]\nname = "A\\u0001B"\n')],
)  # fmt: skip
def test_a_faulty_set_has_a_table_and_spreadsheets(server: AppServer, name: str, toml: str) -> None:
    anna = server.person("Anna")
    address = upload_set(anna, toml, name).headers["location"]
    assert anna.get(f"{address}/table").status_code == 200
    for form in ("csv", "xlsx"):
        assert anna.get(f"{address}/sheet?form={form}").status_code == 200


def test_a_column_number_that_is_no_digit_is_left_out(anna: Client, address: str) -> None:
    assert bring(anna, address, **{"map.\u00b2": "name"})[0] == 200


def test_the_editor_gets_the_drawing_of_every_card(anna: Client, address: str, ben: Client) -> None:
    drawn = anna.get(f"{address}/drawings?part=cards").json()
    assert len(drawn) == len(cards(anna, address))
    assert "Matchstick Imp" in drawn[0]
    assert anna.get(f"{address}/drawings?part=elsewhere").json() == []
    assert ben.get(f"{address}/drawings?part=cards").status_code == 404
    assert ben.get(f"{share_link(anna, address)}/drawings?part=cards").json() == drawn


def test_the_import_says_what_each_column_may_contain(server: AppServer) -> None:
    anna = server.person("Anna")
    address = create_set(anna, game="five-circles", **{"from": "empty"})
    page = anna.get(f"{address}/table").text
    assert '<details class="part" open>' in page, "an empty set begins with its import"
    columns = text_of(page.partition('<dl class="columns">')[2].partition("</dl>")[0])
    assert says(columns, "Stat", "Red, Blue, Green", "several with commas")
    assert says(columns, "1 to 9", "Abilities", "Long Range")
    decks = text_of(anna.get(f"{address}/table?part=decks").text)
    assert says(decks, "Characters", "names of cards", "counts such as 5 Red, 5 Blue")


def test_the_gallery_of_decks_says_what_is_in_them(server: AppServer) -> None:
    anna = server.person("Anna")
    page = anna.get(f"{create_set(anna, game='five-circles')}/table?part=decks").text
    assert says(page.partition('id="gallery"')[2].partition("</ul>")[0], "Characters: Matchstick Imp, Pebble Crab")
