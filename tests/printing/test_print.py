"""Print output: measured PDFs, images, the CSV table and decks for Tabletop Simulator."""

import base64
import csv
import io
import re
import struct
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typst", reason="the extra `print` is not installed")

from PIL import Image
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

from printing.pdf_shapes import Page, read
from sample_images import photo
from sparring import Game, games
from sparring.cli import main
from sparring.engine.formats.card_pictures import PenStroke, ShapeStroke, Sketch
from sparring.engine.formats.toml import read_toml
from sparring.engine.texts import examples
from sparring.games.five_circles.abilities import ABILITIES
from sparring.games.five_circles.state import COLOURS
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.printing.booklet import Booklet, saddle
from sparring.printing.card_files import CREDIT, pictures, table, turned_differences
from sparring.printing.drawings import Drawings
from sparring.printing.print_job import PARTS, PrintJob
from sparring.printing.sheets import SAFE, PaperSize, PrintOptions
from wording import says

#: The greatest offset of fronts and backs, in mm.
REGISTER = 0.1
WIDTH, HEIGHT = 63.0, 88.0


def job(game: Game = HIGH_CARD, *only: str, preset: str | None = None, **print_options: object) -> PrintJob:
    setup = game.setup(game.preset(preset or game.recommended))
    return PrintJob(setup, game.seats[0], PrintOptions(**print_options), only or PARTS)  # type: ignore[arg-type]


@cache
def five_circles() -> list[Page]:
    """Print all cards of Five Circles in black ink, for long-edge duplex."""
    return read(job(games()["five-circles"], "cards", ink="black").pdf())


def apart(page: Page, behind: Page, duplex: str) -> float:
    """Return the greatest distance in mm between a page's cards and their backs when the sheet is turned over."""
    backs = behind.clips(WIDTH, HEIGHT)
    worst = 0.0
    for face in page.clips(WIDTH, HEIGHT):
        across, down = (page.width - face.right, face.top), (face.left, page.height - face.bottom)
        x, y = across if duplex == "long-edge" else down
        worst = max(worst, min(max(abs(back.left - x), abs(back.top - y)) for back in backs))
    return worst


def registered(pages: list[Page], duplex: str) -> int:
    """Check that each card has its back behind it, and return the number of cards."""
    printed = 0
    for page, behind in zip(pages[::2], pages[1::2], strict=True):
        faces, backs = page.clips(WIDTH, HEIGHT), behind.clips(WIDTH, HEIGHT)
        assert len(faces) == len(backs)
        assert apart(page, behind, duplex) < REGISTER
        printed += len(faces)
    return printed


def test_fronts_and_backs_of_five_circles_register() -> None:
    assert registered(five_circles(), "long-edge") == 60 + 2 * (
        1 + 6
    )  # all cards; for each seat a turn summary and the abilities


def test_fronts_and_backs_register_at_the_short_edge() -> None:
    assert registered(read(job(HIGH_CARD, "cards", duplex="short-edge").pdf()), "short-edge") == 20 + 2


def test_a_folded_sheet_registers_on_its_fold() -> None:
    pages = read(job(HIGH_CARD, "cards", duplex="fold").pdf())
    for page in pages:
        cards, fold = page.clips(WIDTH, HEIGHT), page.width / 2
        faces = [card for card in cards if card.right < fold]
        assert len(cards) == 2 * len(faces) > 0
        for face in faces:
            assert any(abs(card.left + face.right - page.width) < REGISTER > abs(card.top - face.top) for card in cards)


def test_cards_have_their_bleed_and_all_text_is_in_the_safe_area() -> None:
    page = five_circles()[0]
    cards = page.clips(WIDTH, HEIGHT)
    grounds = {(round(shape.left, 1), round(shape.top, 1)) for shape in page.shapes
               if shape.kind == "fill" and abs(shape.size[0] - WIDTH - 3) < 0.02}  # fmt: skip
    assert {(round(card.left - 1.5, 1), round(card.top - 1.5, 1)) for card in cards} <= grounds
    edge = max(card.bottom for card in cards)  # the credit is below all cards
    texts = [shape for shape in page.shapes if shape.kind == "text" and shape.top < edge]
    assert len(texts) > len(cards)
    for text in texts:
        assert any(
            card.left + SAFE <= text.left <= card.right - SAFE and card.top + SAFE <= text.top <= card.bottom - SAFE
            for card in cards
        )


