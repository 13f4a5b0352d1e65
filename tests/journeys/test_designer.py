"""The designer: a board drawn in the studio, and a sheet of 40 cards, are what is then played, measured and printed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from journeys.installed import Installation
from journeys.steps import Journey

pytestmark = pytest.mark.journey
BUGS = ("Ant", "Bee", "Cricket", "Dung Beetle", "Earwig", "Firefly", "Gadfly", "Hornet", "Inchworm", "June Bug")
RANKS = ("Young", "Grown", "Armoured", "Royal")
CARDS = [f"{rank} {bug}" for rank in RANKS for bug in BUGS]
#: Some cards of the game that the set starts from.
TEMPLATE = ("Card Duel", "Pebble Imp", "Tin Scout", "Bramble Bear", "Storm Piper", "Spark", "Fireball", "Gust")


def create_set(journey: Journey, page: Page, game: str, name: str, start: str) -> None:
    journey.click(page.get_by_role("link", name="Studio", exact=True))
    page.get_by_label("Game", exact=True).select_option(game)
    page.get_by_label("Set name").fill(name)
    page.get_by_label("Your name").fill("Dana")
    page.get_by_role("radio", name=start).check()
    journey.click(page.get_by_role("button", name="Create set"))
    expect(page.locator("#set-name")).to_have_value(name)
    page.wait_for_load_state()


def download(page: Page, do: Callable[[], None], file: Path) -> Path:
    with page.expect_download() as started:
        do()
    started.value.save_as(file)
    return file


def printed(journey: Journey, page: Page, file: Path) -> str:
    """Print the set; return all words on the sheets and in the booklet, in one line."""
    download(page, lambda: journey.click(page.get_by_role("button", name="Print", exact=True)), file)
    words = " ".join(" ".join(sheet.extract_text() for sheet in PdfReader(file).pages).split())
    journey.keep(words)
    return words


def test_designer_draws_board(
    journey: Journey, browser: Browser, url: str, installation: Installation, tmp_path: Path
) -> None:
    page = journey.open(browser, url)
    with journey.step("Draw a board"):
        create_set(journey, page, "untitled-movement", "My boards", "The game's own set")
        journey.click(page.get_by_role("button", name="Add a board"))
        board = page.locator("#editor details[open]")
        board.get_by_label("Name").fill("crossroads")
        journey.click(board.get_by_role("button", name="space 4,4,"))
        expect(board.get_by_role("button", name="space 4,4, closed")).to_be_visible()
        expect(page.locator("#saved")).to_have_text("Saved")
        expect(page.locator("#legal")).to_have_text("No problems: ready to play.")
    with journey.step("Look at it beside the editor"):
        expect(page.locator("#preview .cell")).to_have_count(9 * 9)
    with journey.step("Find it in the rule options"):
        journey.click(page.get_by_text("Rule options"))
        expect(page.get_by_label("Board", exact=True)).to_contain_text("crossroads", ignore_case=True)
    with journey.step("Print it"):
        assert "crossroads" in printed(journey, page, tmp_path / "board.pdf").lower()
    with journey.step("Compare it in the lab"):
        journey.click(page.get_by_text("Sharing, download"))
        file = download(page, page.get_by_role("link", name="Download file").click, tmp_path / "boards.toml")
        journey.keep(
            installation.run(
                "sparring", "lab", "untitled-movement", "--content", str(file), "--option", "board=crossroads",
                "--matches", "2",
            )
        )  # fmt: skip
    with journey.step("Play"):
        journey.click(page.get_by_role("button", name="Play", exact=True))
        expect(page.locator("form.scene")).to_be_visible()
        expect(page.locator(".board .cell")).to_have_count(9 * 9)
    with journey.step("Read which board it is"):
        journey.click(page.get_by_role("button", name="Table", exact=True))
        expect(page.locator("#table-panel")).to_contain_text("crossroads", ignore_case=True)


def test_designer_imports_cards(journey: Journey, browser: Browser, url: str, tmp_path: Path) -> None:
    sheet = tmp_path / "bugs.csv"
    rows = [
        f"{card},character,{number % 6 + 1},{number % 5 + 1},{number % 4 + 2},1" for number, card in enumerate(CARDS)
    ]
    sheet.write_text("\n".join(["Name,Kind,Cost,Attack,Health,Copies", *rows]), encoding="utf-8")
    page = journey.open(browser, url)
    with journey.step("Import a sheet of 40 cards"):
        create_set(journey, page, "card-duel", "Bug Brawl", "Empty")
        back = page.url
        journey.click(page.get_by_role("link", name="Spreadsheet"))
        journey.click(page.get_by_text("Spreadsheet: import and export"))
        page.get_by_label("CSV or XLSX file").set_input_files(sheet)
        journey.click(page.get_by_role("button", name="Preview changes"))
        page.get_by_label("Remove cards that the spreadsheet doesn't name").check()
        journey.click(page.get_by_role("button", name="Update preview"))
        journey.click(page.get_by_role("button", name="Import 41 changes"))
        page.goto(back)
        expect(page.locator("#legal")).to_have_text("No problems: ready to play.")
    with journey.step("Print the cards and the booklet"):
        words = printed(journey, page, tmp_path / "bugs.pdf")
        assert not [card for card in CARDS if card.lower() not in words.lower()]
        assert "Bug Brawl" in words
        assert not [name for name in TEMPLATE if name.lower() in words.lower()]
    with journey.step("Play a match with them"):
        journey.click(page.get_by_role("button", name="Play", exact=True))
        expect(page.locator("form.scene")).to_be_visible()
        expect(page.locator(".bar h1")).to_contain_text("Bug Brawl")
        hand = " ".join(page.locator(".held .card").all_inner_texts()).lower()
        assert any(bug.lower() in " ".join(hand.split()) for bug in BUGS), hand
    with journey.step("Read the rules"):
        journey.click(page.get_by_role("button", name="Rules", exact=True))
        rules = page.locator("#rules-panel").inner_text()
        assert not [name for name in TEMPLATE if name in rules]
