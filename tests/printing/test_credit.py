"""The credit of a game, with its licence's link and conditions, goes wherever its rules or pieces go."""

import csv
import io
import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("typst", reason="the extra `print` is not installed")

from pypdf import PdfReader

from sparring.cli import main
from sparring.engine.game import Game, game
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.printing.card_files import CREDIT, SERVICES, pictures, service_files, table
from sparring.printing.playingcards_io import room_file
from sparring.printing.print_job import PARTS, PrintJob
from sparring.printing.sheets import PrintOptions
from sparring.printing.tabletop_simulator import table_files

ROOT = Path(__file__).parents[2]
FROM_DOCUMENTS = ["make-your-moves", "world-of-fighters", "untitled-movement", "mace", "five-circles"]


def joined(text: str) -> str:
    """Return a text without spaces, because PDFs and wrapped lines have them in other places."""
    return re.sub(r"\s", "", text)


def job(chosen: Game, *only: str, card: str = "") -> PrintJob:
    options = PrintOptions(card=SERVICES[card].card) if card else PrintOptions()
    return PrintJob(chosen.setup(chosen.preset(chosen.recommended)), chosen.seats[0], options, only or PARTS)


@pytest.mark.parametrize("name", ["mace", "untitled-movement"])
def test_a_noncommercial_credit_has_author_link_conditions_and_changes(name: str) -> None:
    credit = game(name).credit
    assert credit.link in credit.text
    assert credit.link in credit.short
    assert all(
        word in credit.text for word in (credit.author, "Attribution", "NonCommercial", "ShareAlike", "Changed:")
    )


@pytest.mark.parametrize("name", ["mace", "untitled-movement"])
def test_every_printed_sheet_and_the_booklet_carry_the_credit(name: str) -> None:
    chosen = game(name)
    printed = job(chosen, "boards", "counters", "rules")
    reader = PdfReader(io.BytesIO(printed.pdf()))
    texts = [joined(page.extract_text()) for page in reader.pages]
    sheets = sum(len(sheets) for _, sheets in printed.sheets())
    assert 0 < sheets < len(texts)
    assert all(joined(chosen.credit.short) in text for text in texts[:sheets])
    assert sum(joined(chosen.credit.text) in text for text in texts[sheets:]) == 1
    assert reader.metadata
    assert reader.metadata.subject == chosen.credit.text


def test_exports_carry_the_credit() -> None:
    chosen = game("mace")
    credit = chosen.credit.text
    assert {row["credit"] for row in csv.DictReader(io.StringIO(table(job(chosen))))} == {credit}
    saved = next(file for name, file in table_files(job(chosen), "").items() if name.endswith(".json"))
    assert credit in json.loads(saved)["Note"]
    with zipfile.ZipFile(io.BytesIO(room_file(job(chosen)))) as room:
        assert room.comment.decode() == credit


def test_card_files_lie_beside_the_credit() -> None:
    chosen = HIGH_CARD
    assert pictures(job(chosen), "svg")[CREDIT].decode().strip() == chosen.credit.text
    crafter = service_files(job(chosen, card="the-game-crafter"), SERVICES["the-game-crafter"])
    assert crafter[CREDIT].decode().strip() == chosen.credit.text
    (pdf,) = service_files(job(chosen, card="drivethrucards"), SERVICES["drivethrucards"]).values()
    assert PdfReader(io.BytesIO(pdf)).metadata.subject == chosen.credit.text  # type: ignore[union-attr]


@pytest.mark.parametrize("name", FROM_DOCUMENTS)
def test_the_rules_command_and_the_notice_have_the_credit(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rules", name])
    assert joined(game(name).credit.text) in joined(capsys.readouterr().out)
    assert joined(game(name).credit.text) in joined((ROOT / "NOTICE").read_text(encoding="utf-8"))


def test_the_package_names_the_licences() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "MIT AND CC-BY-NC-SA-3.0 AND CC-BY-NC-SA-4.0"
    assert "NOTICE" in project["license-files"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(game(name).credit.link in readme for name in ("mace", "untitled-movement"))