def test_blank_cards_have_five_empty_circles_and_lines_to_write_on() -> None:
    game = games()["five-circles"]
    pdf = job(game, "blanks").pdf()
    pages, texts = read(pdf), [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]
    assert registered(pages, "long-edge") == 14 + 16 + 5  # characters, resources, and the list of abilities
    first = pages[0]
    for card in first.clips(WIDTH, HEIGHT):
        strokes = [
            shape.size for shape in first.shapes
            if shape.kind == "stroke" and card.left < shape.left < card.right and card.top < shape.top < card.bottom
        ]  # fmt: skip
        assert sum(6 < width < 8 and 6 < height < 8 for width, height in strokes) == 5
        assert sum(width > 45 and height < 1 for width, height in strokes) == 4  # the name, and three abilities
    lines = Counter(line for text in texts for line in text.splitlines())
    assert [lines[words] for words in ("attack health", "abilities", "name", "initials")] == [14, 14, 30, 30]
    assert all(lines[f"{each.name} ({each.size} {COLOURS[each.colour]})"] == 1 for each in ABILITIES)
    assert all(game.credit.short.replace(" ", "") in text.replace(" ", "").replace("\n", "") for text in texts)


def test_the_bleed_has_the_colour_of_the_cards_paper() -> None:
    for game in games().values():
        for _, _, card in job(game).cards():
            assert (card.face.ground, card.back.ground) == ("#fbf6ea", "#fbf6ea")


def test_black_ink_pages_have_no_colour() -> None:
    colours = {colour for page in five_circles() for colour in page.colours}
    assert all(len(set(colour)) == 1 for colour in colours)
    coloured = {colour for page in read(job(HIGH_CARD, "cards").pdf()) for colour in page.colours}
    assert any(len(set(colour)) > 1 for colour in coloured)


def test_everything_is_drawn_in_vectors_and_every_font_is_embedded() -> None:
    reader = PdfReader(io.BytesIO(job(HIGH_CARD).pdf()))
    things = [thing for number in range(1, len(reader.xref_objStm) + len(reader.xref[0]))
              if isinstance(thing := reader.get_object(number), DictionaryObject)]  # fmt: skip
    assert not [thing for thing in things if thing.get("/Subtype") == "/Image"]
    fonts = {
        str(thing["/FontName"]).partition("+")[2]: thing for thing in things if thing.get("/Type") == "/FontDescriptor"
    }
    assert {"Roboto-Regular", "Roboto-Bold"} <= set(fonts)
    for font in fonts.values():
        assert {"/FontFile2", "/FontFile3"} & set(font)


def test_the_same_input_gives_the_same_bytes() -> None:
    first, again = (job(HIGH_CARD).pdf() for _ in range(2))
    assert first == again
    assert pictures(job(HIGH_CARD), "svg") == pictures(job(HIGH_CARD), "svg")


def test_a_game_prints_with_its_booklet() -> None:
    pages = PdfReader(io.BytesIO(job(HIGH_CARD).pdf())).pages
    text = "".join(page.extract_text() for page in pages)
    assert "High Card" in text
    assert "Seat 2 has already played a card" in text  # an example, and its caption below
    assert "Rules and variants" in text


def test_the_contents_count_counters_and_figures_separately() -> None:
    contents = {name: " ".join(job(games()[name]).notes()) for name in ("world-of-fighters", "make-your-moves")}
    assert says(contents["world-of-fighters"], "1 board", "6 counters", "8 figures")
    assert says(contents["make-your-moves"], "3 counters")
    assert not re.search("figure|board", contents["make-your-moves"])


def test_rulings_show_the_chosen_options() -> None:
    made = job(games()["five-circles"], "rules", preset="longer")
    told = Booklet(made.setup, made.drawings, made.print_options, ()).source()
    assert re.search(r'#"R23"\], \[.*#strong\[#"In this game: First combat: in turn 2\."\]', told)
    assert re.search(r'#"R6"\], \[.*#strong\[#"In this game: Life: 14\."\]', told)
    assert not re.search(r'#"R21"\], \[[^\n]{0,200}In this game:[^\n]{0,40}Attacking', told)
    assert "sparring cards check" not in told


def words(made: PrintJob) -> list[str]:
    """Return the words of each page of a PDF in one line; text may be broken at hyphens."""
    reader = PdfReader(io.BytesIO(made.pdf()))
    return [re.sub(r"\s+", " ", page.extract_text().replace("-\n", "")) for page in reader.pages]


