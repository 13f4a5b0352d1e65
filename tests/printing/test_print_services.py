"""Card files for print services, and backs that don't mark turned cards."""

import io
import re
from typing import Any

import pytest

pytest.importorskip("typst", reason="the extra `print` is not installed")

from PIL import Image, ImageCms
from pypdf import PdfReader

from printing.pdf_shapes import read
from sparring import games
from sparring.cli import main
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.printing.card_files import CREDIT, SAME, SERVICES, marked_backs, service_files, turned_differences
from sparring.printing.print_job import PrintJob
from sparring.printing.sheets import PrintOptions
from sparring.scene import Picture, replace
from wording import says

INCH = 25.4


def job(name: str, service: str = "makeplayingcards") -> PrintJob:
    game = HIGH_CARD if name == "high-card" else games()[name]
    options = PrintOptions(card=SERVICES[service].card)
    return PrintJob(game.setup(game.preset(game.recommended)), game.seats[0], options)


@pytest.mark.parametrize(("service", "pixels"), [("the-game-crafter", (825, 1125)), ("makeplayingcards", (822, 1122))])
def test_pictures_have_the_pixels_that_the_service_asks_for(service: str, pixels: tuple[int, int]) -> None:
    files = service_files(job("high-card", service), SERVICES[service])
    del files[CREDIT]
    assert {Image.open(io.BytesIO(file)).size for file in files.values()} == {pixels}
    copies = sum(int(found[1]) for name in files if (found := re.search(r"-x(\d+)\.png$", name)))
    assert copies == sum(deck.count for deck in job("high-card", service).decks)
    assert sum("-back" in name for name in files) == len(job("high-card", service).decks)


def test_the_bleed_is_filled_to_the_edge() -> None:
    files = service_files(job("high-card"), SERVICES["makeplayingcards"])
    del files[CREDIT]
    for file in files.values():
        image = Image.open(io.BytesIO(file)).convert("RGB")
        corners = {image.getpixel(at) for at in ((0, 0), (821, 0), (0, 1121), (821, 1121), (411, 0), (0, 561))}
        assert corners == {(251, 246, 234)}, "the colour of the cards' paper"


def test_a_pdf_has_a_page_for_both_sides_of_every_card_back_first() -> None:
    service = SERVICES["drivethrucards"]
    printed = job("high-card", "drivethrucards")
    (file,) = service_files(printed, service).values()
    pages = PdfReader(io.BytesIO(file)).pages
    assert len(pages) == 2 * sum(deck.count for deck in printed.decks)
    sizes = {(float(page.mediabox.width) / 72, float(page.mediabox.height) / 72) for page in pages}
    assert {(round(width, 2), round(height, 2)) for width, height in sizes} == {(2.75, 3.75)}
    texts = [bool(page.extract_text().strip()) for page in pages]
    assert texts[:4] == [False, True, False, True], "the back has no text, the face has"


def test_the_pdf_says_what_its_colours_mean() -> None:
    """Its output intent embeds an ICC profile, which Little CMS reads as sRGB; the fonts are embedded."""
    (file,) = service_files(job("high-card", "drivethrucards"), SERVICES["drivethrucards"]).values()
    reader = PdfReader(io.BytesIO(file))
    root: Any = reader.root_object
    (intent,) = root["/OutputIntents"]
    data = intent.get_object()["/DestOutputProfile"].get_object().get_data()
    profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
    assert says(ImageCms.getProfileDescription(profile), "sRGB")
    assert profile.profile.xcolor_space.strip() == "RGB"
    assert b"<pdfaid:part>2<" in root["/Metadata"].get_object().get_data()
    page: Any = reader.pages[1]
    faces = [font.get_object() for font in page["/Resources"]["/Font"].values()]
    descriptors = [face["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object() for face in faces]
    assert all({"/FontFile2", "/FontFile3"} & set(descriptor) for descriptor in descriptors)
    assert descriptors


def test_text_is_in_the_safe_area() -> None:
    service = SERVICES["drivethrucards"]
    (file,) = service_files(job("high-card", "drivethrucards"), service).values()
    edge = (service.sheet.width - service.card.width) / 2 + service.safe
    texts = [(page, shape) for page in read(file) for shape in page.shapes if shape.kind == "text"]
    assert texts
    for page, text in texts:
        assert edge <= text.left <= page.width - edge
        assert edge <= text.top <= page.height - edge


@pytest.mark.parametrize("name", list(games()))
def test_backs_look_the_same_upside_down(name: str) -> None:
    found = turned_differences(job(name))
    assert found
    assert max(found.values()) <= SAME
    assert marked_backs(job(name)) == []


def test_a_back_that_marks_turned_cards_is_reported() -> None:
    printed = job("make-your-moves")
    half = '<rect width="63" height="88" fill="#fff"/><rect width="63" height="44" fill="#c00"/>'
    deck = replace(printed.inventory.decks[0], back=Picture("half", half))
    printed.inventory = replace(printed.inventory, decks=(deck,))
    assert turned_differences(printed)["Moves"] > 0.8
    (warning,) = marked_backs(printed)
    assert says(warning, "Moves", "turned card is marked")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mace", "--for", "nobody"], "--for must be the-game-crafter, drivethrucards or makeplayingcards, not"),
        (["mace", "--for", "makeplayingcards", "--as", "png"], "--for chooses the format"),
        (["mace", "--for", "makeplayingcards", "--card", "tarot"], "--for chooses the card size"),
    ],
)
def test_options_that_contradict_get_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["print", *words])
    assert left.value.code == 2
    assert said in capsys.readouterr().err
