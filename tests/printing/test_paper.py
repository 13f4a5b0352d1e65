"""What paper players need beside cards: words on cards, reference cards, conversions, all boards."""

import io
from pathlib import Path

import pytest

pytest.importorskip("typst", reason="the extra `print` is not installed")

from pypdf import PdfReader

from sparring.cli import main
from sparring.engine.errors import CannotPrint
from sparring.engine.game import game
from sparring.printing.print_job import PrintJob
from sparring.printing.sheets import PrintOptions


def words(name: str, *only: str, **options: str) -> str:
    """Return the words of a printed PDF."""
    chosen = game(name)
    pdf = PrintJob(chosen.setup(options), chosen.seats[0], PrintOptions(), only).pdf()
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def test_an_ordinary_pack_is_converted_and_not_printed() -> None:
    published, pack = (words("untitled-movement", "cards", deck=deck) for deck in ("published", "pnp"))
    assert "Queen: backward-right" in pack
    assert "Queen: backward-right" not in published
    assert ("FORWARD" in published, "FORWARD" in pack) == (True, False)
    assert "a pack of 52 cards" in words("untitled-movement", "rules", deck="pnp")


def test_a_fighters_card_names_the_super_and_the_reference_has_the_base_table() -> None:
    sheets = words("world-of-fighters", "cards")
    assert "Super: Climbing Monkey Grapple, range 3" in sheets
    assert "Kick: 1 at range 2, 2 at range 3." in sheets
    assert "1 at range 1 (close reach) or 3 (long reach)" in sheets
    assert "1 at range 1 and 3" in words("world-of-fighters", "cards", punch_ends="both")


def test_all_boards_print_in_one_command(tmp_path: Path) -> None:
    file = tmp_path / "boards.pdf"
    with pytest.raises(SystemExit, match="0"):
        main(["print", "untitled-movement", "--only", "boards", "--all-boards", "--to", str(file)])
    for page, title in zip(PdfReader(file).pages, ["Mirror Gate", "Mirror Ponds", "Pinwheel", "Scree"], strict=True):
        assert title in page.extract_text()


def test_a_game_with_one_board_refuses_all_boards() -> None:
    mace = game("mace")
    with pytest.raises(CannotPrint, match="only one board"):
        PrintJob(mace.setup(), 2, PrintOptions(), all_boards=True)