@pytest.mark.parametrize(
    ("name", "options", "booklet", "turn"),
    [
        ("five-circles", {"life": 9, "opening": "both"}, "9 life (2 in the document)", "Combat (from turn 3 on)"),
        ("five-circles", {"recover": "every-turn"}, "all characters recover", "from all characters"),
        ("five-circles", {"brace": "blue"}, "your opponent may use Blue", "may use Blue abilities"),
        ("untitled-movement", {"home": 3}, "3 tokens home (4 in the document) wins", "When three tokens are on"),
        ("mace", {"blast_cost": "reveal_only"}, "hexes and your attack (in the document: a Club)", "range and attack"),
        ("make-your-moves", {"match": "elimination"}, "in the document: first to three points", "does damage"),
        ("world-of-fighters", {"movement": "upto"}, "up to that many squares", "Move up to that many squares"),
        ("card-duel", {"win": "points", "points": 6}, "Score 6 points to win", "6 points: you win"),
    ],
)
def test_options_and_presets_reach_the_booklet(name: str, options: dict[str, Any], booklet: str, turn: str) -> None:
    game = games()[name]
    for setup, said in ((game.setup(options), True), (game.setup(), False)):
        made = PrintJob(setup, game.seats[0], PrintOptions(), ("rules",))
        assert (booklet in " ".join(words(made))) == said
        assert any(turn in step for step in made.inventory.turn) == said


def test_prints_of_a_set_have_its_name_and_rules() -> None:
    duel = games()["card-duel"]
    cards = [{"name": f"Bug {n}", "kind": "character", "cost": 1, "attack": 1, "health": 2, "copies": 6} for n in "AB"]
    setup = duel.setup({"life": 12}, duel.content_from({"name": "Bug Brawl", "cards": cards}, "bugs.toml"))
    made = PrintJob(setup, 2, PrintOptions())
    pages = words(made)
    assert all("Bug Brawl" in page for page in pages[:-2]), "on every sheet"
    assert "You start with 4 cards and 12 life" in " ".join(pages)
    assert "Card Duel" not in " ".join(pages)
    assert not [card.name for card in duel.content.cards if card.name in " ".join(pages)]
    assert PdfReader(io.BytesIO(made.pdf())).metadata["/Title"] == "Bug Brawl: print and play"  # type: ignore[index]
    assert "Bug Brawl by its designer" in table(made)
    assert set(turned_differences(made).values()) == {0.0}, "a back with a name is the same upside down"


def test_labels_on_an_examples_board_are_not_covered_by_their_outline() -> None:
    game = games()["untitled-movement"]
    example = examples(game.setup())[0]
    assert example
    drawn = Drawings(game).scene(example.scene, ("middle",), 460)
    said = re.findall(r"<(?:\w+:)?text([^>]*)>(Your starts)<", drawn)
    assert ['stroke="none"' in how for how, _ in said] == [False, True]


def test_table_rows_and_words_are_not_broken() -> None:
    five = job(games()["five-circles"], "rules")
    pages = [
        page.extract_text()
        for page in PdfReader(
            io.BytesIO(Booklet(five.setup, Drawings(five.setup.game), five.print_options, ()).pages())
        ).pages
    ]
    heal = next(page for page in pages if "Heal 1" in page)
    assert "after" in heal.partition("Heal 1")[2].partition("Heal 2")[0]
    assert "auto-\nmatic" not in "".join(pages)
    assert "automatic" in "".join(pages)


def test_the_pages_of_a_booklet_fold_into_their_order() -> None:
    assert saddle(4) == [(3, 0), (1, 2)]
    assert saddle(6) == [(None, 0), (1, None), (5, 2), (3, 4)]


def test_boards_fit_on_one_sheet_or_on_several_that_overlap() -> None:
    movement = games()["untitled-movement"]
    assert len(read(job(movement, "boards").pdf())) == 1
    tiles = read(job(movement, "boards", place=25.0).pdf())
    assert len(tiles) == 4
    board = 12 * 25 + 2.5  # its spaces, and the lines along its edge
    half = (board + 10) / 2  # 10 mm are on both sheets
    whole = [page.clips(board, board)[0] for page in tiles]
    windows = [page.clips(half, half)[0] for page in tiles]
    shown = [(window.left - all_.left, window.top - all_.top) for window, all_ in zip(windows, whole, strict=True)]
    far = pytest.approx(board - half, abs=0.05)
    assert shown == [pytest.approx((0, 0), abs=0.05), (far, pytest.approx(0, abs=0.05)),
                     (pytest.approx(0, abs=0.05), far), (far, far)]  # fmt: skip


