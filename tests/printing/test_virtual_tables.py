"""Whole tables for Tabletop Simulator and playingcards.io, read back as these programs read them."""

import io
import json
import zipfile
from collections import Counter
from functools import cache
from typing import Any

import pytest

pytest.importorskip("typst", reason="the extra `print` is not installed")

from PIL import Image

from sparring import games
from sparring.engine.errors import CannotPrint
from sparring.printing import playingcards_io
from sparring.printing.playingcards_io import room_file
from sparring.printing.print_job import PrintJob
from sparring.printing.sheets import PaperSize, PrintOptions
from sparring.printing.tabletop_simulator import COLOURS, table_files
from sparring.printing.virtual_table import VirtualTable, rows
from wording import says

#: Small cards, so that images are made fast.
SMALL = PrintOptions(card=PaperSize(20, 28))
ADDRESS = "https://example.org/cards/"
TABLES = [("make-your-moves", 6), ("untitled-movement", 4), ("world-of-fighters", 2)]


@cache
def job(name: str, seats: int) -> PrintJob:
    game = games()[name]
    return PrintJob(game.setup(game.preset(game.recommended)), seats, SMALL)


@cache
def saved(name: str, seats: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the saved table of Tabletop Simulator, and its images by name."""
    files = dict(table_files(job(name, seats), ADDRESS))
    (table,) = (json.loads(files.pop(file)) for file in [*files] if file.endswith(".json"))
    return table, files


def things(table: dict[str, Any], *kinds: str) -> list[dict[str, Any]]:
    return [thing for thing in table["ObjectStates"] if thing["Name"] in kinds]


def addresses(part: Any) -> set[str]:
    """Return all image addresses in a saved table."""
    if isinstance(part, dict):
        own = {value for key, value in part.items() if key.endswith("URL") and value}
        return own.union(*map(addresses, part.values()))
    return set[str]().union(*map(addresses, part)) if isinstance(part, list) else set()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_saved_table_has_every_piece_and_every_image(name: str, seats: int) -> None:
    table, images = saved(name, seats)
    assert addresses(table) == {f"{ADDRESS}{image}" for image in images}
    guids = [thing["GUID"] for thing in table["ObjectStates"]]
    assert len(set(guids)) == len(guids)
    printed = {deck.title: deck.count for deck in job(name, seats).decks}
    decks = things(table, "DeckCustom", "Card")
    assert {deck["Nickname"]: len(deck.get("DeckIDs", [1])) for deck in decks} == printed
    for deck in things(table, "DeckCustom"):
        for card, number in zip(deck["ContainedObjects"], deck["DeckIDs"], strict=True):
            sheet = deck["CustomDeck"][str(number // 100)]
            assert card["CardID"] == number
            assert number % 100 < sheet["NumWidth"] * sheet["NumHeight"] - 1, "the last place has no card"
    inventory = job(name, seats).inventory
    pieces = Counter({counter.title: 0 for counter in inventory.counters})
    for counter in inventory.counters:
        pieces[counter.title] += counter.count
    tiles = things(table, "Custom_Tile", "Figurine_Custom")
    found = Counter(tile["Nickname"] for tile in tiles if not tile["Locked"])
    assert found == pieces
    assert [tile["Nickname"] for tile in tiles if tile["Locked"]].count("Points") == (seats if "moves" in name else 0)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_player_has_a_hand_zone_in_front_of_their_things(name: str, seats: int) -> None:
    table, _ = saved(name, seats)
    zones = things(table, "HandTrigger")
    assert [zone["FogColor"] for zone in zones] == list(COLOURS[:seats])
    places = [(zone["Transform"]["posX"], zone["Transform"]["posZ"]) for zone in zones]
    assert len(set(places)) == seats
    assert places[0][1] < 0, "the first player sits in the south"
    for thing in table["ObjectStates"]:
        x, z = thing["Transform"]["posX"], thing["Transform"]["posZ"]
        assert abs(x) < 44, "on the table"
        assert abs(z) < 26, "on the table"


def test_boards_have_a_snap_point_in_the_middle_of_every_space() -> None:
    """In a tile's own coordinates the image is 2 wide and 2 high, with x and z mirrored."""
    table, images = saved("untitled-movement", 4)
    (tile,) = (thing for thing in things(table, "Custom_Tile") if "-board-" in thing["CustomImage"]["ImageURL"])
    (board,) = job("untitled-movement", 4).inventory.boards
    assert len(tile["AttachedSnapPoints"]) == len(board.cells)
    image = Image.open(io.BytesIO(images[tile["CustomImage"]["ImageURL"].removeprefix(ADDRESS)]))
    assert image.width == image.height
    snaps = [(cell.at, snap["Position"]) for cell, snap in zip(board.cells, tile["AttachedSnapPoints"], strict=True)]
    across, down = {at: -place["x"] for at, place in snaps}, {at: place["z"] for at, place in snaps}
    assert all(-1 < value < 1 for value in (*across.values(), *down.values()))
    (left, top), (right, bottom) = min(across), max(across)
    assert across[left, top] < across[right, bottom]
    assert down[left, top] < down[right, bottom], "rows go down in the image, toward the first player"
    assert abs(sum(across.values())) < 0.02 * len(across), "the board is in the middle of its image"


def test_a_game_with_a_die_has_one_on_the_table() -> None:
    assert len(things(saved("untitled-movement", 4)[0], "Die_6")) == 1
    assert not things(saved("make-your-moves", 6)[0], "Die_6")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_in_the_middle_lies_on_anything_else(name: str, seats: int) -> None:
    table = VirtualTable(job(name, seats))
    boxes = [(tile.at, tile.size) for tile in (*table.boards, *table.shared)]
    boxes += [(at, deck.size) for deck in table.decks for at in (deck.at, deck.discard)]
    for place, ((x, y), size) in enumerate(boxes):
        for (other_x, other_y), other in boxes[place + 1 :]:
            apart = abs(x - other_x) >= (size.width + other.width) / 2 - 0.01
            assert apart or abs(y - other_y) >= (size.height + other.height) / 2 - 0.01


def test_decks_that_are_played_have_a_place_for_discards() -> None:
    """A turn summary needs none."""
    assert [deck.title for deck in VirtualTable(job("untitled-movement", 4)).decks if not deck.is_played] == [
        "Turn summary"
    ]
    assert len(saved("untitled-movement", 4)[0]["SnapPoints"]) == 1
    labels = [widget["label"] for widget in room("untitled-movement", 4)[0] if widget["type"] == "cardPile"]
    assert labels == ["Navigation cards", "Discards", "Turn summary"]


def test_rows_are_centred_and_wrap() -> None:
    spots = rows([PaperSize(40, 10)] * 3, 100)
    assert spots == [(-27, 12), (27, 12), (0, -12)]
    assert rows([], 100) == []


@cache
def room(name: str, seats: int) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Return the widgets of a room, and its images by address."""
    with zipfile.ZipFile(io.BytesIO(room_file(job(name, seats)))) as archive:
        files = {file: archive.read(file) for file in archive.namelist()}
    widgets = json.loads(files.pop("widgets.json"))
    return widgets, {f"package://{file}": image for file, image in files.items()}


def images_of(part: Any) -> set[str]:
    if isinstance(part, dict):
        return set[str]().union(*map(images_of, part.values()))
    if isinstance(part, list):
        return set[str]().union(*map(images_of, part))
    return {part} if isinstance(part, str) and part.startswith("package://") else set()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_room_has_every_piece_and_every_image(name: str, seats: int) -> None:
    widgets, images = room(name, seats)
    by_id = {widget["id"]: widget for widget in widgets}
    assert len(by_id) == len(widgets)
    assert images_of(widgets) == set(images)
    assert all(len(image) < 2 * 1024 * 1024 for image in images.values())
    kinds = Counter(widget["type"] for widget in widgets)
    inventory = job(name, seats).inventory
    assert kinds["card"] == sum(deck.count for deck in job(name, seats).decks)
    assert kinds["piece"] == sum(counter.count for counter in inventory.counters)
    assert (kinds["counter"], kinds["spinner"], kinds["hand"]) == (len(inventory.scales), len(inventory.dice), 1)
    assert kinds["board"] == len(inventory.boards)
    for widget in widgets:
        if widget["type"] in ("card", "piece"):
            assert widget["cardType"] in by_id[widget["deck"]]["cardTypes"]
        if widget["type"] == "card":
            assert by_id[widget["parent"]]["type"] == "cardPile"
            assert not widget["faceup"]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everything_is_in_the_room_above_the_hand(name: str, seats: int) -> None:
    widgets, _ = room(name, seats)
    by_id = {widget["id"]: widget for widget in widgets}
    boxes = []
    for widget in widgets:
        if widget["type"] in ("hand", "cardDeck", "card"):
            continue
        deck = by_id.get(widget.get("deck", ""), {})
        wide, high = widget.get("width", deck.get("cardWidth")), widget.get("height", deck.get("cardHeight"))
        assert 0 <= widget["x"] <= widget["x"] + wide <= 1600
        assert 0 <= widget["y"] <= widget["y"] + high <= 810
        boxes.append((widget["x"], widget["y"], widget["x"] + wide, widget["y"] + high))
    boxes = sorted(set(boxes))
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            assert min(one[2], other[2]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[1], other[1])


def test_scales_start_where_the_game_starts() -> None:
    counters = [widget for widget in room("world-of-fighters", 2)[0] if widget["type"] == "counter"]
    assert [(counter["label"], counter["counterValue"]) for counter in counters] == [
        (f"{scale.title}, seat {scale.seat}", scale.start) for scale in job("world-of-fighters", 2).inventory.scales
    ]


def test_the_same_table_gives_the_same_bytes() -> None:
    assert room_file(job("untitled-movement", 4)) == room_file(job("untitled-movement", 4))


def test_a_room_with_too_many_pieces_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playingcards_io, "MOST", 20)
    with pytest.raises(CannotPrint) as problem:
        room_file(job("untitled-movement", 4))
    assert says(str(problem.value), "at most 20")