def test_all_counters_and_figures_are_printed() -> None:
    (page,) = read(job(games()["untitled-movement"], "counters").pdf())
    across = max(shape.size[0] for shape in page.shapes if shape.kind == "clip")
    assert len(page.clips(across, across)) == 2 * 8  # two seats with four tokens, each drawn on both sides


# Other formats


def test_the_csv_table_has_every_card_with_its_copies() -> None:
    rows = list(csv.DictReader(io.StringIO(table(job(games()["world-of-fighters"])))))
    assert {row["name"]: row["copies"] for row in rows if row["deck"] == "Action cards"} == {
        "Punch": "10", "Kick": "10", "Grapple": "10", "Block": "6"
    }  # fmt: skip
    assert sum(int(row["copies"]) for row in rows if row["deck"] == "Fighters") == 8


def test_the_csv_table_has_no_formulas() -> None:
    game = games()["make-your-moves"]
    data = {"cards": [{"name": f"=SUM(A{n})", "colour": "Red", "power": 1} for n in range(30)]}
    made = PrintJob(game.setup({}, game.content_from(data, "own")), 2, PrintOptions())
    names = [row["name"] for row in csv.DictReader(io.StringIO(table(made)))]
    assert names[0] == "'=SUM(A0)"


def test_every_kind_of_card_is_an_image() -> None:
    files = pictures(job(HIGH_CARD), "svg")
    del files[CREDIT]
    kinds = len(set(HIGH_CARD.content.values)) + 1
    assert len(files) == kinds + 2  # and two backs
    assert all(file.startswith(b"<svg") for file in files.values())
    assert not any(b"<text" in file or b"font-family" in file for file in files.values())  # letters are shapes


def test_a_png_has_the_size_of_its_card_at_300_dpi() -> None:
    file = next(iter(pictures(job(HIGH_CARD, card=PaperSize(25.4, 50.8)), "png").values()))
    assert struct.unpack(">II", file[16:24]) == (300, 600)


# The command line


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(["print", *words])
    said = capsys.readouterr()
    assert (left.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    return said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "There is no game called chess"),
        (["mace", "--as", "gif"], "--as must be pdf, svg, png, tts, pcio or csv, not gif."),
        (["mace", "--card", "huge"], "The card size must be usual"),
        (["mace", "--duplex", "both"], "The duplex mode must be long-edge, short-edge, fold or none, not both."),
        (["mace", "--paper", "a0"], "The paper must be a4 or letter, not a0."),
        (["mace", "--ink", "gold"], "The ink must be colour or black, not gold."),
        (["mace", "--bleed", "-1"], "The bleed must be 0 to 10 mm, not -1 mm"),
        (["mace", "--bleed", "nan"], "The bleed must be 0 to 10 mm, not nan mm"),
        (["mace", "--place", "900"], "A board space must be 8 to 60 mm wide, not 900 mm"),
        (
            ["mace", "--only", "dice"],
            "The part to print must be one of cards, boards, counters, rules, blanks, not dice.",
        ),
        (["mace", "--seats", "7"], "MACE needs 2 to 4 seats, not 7."),
        (["mace", "--only", "blanks"], "MACE has no blanks to print."),
        (["make-your-moves", "--only", "boards"], "Make Your Moves Lite has no boards to print."),
        (["mace", "--content", "nowhere.toml"], "Can't read nowhere.toml"),
        (["mace", "--url", "https://example.org"], "--url needs --as tts"),
        (["mace", "--as", "csv", "--only", "cards"], "--only is for PDFs"),
    ],
)
def test_bad_input_gets_one_sentence(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert refused(capsys, *words).startswith(said)


def test_a_file_that_cannot_be_written_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    assert "Can't write" in refused(capsys, "mace", "--as", "csv", "--to", str(tmp_path / "taken" / "mace.csv"))


def test_missing_packages_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from sparring.printing import typesetting

    monkeypatch.setattr(typesetting, "PACKAGES", ("a_missing_module",))
    assert 'pip install "cssselect2' in refused(capsys, "mace")


def test_custom_content_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = tmp_path / "own.toml"
    rows = ", ".join(f'{{ name = "Own {n}", colour = "Blue", power = 2 }}' for n in range(30))
    content.write_text(f"cards = [{rows}]", encoding="utf-8")
    made = tmp_path / "own.csv"
    with pytest.raises(SystemExit) as left:
        main(["print", "make-your-moves", "--as", "csv", "--content", str(content), "--to", str(made)])
    assert left.value.code == 0
    assert made.read_text(encoding="utf-8").count("Own ") == 2 * 30  # its name, and all of its text


def test_names_with_markup_characters_print_unchanged() -> None:
    """Characters that mean something in SVG, Typst or CSS print unchanged in card names."""
    game = games()["make-your-moves"]
    names = ["<b>&amp", '#"]a', "$x$ \\q", "]#eval", "'y) }", "*/ {z}", *(f"Own {n}" for n in range(24))]
    data = {"cards": [{"name": name, "colour": "Blue", "power": 1} for name in names]}
    made = PrintJob(game.setup({}, game.content_from(data, "own")), 2, PrintOptions(duplex="none"), ("cards",))
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(made.pdf())).pages)
    for name in names[:6]:
        for word in name.upper().split():
            assert word in text


def drawn(**print_options: object) -> PrintJob:
    """Return Make Your Moves with a drawing on one card and an image on another."""
    made = games()["make-your-moves"]
    data = read_toml(made.content_text, "own")
    data["cards"][0]["picture"] = Sketch(
        [PenStroke(2, 30, [100, 100, 100, 0, 0, 100]), ShapeStroke(5, 11, 500, 500, 400)]
    ).text
    data["cards"][1]["picture"] = photo()
    setup = made.setup({}, made.content_from(data, "own"))
    return PrintJob(setup, made.seats[0], PrintOptions(**print_options), ("cards",))  # type: ignore[arg-type]


def test_custom_drawings_are_vectors_and_images_are_embedded() -> None:
    faces = {copies.face.name: card.face.svg for _, copies, card in drawn().cards()}
    assert "M100 100Q200 100 200 150L200 200" in faces["Jab"]
    assert 'stroke="#c3272b"' in faces["Jab"]
    assert "<ns0:image" not in faces["Jab"]
    assert photo().removeprefix("image webp ") in faces["Chop"]
    assert not any("picture:" in face for face in faces.values())
    assert [len(page.images) for page in PdfReader(io.BytesIO(drawn().pdf())).pages].count(1) == 1


def test_custom_pictures_are_grey_in_black_ink() -> None:
    faces = {copies.face.name: card.face.svg for _, copies, card in drawn(ink="black").cards()}
    for colour in re.findall(r'(?:fill|stroke)="#(\w{6})"', faces["Jab"]):
        assert colour[:2] == colour[2:4] == colour[4:]
    (data,) = re.findall(r'"data:image/webp;base64,([^"]+)"', faces["Chop"])
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    assert all(max(place) - min(place) < 3 for place in (image.getpixel((5, 5)), image.getpixel((35, 25))))  # type: ignore[arg-type]


def test_card_images_show_custom_pictures() -> None:
    usual = PrintJob(games()["make-your-moves"].setup(), 2, PrintOptions(), ("cards",))
    files, before = pictures(drawn(), "svg"), pictures(usual, "svg")
    changed = {name for name, file in files.items() if file != before[name]}
    assert {re.sub(r".*-\d+-|-x.*", "", name) for name in changed} == {"jab", "chop"}


def test_every_player_gets_a_reference_of_the_abilities_on_the_cards() -> None:
    five = games()["five-circles"]
    printed = job(five)
    deck = printed.decks[-1]
    assert deck.title == "Reference"
    assert {copies.count for copies in deck.cards} == {printed.seats}
    on_cards = {ability for card in five.content.cards for ability in card.abilities}
    assert on_cards
    explained = {entry.word: entry.text for entry in printed.explained}
    drawn = " ".join(copies.face.picture.svg for copies in deck.cards if copies.face.picture)
    for ability in on_cards:
        assert f">{ability}</text>" in drawn
        first = " ".join(explained[ability].split()[:2])
        assert first in drawn.replace("&#39;", "'").replace("&#8217;", "\u2019")
    rows = [row for row in csv.DictReader(io.StringIO(table(printed))) if row["deck"] == "Reference"]
    assert all(ability in rows[0]["text"] for ability in on_cards)
    heights = [float(y) for y in re.findall(r' y="([0-9.]+)"', drawn)]
    assert max(heights) <= HEIGHT - SAFE, "the text stays in the safe area"


def test_games_without_explained_words_get_no_reference() -> None:
    assert [deck.title for deck in job(games()["mace"]).decks][-1] == "Turn summary"
